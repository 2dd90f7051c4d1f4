"""One plan in the making: the sizes that decide what is sent, and the plan that comes of them."""

from bisect import bisect_left

from assistant.plan.columns import Columns
from assistant.plan.coverage import coverage, stop_that_fits
from assistant.plan.history import History
from assistant.plan.plan import Counts, Coverage, Fate, Plan, PlannedItem, PlanSettings, Verdict
from assistant.plan.sticky import begin
from assistant.plan.strategies import STRATEGIES
from assistant.tokens.counter import Counter
from storage.kinds import TICKET


class Planning:
    """The sizes of one request, worked out once.

    Attributes:
        first: the place from which whole turns are kept.
        ticket_sent: the newest ticket is in the request.
    """

    def __init__(
        self,
        settings: PlanSettings,
        counter: Counter,
        overhead: int,
        system: PlannedItem,
        history: History,
        asked: PlannedItem,
        end: int,
        marks: "Marks",
    ) -> None:
        self._chosen, self._settings = settings, settings.fitted()
        self._counter, self._overhead, self._system, self._history = counter, overhead, system, history
        self._asked, self._end, self._marks = asked, end, marks
        self._starts = history.starts if end == len(history.columns) else [at for at in history.starts if at < end]
        self._ticket = None if asked.kind == TICKET.name else history.newest_ticket(end)
        known = history.compaction(end)
        self._compacted = known[0] if known else 0
        self._division = STRATEGIES[self._settings.strategy].divide(self._starts, end, self._compacted, self._settings)
        self._compaction = known[1] if known and self._division.covered else None
        self._pinned = self._ticket if self._division.pinned else None
        self._always = overhead + system.tokens + self._tokens(self._pinned)
        self._fixed = self._always + (self._compaction.tokens if self._compaction else 0)
        self._room = self._settings.budget - self._fixed - asked.tokens
        self.first = self._begin()
        self.ticket_sent = self._ticket is None or self._ticket == self._pinned or self._ticket >= self.first

    def _begin(self) -> int:
        """Find the place from which whole turns are kept."""
        settings, division = self._settings, self._division
        is_held = settings.sticky and division.holds and self._room >= 0
        held = self._history.held(self._end, settings) if is_held else None
        return begin(self._places_from(division.oldest), self._tokens_from, self._room, held, settings.budget)

    def plan(self) -> Plan:
        """Make the plan."""
        settings, counter, asked, first = self._settings, self._counter, self._asked, self.first
        covered = self._division.covered
        kept_tokens = self._tokens_from(first)
        cut_tokens = self._tokens_from(covered) - kept_tokens
        total = self._fixed + kept_tokens + asked.tokens
        verdict, summary = self._verdict(cut_tokens)
        before = self._marked(Fate.SUMMARISED, 0, covered)
        between = self._marked(Fate.CUT, covered, first)
        kept = self._marks.marked(self._history.columns, Fate.SENT, first, self._end)
        compaction = (self._compaction,) if self._compaction else ()
        return Plan(
            strategy=settings.strategy,
            budget=settings.budget,
            counter=counter.name,
            accuracy=counter.accuracy,
            verdict=verdict,
            total=total,
            counts=self._counts(first, total),
            items=(self._system, *before, *compaction, *between, *kept, asked),
            cut_turns=self._turns(covered, first),
            cut_tokens=cut_tokens,
            ticket_sent=self.ticket_sent,
            summarised_turns=self._compaction.turn + 1 if self._compaction else 0,
            summarised_tokens=self._tokens_from(0) - self._tokens_from(covered),
            first_kept=1 + len(compaction) + self._first_unpinned(first),
            to_summarise=summary,
            chosen_budget=self._chosen.budget,
            sizing=settings.sizing,
        )

    def _verdict(self, cut_tokens: int) -> tuple[Verdict, Coverage | None]:
        """Say whether it may be sent, and what a summary would cover where one is needed."""
        if self._fixed > self._settings.budget:
            return Verdict.FIXED_TOO_LARGE, None
        if self._room < 0:
            return Verdict.NEWEST_TOO_LARGE, None
        if not self.ticket_sent:
            return Verdict.TICKET_OUTSIDE, None
        if not cut_tokens:
            return Verdict.FITS, None
        summary = self._coverage_needed() if self._division.may_summarise else None
        return (Verdict.NEEDS_SUMMARY if summary else Verdict.CUT), summary

    def coverage_by_hand(self, last_turn: int | None) -> Coverage | None:
        """Cover the turns up to this one, or all but the newest."""
        stops = [*self._starts[1:], self._end]
        stop = len(stops) - 2 if last_turn is None else last_turn
        if not 0 <= stop < len(stops):
            return None
        return self._coverage(stops[stop])

    def _coverage_needed(self) -> Coverage | None:
        """Cover as much as is needed, and more than is covered already."""
        stops = [place for place in self._places_from(0) if self._division.covered < place <= self._last_stop()]
        fixed = self._always + self._asked.tokens
        budget = self._settings.budget
        stop = stop_that_fits(stops, self._tokens_from, self._tokens_from(0), fixed, budget) if stops else None
        return None if stop is None else self._coverage(stop)

    def _last_stop(self) -> int:
        """The end, or the files of what is asked again, which are no more part of a summary than that is."""
        turns = self._history.columns.turns
        has_files = self._end > 0 and turns[self._end - 1] == self._asked.turn
        return self._starts[-1] if has_files else self._end

    def _coverage(self, stop: int) -> Coverage | None:
        budget, beside, after = self._settings.budget, self._always + self._asked.tokens, self._tokens_from(stop)
        # Where the turns after it do not fit anyway, the summary need only fit without them.
        most = budget - beside - (after if beside + after < budget else 0)
        history = self._history
        return coverage(
            items=self._marks.marked(history.columns, Fate.SENT, 0, stop),
            tickets=history.tickets[: bisect_left(history.tickets, stop)],
            file_nodes=history.file_nodes,
            tokens=self._tokens_from(0) - after,
            budget=budget,
            most=most,
            request=beside + self._tokens_from(0),
        )

    def _places_from(self, oldest: int) -> list[int]:
        """Where what is kept may begin: here, at a later turn, or at the end, where nothing is."""
        later = [place for place in self._starts if place > oldest] if oldest else self._starts[1:]
        return [oldest, *later, self._end] if oldest < self._end else [self._end]

    def _tokens_from(self, place: int) -> int:
        """The tokens of the history from a place on, without what is pinned."""
        pinned = self._tokens(self._pinned) if self._pinned is not None and self._pinned >= place else 0
        return self._history.until[self._end] - self._history.until[place] - pinned

    def _tokens(self, place: int | None) -> int:
        return 0 if place is None else self._history.columns.tokens[place]

    def _turns(self, start: int, stop: int) -> int:
        """How many turns have something between two places besides what is pinned."""
        turn_at, pinned = self._history.columns.turns, self._pinned
        if start >= stop:
            return 0
        turns = turn_at[stop - 1] - turn_at[start] + 1
        if pinned is None or not start <= pinned < stop:
            return turns
        beside = [place for place in (pinned - 1, pinned + 1) if start <= place < stop]
        return turns if any(turn_at[place] == turn_at[pinned] for place in beside) else turns - 1

    def _first_unpinned(self, first: int) -> int:
        return first + 1 if first == self._pinned else first

    def _marked(self, fate: Fate, start: int, stop: int) -> tuple[PlannedItem, ...]:
        """The items between two places with this fate; what is pinned is sent."""
        columns, marks, pinned = self._history.columns, self._marks, self._pinned
        if pinned is None or not start <= pinned < stop:
            return marks.marked(columns, fate, start, stop)
        return (
            *marks.marked(columns, fate, start, pinned),
            columns.item(pinned),
            *marks.marked(columns, fate, pinned + 1, stop),
        )

    def _counts(self, first: int, total: int) -> Counts:
        """Add up what is sent, by part; a ticket is the ticket's part also where it is asked."""
        history, end, asked = self._history, self._end, self._asked
        tickets = history.tickets_before(end) - history.tickets_before(first)
        kept = history.until[end] - history.until[first]
        pinned = self._tokens(self._pinned) if self._pinned is not None and self._pinned < first else 0
        is_ticket = asked.kind == TICKET.name
        return Counts(
            system=self._system.tokens,
            ticket=tickets + pinned + (asked.tokens if is_ticket else 0),
            summary=self._compaction.tokens if self._compaction else 0,
            turns=kept - tickets,
            question=0 if is_ticket else asked.tokens,
            overhead=self._overhead,
            free=max(0, self._settings.budget - total),
        )


class Marks:
    """Items with their fates, kept while the same are asked for, as they are with each key."""

    def __init__(self) -> None:
        self._known: dict[tuple[Fate, int, int], tuple[PlannedItem, ...]] = {}

    def marked(self, columns: Columns, fate: Fate, start: int, stop: int) -> tuple[PlannedItem, ...]:
        """The items between two places with this fate."""
        key = (fate, start, stop)
        if key not in self._known:
            if len(self._known) > 8:
                self._known.clear()
            self._known[key] = columns.items(fate, start, stop)
        return self._known[key]
