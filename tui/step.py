"""A step of the desk that a worker awaits, or that is dropped unbegun when the app ends first."""

from collections.abc import Callable, Coroutine, Generator
from typing import TypeAlias

_Steps: TypeAlias = Coroutine[None, None, object]


class Step:
    """One step and the guard that it runs in; a step that is never awaited is closed without a complaint."""

    def __init__(self, guard: Callable[[_Steps], Coroutine[None, None, None]], step: _Steps) -> None:
        self._guard = guard
        self._step = step

    def __await__(self) -> Generator[None, None, None]:
        """Run the step in its guard."""
        yield from self._guard(self._step).__await__()

    def __del__(self) -> None:
        """Close a step that was not begun; one that has ended is closed already."""
        self._step.close()
