"""Which internal interactions are shown below a message, and how; one more kind is its function and a line here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from storage.interactions import Interaction
from storage.kinds import (
    ATTACHMENT,
    COMPACTION,
    GATE,
    OBSERVATION,
    OVERRIDE,
    REPAIR,
    SELF_CHECK,
    TASK,
    TOOL_RESULT,
    WARNING,
)
from tui.notes.attachments import attachment_notes
from tui.notes.compactions import compaction_notes
from tui.notes.gates import gate_notes, override_notes, repair_notes
from tui.notes.note import Note
from tui.notes.observations import observation_notes
from tui.notes.self_checks import self_check_notes
from tui.notes.tasks import task_notes
from tui.notes.tools import tool_notes
from tui.notes.warnings import warning_notes

NoteMaker: TypeAlias = Callable[[Sequence[Interaction]], Iterable[Note]]
"""Makes the notes of one kind from the interactions of that kind on one node, in the order in which they were added."""

NOTES: Final[Mapping[str, NoteMaker]] = {
    WARNING.name: warning_notes,
    GATE.name: gate_notes,
    OVERRIDE.name: override_notes,
    REPAIR.name: repair_notes,
    ATTACHMENT.name: attachment_notes,
    TOOL_RESULT.name: tool_notes,
    SELF_CHECK.name: self_check_notes,
    OBSERVATION.name: observation_notes,
    COMPACTION.name: compaction_notes,
    TASK.name: task_notes,
}
"""Kind name → what makes its notes, in the order of the screen; other kinds are kept and not shown."""


def notes_of(hanging: Sequence[Interaction]) -> tuple[Note, ...]:
    """Return the notes of a node, made of the internal interactions that hang on it."""
    if not hanging:
        return ()
    by_kind: dict[str, list[Interaction]] = {}
    for interaction in hanging:
        by_kind.setdefault(interaction.kind, []).append(interaction)
    return tuple(note for kind, make in NOTES.items() if kind in by_kind for note in make(by_kind[kind]))
