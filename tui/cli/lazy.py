"""A click group that imports a command when it is used, and turns every expected error into one sentence."""

import importlib
from collections.abc import Callable, Mapping
from typing import TypeVar

import click

from tui.cli.failures import EXPECTED, failure_for

T = TypeVar("T")


class LazyGroup(click.Group):
    """Commands by name, each given as "module:attribute" and imported on demand."""

    def __init__(self, *, lazy_commands: Mapping[str, str], **settings: object) -> None:
        super().__init__(**settings)  # type: ignore[arg-type]  # click's own settings, passed through
        self._lazy_commands = lazy_commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which they are told to people."""
        return list(self._lazy_commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        place = self._lazy_commands.get(cmd_name)
        if place is None:
            return None
        module, _, attribute = place.partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: object
    ) -> click.Context:
        """Read the global options."""
        return _in_one_sentence(lambda: super(LazyGroup, self).make_context(info_name, args, parent, **extra))

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        return _in_one_sentence(lambda: super(LazyGroup, self).invoke(ctx))


def _in_one_sentence(step: Callable[[], T]) -> T:
    try:
        return step()
    except EXPECTED as error:
        raise failure_for(error) from error
