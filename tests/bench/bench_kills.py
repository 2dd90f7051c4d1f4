"""200 kill -9 at random moments, with one, two and four writing processes, the record proved after each.

Run with `uv run python tests/bench/bench_kills.py [KILLS] [SECONDS]`; it stops at the time
limit (600 s) and says how far it came. Every tenth record is a new one.
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from crashes import Acknowledged, kill_at_random, prove

AGENTS = ("camille", "noah", "zoe", "max")


def main(kills: int = 200, seconds: int = 600) -> None:
    """Kill and prove, and print what was acknowledged and kept."""
    start = time.monotonic()
    words: list[int] = []
    erased = done = 0
    while done < kills and time.monotonic() - start < seconds:
        with tempfile.TemporaryDirectory() as folder:
            database, said = Path(folder) / "record.db", Acknowledged()
            while done < kills and (done % 10 or not said.lines) and time.monotonic() - start < seconds:
                processes = (1, 2, 4)[done % 3]
                words.append(kill_at_random(database, AGENTS[:processes], done, said))
                prove(database, said)
                done += 1
            erased += len(said.of("erased"))
    print(f"{done} of {kills} kills in {time.monotonic() - start:.0f} s: 0 acknowledged lost, every record holds")
    print(f"acknowledged {sum(words):,} (median {median(words):.0f} a kill), of them {erased} tickets erased")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
