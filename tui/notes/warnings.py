"""Notes of warnings: what a reader of an answer must know, and what to do about it."""

from collections.abc import Iterable, Sequence

from storage.interactions import Interaction
from tui.notes.note import Note
from tui.tones import WARNING


def warning_notes(warnings: Sequence[Interaction]) -> Iterable[Note]:
    """One note for each, with the advice as its details."""
    for warning in warnings:
        advice = warning.node.meta.get("advice")
        yield Note("⚠", warning.content, WARNING, details=(advice,) if isinstance(advice, str) and advice else ())
