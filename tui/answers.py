"""What an answer says about itself: the task that made it, whom it is for, and the reply that it holds."""

from collections.abc import Sequence

from assistant.gates.record import results_on
from assistant.gates.results import Gate, Outcome
from assistant.tasks.contracts import arrived, reply_in
from assistant.tasks.task import Audience
from storage.interactions import Interaction, Node
from storage.kinds import ASSISTANT_RESPONSE


def task_title(node: Node) -> str:
    """The title of the task that made an answer, "" where none is known."""
    meta = node.meta
    title = meta.get("task_title") or meta.get("task") or ""
    if node.kind != ASSISTANT_RESPONSE.name or not isinstance(title, str):
        return ""
    return title if "task_title" in meta else title.replace("-", " ").capitalize()


def is_internal(node: Node) -> bool:
    """An answer for colleagues, which is no reply to a customer."""
    return node.kind == ASSISTANT_RESPONSE.name and node.meta.get("audience") == Audience.INTERNAL.value


def contract_field(node: Node) -> str | None:
    """The field of an answer with a contract that is the reply ("" for none of them); None for plain text."""
    field = node.meta.get("reply_field")
    return field if isinstance(field, str) else None


def reply_preview(node: Node) -> str:
    """The beginning of what a node says; of an answer in fields, of its reply."""
    field = contract_field(node)
    reply = arrived(node.preview).get(field) if field and node.preview else None
    return reply if isinstance(reply, str) and reply else node.preview


def breaks_contract(hanging: Sequence[Interaction]) -> bool:
    """Gate 1 failed, as what hangs on an answer says."""
    return any(
        result.gate is Gate.CONTRACT and result.result is Outcome.FAIL
        for result in (results_on(hanging) if hanging else ())
    )


def reply_of(answer: Interaction) -> str | None:
    """The reply that an answer with a contract holds; None where it is plain text, or cannot be read."""
    return reply_in(answer.content, contract_field(answer.node) or "")
