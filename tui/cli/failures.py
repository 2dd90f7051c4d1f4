"""Exit statuses, and the one sentence that stands for each expected error."""

import sys
from enum import IntEnum
from typing import IO

import click

from assistant.errors import AssistantError, NoSummaryError, PlanStoppedError, ProviderError
from storage.errors import RefusedError, StorageError
from tui.cli.output import safe_line
from tui.errors import TuiError

EXPECTED = (click.UsageError, StorageError, AssistantError, TuiError)
"""Errors that are told to the person; anything else is a fault of the program."""


class ExitStatus(IntEnum):
    """What the program's exit status means."""

    DONE = 0
    PARTLY = 1
    NOTHING = 2
    STOPPED = 3
    PROVIDER = 4


class Failure(click.ClickException):
    """Nothing was done: one sentence on stderr."""

    exit_code = ExitStatus.NOTHING.value

    def show(self, file: IO[str] | None = None) -> None:
        """Print the sentence."""
        click.echo(f"ticketree: {safe_line(self.message)}", file=file or sys.stderr)


class Stopped(Failure):
    """A rule forbids it."""

    exit_code = ExitStatus.STOPPED.value


class ProviderFailed(Failure):
    """The model's server did not answer as it should."""

    exit_code = ExitStatus.PROVIDER.value


def failure_for(error: Exception) -> Failure:
    """Put an expected error into one sentence and choose its exit status."""
    match error:
        case click.UsageError():
            return Failure(_usage(error))
        case ProviderError():
            return ProviderFailed(f"{error.message} {error.advice}".strip())
        case NoSummaryError(failed=True):
            return ProviderFailed(str(error))
        case PlanStoppedError() | RefusedError():
            return Stopped(str(error))
        case _:
            return Failure(str(error))


def _usage(error: click.UsageError) -> str:
    help_for = error.ctx.command_path if error.ctx else "ticketree"
    return f"{error.format_message()} Try '{help_for} --help'."
