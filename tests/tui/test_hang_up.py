"""The installed command in a terminal that goes away."""

import os
import pty
import select
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

COMMAND = str(Path(sys.executable).with_name("ticketree"))
PATIENCE_S = 60.0
LEFT_OUT = ("OPENAI_", "TICKETREE_", "COLUMNS", "LINES")
"""Variables that would choose a model or a record, or overrule the size of the terminal."""
CTRL_N, F9 = b"\x0e", b"\x1b[20~"


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """A home of its own, and nothing configured."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(LEFT_OUT)}
    return kept | {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "TERM": "xterm-256color"}


def wait_for(terminal: int, wanted: bytes, *, pressing: bytes = b"") -> None:
    """Read what is painted until this is, pressing a key now and then until it is taken."""
    seen, began = b"", time.monotonic()
    pressed = began
    while wanted not in seen:
        now = time.monotonic()
        assert now < began + PATIENCE_S, f"{wanted!r} was not painted within {PATIENCE_S:.0f} s"
        if pressing and now > pressed + 2:
            os.write(terminal, pressing)
            pressed = now
        if select.select([terminal], [], [], 0.5)[0]:
            seen += os.read(terminal, 65_536)


@pytest.mark.terminal
def test_the_app_ends_when_its_terminal_is_closed_while_an_answer_is_painted(environ: dict[str, str]) -> None:
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(ours, (36, 120))
    app = subprocess.Popen(
        [COMMAND, "demo"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environ,
        start_new_session=True,
        preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)),
    )
    os.close(theirs)
    try:
        wait_for(ours, b"T-64704")
        wait_for(ours, b"tokens")
        os.write(ours, CTRL_N)
        wait_for(ours, b"writing", pressing=F9)
        os.close(ours)
        app.wait(PATIENCE_S)
    finally:
        app.kill()
        app.wait()
