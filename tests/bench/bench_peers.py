"""Appending to a conversation and reading it whole, beside other stores of chats: at 100, 1,000 and 10,000 messages.

None of them is needed for anything else, so they come with an extra for this run alone:

    uv run --extra bench python tests/bench/bench_peers.py [MESSAGES ...]

Appending is timed by the clock, as most of it is waiting for the disk. Reading is compared by the processor time it
takes, which changes less on a machine that has more to do. What is not installed is left out, and so is a size that
takes longer than four minutes to fill. Each store is called as its own documentation tells, with its own defaults.
`llm` adds a question with its answer at once, which counts as one append here; the others add one message.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Final, Protocol

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from limits import Limits

from storage.sqlite_store import open_store
from storage.tickets import IncomingTicket, Role, TicketMessage

SIZES: Final = (100, 1_000, 10_000)
ROUNDS: Final = 11
FILL_SECONDS: Final = 240.0
TEXT: Final = "Could you make it shorter, and mention that the parcel left on Monday? " * 5


class Peer(Protocol):
    """A store of one conversation."""

    def fill(self, count: int) -> None:
        """Bring the conversation to so many messages; may give up with TimeoutError."""

    def append(self) -> None:
        """Add to its end."""

    def rebuild(self) -> int:
        """Read it whole, as for the next request; returns how many messages were read."""


class Ticketree:
    """Our own record."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._store = stack.enter_context(closing(open_store(folder / "ours.db")))
        message = TicketMessage("Sophie", Role.CUSTOMER, "Where is my hammock?")
        self._store.save_ticket(IncomingTicket("T-1", "Hammock", "Sophie", (message,)))
        self._id = self._store.open_conversation("camille", "T-1").id
        self._at = self._store.selected(self._id)

    def fill(self, count: int) -> None:
        """Append one by one."""
        one_by_one(self.append, count - 2)

    def append(self) -> None:
        """Add a message."""
        self._at = self._store.add_message(self._id, self._at, "camille", TEXT).id

    def rebuild(self) -> int:
        """Read the path."""
        return len(self._store.path(self._id, self._at))


class Agents:
    """The session of openai-agents that knows branches."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        session = import_module("agents.extensions.memory").AdvancedSQLiteSession
        self._session = session(session_id="one", db_path=folder / "agents.db", create_tables=True)
        stack.callback(self._session.close)
        self._loop = stack.enter_context(asyncio.Runner())

    def fill(self, count: int) -> None:
        """Append one by one."""
        one_by_one(self.append, count)

    def append(self) -> None:
        """Add a message."""
        self._loop.run(self._session.add_items([{"role": "user", "content": TEXT}]))

    def rebuild(self) -> int:
        """Read the items."""
        return len(self._loop.run(self._session.get_items()))


class LangGraph:
    """The checkpoints of LangGraph: each one is the whole state."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._saver = stack.enter_context(
            import_module("langgraph.checkpoint.sqlite").SqliteSaver.from_conn_string(str(folder / "graph.db"))
        )
        self._empty: Callable[[], dict[str, object]] = import_module("langgraph.checkpoint.base").empty_checkpoint
        self._config = {"configurable": {"thread_id": "one", "checkpoint_ns": ""}}
        self._messages: list[dict[str, str]] = []

    def fill(self, count: int) -> None:
        """Put one checkpoint with all of them."""
        self._messages = [{"role": "user", "content": f"{number} {TEXT}"} for number in range(count - 1)]
        self.append()

    def append(self) -> None:
        """Put the next checkpoint."""
        self._messages.append({"role": "user", "content": TEXT})
        version = len(self._messages)
        checkpoint = {
            **self._empty(),
            "channel_values": {"messages": self._messages},
            "channel_versions": {"messages": version},
        }
        metadata = {"source": "loop", "step": version, "parents": {}}
        self._config = self._saver.put(self._config, checkpoint, metadata, {"messages": version})

    def rebuild(self) -> int:
        """Read the newest checkpoint."""
        return len(self._saver.get_tuple(self._config).checkpoint["channel_values"]["messages"])


