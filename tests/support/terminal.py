"""Drives the installed command in a real pseudo-terminal, as a person would, with deadlines instead of sleeps."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

COMMAND: Final = Path(sys.executable).with_name("ticketree")
DEADLINE_S: Final = 30.0

_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-~])")


class Terminal:
    """`ticketree` with these arguments in a terminal of 120 by 36 cells; use it as a context manager.

    Attributes:
        raw: everything that the program has written so far.
    """

    def __init__(self, *arguments: str, environ: Mapping[str, str]) -> None:
        self.raw = b""
        self._seen = 0
        self._terminal, end = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
        self._process = subprocess.Popen(
            [COMMAND, *arguments],
            stdin=end,
            stdout=end,
            stderr=end,
            start_new_session=True,
            env={name: value for name, value in environ.items() if name not in ("COLUMNS", "LINES")}
            | {"TERM": "xterm-256color"},
        )
        os.close(end)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._terminal)

    def press(self, keys: str) -> None:
        """Send keys as the terminal would; what is waited for afterwards must come after them."""
        self._seen = len(self.raw)
        os.write(self._terminal, keys.encode())

    def wait_for(self, text: str) -> None:
        """Wait until a text has been painted since the last keys."""
        deadline = time.monotonic() + DEADLINE_S
        while text not in self.painted():
            assert self._read(deadline), f"{text!r} was not painted; last came\n{self.painted()[-2_000:]}"

    def painted(self) -> str:
        """What was painted since the last keys, without control sequences."""
        return _SEQUENCE.sub("", self.raw[self._seen :].decode(errors="replace"))

    def exit_status(self) -> int:
        """Wait for the program's end."""
        deadline = time.monotonic() + DEADLINE_S
        while self._read(deadline):
            pass
        return self._process.wait(max(0.1, deadline - time.monotonic()))

    def _read(self, deadline: float) -> bool:
        """Take what the program writes next; False when nothing comes any more."""
        ready, _, _ = select.select([self._terminal], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return False
        try:
            data = os.read(self._terminal, 65_536)
        except OSError:  # Linux tells in this way that the other end is closed
            return False
        self.raw += data
        return data != b""
