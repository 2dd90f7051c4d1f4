"""What had to be repaired in a chat, gathered so that a thousand of one kind are one clause."""

from collections.abc import Sequence
from typing import Final

from storage.importers.chats.fields import name_of

_NAMED: Final = 3


class Notes:
    """Collects repairs by kind, each with the ids of the nodes that it concerns."""

    def __init__(self) -> None:
        self._ids: dict[str, dict[str, None]] = {}

    def add(self, what: str, *ids: str) -> None:
        """Note what some nodes have that they should not: "a parent that is not there; …"."""
        self._ids.setdefault(what, {}).update(dict.fromkeys(ids))

    def clauses(self) -> tuple[str, ...]:
        """Return one clause for each kind, in the order in which they came up."""
        return tuple(f"{having(list(ids))} {what}" for what, ids in self._ids.items())


def named(ids: Sequence[str]) -> str:
    """Return the first of some ids, and how many more there are: "'a', 'b', 'c' and 2 more"."""
    first = ", ".join(repr(name_of(each)) for each in ids[:_NAMED])
    return first + (f" and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else "")


def having(ids: Sequence[str]) -> str:
    """Return ids as what a clause is about: "'a', 'b' have"."""
    return f"{named(ids)} {'has' if len(ids) == 1 else 'have'}"
