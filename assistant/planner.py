"""The one pure function that decides what is sent: no input or output, no clock, no state."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from assistant.messages import Message
from assistant.plan import QUESTION, SYSTEM, Counts, Fate, Plan, PlannedItem, PlanSettings, Verdict
from assistant.rendering import render
from assistant.strategies import STRATEGIES, Division
from assistant.task import Task
from assistant.tokens import Counter
from storage.interactions import Interaction
from storage.kinds import AGENT_MESSAGE, TICKET
from storage.text import storable

_OPENS_A_TURN: Final = frozenset({TICKET.name, AGENT_MESSAGE.name})


def make_plan(
    path: Sequence[Interaction], question: str | None, task: Task, settings: PlanSettings, counter: Counter
) -> Plan:
    """Plan one request: the system message, what is kept of the path, the question.

    A turn is one agent message, or one ticket, and all that follows it up to the next. Of the units that the strategy
    makes of the turns, the newest that fit are sent, without a gap. The system message, what the strategy pins and the
    question are never dropped: where they alone are too large, the verdict says so.

    Args:
        path: from the root to the leaf, each node followed by the internal interactions that hang on it.
        question: the draft, "" for an empty composer. None asks the last message of the path again: an agent message
            or a ticket; answers below it take no part.
        task: gives the system message.
        settings: what the agent chose.
        counter: asked once for each message.

    Raises:
        ValueError: nothing to ask again, because the path holds no message.
    """
    return prepare(path, task, settings, counter).plan(question)


def prepare(path: Sequence[Interaction], task: Task, settings: PlanSettings, counter: Counter) -> "PreparedPath":
    """Do all of a plan that does not depend on the question, so that each key costs the draft alone."""
    system = Message("system", task.system)
    system_item = PlannedItem(None, SYSTEM, -1, system, counter.message(system), Fate.SENT)
    items: list[PlannedItem] = []
    turn = -1
    for interaction in path:
        message = render(interaction, include_notes=settings.include_notes)
        if message is None:
            continue
        kind = interaction.kind
        if turn < 0 or kind in _OPENS_A_TURN:
            turn += 1
        items.append(PlannedItem(interaction.id or None, kind, turn, message, counter.message(message), Fate.SENT))
    return PreparedPath(settings, counter, system_item, tuple(items), tuple(map(_cut, items)))


@dataclass(frozen=True, slots=True, eq=False)
class PreparedPath:
    """A path rendered and counted, to be planned with one question after another.

    Attributes:
        sent, cut: what can be sent of the path, oldest first, once with each fate.
    """

    settings: PlanSettings
    counter: Counter
    system: PlannedItem
    sent: tuple[PlannedItem, ...]
    cut: tuple[PlannedItem, ...]

    def plan(self, question: str | None) -> Plan:
        """Plan the request for this question; see `make_plan`."""
        settings, overhead = self.settings, self.counter.reply_overhead
        asked, history = self._asked(question)
        ticket = None if asked.kind == TICKET.name else _newest_ticket(history)
        division = STRATEGIES[settings.strategy].divide(_turns(history), ticket, settings)
        fixed_tokens = overhead + self.system.tokens + sum(history[place].tokens for place in division.pinned)
        room = settings.budget - fixed_tokens - asked.tokens
        is_kept = _kept(history, division, room)
        ticket_sent = ticket is None or is_kept[ticket]

        kept = [item for item, keep in zip(history, is_kept, strict=True) if keep]
        cut = [item for item, keep in zip(history, is_kept, strict=True) if not keep]
        total = overhead + self.system.tokens + sum(item.tokens for item in kept) + asked.tokens
        if fixed_tokens > settings.budget:
            verdict = Verdict.FIXED_TOO_LARGE
        elif room < 0:
            verdict = Verdict.NEWEST_TOO_LARGE
        elif not ticket_sent:
            verdict = Verdict.TICKET_OUTSIDE
        else:
            verdict = Verdict.CUT if cut else Verdict.FITS
        return Plan(
            strategy=settings.strategy,
            budget=settings.budget,
            counter=self.counter.name,
            accuracy=self.counter.accuracy,
            verdict=verdict,
            total=total,
            counts=_counts(self.system, kept, asked, overhead, free=max(0, settings.budget - total)),
            items=(
                self.system,
                *[sent if keep else left for sent, left, keep in zip(history, self.cut, is_kept, strict=False)],
                asked,
            ),
            cut_turns=len({item.turn for item in cut}),
            cut_tokens=sum(item.tokens for item in cut),
            ticket_sent=ticket_sent,
        )

    def _asked(self, question: str | None) -> tuple[PlannedItem, tuple[PlannedItem, ...]]:
        """Give the question, and the history before it."""
        if question is not None:
            message = Message("user", storable(question))
            turn = self.sent[-1].turn + 1 if self.sent else 0
            return PlannedItem(None, QUESTION, turn, message, self.counter.message(message), Fate.SENT), self.sent
        for place in range(len(self.sent) - 1, -1, -1):
            if self.sent[place].kind in _OPENS_A_TURN:
                return self.sent[place], self.sent[:place]
        raise ValueError("There is nothing to ask again: this path holds neither a ticket nor a message.")


def _cut(item: PlannedItem) -> PlannedItem:
    return PlannedItem(item.id, item.kind, item.turn, item.message, item.tokens, Fate.CUT)


def _newest_ticket(history: Sequence[PlannedItem]) -> int | None:
    """Find the place of the newest ticket, whose snapshot repeats the messages of earlier ones."""
    return next((place for place in range(len(history) - 1, -1, -1) if history[place].kind == TICKET.name), None)


def _turns(history: Sequence[PlannedItem]) -> list[range]:
    """Give the places of each turn, oldest first."""
    starts = [place for place, item in enumerate(history) if place == 0 or item.turn != history[place - 1].turn]
    return [range(start, stop) for start, stop in pairwise([*starts, len(history)])]


def _kept(history: Sequence[PlannedItem], division: Division, room: int) -> list[bool]:
    """Keep what is pinned, and the newest units that fit into the room."""
    is_kept = [False] * len(history)
    for place in division.pinned:
        is_kept[place] = True
    for unit in reversed(division.units):
        room -= sum(history[place].tokens for place in unit)
        if room < 0:
            break
        for place in unit:
            is_kept[place] = True
    return is_kept


def _counts(system: PlannedItem, kept: Sequence[PlannedItem], asked: PlannedItem, overhead: int, free: int) -> Counts:
    """Add up what is sent, by part; a ticket is the ticket's part also where it is asked."""
    is_ticket = asked.kind == TICKET.name
    return Counts(
        system=system.tokens,
        ticket=sum(item.tokens for item in kept if item.kind == TICKET.name) + (asked.tokens if is_ticket else 0),
        summary=0,
        turns=sum(item.tokens for item in kept if item.kind != TICKET.name),
        question=0 if is_ticket else asked.tokens,
        overhead=overhead,
        free=free,
    )
