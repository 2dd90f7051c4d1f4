"""The choices of one conversation, as the record keeps them: a setting for each field of `PlanSettings` that is one."""

from collections.abc import Mapping
from dataclasses import replace

from assistant.plan.plan import PlanSettings, StrategyName
from assistant.tokens.sizing import Sizing
from storage.values import Json


def plan_settings(stored: Mapping[str, Json], defaults: PlanSettings) -> PlanSettings:
    """Read stored settings; what was never chosen, or what this version cannot use, is as in the defaults."""
    return PlanSettings(
        strategy=_strategy(stored.get("strategy"), defaults.strategy),
        budget=_positive(stored.get("budget"), defaults.budget),
        window_turns=_positive(stored.get("window_turns"), defaults.window_turns),
        include_notes=_flag(stored.get("include_notes"), defaults.include_notes),
        sticky=_flag(stored.get("sticky"), defaults.sticky),
        sizing=defaults.sizing,
    )


def with_sizing(defaults: PlanSettings, sizing: Sizing) -> PlanSettings:
    """The defaults for a model: a budget that nobody chose for it takes no more than its window leaves."""
    return replace(defaults, budget=sizing.spendable(defaults.budget), sizing=sizing)


def _strategy(value: Json, default: StrategyName) -> StrategyName:
    return StrategyName(value) if isinstance(value, str) and value in set(StrategyName) else default


def _positive(value: Json, default: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else default


def _flag(value: Json, default: bool) -> bool:
    return value if isinstance(value, bool) else default
