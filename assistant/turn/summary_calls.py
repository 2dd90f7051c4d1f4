"""The calls that make one summary: one where the turns fit into the summariser's window, else one for each part."""

import json
from collections.abc import Iterator, Sequence
from typing import Final

from assistant.errors import NoSummaryError
from assistant.plan.messages import Message
from assistant.plan.plan import (
    HISTORY,
    SYSTEM,
    Counts,
    Coverage,
    Fate,
    Plan,
    PlannedItem,
    PlanSettings,
    StrategyName,
    Verdict,
)
from assistant.plan.rendering import history_text, said_in_history
from assistant.tasks.task import Task
from assistant.tokens.counter import Counter

_WORDS_PER_TOKEN: Final = 0.6
_FEWEST_WORDS: Final = 20


def summary_calls(coverage: Coverage, task: Task, settings: PlanSettings, counter: Counter) -> list[Plan]:
    """Plan the calls; each is made of originals, never of a summary.

    A part ends between two turns wherever a turn fits into the window; the window is the model's where it is known,
    else the budget, the largest request that the agent allows.

    Raises:
        NoSummaryError: one message alone is larger than the window, or the turns need so many calls that the summary
            has no room for a few words of each.
    """
    window = settings.sizing.most or settings.budget
    system = Message("system", task.system)
    system_item = PlannedItem(None, SYSTEM, -1, system, counter.message(system), Fate.SENT)
    frame = system_item.tokens + counter.reply_overhead + counter.message(Message("user", history_text([], 10_000)))
    parts = list(_parts(coverage.items, window - frame, counter))
    if len(parts) > 1 and round(len(parts) * _FEWEST_WORDS / _WORDS_PER_TOKEN) > coverage.most:
        raise NoSummaryError(
            f"Only {len(parts):,} calls could read turns 1 to {coverage.turns:,}, and the {max(0, coverage.most):,} "
            "tokens that are left for a summary hold no sentence of each. Raise the budget, or leave the first turns "
            "out (strategy select)."
        )
    sizes = [sum(item.tokens for item in part) for part in parts]
    return [
        _call(part, max(_FEWEST_WORDS, _words(coverage.expected) * size // sum(sizes)), system_item, window, counter)
        for part, size in zip(parts, sizes, strict=True)
    ]


def _words(tokens: int) -> int:
    return round(_WORDS_PER_TOKEN * tokens)


def _parts(items: Sequence[PlannedItem], room: int, counter: Counter) -> Iterator[list[PlannedItem]]:
    """Cut into stretches that fit, between turns where that is possible."""
    part: list[PlannedItem] = []
    taken = 0
    for unit in _units(items, room, counter):
        size = sum(_size(item, counter) for item in unit)
        if part and taken + size > room:
            yield part
            part, taken = [], 0
        part += unit
        taken += size
    if part:
        yield part


def _units(items: Sequence[PlannedItem], room: int, counter: Counter) -> Iterator[list[PlannedItem]]:
    """Whole turns; the messages of a turn that is too large one by one."""
    turns: dict[int, list[PlannedItem]] = {}
    for item in items:
        turns.setdefault(item.turn, []).append(item)
    for turn in turns.values():
        if sum(_size(item, counter) for item in turn) <= room:
            yield turn
            continue
        for item in turn:
            if (size := _size(item, counter)) > room:
                raise NoSummaryError(
                    f"A message of turn {item.turn + 1} alone needs {size:,} tokens, and the summariser takes "
                    f"{max(0, room):,}. Raise the budget, or leave the first turns out (strategy select)."
                )
            yield [item]


def _size(item: PlannedItem, counter: Counter) -> int:
    """What a message takes in the JSON of a history, with what stands around it."""
    return counter.text(json.dumps(said_in_history(item.message), ensure_ascii=False)) + 2


def _call(part: Sequence[PlannedItem], most_words: int, system: PlannedItem, window: int, counter: Counter) -> Plan:
    """The plan of one call: the task and the part, which the plan names item by item."""
    message = Message("user", history_text((item.message for item in part), most_words))
    history = PlannedItem(None, HISTORY, part[-1].turn, message, counter.message(message), Fate.SENT)
    total = counter.reply_overhead + system.tokens + history.tokens
    covered = [item._replace(fate=Fate.SUMMARISED) for item in part]
    turns = {item.turn for item in part}
    return Plan(
        strategy=StrategyName.SUMMARISE,
        budget=window,
        counter=counter.name,
        accuracy=counter.accuracy,
        verdict=Verdict.FITS if total <= window else Verdict.NEWEST_TOO_LARGE,
        total=total,
        counts=Counts(system.tokens, 0, 0, 0, history.tokens, counter.reply_overhead, max(0, window - total)),
        items=(system, *covered, history),
        cut_turns=0,
        cut_tokens=0,
        ticket_sent=False,
        summarised_turns=len(turns),
        summarised_tokens=sum(item.tokens for item in part),
    )
