import json
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.plan.plan import PlanSettings, StrategyName
from assistant.plan.settings import plan_settings
from storage.values import Json

DEFAULTS = PlanSettings(StrategyName.WINDOW, budget=4_000, window_turns=3, include_notes=True)


def test_what_was_never_chosen_is_as_in_the_defaults() -> None:
    assert plan_settings({}, DEFAULTS) == DEFAULTS


def test_what_was_chosen_counts() -> None:
    stored: dict[str, Json] = {"strategy": "select", "budget": 900, "window_turns": 2, "include_notes": False}
    assert plan_settings(stored, DEFAULTS) == PlanSettings(StrategyName.SELECT, 900, 2, False)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("strategy", "summarise-all"),
        ("strategy", 7),
        ("strategy", None),
        ("strategy", ["cut"]),
        ("budget", 0),
        ("budget", -5),
        ("budget", True),
        ("budget", "3000"),
        ("budget", 10.5),
        ("window_turns", 0),
        ("window_turns", None),
        ("include_notes", 0),
        ("include_notes", "false"),
        ("unknown", "x"),
    ],
)
def test_what_cannot_be_used_is_as_in_the_defaults(name: str, value: Json) -> None:
    assert plan_settings({name: value}, DEFAULTS) == DEFAULTS


@given(
    st.builds(
        PlanSettings,
        st.sampled_from(StrategyName),
        st.integers(min_value=1),
        st.integers(min_value=1),
        st.booleans(),
    )
)
def test_stored_settings_come_back(settings: PlanSettings) -> None:
    stored = {field.name: getattr(settings, field.name) for field in fields(PlanSettings) if field.name != "sizing"}
    assert plan_settings(json.loads(json.dumps(stored)), DEFAULTS) == settings
