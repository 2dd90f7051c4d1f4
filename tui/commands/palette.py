"""The command palette: every command by name, from the registry."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

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
