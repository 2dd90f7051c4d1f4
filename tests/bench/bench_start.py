"""Start, memory and size of the installed command, beside a minimal Textual app on the same machine.

Run: uv run python tests/bench/bench_start.py

Prints medians of whole processes in a pseudo-terminal of 120 by 36; the two apps are started in turn.
"""

import contextlib
import fcntl
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from importlib.metadata import distribution
from pathlib import Path

ROUNDS = 9
TICKETS = 1_000
CONVERSATIONS = 50
NODES_EACH = 200
AGENT = "camille"
COMMAND = str(Path(sys.executable).with_name("ticketree"))
MINIMAL = """
from textual.app import App
from textual.widgets import Label
class Minimal(App):
    def compose(self):
        yield Label("first paint")
Minimal().run()
"""


def fill(database: Path) -> None:
    """Write the tickets and the conversations."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
    from desks import a_ticket

    from storage.interactions import Status
    from storage.sqlite_store import open_store

    store = open_store(database)
    for number in range(TICKETS):
        store.save_ticket(a_ticket(f"T-{number:05}", f"Where is order {number}? " * 20))
    for number in range(CONVERSATIONS):
        conversation = store.open_conversation(AGENT, f"T-{number:05}")
        leaf = store.selected(conversation.id)
        for turn in range(NODES_EACH // 2):
            leaf = store.add_message(conversation.id, leaf, AGENT, f"make it shorter, please ({turn})").id
            leaf = store.begin_answer(conversation.id, leaf, "built-in assistant", meta={}).id
            store.add_text(conversation.id, leaf, f"Dear Sophie, your order {turn} is on its way. " * 8)
            store.finish(conversation.id, leaf, Status.COMPLETE, {})
    store.close()


def start(command: list[str], environ: dict[str, str], awaited: bytes, settle_s: float = 0.0) -> tuple[float, float]:
    """Start a command in a pseudo-terminal; return the seconds to the awaited bytes, and its memory in MB."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(command[0], command, environ)
    began = time.perf_counter()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
    seen = b""
    try:
        while awaited not in seen:
            ready, _, _ = select.select([terminal], [], [], 30)
            if not ready:
                raise SystemExit(f"{command[0]} did not show {awaited!r} within 30 s:\n{seen[-2000:]!r}")
            seen += os.read(terminal, 65_536)
        seconds = time.perf_counter() - began
        until = time.perf_counter() + settle_s
        while (left := until - time.perf_counter()) > 0:
            if select.select([terminal], [], [], left)[0]:
                os.read(terminal, 65_536)
        return seconds, resident_mb(pid)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)


def resident_mb(pid: int) -> float:
    """Return what a process holds in memory, in MB of 1,000,000 bytes."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024 / 1e6
    kilobytes = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True).stdout
    return int(kilobytes) * 1024 / 1e6


def installed_mb() -> float:
    """Return what the packages that Ticketree needs take up, itself included, in MB."""
    from packaging.requirements import Requirement

    waiting, seen, size = ["ticketree"], set[str](), 0
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in seen or name in {"pip", "setuptools"}:
            continue
        seen.add(name)
        package = distribution(name)
        for file in package.files or ():
            path = Path(str(package.locate_file(file)))
            if path.is_file() and "bin" not in path.parts[-2:-1]:
                size += path.stat().st_size
        for line in package.requires or ():
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(requirement.name)
    if not any(str(file).endswith("o200k_base.tiktoken.gz") for file in distribution("ticketree").files or ()):
        here = Path(__file__).parents[2]  # an editable install lists none of its files
        size += sum(
            path.stat().st_size
            for folder in ("storage", "assistant", "tui")
            for path in (here / folder).rglob("*")
            if path.is_file() and path.suffix != ".pyc"
        )
    return size / 1e6


def main() -> None:
    """Print the table."""
    folder = Path(tempfile.mkdtemp(prefix="ticketree-bench-"))
    try:
        database = folder / "desk.db"
        fill(database)
        environ = {
            **os.environ,
            "TERM": "xterm-256color",
            "PYTHONDONTWRITEBYTECODE": "",
            "COLORTERM": "truecolor",
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
        }
        for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TICKETREE_DB", "TICKETREE_AGENT"):
            environ.pop(name, None)
        app = [COMMAND, "--db", str(database), "--agent", AGENT]
        minimal = [sys.executable, "-c", MINIMAL]
        theirs, frames, lists = [], [], []
        for _ in range(ROUNDS + 1):
            theirs.append(start(minimal, environ, b"first paint")[0])
            frames.append(start(app, environ, b"Conversation")[0])
            lists.append(start(app, environ, b"T-00003")[0])
        print(f"first paint, minimal Textual app     {statistics.median(theirs[1:]):.3f} s")
        for name, ours in (("first paint", frames), (f"{TICKETS:,} tickets listed", lists)):
            ratio = statistics.median(mine / other for mine, other in zip(ours[1:], theirs[1:], strict=True))
            print(f"{name:<36} {statistics.median(ours[1:]):.3f} s, {ratio:.2f} times the minimal app")
        versions = []
        for _ in range(ROUNDS + 1):
            began = time.perf_counter()
            subprocess.run([COMMAND, "--version"], check=True, capture_output=True, env=environ)
            versions.append(time.perf_counter() - began)
        print(f"ticketree --version                  {statistics.median(versions[1:]):.3f} s")
        opened = [*app, "open", "T-00000"]
        print(f"memory at rest, minimal app          {start(minimal, environ, b'first paint', 5)[1]:.0f} MB")
        print(f"memory at rest, ticket list          {start(app, environ, b'T-00003', 10)[1]:.0f} MB")
        print(f"memory at rest, path of 200 nodes    {start(opened, environ, b'outside the budget', 10)[1]:.0f} MB")
        print(f"installed size                       {installed_mb():.0f} MB")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
