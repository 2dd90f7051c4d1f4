"""From a branch of the record to the case that the rules judge."""

from collections.abc import Sequence

from assistant.contracts import parsed, reply_in
from assistant.gates.case import GateCase
from assistant.task import Task
from storage.attachments.attachment import attachments_of
from storage.interactions import Interaction
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, TOOL_RESULT

HANDBOOK_TOOL = "search_handbook"
"""The tool whose results are words of the handbook; those of others are words of the branch itself."""


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
        said=tuple(entry.content for entry in branch if entry.kind == AGENT_MESSAGE.name),
        passages=tuple(
            entry.content
            for entry in branch
            if entry.kind == TOOL_RESULT.name and entry.node.meta.get("tool") == HANDBOOK_TOOL
        ),
        files=tuple(attachment.text for attachment in attachments_of(branch) if attachment.text),
        system=task.system,
        data=parsed(answer.content) if task.contract is not None else None,
    )
