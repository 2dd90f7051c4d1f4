"""Prints how long planning and counting take, each beside what is to be reached; on an idle machine::

uv run python tests/bench/bench_plan.py
uv run --with langchain-core python tests/bench/bench_plan.py    # beside trim_messages on the same path
"""

import importlib.util
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))

from sample_paths import a_ticket, long_path

from assistant.plan.messages import Message
from assistant.plan.plan import PlanSettings, StrategyName
from assistant.plan.planner import make_plan, prepare
from assistant.plan.rendering import ticket_text
from assistant.tasks.registry import Tasks
from assistant.tokens import encodings
from assistant.tokens.counter import Counter
from assistant.tokens.counters import TiktokenCounter
from storage.interactions import IncomingNode
from storage.sqlite_store import open_store
from storage.tickets import IncomingTicket, Role, TicketMessage

ROUNDS = 30
TICKET_CHARACTERS = 5_000
BUDGET = 3_000
PLAN_MS = {200: 1.0, 1_000: 5.0, 10_000: 50.0}


def median_ms(work: Callable[[int], object], rounds: int = ROUNDS) -> float:
    """Median processor time of a call, in milliseconds; each call is told its number.

    All of it is work of this thread, and on an idle machine its processor time is the time by the clock.
    """
    times = []
    for number in range(rounds):
        start = time.thread_time()
        work(number)
        times.append((time.thread_time() - start) * 1000)
    return statistics.median(times)


def say(measured: float, what: str, most: float | None = None) -> None:
    """Print one figure with its bound."""
    bound = f"  (at most {most:g})" if most is not None else ""
    print(f"{measured:8.2f} ms  {what}{bound}")


def bench_turns(turns: int, counter: Counter) -> None:
    """Measure a path of so many turns."""
    path, task, settings = long_path(turns), Tasks().get(), PlanSettings(budget=BUDGET)
    for strategy in StrategyName:
        choice = replace(settings, strategy=strategy, sticky=True)
        make_plan(path, "", task, choice, counter)
        known = median_ms(lambda _, choice=choice: make_plan(path, "", task, choice, counter))  # type: ignore[misc]
        say(known, f"plan of {turns:,} turns, counts known, {strategy.value}", PLAN_MS[turns])
    prepared = prepare(path, task, settings, counter)
    draft = "and now the same in English for my colleague, who "
    say(median_ms(lambda number: prepared.plan(draft + "x" * number)), f"key → plan at {turns:,} turns")


def bench_record(counter: Counter, turns: int = 1_000) -> None:
    """Measure a chain that is rebuilt from a database."""
    task, settings = Tasks().get(), PlanSettings(budget=BUDGET)
    with tempfile.TemporaryDirectory() as folder, closing(open_store(Path(folder) / "desk.db")) as store:
        message = TicketMessage("Sophie", Role.CUSTOMER, "Bonjour, mon hamac n'est pas arrivé.")
        store.save_ticket(IncomingTicket("T-1", "Hamac", "Sophie", (message,), language="fr"))
        conversation = store.open_conversation("camille", "T-1")
        steps = long_path(turns)[2:]
        nodes = [
            IncomingNode(step.kind, place - 1 if place else None, "camille", step.content)
            for place, step in enumerate(steps)
        ]
        leaf_id = store.add_branch(conversation.id, nodes)[-1]
        rebuilt = median_ms(
            lambda _: make_plan(store.branch(conversation.id, leaf_id), "", task, settings, counter).chain
        )
    say(rebuilt, f"chain of {turns:,} turns rebuilt from the database and planned", 30)


def bench_peer(counter: Counter, turns: int = 1_000) -> None:
    """Measure langchain-core's trim_messages on the same path: with tiktoken, as it is used, and with our memory."""
    if importlib.util.find_spec("langchain_core") is None:
        print("             langchain-core is not here; run with `uv run --with langchain-core …`")
        return
    from langchain_core.messages import (  # type: ignore[import-not-found,unused-ignore]
        AIMessage,
        BaseMessage,
        HumanMessage,
        SystemMessage,
        trim_messages,
    )

    path, task, settings = long_path(turns), Tasks().get(), PlanSettings(budget=BUDGET)
    plan = make_plan(path, "", task, settings, counter)
    classes = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
    messages = [classes[item.message.role](item.message.content) for item in plan.items]
    encode = encodings.load("o200k_base").encode_ordinary

    def trimmed(count: Callable[[Sequence[BaseMessage]], int]) -> float:
        return median_ms(
            lambda _: trim_messages(
                messages, max_tokens=BUDGET, token_counter=count, strategy="last", include_system=True, start_on="human"
            ),
            5,
        )

    ours = median_ms(lambda _: make_plan(path, "", task, settings, counter))
    exact = trimmed(lambda counted: 3 + sum(4 + len(encode(str(message.content))) for message in counted))
    remembered = trimmed(lambda counted: counter.chain([Message("user", str(each.content)) for each in counted]))
    print(f"{exact:8.2f} ms  trim_messages of langchain-core at {turns:,} turns, exact: {exact / ours:.0f} times a plan"
          "  (at least 10)")  # fmt: skip
    print(f"{remembered:8.2f} ms  the same with a counter that remembers: {remembered / ours:.1f} times a plan")


def main() -> None:
    """Measure and print."""
    counter = TiktokenCounter("o200k_base")
    say(median_ms(lambda _: counter.text("first"), 1), "first load of a vocabulary")

    ticket = "Le hamac commandé le 3 mars (n° 4711-2026) n'est toujours pas arrivé. " * 72
    texts = [ticket_text(a_ticket(f"{number} {ticket}"[:TICKET_CHARACTERS])) for number in range(ROUNDS)]
    say(median_ms(lambda number: counter.text(texts[number])), "first count of a ticket of 5 kB", 1)

    for turns in PLAN_MS:
        bench_turns(turns, counter)
    bench_record(counter)
    bench_peer(counter)

    everything = [Message("user", interaction.content) for interaction in long_path(200)]
    fresh = TiktokenCounter("o200k_base")
    say(median_ms(lambda _: fresh.chain(everything), 1), "first count of 200 turns")


if __name__ == "__main__":
    main()
