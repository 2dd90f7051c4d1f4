"""What the agent chose for one conversation: read from its settings, and the next choice of each."""

from typing import Final

from assistant.plan.plan import StrategyName

BUDGETS: Final = (
    500, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 16_000, 24_000, 32_000, 48_000, 64_000, 96_000,
    128_000, 192_000, 256_000, 400_000, 600_000, 1_000_000,
)  # fmt: skip
"""The steps of raise and lower; any other budget may stand in the configuration."""


def raised(budget: int, most: int | None = None) -> int:
    """The next larger step, at most what the window leaves; the budget itself where there is none."""
    step = next((step for step in BUDGETS if step > budget), budget)
    return step if most is None else max(budget, min(step, most))


def lowered(budget: int) -> int:
    """The next smaller step, or the budget itself where there is none."""
    return next((step for step in reversed(BUDGETS) if step < budget), budget)


def next_strategy(strategy: StrategyName) -> StrategyName:
    """The strategy after this one, around."""
    names = list(StrategyName)
    return names[(names.index(strategy) + 1) % len(names)]
