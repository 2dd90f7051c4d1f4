"""A step that the end of the app overtakes leaves no warning and runs nothing."""

import gc

from tui.step import Step


async def guarded(step: object) -> None:
    await step  # type: ignore[misc]


async def test_a_step_runs_in_its_guard() -> None:
    done: list[str] = []

    async def work() -> None:
        done.append("work")

    await Step(guarded, work())
    assert done == ["work"]


def test_a_step_that_is_never_awaited_is_dropped_silently() -> None:
    async def work() -> None:
        raise AssertionError

    Step(guarded, work())
    gc.collect()
