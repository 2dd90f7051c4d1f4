"""The items of a history as columns: thousands are made of them at once, and each only when its fate is known."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import repeat
from typing import Final

from assistant.plan.files import FileForm
from assistant.plan.messages import Message
from assistant.plan.plan import Fate, PlannedItem
from assistant.tokens.counter import Counter

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


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The fields of items that are not counted yet; each list is added to at once."""

    ids: list[int | None] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    forms: list[FileForm | None] = field(default_factory=list)

    def insert(self, place: int, item: PlannedItem) -> None:
        """Put an item before what stands at a place."""
        self.ids.insert(place, item.id)
        self.kinds.insert(place, item.kind)
        self.turns.insert(place, item.turn)
        self.messages.insert(place, item.message)
        self.forms.insert(place, item.form)

    def counted(self, counter: Counter) -> Columns:
        """Count the items."""
        return Columns(self.ids, self.kinds, self.turns, self.messages, counter.each(self.messages), self.forms)
