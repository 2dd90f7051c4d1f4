"""From a branch of the record to the case that the rules judge."""

import json
from collections.abc import Iterator, Sequence

from assistant.gates.case import GateCase
from assistant.gates.repair import own_words
from assistant.tasks.contracts import parsed, reply_in
from assistant.tasks.task import Task
from assistant.tools.specs import SEARCH
from storage.attachments.attachment import attachments_of
from storage.interactions import Interaction
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, TOOL_RESULT
from storage.values import Json


def case_of(branch: Sequence[Interaction], task: Task) -> GateCase:
    """Gather what the last answer of a branch is held against: nothing but this branch and its task.

    Args:
        branch: as `Store.branch` gives it, to an answer.
        task: what made the answer.
    """
    answer = next(entry for entry in reversed(branch) if entry.kind == ASSISTANT_RESPONSE.name)
    in_field = reply_in(answer.content, task.reply_field)
    return GateCase(
        reply=answer.content if in_field is None else in_field,
        tickets=tuple(entry.ticket for entry in branch if entry.ticket is not None),
        said=tuple(own_words(entry.content) for entry in branch if entry.kind == AGENT_MESSAGE.name),
        passages=tuple(passage for entry in branch for passage in _passages(entry)),
        files=tuple(attachment.text for attachment in attachments_of(branch) if attachment.text),
        system=task.system,
        data=parsed(answer.content) if task.contract is not None else None,
    )


def _passages(entry: Interaction) -> Iterator[str]:
    """The words of the handbook that a result of its search holds; those of other tools are words of the branch."""
    meta = entry.node.meta
    if entry.kind != TOOL_RESULT.name or meta.get("tool") != SEARCH.name or "call_id" not in meta:
        return
    try:
        document: Json = json.loads(entry.content)
    except (ValueError, RecursionError):
        return
    passages = document.get("passages") if isinstance(document, dict) else None
    for passage in passages if isinstance(passages, list) else []:
        match passage:
            case {"text": str(text)}:
                yield text
