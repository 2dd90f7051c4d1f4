"""The steps of a screen on their way to a worker; those that the end of the app overtakes are dropped unbegun."""

from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Protocol, TypeAlias

_Step: TypeAlias = Coroutine[None, None, object]


class Spawn(Protocol):
    """Runs a step beside the screen; steps of the group "turn" last as long as an answer."""

    def __call__(self, step: _Step, *, group: str = "step") -> object:
        """Begin."""


class Steps:
    """Hands steps to workers, and knows those that no worker has begun yet.

    Args:
        guard: what each step is run in.
    """

    def __init__(self, guard: Callable[[_Step], Coroutine[None, None, None]]) -> None:
        self._guard = guard
        self._waiting: set[_Step] = set()
        self._ended = False

    def take(self, step: _Step) -> Awaitable[None]:
        """Return what a worker awaits to run a step; a step that comes after the end is never run."""
        if self._ended:
            step.close()
        else:
            self._waiting.add(step)
        return _Begin(self, step)

    def end(self) -> None:
        """Drop the steps that wait, and all that come."""
        self._ended = True
        while self._waiting:
            self._waiting.pop().close()

    def begin(self, step: _Step) -> Coroutine[None, None, None] | None:
        """Return what runs a step, once; None where it was dropped."""
        if step not in self._waiting:
            return None
        self._waiting.discard(step)
        return self._guard(step)


class _Begin:
    """Begins a step when it is awaited."""

    def __init__(self, steps: Steps, step: _Step) -> None:
        self._steps = steps
        self._step = step

    def __await__(self) -> Generator[None, None, None]:
        running = self._steps.begin(self._step)
        if running is not None:
            yield from running.__await__()
