"""The one pure function that decides what is sent: no input or output, no clock, no state."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assistant.coverage import coverage, stop_that_fits
from assistant.file_items import texts_that_fit
from assistant.history import History, history_of
from assistant.messages import Message
from assistant.plan import QUESTION, SYSTEM, Counts, Coverage, Fate, Plan, PlannedItem, PlanSettings, Verdict
from assistant.sticky import begin
from assistant.strategies import STRATEGIES
from assistant.task import Task
from assistant.tokens import Counter
from storage.interactions import Interaction
from storage.kinds import TICKET
from storage.text import storable


def make_plan(
    path: Sequence[Interaction], question: str | None, task: Task, settings: PlanSettings, counter: Counter
) -> Plan:
    """Plan one request: the system message, what is kept of the path, the question.

    A turn is one agent message, or one ticket, and all that follows it up to the next. The newest whole turns that the
    strategy allows and that fit are sent, without a gap. The system message, what the strategy pins and the question
    are never dropped: where they alone are too large, the verdict says so.

    Args:
        path: from the root to the leaf, each node followed by the internal interactions that hang on it.
        question: the draft, "" for an empty composer. None asks the last message of the path again: an agent message
            or a ticket; answers below it take no part.
        task: gives the system message.
        settings: what the agent chose, and what is known of the model.
        counter: asked once for each message; the settings' sizing may calibrate it.

    Raises:
        ValueError: nothing to ask again, because the path holds no message.
    """
    return prepare(path, task, settings, counter).plan(question)


def prepare(path: Sequence[Interaction], task: Task, settings: PlanSettings, counter: Counter) -> "PreparedPath":
    """Do all of a plan that does not depend on the question, so that each key costs the draft alone."""
    counter = settings.sizing.counter(counter)
    system = Message("system", task.system)
    system_item = PlannedItem(None, SYSTEM, -1, system, counter.message(system), Fate.SENT)
    return PreparedPath(settings, counter, system_item, history_of(path, task, settings.fitted(), counter))


@dataclass(frozen=True, slots=True, eq=False)
class PreparedPath:
    """A path rendered and counted, to be planned with one question after another.

    Attributes:
        settings: may be replaced by others with the same notes and the same sizing.
        counter: calibrated by the sizing.
    """

    settings: PlanSettings
    counter: Counter
    system: PlannedItem
    history: History
    _marks: "_Marks" = field(default_factory=lambda: _Marks())
    _with_known: dict[frozenset[int], tuple[History, "_Marks"]] = field(default_factory=dict)

    def plan(self, question: str | None) -> Plan:
        """Plan the request for this question; see `make_plan`."""
        asked, end = self._asked(question)
        path = self._with_files(asked, end)
        return _Planning(path, asked, end).plan(path._marks)

    @property
    def summarised_turns(self) -> int:
        """How many turns the newest compaction of the path covers; 0 where it has none."""
        known = self.history.compaction(len(self.history.items))
        return self.history.items[known[0] - 1].turn + 1 if known else 0

    def to_summarise(self, last_turn: int | None = None) -> Coverage | None:
        """Say what a summary by hand would cover; None where there is nothing to cover, or it would save too little.

        Args:
            last_turn: the last turn to cover, 0 for the first of the path; None for all but the newest.
        """
        asked, end = self._asked("")
        return _Planning(self._with_files(asked, end), asked, end).coverage_by_hand(last_turn)

    def _with_files(self, asked: PlannedItem, end: int) -> "PreparedPath":
        """Send attached files as their text, the newest first, where that pushes neither them nor the ticket out."""
        places = [place for place in self.history.texts if place < end]
        if not places:
            return self
        without_texts = _Planning(self, asked, end)

        def allows(texts: frozenset[int]) -> bool:
            planning = _Planning(self._with_texts(texts), asked, end)
            return planning.first <= min(texts) and planning.ticket_sent >= without_texts.ticket_sent

        return self._with_texts(texts_that_fit(places, allows))

    def _with_texts(self, texts: frozenset[int]) -> "PreparedPath":
        if not texts:
            return self
        if texts not in self._with_known:
            if len(self._with_known) > 8:
                self._with_known.clear()
            self._with_known[texts] = (self.history.with_texts(texts), _Marks())
        history, marks = self._with_known[texts]
        return replace(self, history=history, _marks=marks)

    def _asked(self, question: str | None) -> tuple[PlannedItem, int]:
        """Give the question, and the place in the history that it stands at."""
        items = self.history.items
        if question is not None:
            message = Message("user", storable(question))
            turn = items[-1].turn + 1 if items else 0
            return PlannedItem(None, QUESTION, turn, message, self.counter.message(message), Fate.SENT), len(items)
        place = self.history.last_opening()
        if place is None:
            raise ValueError("There is nothing to ask again: this path holds neither a ticket nor a message.")
        return items[place], place


class _Planning:
    """One plan in the making: the sizes that decide, then the plan itself.

    Attributes:
        first: the place from which whole turns are kept.
        ticket_sent: the newest ticket is in the request.
    """

    def __init__(self, path: PreparedPath, asked: PlannedItem, end: int) -> None:
        self._path, self._settings, self._history = path, path.settings.fitted(), path.history
        self._asked, self._end = asked, end
        history = path.history
        self._starts = history.starts if end == len(history.items) else [at for at in history.starts if at < end]
        self._ticket = None if asked.kind == TICKET.name else history.newest_ticket(end)
        known = history.compaction(end)
        self._compacted = known[0] if known else 0
        self._division = STRATEGIES[self._settings.strategy].divide(self._starts, end, self._compacted, self._settings)
        self._compaction = known[1] if known and self._division.covered else None
        self._pinned = self._ticket if self._division.pinned else None
        self._always = path.counter.reply_overhead + path.system.tokens + self._tokens(self._pinned)
        self._fixed = self._always + (self._compaction.tokens if self._compaction else 0)
        self._room = self._settings.budget - self._fixed - asked.tokens
        self.first = self._begin()
        self.ticket_sent = self._ticket is None or self._ticket == self._pinned or self._ticket >= self.first

    def _begin(self) -> int:
        """Find the place from which whole turns are kept."""
        settings, division = self._settings, self._division
        is_held = settings.sticky and division.holds and self._room >= 0
        held = self._history.held(self._end) if is_held else None
        return begin(self._places_from(division.oldest), self._tokens_from, self._room, held, settings.budget)

    def plan(self, marks: "_Marks") -> Plan:
        path, settings, division, history, asked = (
            self._path,
            self._settings,
            self._division,
            self._history,
            self._asked,
        )
        room, first, ticket_sent = self._room, self.first, self.ticket_sent
        covered = division.covered
        kept_tokens = self._tokens_from(first)
        cut_tokens = self._tokens_from(covered) - kept_tokens
        total = self._fixed + kept_tokens + asked.tokens
        summary: Coverage | None = None
        if self._fixed > settings.budget:
            verdict = Verdict.FIXED_TOO_LARGE
        elif room < 0:
            verdict = Verdict.NEWEST_TOO_LARGE
        elif not ticket_sent:
            verdict = Verdict.TICKET_OUTSIDE
        elif not cut_tokens:
            verdict = Verdict.FITS
        else:
            summary = self._coverage_needed() if division.may_summarise else None
            verdict = Verdict.NEEDS_SUMMARY if summary else Verdict.CUT
        before = self._marked(marks, Fate.SUMMARISED, 0, covered)
        between = self._marked(marks, Fate.CUT, covered, first)
        compaction = (self._compaction,) if self._compaction else ()
        return Plan(
            strategy=settings.strategy,
            budget=settings.budget,
            counter=path.counter.name,
            accuracy=path.counter.accuracy,
            verdict=verdict,
            total=total,
            counts=self._counts(first, total),
            items=(path.system, *before, *compaction, *between, *history.items[first : self._end], asked),
            cut_turns=self._turns(covered, first),
            cut_tokens=cut_tokens,
            ticket_sent=ticket_sent,
            summarised_turns=self._turns(0, covered),
            summarised_tokens=self._tokens_from(0) - self._tokens_from(covered),
            first_kept=1 + len(compaction) + self._first_unpinned(first),
            to_summarise=summary,
            chosen_budget=path.settings.budget,
            sizing=path.settings.sizing,
        )

    def coverage_by_hand(self, last_turn: int | None) -> Coverage | None:
        """Cover the turns up to this one, or all but the newest."""
        stops = [*self._starts[1:], self._end]
        stop = len(stops) - 2 if last_turn is None else last_turn
        if not 0 <= stop < len(stops):
            return None
        return self._coverage(stops[stop])

    def _coverage_needed(self) -> Coverage | None:
        """Cover as much as is needed, and more than is covered already."""
        stops = [place for place in self._places_from(0) if place > self._division.covered]
        fixed = self._always + self._asked.tokens
        budget = self._settings.budget
        stop = stop_that_fits(stops, self._tokens_from, self._tokens_from(0), fixed, budget) if stops else None
        return None if stop is None else self._coverage(stop)

    def _coverage(self, stop: int) -> Coverage | None:
        budget, beside, after = self._settings.budget, self._always + self._asked.tokens, self._tokens_from(stop)
        # Where the turns after it do not fit anyway, the summary need only fit without them.
        most = budget - beside - (after if beside + after < budget else 0)
        return coverage(self._history.items[:stop], self._pinned, budget, most, beside + self._tokens_from(0))

    def _places_from(self, oldest: int) -> list[int]:
        """Where what is kept may begin: here, at a later turn, or at the end, where nothing is."""
        later = [place for place in self._starts if place > oldest] if oldest else self._starts[1:]
        return [oldest, *later, self._end] if oldest < self._end else [self._end]

    def _tokens_from(self, place: int) -> int:
        """The tokens of the history from a place on, without what is pinned."""
        pinned = self._tokens(self._pinned) if self._pinned is not None and self._pinned >= place else 0
        return self._history.until[self._end] - self._history.until[place] - pinned

    def _tokens(self, place: int | None) -> int:
        return 0 if place is None else self._history.items[place].tokens

    def _turns(self, start: int, stop: int) -> int:
        """How many turns have something between two places besides what is pinned."""
        items, pinned = self._history.items, self._pinned
        if start >= stop:
            return 0
        turns = items[stop - 1].turn - items[start].turn + 1
        if pinned is None or not start <= pinned < stop:
            return turns
        beside = [place for place in (pinned - 1, pinned + 1) if start <= place < stop]
        return turns if any(items[place].turn == items[pinned].turn for place in beside) else turns - 1

    def _first_unpinned(self, first: int) -> int:
        return first + 1 if first == self._pinned else first

    def _marked(self, marks: "_Marks", fate: Fate, start: int, stop: int) -> tuple[PlannedItem, ...]:
        """The items between two places with this fate; what is pinned is sent."""
        items, pinned = self._history.items, self._pinned
        if pinned is None or not start <= pinned < stop:
            return marks.marked(items, fate, start, stop)
        return (
            *marks.marked(items, fate, start, pinned),
            items[pinned],
            *marks.marked(items, fate, pinned + 1, stop),
        )

    def _counts(self, first: int, total: int) -> Counts:
        """Add up what is sent, by part; a ticket is the ticket's part also where it is asked."""
        history, end, asked = self._history, self._end, self._asked
        tickets = history.tickets_before(end) - history.tickets_before(first)
        kept = history.until[end] - history.until[first]
        pinned = self._tokens(self._pinned) if self._pinned is not None and self._pinned < first else 0
        is_ticket = asked.kind == TICKET.name
        return Counts(
            system=self._path.system.tokens,
            ticket=tickets + pinned + (asked.tokens if is_ticket else 0),
            summary=self._compaction.tokens if self._compaction else 0,
            turns=kept - tickets,
            question=0 if is_ticket else asked.tokens,
            overhead=self._path.counter.reply_overhead,
            free=max(0, self._settings.budget - total),
        )


class _Marks:
    """Items with another fate, kept while the same are asked for, as they are with each key."""

    def __init__(self) -> None:
        self._known: dict[tuple[Fate, int, int], tuple[PlannedItem, ...]] = {}

    def marked(self, items: Sequence[PlannedItem], fate: Fate, start: int, stop: int) -> tuple[PlannedItem, ...]:
        key = (fate, start, stop)
        if key not in self._known:
            if len(self._known) > 8:
                self._known.clear()
            self._known[key] = tuple([
                PlannedItem(item_id, kind, turn, message, tokens, fate, form)
                for item_id, kind, turn, message, tokens, _, form in items[start:stop]
            ])  # fmt: skip
        return self._known[key]
