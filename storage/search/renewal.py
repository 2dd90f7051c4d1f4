"""What writing the index of the search anew came to."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Renewal:
    """An index that was written anew.

    Attributes:
        entries: how many it has now.
        added: how many of those were missing, and were made from the record.
    """

    entries: int
    added: int
