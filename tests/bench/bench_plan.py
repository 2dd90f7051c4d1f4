"""Prints how long planning and counting take; run it with `uv run python tests/bench/bench_plan.py`."""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))

from sample_paths import a_ticket, long_path

from assistant.counters import TiktokenCounter
from assistant.messages import Message
from assistant.plan import PlanSettings
from assistant.planner import make_plan, prepare
from assistant.rendering import ticket_text
from assistant.tasks import Tasks
from assistant.tokens import Counter

ROUNDS = 30
TICKET_CHARACTERS = 5_000


def median_ms(work: Callable[[int], object], rounds: int = ROUNDS) -> float:
    """Median time of a call, in milliseconds; each call is told its number."""
    times = []
    for number in range(rounds):
        start = time.perf_counter()
        work(number)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def bench_turns(turns: int, counter: Counter) -> None:
    """Measure a path of so many turns."""
    path, task, settings = long_path(turns), Tasks().get(), PlanSettings(budget=3_000)
    make_plan(path, "", task, settings, counter)
    prepared = prepare(path, task, settings, counter)
    draft = "and now the same in English for my colleague, who "
    known = median_ms(lambda _: make_plan(path, "", task, settings, counter))
    key = median_ms(lambda number: prepared.plan(draft + "x" * number))
    print(f"{known:8.2f} ms  plan of {turns:,} turns, counts known")
    print(f"{key:8.2f} ms  key → plan at {turns:,} turns")


def main() -> None:
    """Measure and print."""
    counter = TiktokenCounter("o200k_base")
    print(f"{median_ms(lambda _: counter.text('first'), 1):8.2f} ms  first load of a vocabulary")

    ticket = "Le hamac commandé le 3 mars (n° 4711-2026) n'est toujours pas arrivé. " * 72
    texts = [ticket_text(a_ticket(f"{number} {ticket}"[:TICKET_CHARACTERS])) for number in range(ROUNDS)]
    print(f"{median_ms(lambda number: counter.text(texts[number])):8.2f} ms  first count of a ticket of 5 kB")

    for turns in (200, 1_000, 10_000):
        bench_turns(turns, counter)

    everything = [Message("user", interaction.content) for interaction in long_path(200)]
    fresh = TiktokenCounter("o200k_base")
    print(f"{median_ms(lambda _: fresh.chain(everything), 1):8.2f} ms  first count of 200 turns")


if __name__ == "__main__":
    main()
