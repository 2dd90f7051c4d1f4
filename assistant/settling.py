"""Finishing what was begun, even when the task that began it is cancelled."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


async def settled(work: Coroutine[object, object, T]) -> T:
    """Await `work` to its end; a cancellation that comes meanwhile is raised afterwards.

    A write that a thread has started cannot be called back: whoever is cancelled must still wait for it before
    writing anything else, or the order of the record would depend on chance.
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        if not task.cancelled():
            task.exception()
        raise cancelled
    return task.result()


async def settled_call(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a blocking function off the event loop and await its end, even when cancelled."""
    return await settled(asyncio.to_thread(function, *args, **kwargs))