class Llm:
    """The log of `llm`."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        llm, self._path = import_module("llm"), folder / "llm.db"
        self._load = import_module("llm.cli").load_conversation
        self._db = import_module("sqlite_utils").Database(self._path)
        stack.callback(self._db.close)
        import_module("llm.migrations").migrate(self._db)

        def execute(*_: object, **__: object) -> Iterator[str]:
            yield TEXT

        model = type("Echo", (llm.Model,), {"model_id": "echo", "execute": execute})()

        def register_models(_: object, register: Callable[[object], None]) -> None:
            register(model)

        # Loading a conversation looks for its model among those that plugins bring.
        plugin = type("Plugin", (), {"register_models": llm.hookimpl(register_models)})()
        plugins = import_module("llm.plugins").pm
        plugins.register(plugin, name="echo")
        stack.callback(plugins.unregister, plugin)
        self._conversation = model.conversation()

    def fill(self, count: int) -> None:
        """Append one pair after the other."""
        one_by_one(self.append, count // 2)

    def append(self) -> None:
        """Log a question and its answer."""
        response = self._conversation.prompt(TEXT)
        response.text()
        response.log_to_db(self._db)

    def rebuild(self) -> int:
        """Load the conversation."""
        loaded = self._load(self._conversation.id, database=self._path)
        return 2 * len(loaded.responses) or len(loaded.loaded_messages)


OURS: Final = "Ticketree"
PEERS: Final[dict[str, Callable[[Path, ExitStack], Peer]]] = {
    OURS: Ticketree,
    "openai-agents": Agents,
    "LangGraph": LangGraph,
    "llm": Llm,
}


def one_by_one(append: Callable[[], None], count: int) -> None:
    """Append so often, if that does not take too long."""
    start = time.monotonic()
    for _ in range(count):
        append()
        if time.monotonic() - start > FILL_SECONDS:
            raise TimeoutError


def milliseconds(step: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the median time of a step."""
    taken = []
    for _ in range(ROUNDS):
        start = clock()
        step()
        taken.append((clock() - start) * 1e3)
    return median(taken)


@contextmanager
def opened(name: str) -> Iterator[Peer]:
    """Make the store in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        yield PEERS[name](Path(folder), stack)


def main(sizes: list[int]) -> None:
    """Print a row for each store and size."""
    appends: dict[int, dict[str, float]] = {size: {} for size in sizes}
    rebuilds: dict[int, dict[str, float]] = {size: {} for size in sizes}
    for name in PEERS:
        for size in sizes:
            row = f"{name:<14} {size:>7,} messages"
            try:
                with opened(name) as peer:
                    peer.fill(size)
                    read = peer.rebuild()
                    append_ms, rebuild_ms = milliseconds(peer.append), milliseconds(peer.rebuild)
                    busy_ms = milliseconds(peer.rebuild, time.process_time)
                appends[size][name], rebuilds[size][name] = append_ms, busy_ms
                print(
                    f"{row}   append {append_ms:9.2f} ms   rebuild {rebuild_ms:9.2f} ms, processor {busy_ms:9.2f} ms"
                    f"   ({read:,} read)",
                    flush=True,
                )
            except TimeoutError:
                print(f"{row}   left out: filling took longer than {FILL_SECONDS:.0f} s", flush=True)
            except ImportError as error:
                print(f"{row}   left out: {error}", flush=True)
    limits = Limits()
    ours = [appends[size][OURS] for size in sizes if OURS in appends[size]]
    limits.at_least("sizes that ours was filled to in time", len(ours), len(sizes))
    if ours:
        limits.at_most("append, growth from the smallest to the largest", ours[-1] / ours[0], 1.2)
    for size, measured in rebuilds.items():
        if OURS in measured:
            peers = {name: taken for name, taken in measured.items() if name != OURS}
            limits.ahead(f"rebuild at {size:,}", measured[OURS], peers, " ms")
    limits.end()


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or list(SIZES))
