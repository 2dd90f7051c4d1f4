"""16 processes that append to one record at once: no error, nothing lost, and how long the slowest append takes.

Run with `uv run python tests/bench/bench_processes.py [PROCESSES] [APPENDS]`. Fails where a message is lost or one
process reports an error.
"""

import sys
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import median
from subprocess import PIPE, Popen
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from limits import Limits

from storage.audit.verification import verify
from storage.sqlite_store import open_store
from storage.tickets import IncomingTicket, Role, TicketMessage

PROCESSES: Final = 16
APPENDS: Final = 250
TO_REACH_S: Final = 2.0
TICKET: Final = "T-1"


def append(database: Path, agent: str, count: int) -> None:
    """Add messages one below the other as soon as told to, then print the seconds that each one took."""
    taken = []
    with closing(open_store(database)) as store:
        conversation = store.open_conversation(agent, TICKET)
        at = store.selected(conversation.id)
        print("ready", flush=True)
        sys.stdin.readline()
        for number in range(count):
            start = time.perf_counter()
            at = store.add_message(conversation.id, at, agent, f"{agent} writes message {number}").id
            taken.append(time.perf_counter() - start)
    print(*taken, flush=True)


def run(database: Path, agents: list[str], count: int) -> tuple[list[float], int]:
    """Let all processes append; returns what every append took, and how many processes failed."""
    with ExitStack() as stack:
        command = [sys.executable, __file__, "append", str(database)]
        workers = [
            stack.enter_context(Popen([*command, agent, str(count)], stdin=PIPE, stdout=PIPE, text=True))
            for agent in agents
        ]
        for worker in workers:
            assert worker.stdout is not None
            worker.stdout.readline()
        said = []
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.write("go\n")
            worker.stdin.flush()
        for worker in workers:
            assert worker.stdout is not None
            said.append(worker.stdout.read())
    return [float(word) for line in said for word in line.split()], sum(worker.returncode != 0 for worker in workers)


def lost(database: Path, agents: list[str], count: int) -> int:
    """Return how many messages are not where they were put, and check that the record holds."""
    missing = 0
    with closing(open_store(database)) as store:
        for agent in agents:
            conversation = store.conversation(agent, TICKET)
            kept = [entry.content for entry in store.path(conversation.id, store.selected(conversation.id))][2:]
            expected = [f"{agent} writes message {number}" for number in range(count)]
            missing += sum(text not in kept for text in expected) if kept != expected else 0
        found = verify(store)
        assert found.holds, found.breaks
    return missing


def main(processes: int = PROCESSES, appends: int = APPENDS) -> None:
    """Make a record, let them append, and print what became of it."""
    agents = [f"agent {number}" for number in range(processes)]
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "record.db"
        with closing(open_store(database)) as store:
            message = TicketMessage("Sophie", Role.CUSTOMER, "Where is my hammock?")
            store.save_ticket(IncomingTicket(TICKET, "Hammock", "Sophie", (message,)))
        start = time.perf_counter()
        taken, failed = run(database, agents, appends)
        took_s = time.perf_counter() - start
        missing = lost(database, agents, appends)
    slowest = max(taken, default=float("inf"))
    print(f"{processes} processes, {appends} appends each, in {took_s:.1f} s with their starts: the record holds")
    limits = Limits()
    limits.at_most("errors", failed, 0)
    limits.at_most("lost", missing, 0)
    limits.at_most(f"slowest append (median {median(taken):.3f} s)", slowest, TO_REACH_S, " s")
    limits.end()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["append", path, agent, count]:
            append(Path(path), agent, int(count))
        case numbers:
            main(*map(int, numbers))
