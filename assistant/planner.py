"""The one pure function that decides what is sent: no input or output, no clock, no state."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

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


class _Entry(NamedTuple):
    """A planned item whose fate is open; its fields are the first of `PlannedItem`."""

    id: int | None
    kind: str
    turn: int
    message: Message
    tokens: int


def make_plan(
    path: Sequence[Interaction], question: str | None, task: Task, settings: PlanSettings, counter: Counter
) -> Plan:
    """Plan one request: the system message, what is kept of the path, the question.

    A turn is one agent message, or one ticket, and all that follows it up to the next. Of the units that the strategy
    makes of the turns, the newest that fit are sent, without a gap. The system message, what the strategy pins and the
    question are never dropped: where they alone are too large, the verdict says so.

    Args:
        path: from the root to the leaf.
        question: the draft, "" for an empty composer. None asks the last message of the path again: an agent message
            or a ticket; answers below it take no part.
        task: gives the system message.
        settings: what the agent chose.
        counter: asked once for each message.

    Raises:
        ValueError: nothing to ask again, because the path holds no message.
    """
    entries = _entries(path, settings, counter)
    if question is None:
        entries, asked = _asked_again(entries)
    else:
        message = Message("user", storable(question))
        turn = entries[-1].turn + 1 if entries else 0
        asked = _Entry(None, QUESTION, turn, message, counter.message(message))
    system_message = Message("system", task.system)
    system = _Entry(None, SYSTEM, -1, system_message, counter.message(system_message))

    ticket = None if asked.kind == TICKET.name else _newest_ticket(entries)
    division = STRATEGIES[settings.strategy].divide(_turns(entries), ticket, settings)
    fixed_tokens = counter.reply_overhead + system.tokens + sum(entries[place].tokens for place in division.pinned)
    room = settings.budget - fixed_tokens - asked.tokens
    fates = _fates(entries, division, room)
    items = (
        PlannedItem(*system, Fate.SENT),
        *[PlannedItem(*entry, fate) for entry, fate in zip(entries, fates, strict=True)],
        PlannedItem(*asked, Fate.SENT),
    )

    cut = [entry for entry, fate in zip(entries, fates, strict=True) if fate is Fate.CUT]
    ticket_sent = ticket is None or fates[ticket] is Fate.SENT
    if fixed_tokens > settings.budget:
        verdict = Verdict.FIXED_TOO_LARGE
    elif room < 0:
        verdict = Verdict.NEWEST_TOO_LARGE
    elif not ticket_sent:
        verdict = Verdict.TICKET_OUTSIDE
    else:
        verdict = Verdict.CUT if cut else Verdict.FITS

    total = counter.reply_overhead + sum(item.tokens for item in items if item.fate is Fate.SENT)
    return Plan(
        strategy=settings.strategy,
        budget=settings.budget,
        counter=counter.name,
        accuracy=counter.accuracy,
        verdict=verdict,
        total=total,
        counts=_counts(items, total, settings.budget, counter.reply_overhead),
        items=items,
        cut_turns=len({entry.turn for entry in cut}),
        cut_tokens=sum(entry.tokens for entry in cut),
        ticket_sent=ticket_sent,
    )


def _entries(path: Sequence[Interaction], settings: PlanSettings, counter: Counter) -> list[_Entry]:
    """Render and count what can be sent of a path, each with the number of its turn."""
    entries: list[_Entry] = []
    turn = -1
    for interaction in path:
        message = render(interaction, include_notes=settings.include_notes)
        if message is None:
            continue
        if turn < 0 or interaction.kind in _OPENS_A_TURN:
            turn += 1
        entries.append(_Entry(interaction.id or None, interaction.kind, turn, message, counter.message(message)))
    return entries


def _asked_again(entries: list[_Entry]) -> tuple[list[_Entry], _Entry]:
    """Split at the last message, which is the question; what was answered to it is left off."""
    for place in range(len(entries) - 1, -1, -1):
        if entries[place].kind in _OPENS_A_TURN:
            return entries[:place], entries[place]
    raise ValueError("There is nothing to ask again: this path holds neither a ticket nor a message.")


def _newest_ticket(entries: Sequence[_Entry]) -> int | None:
    """Find the place of the newest ticket, whose snapshot repeats the messages of earlier ones."""
    return next((place for place in range(len(entries) - 1, -1, -1) if entries[place].kind == TICKET.name), None)


def _turns(entries: Sequence[_Entry]) -> list[range]:
    """Give the places of each turn, oldest first."""
    starts = [place for place, entry in enumerate(entries) if place == 0 or entry.turn != entries[place - 1].turn]
    return [range(start, stop) for start, stop in pairwise([*starts, len(entries)])]


def _fates(entries: Sequence[_Entry], division: Division, room: int) -> list[Fate]:
    """Send what is pinned and the newest units that fit into the room."""
    fates = [Fate.CUT] * len(entries)
    for place in division.pinned:
        fates[place] = Fate.SENT
    for unit in reversed(division.units):
        room -= sum(entries[place].tokens for place in unit)
        if room < 0:
            break
        for place in unit:
            fates[place] = Fate.SENT
    return fates


def _counts(items: Sequence[PlannedItem], total: int, budget: int, overhead: int) -> Counts:
    """Add up what would be sent, by part; the last item is the question."""
    *before, asked = items
    system = before[0].tokens
    ticket = sum(item.tokens for item in items if item.kind == TICKET.name and item.fate is Fate.SENT)
    question = 0 if asked.kind == TICKET.name else asked.tokens
    return Counts(
        system=system,
        ticket=ticket,
        summary=0,
        turns=total - overhead - system - ticket - question,
        question=question,
        overhead=overhead,
        free=max(0, budget - total),
    )
