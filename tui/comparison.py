"""The ways of keeping history side by side, with about what each costs; the same in the app and on the command line."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from assistant.money.prices import PriceList, Unpriced, estimate_cost
from assistant.plan.comparing import Compared, compare
from assistant.plan.plan import Plan, StrategyName
from assistant.plan.planner import PreparedPath
from assistant.plan.prefix import previous_messages
from assistant.provider.provider import Provider, model_for
from assistant.tasks.task import Task
from assistant.turn.foreseeing import FirstCalls, first_calls
from assistant.turn.summarising import SUMMARISE_HISTORY
from storage.interactions import Interaction
from tui.services import Services


@dataclass(frozen=True, slots=True)
class Row:
    """One strategy.

    Attributes:
        cost: of the request without its answer, as if the provider still had in its cache what may be there.
        first: the calls that make a summary before it; None where none is needed.
        first_cost: of these, the summary included; None where there are none.
    """

    compared: Compared
    cost: Decimal | Unpriced
    first: FirstCalls | None = None
    first_cost: Decimal | Unpriced | None = None

    @property
    def plan(self) -> Plan:
        """The plan of this strategy."""
        return self.compared.plan

    @property
    def strategy(self) -> StrategyName:
        """The strategy."""
        return self.compared.strategy


@dataclass(frozen=True, slots=True)
class Comparison:
    """All strategies for one request.

    Attributes:
        chosen: the one that the request would be sent with now.
        window_turns: how many turns `window` keeps at most.
    """

    rows: tuple[Row, ...]
    chosen: StrategyName
    window_turns: int
    prices: PriceList


@dataclass(frozen=True, slots=True)
class _Pricing:
    prices: PriceList
    provider: Provider
    on: date

    def cost(self, plan: Plan, task: Task, tokens: int, *, cached: int = 0, expected: int = 0) -> Decimal | Unpriced:
        return estimate_cost(
            replace(plan, total=tokens),
            model_for(self.provider, task),
            self.prices,
            cached,
            expected,
            base_url=self.provider.base_url,
            on=self.on,
        )

    def first_cost(self, plan: Plan, task: Task, first: FirstCalls) -> Decimal | Unpriced:
        whole = Decimal(0)
        for tokens in first.prompts:
            cost = self.cost(plan, task, tokens, expected=first.expected // len(first.prompts))
            if isinstance(cost, Unpriced):
                return cost
            whole += cost
        return whole


def make_comparison(
    services: Services, prepared: PreparedPath, path: Sequence[Interaction], question: str | None, task: Task, on: date
) -> Comparison:
    """Compare all strategies; reads the record and the prices, so not on the event loop.

    Args:
        services: what the request would be sent with.
        prepared: the path, ready to be planned.
        path: the same, each node followed by the internal interactions on it.
        question: as for `assistant.plan.planner.make_plan`.
        task: that the path was prepared for.
        on: the day (UTC) whose prices count.
    """
    provider, prices = services.provider, services.prices.read().list
    pricing = _Pricing(prices, provider, on)
    summariser, _ = services.tasks.usable(SUMMARISE_HISTORY)
    previous = previous_messages(services.store, path, provider.base_url, model_for(provider, task))

    def row(compared: Compared) -> Row:
        plan = compared.plan
        cost = pricing.cost(plan, task, compared.total, cached=compared.shared_tokens)
        first = first_calls(plan, prepared, summariser, provider)
        return Row(compared, cost, first, pricing.first_cost(plan, summariser, first) if first else None)

    rows = tuple(row(compared) for compared in compare(prepared, question, previous=previous))
    return Comparison(rows, prepared.settings.strategy, prepared.settings.window_turns, prices)
