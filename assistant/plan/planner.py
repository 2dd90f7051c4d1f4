"""The one pure function that decides what is sent: no input or output, no clock, no state."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assistant.plan.file_items import texts_that_fit
from assistant.plan.history import History, history_of
from assistant.plan.messages import Message
from assistant.plan.plan import QUESTION, SYSTEM, Coverage, Fate, Plan, PlannedItem, PlanSettings
from assistant.plan.planning import Marks, Planning
from assistant.tasks.task import Task
from assistant.tokens.counter import Counter
from assistant.tools.specs import spec_tokens
from storage.interactions import Interaction
from storage.text import storable
from storage.uncollected import uncollected


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


@uncollected()
def prepare(path: Sequence[Interaction], task: Task, settings: PlanSettings, counter: Counter) -> "PreparedPath":
    """Do all of a plan that does not depend on the question, so that each key costs the draft alone."""
    counter = settings.sizing.counter(counter)
    system = Message("system", task.system)
    system_item = PlannedItem(None, SYSTEM, -1, system, counter.message(system), Fate.SENT)
    overhead = counter.reply_overhead + spec_tokens(task, counter)
    return PreparedPath(settings, counter, overhead, system_item, history_of(path, task, settings.fitted(), counter))


@dataclass(frozen=True, slots=True, eq=False)
class PreparedPath:
    """A path rendered and counted, to be planned with one question after another.

    Attributes:
        settings: may be replaced by others with the same notes and the same sizing.
        counter: calibrated by the sizing.
        overhead: tokens of each request that belong to no message: the chat format's, and those of the task's tools.
    """

    settings: PlanSettings
    counter: Counter
    overhead: int
    system: PlannedItem
    history: History
    _marks: Marks = field(default_factory=Marks)
    _with_known: dict[frozenset[int], tuple[History, Marks]] = field(default_factory=dict)

    @uncollected()
    def plan(self, question: str | None) -> Plan:
        """Plan the request for this question; see `make_plan`."""
        asked, end = self._asked(question)
        return self._with_files(asked, end)._planning(asked, end).plan()

    @property
    def summarised_turns(self) -> int:
        """How many turns the newest compaction of the path covers; 0 where it has none."""
        known = self.history.compaction(len(self.history.columns))
        return self.history.columns.turns[known[0] - 1] + 1 if known else 0

    def to_summarise(self, last_turn: int | None = None) -> Coverage | None:
        """Say what a summary by hand would cover; None where there is nothing to cover, or it would save too little.

        Args:
            last_turn: the last turn to cover, 0 for the first of the path; None for all but the newest.
        """
        asked, end = self._asked("")
        return self._with_files(asked, end)._planning(asked, end).coverage_by_hand(last_turn)

    def _with_files(self, asked: PlannedItem, end: int) -> "PreparedPath":
        """Send attached files as their text, the newest first, where that pushes neither them nor the ticket out."""
        places = [place for place in self.history.texts if place < end]
        if not places:
            return self
        without_texts = self._planning(asked, end)

        def allows(texts: frozenset[int]) -> bool:
            planning = self._with_texts(texts)._planning(asked, end)
            return planning.first <= min(texts) and planning.ticket_sent >= without_texts.ticket_sent

        return self._with_texts(texts_that_fit(places, allows))

    def _with_texts(self, texts: frozenset[int]) -> "PreparedPath":
        if not texts:
            return self
        if texts not in self._with_known:
            if len(self._with_known) > 2 * len(self.history.texts):
                self._with_known.clear()
            self._with_known[texts] = (self.history.with_texts(texts), Marks())
        history, marks = self._with_known[texts]
        return replace(self, history=history, _marks=marks)

    def _asked(self, question: str | None) -> tuple[PlannedItem, int]:
        """Give the question, and the place in the history that it stands at."""
        columns = self.history.columns
        if question is not None:
            message = Message("user", storable(question))
            turn = columns.turns[-1] + 1 if columns else 0
            return PlannedItem(None, QUESTION, turn, message, self.counter.message(message), Fate.SENT), len(columns)
        place = self.history.last_opening()
        if place is None:
            raise ValueError("There is nothing to ask again: this path holds neither a ticket nor a message.")
        return columns.item(place), place

    def _planning(self, asked: PlannedItem, end: int) -> Planning:
        return Planning(self.settings, self.counter, self.overhead, self.system, self.history, asked, end, self._marks)
