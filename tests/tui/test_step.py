"""A step that the end of the app overtakes leaves no warning and runs nothing."""

import gc
from collections.abc import Coroutine

from tui.step import Steps


async def guarded(step: Coroutine[None, None, object]) -> None:
    await step


async def test_a_step_runs_in_its_guard_and_only_once() -> None:
    done: list[str] = []

    async def work() -> None:
        done.append("work")

    taken = Steps(guarded).take(work())
    await taken
    await taken
    assert done == ["work"]


async def test_steps_that_wait_when_all_ends_and_those_that_come_later_are_never_run() -> None:
    async def work() -> None:
        raise AssertionError

    steps = Steps(guarded)
    early = steps.take(work())
    steps.end()
    late = steps.take(work())
    await early
    await late


def test_a_step_that_nobody_awaits_is_dropped_without_a_warning_also_in_a_circle() -> None:
    async def work(held: list[object]) -> None:
        held.clear()

    held: list[object] = []
    steps = Steps(guarded)
    held.append(steps.take(work(held)))
    steps.end()
    del held, steps
    gc.collect()
