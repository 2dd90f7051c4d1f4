"""The requests of an answer, and the last of a branch, whose beginning a provider's cache may still have."""

from collections.abc import Sequence

from assistant.audit.sent_messages import sent_messages
from assistant.plan.messages import Message
from storage.interactions import Interaction, Node, SentRequest
from storage.kinds import ASSISTANT_RESPONSE
from storage.model_calls import ModelCalls


def requests_for(record: ModelCalls, answer: Node) -> Sequence[SentRequest]:
    """The requests that asked for an answer itself, oldest first: no summary that ends with it, and no check of it."""
    made = record.requests(answer.conversation_id, answer.id)
    return [request for request in made if request.task == answer.meta.get("task")]


def previous_messages(
    record: ModelCalls, path: Sequence[Interaction], base_url: str, model: str
) -> tuple[Message, ...]:
    """Read the messages of the last request that was made for the newest answer of a path.

    Empty where there was none, it has been erased, or it went to another server or model, whose cache is another.
    The role of each is not told.

    Args:
        record: where the requests are kept.
        path: from the root to the leaf.
        base_url: of the server that would be asked next.
        model: that would be asked next.
    """
    answer = next((entry.node for entry in reversed(path) if entry.kind == ASSISTANT_RESPONSE.name), None)
    if answer is None or not answer.id:
        return ()
    last = next((each for each in reversed(requests_for(record, answer)) if not each.error), None)
    if last is None or last.body is None or (last.base_url, last.model) != (base_url, model):
        return ()
    read = sent_messages(last.body)
    return read.messages if read is not None else ()
