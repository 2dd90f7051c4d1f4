"""Appending to a conversation and reading it whole, beside other stores of chats: at 100, 1,000 and 10,000 messages.

None of them is needed for anything else, so they come with an extra for this run alone:

    uv run --extra bench python tests/bench/bench_peers.py [MESSAGES ...]

Appending is timed by the clock, as most of it is waiting for the disk. Reading is compared by the processor time it
takes, which changes less on a machine that has more to do. What is not installed is left out, and so is a size that
takes longer than four minutes to fill. Each store is called as its own documentation tells, with its own defaults.
`llm` adds a question with its answer at once, which counts as one append here; the others add one message.

LangGraph keeps whatever a program puts into its state. Its state for chats makes message objects of all that comes in,
so that is what it is measured with; a second row has bare dicts, which no reader has to make objects of.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from importlib import import_module
from itertools import product
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple, Protocol

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


class Times(NamedTuple):
    """How long a store takes, in milliseconds."""

    append_ms: float
    rebuild_ms: float
    busy_ms: float
    """The processor time of reading it whole."""


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
    """The checkpoints of LangGraph: each one is the whole state, here with the messages of its state for chats."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._message = self.message()
        self._saver = stack.enter_context(
            import_module("langgraph.checkpoint.sqlite").SqliteSaver.from_conn_string(str(folder / "graph.db"))
        )
        self._empty: Callable[[], dict[str, object]] = import_module("langgraph.checkpoint.base").empty_checkpoint
        self._config = {"configurable": {"thread_id": "one", "checkpoint_ns": ""}}
        self._messages: list[object] = []

    def message(self) -> Callable[[str, str], object]:
        """What makes a message of its id and its text."""
        human = import_module("langchain_core.messages").HumanMessage
        return lambda key, text: human(text, id=key)

    def fill(self, count: int) -> None:
        """Put one checkpoint with all of them."""
        self._messages = [self._message(str(number), f"{number} {TEXT}") for number in range(count - 1)]
        self.append()

    def append(self) -> None:
        """Put the next checkpoint."""
        self._messages.append(self._message(str(len(self._messages)), TEXT))
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


class LangGraphDicts(LangGraph):
    """The same with messages that are not made objects of."""

    def message(self) -> Callable[[str, str], object]:
        """What makes a message of its id and its text."""
        return lambda key, text: {"role": "user", "content": text, "id": key}


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
        plugins.register(plugin)
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
    "LangGraph, dicts": LangGraphDicts,
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
    """Return the time of a step."""
    start = clock()
    step()
    return (clock() - start) * 1e3


def filled(names: Iterable[str], sizes: Sequence[int], stack: ExitStack) -> dict[tuple[str, int], Peer]:
    """Make each store in each size, in a folder of its own."""
    peers = {}
    for name, size in product(names, sizes):
        try:
            peer = PEERS[name](Path(stack.enter_context(tempfile.TemporaryDirectory())), stack)
            peer.fill(size)
        except TimeoutError:
            print(f"{name:<16} {size:>7,} messages   left out: filling took over {FILL_SECONDS:.0f} s", flush=True)
        except ImportError as error:
            print(f"{name:<16} {size:>7,} messages   left out: {error}", flush=True)
        else:
            peers[name, size] = peer
    return peers


def measured(peers: Mapping[tuple[str, int], Peer]) -> dict[tuple[str, int], Times]:
    """Time all stores in turn, so that a slow moment of the machine meets all of them."""
    rounds: dict[tuple[str, int], list[Times]] = {which: [] for which in peers}
    for _ in range(ROUNDS):
        for which, peer in peers.items():
            append_ms = milliseconds(peer.append)
            rebuild_ms = milliseconds(peer.rebuild)
            rounds[which].append(Times(append_ms, rebuild_ms, milliseconds(peer.rebuild, time.process_time)))
    return {which: Times(*map(median, zip(*taken, strict=True))) for which, taken in rounds.items()}


def main(sizes: list[int]) -> None:
    """Print a row for each store and size."""
    with ExitStack() as stack:
        peers = filled(PEERS, sizes, stack)
        read = {which: peer.rebuild() for which, peer in peers.items()}
        times = measured(peers)
    for (name, size), taken in times.items():
        print(
            f"{name:<16} {size:>7,} messages   append {taken.append_ms:9.2f} ms   rebuild {taken.rebuild_ms:9.2f} ms,"
            f" processor {taken.busy_ms:9.2f} ms   ({read[name, size]:,} read)"
        )
    limits = Limits()
    ours = {size: times[OURS, size] for size in sizes if (OURS, size) in times}
    limits.at_least("sizes that ours was filled to in time", len(ours), len(sizes))
    if ours:
        growth = ours[max(ours)].append_ms / ours[min(ours)].append_ms
        limits.at_most("append, growth from the smallest to the largest", growth, 1.2)
    for size, taken in ours.items():
        others = {name: each.busy_ms for (name, at), each in times.items() if at == size and name != OURS}
        limits.ahead(f"rebuild at {size:,}", taken.busy_ms, others, " ms")
    limits.end()


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or list(SIZES))
