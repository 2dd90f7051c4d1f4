"""What of a path can be sent: rendered, counted, in the order of the request, and divided into turns."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from assistant.file_items import file_items, sent_files
from assistant.messages import Message
from assistant.plan import Fate, PlannedItem, PlanSettings
from assistant.rendering import ROLES, render
from assistant.sticky import Began, began
from assistant.task import Task
from assistant.tokens import Counter
from storage.attachments.attachment import Attachment
from storage.interactions import Interaction
from storage.kinds import AGENT_MESSAGE, ATTACHMENT, COMPACTION, TICKET, kind_named

OPENS_A_TURN: Final = frozenset({TICKET.name, AGENT_MESSAGE.name})


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """A path as it can be sent; places count its items from 0, and `until[k]` is about the first k of them.

    Attributes:
        items: oldest first, each as it is sent; the tool traffic of an answer is part of its own requests only.
        starts: the place where each turn begins.
        until: the tokens of the first items.
        tickets: the places of the tickets.
        tickets_until: the tokens of the first tickets.
        compactions: how many of the first items each covers, and the compaction, in the order of the record.
        begun: for each answer how many items stand before it, and where its request began.
        texts: the attached files that take less otherwise, each by its place with the item that holds its text.
    """

    items: tuple[PlannedItem, ...]
    starts: Sequence[int]
    until: Sequence[int]
    tickets: Sequence[int]
    tickets_until: Sequence[int]
    compactions: Sequence[tuple[int, PlannedItem]]
    begun: Sequence[tuple[int, Began | None]]
    texts: Mapping[int, PlannedItem]

    def with_texts(self, places: frozenset[int]) -> "History":
        """The same with these files sent as their text."""
        items = tuple(self.texts[place] if place in places else item for place, item in enumerate(self.items))
        return replace(self, items=items, until=_until(items))

    def last_opening(self) -> int | None:
        """The place of the newest message that can be asked again; None where there is none."""
        places = range(len(self.items) - 1, -1, -1)
        return next((place for place in places if self.items[place].kind in OPENS_A_TURN), None)

    def newest_ticket(self, end: int) -> int | None:
        """The place of the newest ticket before `end`, whose snapshot repeats the messages of earlier ones."""
        known = bisect_left(self.tickets, end)
        return self.tickets[known - 1] if known else None

    def tickets_before(self, end: int) -> int:
        """The tokens of the tickets before `end`."""
        return self.tickets_until[bisect_left(self.tickets, end)]

    def compaction(self, end: int) -> tuple[int, PlannedItem] | None:
        """The newest compaction of what stands before `end`."""
        known = [(entry[1].id or 0, entry) for entry in self.compactions if 0 < entry[0] <= end]
        return max(known, key=lambda each: each[0])[1] if known else None

    def held(self, end: int, settings: PlanSettings) -> int | None:
        """The place where the request for the newest answer before `end` began; None where it is not to be held."""
        last = next((start for place, start in reversed(self.begun) if place <= end), None)
        if last is None or not last.is_held(settings):
            return None
        return next((place for place in range(end - 1, -1, -1) if self.items[place].id == last.kept_from), None)


def history_of(path: Sequence[Interaction], task: Task, settings: PlanSettings, counter: Counter) -> History:
    """Render and count a path; each node is followed by the internal interactions that hang on it."""
    items: list[PlannedItem] = []
    starts: list[int] = []
    begun: list[tuple[int, Began | None]] = []
    compactions: list[tuple[int, PlannedItem]] = []
    count, sent, include_notes, sticky = counter.message, Fate.SENT, settings.include_notes, settings.sticky
    turn, own_place, opens = -1, 0, False
    files: Mapping[int, Attachment] | None = None
    full: dict[int, PlannedItem] = {}
    make = tuple.__new__  # a third of the time that a class takes to be called
    for interaction in path:
        node, content, _ = interaction
        kind = node.kind
        role = ROLES.get(kind)
        if role is not None:
            # Nearly all of a long path is this, so it is worth its own way.
            own_place, opens = len(items), kind in OPENS_A_TURN
            if sticky and not opens:
                begun.append((own_place, began(node, task)))
            if content and not content.isspace():
                if opens or turn < 0:
                    turn += 1
                    starts.append(own_place)
                message = Message(role, content)
                items.append(make(PlannedItem, (node.id or None, kind, turn, message, count(message), sent, None)))
            continue
        if kind_named(kind).external:
            own_place, opens = len(items), kind in OPENS_A_TURN
        if kind == ATTACHMENT.name:
            files = sent_files(path) if files is None else files
            if node.id not in files:
                continue
            item, text = file_items(files[node.id], max(0, turn), counter)
            if text is not None:
                full[node.id] = text
            if turn < 0:
                turn = 0
                starts.append(0)
            # What is asked again is the end of its request, and so its files stand before it.
            covered = bool(compactions) and compactions[-1][0] == len(items)
            place = own_place if opens and not covered else len(items)
            items.insert(place, item)
            own_place += place == own_place
            continue
        rendered = render(interaction, include_notes=include_notes)
        if rendered is None:
            continue
        is_compaction = kind == COMPACTION.name
        if not is_compaction and (turn < 0 or kind in OPENS_A_TURN):
            turn += 1
            starts.append(len(items))
        item = PlannedItem(node.id or None, kind, turn, rendered, count(rendered), sent)
        if is_compaction:
            if all((each.id or 0) < node.id for each in items):  # nothing was added to what it covers since
                compactions.append((len(items), item))
        else:
            items.append(item)
    tickets = [place for place, item in enumerate(items) if item.kind == TICKET.name]
    return History(
        items=tuple(items),
        starts=starts,
        until=_until(items),
        tickets=tickets,
        tickets_until=list(accumulate((items[place].tokens for place in tickets), initial=0)),
        compactions=compactions,
        begun=begun,
        texts={place: full[item.id] for place, item in enumerate(items) if item.id in full},
    )


def _until(items: Iterable[PlannedItem]) -> Sequence[int]:
    """The tokens of the first items, for each number of them."""
    return list(accumulate((item.tokens for item in items), initial=0))
