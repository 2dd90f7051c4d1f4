"""Waiting for an app by its own account of what is still to be done, so that no test depends on how fast it is."""

import asyncio
from time import monotonic
from typing import Final

from textual.app import App
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.widget import Widget

_DEADLINE_S: Final = 5.0
"""What moves all the time, such as an animation, is not waited for any longer."""


async def settle(pilot: Pilot[object]) -> None:
    """Wait until no message is queued, nothing is to be laid out, and nothing is to be painted.

    Textual's own pause waits until the process uses little of the processor, which a busy machine grants to a process
    that has not been let in yet.
    """
    app, deadline = pilot.app, monotonic() + _DEADLINE_S
    await pilot._wait_for_screen()
    while app.is_running and app._exception is None:
        await asyncio.sleep(0.01 if app._resize_event is not None else 0)
        app.screen._on_timer_update()
        await pilot._wait_for_screen()
        if not _is_busy(app) or monotonic() > deadline:
            return


def _pumps(app: App[object]) -> list[MessagePump]:
    return [app, *app.screen.walk_children(with_self=True)]


def _is_busy(app: App[object]) -> bool:
    screen = app.screen
    return (
        any(_has_work(pump) for pump in _pumps(app))
        or bool(screen._dirty_widgets or screen._callbacks)
        or app._resize_event is not None
        or app._batch_count > 0
        or screen._layout_required
        or screen._scroll_required
        or screen._recompose_required
    )


def _has_work(pump: MessagePump) -> bool:
    if pump.message_queue_size or pump._next_callbacks:
        return True
    return isinstance(pump, Widget) and (pump._repaint_required or pump._layout_required or pump._scroll_required)
