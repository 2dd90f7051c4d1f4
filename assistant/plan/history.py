"""What of a path can be sent: rendered, counted, in the order of the request, and divided into turns."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from assistant.plan.columns import Columns, Rows
from assistant.plan.file_items import file_items, sent_files, withdrawals
from assistant.plan.messages import Message
from assistant.plan.plan import Fate, PlannedItem, PlanSettings
from assistant.plan.rendering import ROLES, render
from assistant.plan.sticky import began
from assistant.tasks.task import Task
from assistant.tokens.counter import Counter
from storage.attachments.attachment import Attachment
from storage.interactions import Interaction, Node
from storage.kinds import AGENT_MESSAGE, ATTACHMENT, COMPACTION, TICKET, kind_named

OPENS_A_TURN: Final = frozenset({TICKET.name, AGENT_MESSAGE.name})

_PLAIN: Final = {kind: (role, kind in OPENS_A_TURN) for kind, role in ROLES.items()}
"""The kinds that are sent word for word: as whose message, and whether it opens a turn."""


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """A path as it can be sent; places count its items from 0, and `until[k]` is about the first k of them.

    Attributes:
        columns: the items, oldest first, each as it is sent; the tool traffic of an answer is part of its own requests
            only.
        starts: the place where each turn begins.
        until: the tokens of the first items.
        tickets: the places of the tickets.
        tickets_until: the tokens of the first tickets.
        compactions: how many of the first items each covers, and the compaction, in the order of the record.
        answers: how many items stand before each answer, and the answer.
        task: the request's, to tell what was sent for the same.
        texts: the attached files that take less otherwise, each by its place with the item that holds its text.
        file_nodes: the node that each attached file hangs on, by the interaction that stands for it.
    """

    columns: Columns
    starts: Sequence[int]
    until: Sequence[int]
    tickets: Sequence[int]
    tickets_until: Sequence[int]
    compactions: Sequence[tuple[int, PlannedItem]]
    answers: Sequence[tuple[int, Node]]
    task: Task
    texts: Mapping[int, PlannedItem]
    file_nodes: Mapping[int, int]

    def with_texts(self, places: frozenset[int]) -> "History":
        """The same with these files sent as their text."""
        columns = self.columns.with_items({place: self.texts[place] for place in places})
        return replace(self, columns=columns, until=_until(columns.tokens))

    def last_opening(self) -> int | None:
        """The place of the newest message that can be asked again; None where there is none."""
        kinds = self.columns.kinds
        return next((place for place in range(len(kinds) - 1, -1, -1) if kinds[place] in OPENS_A_TURN), None)

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
        answer = next((node for place, node in reversed(self.answers) if place <= end), None)
        last = None if answer is None else began(answer, self.task)
        if last is None or not last.is_held(settings):
            return None
        ids = self.columns.ids
        return next((place for place in range(end - 1, -1, -1) if ids[place] == last.kept_from), None)


def history_of(path: Sequence[Interaction], task: Task, settings: PlanSettings, counter: Counter) -> History:
    """Render and count a path; each node is followed by the internal interactions that hang on it."""
    rows = Rows()
    ids, kinds, turns, messages, forms = rows.ids, rows.kinds, rows.turns, rows.messages, rows.forms
    starts: list[int] = []
    answers: list[tuple[int, Node]] = []
    compactions: list[tuple[int, PlannedItem]] = []
    turn, own_place, opens = -1, 0, False
    files: Mapping[int, Attachment] | None = None
    full: dict[int, PlannedItem] = {}
    attached: list[int] = []
    withdrawn: Mapping[int, int] | None = None
    new = tuple.__new__  # a third of the time that a class takes to be called
    for interaction in path:
        node = interaction.node
        kind = node.kind
        plain = _PLAIN.get(kind)
        if plain is not None:
            # Nearly all of a long path is this, so it is worth its own way.
            role, opens = plain
            own_place = len(ids)
            if not opens:
                answers.append((own_place, node))
            content = interaction.content
            if content and not content.isspace():
                if opens or turn < 0:
                    turn += 1
                    starts.append(own_place)
                ids.append(node.id or None)
                kinds.append(kind)
                turns.append(turn)
                messages.append(new(Message, (role, content, None, (), "")))
                forms.append(None)
            continue
        if kind_named(kind).external:
            own_place, opens = len(ids), kind in OPENS_A_TURN
        if kind == ATTACHMENT.name:
            attached.append(node.id)
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
            covered = bool(compactions) and compactions[-1][0] > own_place
            place = own_place if opens and not covered else len(ids)
            rows.insert(place, item)
            own_place += place == own_place
            continue
        rendered = render(interaction, include_notes=settings.include_notes)
        if rendered is None:
            continue
        if kind == COMPACTION.name:
            if attached and withdrawn is None:
                withdrawn = withdrawals(path)
            is_of_withdrawn = withdrawn and any(withdrawn.get(each, 0) > node.id for each in attached)
            # Nothing was added to what it covers since, and no file was taken out whose words it may repeat.
            if not is_of_withdrawn and all((known or 0) < node.id for known in ids):
                item = PlannedItem(node.id or None, kind, turn, rendered, counter.message(rendered), Fate.SENT)
                compactions.append((len(ids), item))
            continue
        if turn < 0 or kind in OPENS_A_TURN:
            turn += 1
            starts.append(len(ids))
        rows.insert(len(ids), PlannedItem(node.id or None, kind, turn, rendered, 0, Fate.SENT))
    columns = rows.counted(counter)
    tickets = list(_places(columns.kinds, TICKET.name))
    return History(
        columns=columns,
        starts=starts,
        until=_until(columns.tokens),
        tickets=tickets,
        tickets_until=_until([columns.tokens[place] for place in tickets]),
        compactions=compactions,
        answers=answers,
        task=task,
        texts={place: full[each] for place, each in enumerate(columns.ids) if each in full} if full else {},
        file_nodes={each: file.node_id for each, file in files.items()} if files else {},
    )


def _until(tokens: Iterable[int]) -> Sequence[int]:
    """The tokens of the first items, for each number of them."""
    return list(accumulate(tokens, initial=0))


def _places(kinds: Sequence[str], kind: str) -> Iterator[int]:
    """Where a kind stands."""
    place = -1
    for _ in range(kinds.count(kind)):
        place = kinds.index(kind, place + 1)
        yield place
