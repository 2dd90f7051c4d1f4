"""How far something long is: one line on stderr that is written over, and nothing where that is no terminal."""

import shutil
import sys
import time
from types import TracebackType
from typing import Final, Self

import click

from tui.display import one_line

_FIRST_AFTER_S: Final = 0.5
_EVERY_S: Final = 0.1
_CLEAR: Final = "\r\x1b[K"


class ProgressLine:
    """Shows the latest of what it is told, ten times a second at most; it is gone at the end of the block."""

    def __init__(self) -> None:
        self._is_seen = sys.stderr.isatty()
        self._next_s = time.monotonic() + _FIRST_AFTER_S
        self._is_written = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_written:
            click.echo(_CLEAR, nl=False, err=True)

    def tell(self, name: str, found: int) -> None:
        """Say what is being read, and how much was found before it."""
        now_s = time.monotonic()
        if not self._is_seen or now_s < self._next_s:
            return
        self._next_s = now_s + _EVERY_S
        self._is_written = True
        text = one_line(f"{found:,} found · {name}", shutil.get_terminal_size().columns - 1)
        click.echo(f"{_CLEAR}{text}", nl=False, err=True)
