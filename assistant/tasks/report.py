"""How tasks do: what was asked, what became of the answers, what the checks said, and what it took; no words at all."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final, NamedTuple

from assistant.gates.results import Outcome
from assistant.money.prices import PriceList
from assistant.money.spending import Spending, grouped
from assistant.plan.became import Became, became
from storage.answer_log import Logged
from storage.kinds import GATE, OVERRIDE, REPAIR
from storage.usage import Call


class TaskVersion(NamedTuple):
    """One version of a task; answers of different versions are never put together."""

    task: str
    version: str


@dataclass(frozen=True, slots=True)
class RuleCounts:
    """What one rule said of the answers of one version of a task, the last time that it was asked about each.

    Attributes:
        overridden: of those that failed, the ones that an agent used all the same.
    """

    rule: str
    passed: int
    failed: int
    unknown: int
    overridden: int


@dataclass(frozen=True, slots=True)
class TaskReport:
    """How one version of a task did.

    Attributes:
        spending: what its calls took.
        answers: how many became what; a kind that none did is missing.
        repairs: answers of which a repair was asked for.
        overrides: answers that were used although a check had failed.
        rules: by name.
        p50_ms, p95_ms: of 100 calls that ended well, 50 and 95 took no longer; None where none did.
    """

    of: TaskVersion
    spending: Spending
    answers: Mapping[Became, int]
    repairs: int
    overrides: int
    rules: tuple[RuleCounts, ...]
    p50_ms: int | None
    p95_ms: int | None


def task_reports(
    calls: Sequence[Call], log: Sequence[Logged], closed: Collection[str], prices: PriceList, *, since: int | None
) -> tuple[TaskReport, ...]:
    """Report on every version of every task that was asked or has answers, by name and version.

    Args:
        calls: those of the time that is reported on.
        log: the conversations of that time, whole.
        closed: the tickets on which nothing more is to be sent.
        prices: of the calls.
        since: microseconds since 1970 UTC; earlier answers are not counted, but what became of later ones may be
            theirs.
    """
    spending = grouped(calls, _of_call, prices)
    latencies: dict[TaskVersion, list[int]] = {}
    for call in calls:
        if call.latency_ms is not None and not call.failed:
            latencies.setdefault(_of_call(call), []).append(call.latency_ms)
    tallies = _tallies(calls, log, closed, since)
    return tuple(
        TaskReport(
            of=of,
            spending=spending.get(of, Spending()),
            answers=(tally := tallies.get(of) or _Tally()).answers,
            repairs=tally.repairs,
            overrides=tally.overrides,
            rules=tuple(tally.rules_by_name()),
            p50_ms=percentile(latencies.get(of, ()), 50),
            p95_ms=percentile(latencies.get(of, ()), 95),
        )
        for of in sorted(spending.keys() | tallies.keys())
    )


def percentile(values: Sequence[int], percent: int) -> int | None:
    """The least value that so many percent of all do not exceed; None where there are none."""
    if not values:
        return None
    return sorted(values)[max(0, ceil(len(values) * percent / 100) - 1)]


class _Tally:
    """Counts the answers of one version of a task."""

    def __init__(self) -> None:
        self.answers: Counter[Became] = Counter()
        self.repairs = self.overrides = 0
        self._rules: dict[str, Counter[str]] = {}

    def add(self, what: Became, hanging: "_Hanging") -> None:
        self.answers[what] += 1
        self.repairs += hanging.repaired
        self.overrides += hanging.overridden
        for results in hanging.gates.values():
            for rule, result in results:
                counts = self._rules.setdefault(rule, Counter())
                counts[result] += 1
                counts[_OVERRIDDEN] += hanging.overridden and result == Outcome.FAIL.value

    def rules_by_name(self) -> Iterator[RuleCounts]:
        for rule, counts in sorted(self._rules.items()):
            passed, failed, unknown = (counts[outcome.value] for outcome in Outcome)
            yield RuleCounts(rule, passed, failed, unknown, counts[_OVERRIDDEN])


_OVERRIDDEN: Final = "overridden"


class _Hanging:
    """What hangs on one answer: of a gate that decided twice the last, and whether it was overridden after that."""

    __slots__ = ("gates", "overridden", "repaired")

    def __init__(self) -> None:
        self.gates: dict[str, tuple[tuple[str, str], ...]] = {}
        self.overridden = self.repaired = False

    def add(self, entry: Logged) -> None:
        match entry.kind:
            case GATE.name:
                self.gates[str(entry.meta.get("gate"))] = tuple(_results(entry))
                self.overridden = False
            case OVERRIDE.name:
                self.overridden = True
            case REPAIR.name:
                self.repaired = True


_BARE: Final = _Hanging()


def _tallies(
    calls: Iterable[Call], log: Sequence[Logged], closed: Collection[str], since: int | None
) -> dict[TaskVersion, _Tally]:
    first_calls: dict[int, Call] = {}
    for call in calls:
        known = first_calls.get(call.node_id)
        if known is None or call.request_id < known.request_id:
            first_calls[call.node_id] = call
    hanging: dict[int, _Hanging] = {}
    for entry in log:
        if entry.kind in (GATE.name, OVERRIDE.name, REPAIR.name):
            hanging.setdefault(entry.parent_id, _Hanging()).add(entry)
    answered = became(log, closed)
    tallies: dict[TaskVersion, _Tally] = {}
    for entry in log:
        if entry.id not in answered or (since is not None and entry.created_at < since):
            continue
        of = _of_answer(entry, first_calls.get(entry.id))
        if of is not None:
            tallies.setdefault(of, _Tally()).add(answered[entry.id], hanging.get(entry.id, _BARE))
    return tallies


def _of_call(call: Call) -> TaskVersion:
    return TaskVersion(call.task, call.task_version)


def _of_answer(answer: Logged, first_call: Call | None) -> TaskVersion | None:
    """The task that made an answer; where its words are erased, that of its call; an imported one has none."""
    match answer.meta:
        case {"task": str(task), "task_version": str(version)}:
            return TaskVersion(task, version)
    return _of_call(first_call) if first_call is not None else None


def _results(gate: Logged) -> Iterator[tuple[str, str]]:
    outcomes = gate.meta.get("results")
    for outcome in outcomes if isinstance(outcomes, list) else []:
        match outcome:
            case {"rule": str(rule), "result": str(result)} if result in set(Outcome):
                yield rule, result
