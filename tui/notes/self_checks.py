"""Notes of self-checks: whether an answer does what was asked, by a model's own word."""

from collections.abc import Iterable, Sequence

from storage.interactions import Interaction
from tui.notes.note import Note
from tui.tones import MUTED, WARNING


def self_check_notes(checks: Sequence[Interaction]) -> Iterable[Note]:
    """One note for each check; what is missing is told by the one who checked."""
    for check in checks:
        why = check.content.strip()
        match check.node.meta.get("fulfilled"):
            case "yes":
                yield Note("✓", "self-check: it does what was asked", MUTED)
            case "no":
                yield Note("✗", f"self-check: {why or 'it does not do what was asked'}", WARNING)
            case _:
                yield Note("?", f"self-check: {why or 'unknown'}", MUTED)
