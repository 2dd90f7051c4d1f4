"""Notes of task choices: what the assistant does from a message on."""

from collections.abc import Iterable, Sequence

from storage.interactions import Interaction
from tui.notes.note import Note


def task_notes(choices: Sequence[Interaction]) -> Iterable[Note]:
    """One note for the choice that was made last on a message; the ones before it did nothing."""
    meta = choices[-1].node.meta
    if title := meta.get("task_title") or meta.get("task"):
        yield Note("◇", f"From here on: {title}")
