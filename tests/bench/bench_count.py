"""Counting: a ticket of 5 kB, hostile texts, and how close counts come to a server of another vocabulary.

Run: uv run python tests/bench/bench_count.py
"""

import random
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from fake_openai_sizes import other_tokens
from sized_desk import LETTERS

from assistant.plan.messages import Message
from assistant.tokens.calibration import calibrate
from assistant.tokens.counters import MESSAGE_OVERHEAD, TiktokenCounter
from storage.measures import PromptCount

ROUNDS = 50
ANSWERS = 10


def milliseconds(text: str, encoding: str = "o200k_base", rounds: int = ROUNDS) -> float:
    """The median time of counting a text that was not counted before; the vocabulary is read already."""
    times = []
    for turn in range(rounds):
        counter = TiktokenCounter("o200k_base" if encoding == "o200k_base" else "cl100k_base")
        began = time.perf_counter()
        counter.text(f"{turn}{text}")
        times.append(1_000 * (time.perf_counter() - began))
    return statistics.median(times)


def error_after(answers: int) -> tuple[float, float]:
    """The mean and the largest error over 200 requests to a server of another vocabulary, after so many answers."""
    counter, chance = TiktokenCounter("cl100k_base", "near"), random.Random(7)

    def request() -> PromptCount:
        texts = [" ".join(chance.choices(LETTERS, k=chance.randint(1, 9))) for _ in range(chance.randint(2, 14))]
        tokens = sum(counter.message(Message("user", text)) - MESSAGE_OVERHEAD for text in texts)
        return PromptCount(len(texts), tokens, other_tokens(texts))

    calibration = calibrate(counter.name, [request() for _ in range(answers)])
    assert calibration is not None
    errors = [abs(calibration.predicted(asked) / asked.reported - 1) for asked in (request() for _ in range(200))]
    return statistics.mean(errors), max(errors)


def main() -> None:
    """Print the figures."""
    ticket = (" ".join(LETTERS) + "\n") * 13
    ticket = ticket[:5_000]
    milliseconds("ready", rounds=1)
    milliseconds("ready", "cl100k_base", rounds=1)
    print(f"count of a ticket of 5 kB     o200k {milliseconds(ticket):.2f} ms, "
          f"cl100k {milliseconds(ticket, 'cl100k_base'):.2f} ms")  # fmt: skip
    print(f"two million spaces            {milliseconds(' ' * 2_000_000, rounds=3):.0f} ms")
    print(f"a megabyte of one letter      {milliseconds('a' * 1_000_000, rounds=3):.0f} ms")
    mean, largest = error_after(ANSWERS)
    print(f"error after {ANSWERS} answers        mean {100 * mean:.1f} %, largest {100 * largest:.1f} %")


if __name__ == "__main__":
    main()
