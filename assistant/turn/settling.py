"""Finishing what was begun, even when the task that began it is cancelled.

A write that a thread has started cannot be called back: whoever is cancelled must still wait for it before writing
anything else, or the order of the record would depend on chance.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


async def finished(future: "asyncio.Future[T]") -> None:
    """Wait until a future is done, whatever its outcome; a cancellation that comes meanwhile is raised afterwards."""
    cancelled: asyncio.CancelledError | None = None
    while not future.done():
        try:
            await asyncio.wait({future})
        except asyncio.CancelledError as error:
            cancelled = error
    if not future.cancelled():
        future.exception()  # looked at, so that asyncio does not report it as forgotten
    if cancelled is not None:
        raise cancelled


async def settled(future: "asyncio.Future[T]") -> T:
    """Await a future to its end and return its result; a cancellation that comes meanwhile is raised afterwards."""
    await finished(future)
    return future.result()


async def settled_call(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a blocking function off the event loop and await its end, even when cancelled."""
    # The executor's future and not `asyncio.to_thread`: at the loop's end every task is cancelled, a future is not.
    return await settled(asyncio.get_running_loop().run_in_executor(None, partial(function, *args, **kwargs)))
