"""The items of a history as columns: thousands are made of them at once, and each only when its fate is known."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import Final, TypeAlias

from assistant.files import FileForm
from assistant.messages import Message
from assistant.plan import Fate, PlannedItem
from assistant.tokens import Counter

Row: TypeAlias = tuple[int | None, str, int, Message, FileForm | None]
"""An item that is not counted yet: its id, kind, turn, message and form."""

_planned: Final[Callable[[Iterable[object]], PlannedItem]] = partial(tuple.__new__, PlannedItem)
"""Makes an item of its fields, in a third of the time that the class takes to be called."""


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The fields of items but their fates; each column has one entry for each item, in their order."""

    ids: Sequence[int | None]
    kinds: Sequence[str]
    turns: Sequence[int]
    messages: Sequence[Message]
    tokens: Sequence[int]
    forms: Sequence[FileForm | None]

    def __len__(self) -> int:
        return len(self.ids)

    def items(self, fate: Fate, start: int, stop: int) -> tuple[PlannedItem, ...]:
        """Make the items between two places, with this fate."""
        part = slice(start, stop)
        return tuple(
            map(
                _planned,
                zip(
                    self.ids[part],
                    self.kinds[part],
                    self.turns[part],
                    self.messages[part],
                    self.tokens[part],
                    repeat(fate),
                    self.forms[part],
                    strict=False,
                ),
            )
        )

    def item(self, place: int) -> PlannedItem:
        """Make the item at a place, as it is sent."""
        return self.items(Fate.SENT, place, place + 1)[0]

    def with_items(self, items: Mapping[int, PlannedItem]) -> "Columns":
        """The same with other items at these places."""
        messages, tokens, forms = list(self.messages), list(self.tokens), list(self.forms)
        for place, item in items.items():
            messages[place], tokens[place], forms[place] = item.message, item.tokens, item.form
        return Columns(self.ids, self.kinds, self.turns, messages, tokens, forms)


def columns_of(rows: Sequence[Row], counter: Counter) -> Columns:
    """Count items, and put them into columns."""
    if not rows:
        return Columns((), (), (), (), (), ())
    ids, kinds, turns, messages, forms = zip(*rows, strict=True)
    return Columns(ids, kinds, turns, messages, counter.each(messages), forms)
