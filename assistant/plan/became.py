"""What became of answers: copied as they were, copied after changes, discarded, or not decided yet.

Pure functions of the log.
"""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum

from assistant.tasks.task import Audience
from storage.answer_log import Logged
from storage.interactions import Status
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, COPY


class Became(StrEnum):
    """What became of an answer.

    COPIED: it was copied as it was.
    EDITED: it was not, but an answer below it on a branch was, or one to an edit of its question.
    DISCARDED: neither, and it was superseded (asked again, or its question edited), or its ticket is closed.
    OPEN: none of these, so far.
    INTERNAL: it is for colleagues and no reply, so it is none of these.
    UNFINISHED: it has no end yet, or ended without one that could be used: it failed or broke off.
    """

    COPIED = "copied"
    EDITED = "edited"
    DISCARDED = "discarded"
    OPEN = "open"
    INTERNAL = "internal"
    UNFINISHED = "unfinished"


_UNFINISHED = frozenset({Status.STREAMING, Status.ERROR, Status.CRASHED})


def became(log: Sequence[Logged], closed: Collection[str]) -> dict[int, Became]:
    """Say of each answer what became of it.

    Args:
        log: whole conversations, each in the order of its log.
        closed: the tickets on which nothing more is to be sent.
    """
    copied = {entry.parent_id for entry in log if entry.kind == COPY.name}
    copied_from = _copied_from(log, copied)
    below: set[int] = set()
    superseded: set[int] = set()
    edits_copied: set[int] = set()
    for entry in reversed(log):
        if entry.id in copied_from:
            below.add(entry.parent_id)
        if entry.replaces_id is not None:
            superseded.add(entry.replaces_id)
            if entry.kind == AGENT_MESSAGE.name and (entry.id in copied_from or entry.id in edits_copied):
                edits_copied.add(entry.replaces_id)
    found: dict[int, Became] = {}
    for entry in log:
        if entry.kind != ASSISTANT_RESPONSE.name:
            continue
        if entry.status in _UNFINISHED:
            found[entry.id] = Became.UNFINISHED
        elif entry.meta.get("audience") == Audience.INTERNAL.value:
            found[entry.id] = Became.INTERNAL
        elif entry.id in copied:
            found[entry.id] = Became.COPIED
        elif entry.id in below or entry.parent_id in edits_copied:
            found[entry.id] = Became.EDITED
        elif entry.id in superseded or entry.parent_id in superseded or entry.ticket_id in closed:
            found[entry.id] = Became.DISCARDED
        else:
            found[entry.id] = Became.OPEN
    return found


def _copied_from(log: Sequence[Logged], copied: Collection[int]) -> frozenset[int]:
    """The nodes that were copied, or have one below them that was."""
    parents: Mapping[int, int] = {
        entry.id: entry.parent_id for entry in log if entry.kind in (AGENT_MESSAGE.name, ASSISTANT_RESPONSE.name)
    }
    found: set[int] = set()
    for node_id in copied:
        at: int | None = node_id
        while at is not None and at not in found:
            found.add(at)
            at = parents.get(at)
    return frozenset(found)
