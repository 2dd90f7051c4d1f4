"""What a reader gives."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadText:
    """The text of a file.

    Attributes:
        notes: clauses about what was repaired, left out or not found.
    """

    text: str
    notes: tuple[str, ...] = ()
