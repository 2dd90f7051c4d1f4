"""One open ticket: its page, its draft, what the agent chose, and the plan of the next request."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from assistant.errors import NoSummaryError
from assistant.plan.plan import Coverage, Plan, PlanSettings, StrategyName
from assistant.plan.planner import PreparedPath, prepare
from assistant.plan.settings import plan_settings
from assistant.tasks.choice import task_of
from assistant.tasks.registry import Tasks
from assistant.tasks.task import Task
from assistant.tokens.counter import Counter
from assistant.turn.foreseeing import Foreseen
from assistant.turn.summarising import coverage_by_hand
from storage.interactions import Draft, Interaction, Node
from storage.kinds import AGENT_MESSAGE, TICKET
from storage.values import Json
from tui.desk import choices
from tui.desk.page import Page
from tui.desk.visited import Visited
from tui.display import editable

TEXT_STANDS: Final = "There is a text in the composer; send it, or clear it first."
ERASED: Final = "The words of this ticket were erased; it takes nothing new."


class Sheet:
    """What the desk works on; it holds values only and neither reads nor writes the record.

    Attributes:
        page: what is shown.
        draft: what stands in the composer.
        settings: what the agent chose for this conversation, or for this request only.
        once: the strategy that was chosen for the next request only; None where there is none.
        visited: the nodes looked at.
        plan: of the next request; None until the counter is ready, and for good once the ticket is erased.
        shown_plan: the one that is painted: of the strategy that is looked at, else the same as `plan`.
        task_trouble: why the task that was chosen is not used, a sentence; "" where it is.
    """

    def __init__(
        self,
        page: Page,
        draft: Draft,
        stored: Mapping[str, Json],
        defaults: PlanSettings,
        tasks: Tasks,
        *,
        once: StrategyName | None = None,
    ) -> None:
        self.page = page
        self.draft = draft
        self._stored, self._defaults = stored, defaults
        self.once = once
        self.settings = self._chosen()
        self.visited = Visited()
        self.visited.visit(page.path[-1].id)
        self.plan: Plan | None = None
        self.shown_plan: Plan | None = None
        self._looked_at: StrategyName | None = None
        self._tasks = tasks
        self._task, self.task_trouble = tasks.usable(task_of(page.planned_on))
        self._task_again: Task | None = None
        self._counter: Counter | None = None
        self._prepared: PreparedPath | None = None
        self._prepared_again: PreparedPath | None = None
        self._foreseen: dict[tuple[int | None, int, int, int], Foreseen] = {}

    def use(self, counter: Counter) -> None:
        """Plan with this counter from now on."""
        self._counter = counter
        self._prepare()

    def size(self, defaults: PlanSettings) -> bool:
        """Take over what is known of the model by now; tells whether that changes anything."""
        if defaults == self._defaults:
            return False
        self._defaults = defaults
        self.settings = self._chosen()
        self._prepare()
        return True

    def turn_to(self, page: Page) -> None:
        """Show another state of the conversation."""
        self.page = page.editing(self.draft.target_id if self.draft.edits else None)
        self._prepare()

    def take(self, draft: Draft) -> None:
        """Take another draft, such as a message of the shown path to edit."""
        self.draft = draft
        self.turn_to(self.page)

    def type(self, text: str) -> None:
        """Take over what stands in the composer now; all that a key costs is the plan of the draft."""
        self.draft = replace(self.draft, text=text)
        self._replan()

    def choose(self, name: str, value: Json) -> None:
        """Change one setting."""
        self._stored = {**self._stored, name: value}
        self.settings = self._chosen()
        self._prepare()

    def stored(self, name: str) -> Json:
        """What was chosen for this conversation under this name; None where nothing was."""
        return self._stored.get(name)

    def use_once(self, strategy: StrategyName | None) -> None:
        """Plan the next request with another strategy than the conversation's, or with that one again."""
        self.once = strategy
        self.settings = self._chosen()
        self._prepare()

    def look_at(self, strategy: StrategyName | None) -> None:
        """Let what is painted be the plan of a strategy, or the one that would be sent."""
        self._looked_at = strategy
        self._replan()

    def _chosen(self) -> PlanSettings:
        settings = plan_settings(self._stored, self._defaults)
        return settings if self.once is None else replace(settings, strategy=self.once)

    def plan_again(self, path: Sequence[Interaction], text: str | None = None) -> Plan | None:
        """Plan one more answer to the last message of a path, or the answer to a message that follows it."""
        if self._counter is None:
            return None
        return prepare(path, self.task_on(path), self.settings, self._counter).plan(text)

    def task_on(self, path: Sequence[Interaction]) -> Task:
        """The task of a branch."""
        return self._tasks.usable(task_of(path))[0]

    def budget_that_helps(self) -> int:
        """The next larger budget; where something is left out that must not be, the first one with which it fits."""
        budget = self.raised_budget
        prepared = self.prepared
        if prepared is None or self.plan is None or self.plan.may_send:
            return budget
        while (larger := choices.raised(budget, self.settings.sizing.most)) > budget:
            if replace(prepared, settings=replace(self.settings, budget=budget)).plan(self.question).may_send:
                break
            budget = larger
        return budget

    def to_summarise(self) -> Coverage:
        """What a summary by hand would cover: all turns before the draft but the newest.

        Raises:
            NoSummaryError: there is nothing to cover, or it would not be worth a call.
        """
        if self._counter is None:
            raise NoSummaryError("The tokens are not counted yet. Try again in a moment.")
        settings = replace(self.settings, strategy=StrategyName.SUMMARISE)
        return coverage_by_hand(prepare(self.page.planned_on, self._task, settings, self._counter))

    @property
    def refusal(self) -> str:
        """Why the summary that the painted plan needs would not be used, a sentence; "" where nothing says so."""
        coverage = self.shown_plan.to_summarise if self.shown_plan else None
        foreseen = self._foreseen.get(_place(coverage)) if coverage is not None else None
        return foreseen.refusal(coverage) if coverage is not None and foreseen is not None else ""

    @property
    def unforeseen(self) -> Coverage | None:
        """What the painted plan needs a summary of that nothing is known of yet."""
        coverage = self.shown_plan.to_summarise if self.shown_plan else None
        if coverage is None:
            return None
        foreseen = self._foreseen.get(_place(coverage))
        return None if foreseen is not None and foreseen.holds_for(coverage) else coverage

    def foresee(self, coverage: Coverage, foreseen: Foreseen) -> None:
        """Take over what is known of a summary."""
        self._foreseen[_place(coverage)] = foreseen

    @property
    def raised_budget(self) -> int:
        """The next larger budget that the model's window leaves; the present one where there is none."""
        return choices.raised(self.settings.budget, self.settings.sizing.most)

    @property
    def asks_again(self) -> bool:
        """Sending would answer a message once more: an edited one that was not changed, or an unanswered last one."""
        text = self.draft.text
        if self.page.edited is not None:
            return self.is_unchanged and not self.takes_in
        return not text.strip() and (self.takes_in or self.page.last.kind in (TICKET.name, AGENT_MESSAGE.name))

    @property
    def is_unchanged(self) -> bool:
        """A message is being edited, and stands as it was."""
        return self.page.edited is not None and self.draft.text == editable(self.page.edited.content)

    @property
    def holds_text(self) -> bool:
        """Something stands in the composer that is nowhere else, and would be lost if another text took its place."""
        return bool(self.draft.text.strip()) and not self.is_unchanged

    def is_editing(self, message: Node) -> bool:
        """This message stands in the composer to be edited."""
        return self.page.edited is not None and self.page.edited.id == message.id

    @property
    def takes_in(self) -> bool:
        """Sending takes in a newer version of the ticket first; the plan holds it already."""
        return self.page.newer_snapshot is not None

    @property
    def asked(self) -> Node:
        """The message or ticket that sending would answer once more, where `asks_again`."""
        return self.page.edited.node if self.page.edited is not None else self.page.last

    @property
    def may_ask(self) -> bool:
        """There is something to ask."""
        return self.asks_again or bool(self.draft.text.strip())

    @property
    def has_notes(self) -> bool:
        """The ticket holds internal notes."""
        return any(message.internal for message in self.page.ticket.messages)

    @property
    def task(self) -> Task:
        """What the assistant would be asked to do; the plan is made with it."""
        is_again = self.asks_again and self.page.edited is not None
        return self._task_again if is_again and self._task_again is not None else self._task

    @property
    def strategy(self) -> StrategyName:
        """The conversation's, whatever holds for this request only."""
        return plan_settings(self._stored, self._defaults).strategy

    @property
    def question(self) -> str | None:
        """What would be asked: the draft, or None for what is asked again."""
        return None if self.asks_again else self.draft.text

    def _prepare(self) -> None:
        """Do all of a plan that does not depend on the draft, then plan."""
        self._foreseen = {}
        path = self.page.planned_on
        self._task, self.task_trouble = self._tasks.usable(task_of(path))
        self._prepared = self._prepared_again = self._task_again = None
        counter = None if self.page.ticket.erased else self._counter
        if self.page.edited is not None:
            path_again = (*path, *self.page.with_hanging((self.page.edited,)))
            self._task_again = self.task_on(path_again)
            if counter is not None:
                self._prepared_again = prepare(path_again, self._task_again, self.settings, counter)
        if counter is not None:
            self._prepared = prepare(self.page.sent_with, self._task, self.settings, counter)
        self._replan()

    @property
    def prepared(self) -> PreparedPath | None:
        """What the draft is planned on: with the edited message itself as long as it is not changed."""
        return self._prepared_again if self.asks_again and self.page.edited is not None else self._prepared

    def _replan(self) -> None:
        prepared, looked_at = self.prepared, self._looked_at
        self.plan = self.shown_plan = prepared.plan(self.question) if prepared is not None else None
        if prepared is not None and looked_at is not None:
            settings = replace(self.settings, strategy=looked_at)
            self.shown_plan = replace(prepared, settings=settings).plan(self.question)


def _place(coverage: Coverage) -> tuple[int | None, int, int, int]:
    """What a summary is made from and how long it may become, whatever stands in the composer."""
    return coverage.last_node_id, coverage.turns, coverage.tokens, coverage.expected
