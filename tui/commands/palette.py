"""The command palette: every command by name, from the registry."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from textual import on
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.widgets import Input
from textual.worker import Worker

from tui.commands.command import Command
from tui.commands.registry import BY_RANK

if TYPE_CHECKING:
    from tui.screens.desk import DeskScreen


class CommandProvider(Provider):
    """Offers the commands that can be run now, with their keys, the most wanted first."""

    async def discover(self) -> Hits:
        """Offer all of them before anything is typed."""
        for command in self._available():
            yield DiscoveryHit(
                self._with_keys(Content(command.title), command), self._run(command), command.title, command.help
            )

    async def search(self, query: str) -> Hits:
        """Offer those whose name or explanation matches."""
        matcher = self.matcher(query)
        for command in self._available():
            score = max(matcher.match(command.title), matcher.match(command.help) / 2)
            if score > 0:
                title = matcher.highlight(command.title)
                shown = title if isinstance(title, Content) else Content(command.title)
                yield Hit(score, self._with_keys(shown, command), self._run(command), command.title, command.help)

    def _available(self) -> list[Command]:
        return [command for command in BY_RANK if not command.unavailable(self._desk)]

    def _with_keys(self, title: Content, command: Command) -> Content:
        return Content.assemble(title, "  ", (self._desk.key_map.shown(command), "dim"))

    def _run(self, command: Command) -> partial[None]:
        return partial(command.run, self._desk)

    @property
    def _desk(self) -> DeskScreen:
        return cast("DeskScreen", self.screen)


class CommandFinder(CommandPalette):
    """The palette, in which Enter runs nothing but what was found for the text in its line."""

    def __init__(self) -> None:
        super().__init__(providers=[CommandProvider], id="--command-palette")
        self._was_entered = False

    @on(Input.Submitted)
    def _wait_until_it_is_listed(self, event: Input.Submitted) -> None:
        """Let Enter wait while the list is still that of another text; without a text nothing was chosen."""
        if self._is_searching:
            self._was_entered = bool(event.value.strip())
            event.stop()
            event.prevent_default()

    @on(Input.Changed)
    def _forget_enter(self) -> None:
        """An Enter that still waits was not meant for what is typed behind it."""
        self._was_entered = False

    @on(Worker.StateChanged)
    def _run_what_was_entered(self, event: Worker.StateChanged) -> None:
        """Run what was found, once it is."""
        if self._was_entered and not (self._is_searching or event.worker.is_cancelled) and self.is_current:
            self._was_entered = False
            self._select_or_command()

    @property
    def _is_searching(self) -> bool:
        return any(each.group == self._GATHER_COMMANDS_GROUP and not each.is_finished for each in self.workers)
