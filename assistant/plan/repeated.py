"""Telling a question that is tried again from a new one: it is the newest one, and its answer failed or was stopped."""

from collections.abc import Sequence
from typing import Final

from assistant.plan.file_items import sent_files
from storage.interactions import Interaction, Node, Status
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE
from storage.text import storable

_NOT_ANSWERED: Final = frozenset({Status.ERROR, Status.INTERRUPTED, Status.CRASHED})


def tried_again(path: Sequence[Interaction], text: str) -> Node | None:
    """Return what is to be asked again instead of asking this text below it; None where the text asks something new.

    It is the failed, stopped or broken-off answer at the end of the path, or a question there that has none. A file
    on that answer makes a new question of the same words, as only what stands below the answer is sent with it.

    Args:
        path: each node followed by the internal interactions on it.
        text: what is asked; blanks around it do not count.
    """
    shown = [entry for entry in path if entry.is_external]
    answer = shown.pop() if shown and shown[-1].kind == ASSISTANT_RESPONSE.name else None
    if answer is not None and answer.node.status not in _NOT_ANSWERED:
        return None
    if answer is not None and any(file.node_id == answer.id for file in sent_files(path).values()):
        return None
    question = shown[-1] if shown else None
    if question is None or question.kind != AGENT_MESSAGE.name:
        return None
    if question.content.strip() != storable(text).strip():
        return None
    return answer.node if answer is not None else question.node
