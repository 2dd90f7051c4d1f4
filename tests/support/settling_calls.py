"""Lets a test cancel a turn at an exact moment: while a method of the store runs."""

import asyncio
from collections.abc import Callable

import pytest

from storage.store import Store


def cancel_during(
    store: Store, monkeypatch: pytest.MonkeyPatch, name: str, occurrence: int, cancel: Callable[[], object]
) -> None:
    """Let the n-th call of a store method be the moment of the cancellation: after it began, before it ends."""
    loop = asyncio.get_running_loop()
    original = getattr(store, name)
    calls = 0

    def watched(*args: object, **kwargs: object) -> object:
        nonlocal calls
        calls += 1
        if calls == occurrence:
            asyncio.run_coroutine_threadsafe(_call(cancel), loop).result(5)
        return original(*args, **kwargs)

    monkeypatch.setattr(store, name, watched)


async def _call(function: Callable[[], object]) -> None:
    function()
