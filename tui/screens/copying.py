"""Copying out of a conversation: stopped by a failed gate, asked about where an answer is stale."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from storage.interactions import Interaction
from tui import locations
from tui.clipboard import copy_text
from tui.commands.keys import shown_key
from tui.desk.messages import Said
from tui.errors import TuiError
from tui.gate_text import stop_sentence
from tui.screens.desk_text import copied

if TYPE_CHECKING:
    from tui.screens.desk import DeskScreen

Choose: TypeAlias = Callable[[Sequence[Interaction]], Sequence[Interaction]]
"""Chooses what is copied of a path; its end is."""


async def copy_out(screen: DeskScreen, choose: Choose, node_id: int, *, stale_too: bool = False) -> None:
    """Copy what is chosen of the path to a node, and say which way it went.

    Unless `stale_too`, an answer that does not know all that the customer wrote is asked about first.

    Raises:
        TuiError: a failed gate stops it.
    """
    if (sheet := screen.sheet) is None:
        return
    conversation, path = sheet.page.conversation, choose(await screen.desk.path_to(node_id))
    key = shown_key(screen.key_map.keys["override"][0])
    if stop := stop_sentence(await screen.judging.stopped(conversation, path[-1].node), key):
        raise TuiError(stop)
    if not stale_too and (unseen := await screen.judging.unseen(conversation, path)):
        from tui.screens.stale import StaleScreen

        def answered(copies: bool | None) -> None:
            if copies and screen.sheet is sheet:
                screen.spawn(copy_out(screen, choose, node_id, stale_too=True))

        screen.app.push_screen(StaleScreen(unseen, screen.now()), answered)
        return
    text = copied(path)
    route = await asyncio.to_thread(
        copy_text,
        text,
        environ=os.environ,
        write_terminal=screen.write_terminal,
        folder=locations.copies_folder(),
    )
    screen.post_message(Said(route.words))
    await screen.judging.copied(conversation, path, text)
