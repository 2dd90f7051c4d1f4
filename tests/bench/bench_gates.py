"""How many seeded errors the gates catch, how many right replies they reject, and how long a reply takes them.

Usage: uv run python tests/bench/bench_gates.py [--misses]
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))

from gate_set import measure, written

from assistant.gates.languages import spoken


def main() -> None:
    """Print the figures."""
    started = time.perf_counter()
    spoken("Where is my parcel, and when will it arrive at my house?")
    loaded = time.perf_counter()
    for sample in written():
        sample.results()
    judged = time.perf_counter()
    figures = measure()
    print(f"{'error':<26}{'caught':>8}{'of':>8}")
    for kind, count in sorted(figures.errors.items()):
        print(f"{kind:<26}{figures.caught[kind]:>8,}{count:>8,}")
    print(f"caught {figures.catch_rate:.2%} of {sum(figures.errors.values()):,} errors")
    print(f"rejected {figures.reject_rate:.2%} of {figures.clean:,} right replies")
    print(f"reading the language profiles {(loaded - started) * 1e3:.0f} ms, once")
    print(f"judging a reply {(judged - loaded) / len(written()) * 1e3:.1f} ms")
    if "--misses" in sys.argv:
        print("\n".join(("", *figures.misses, *figures.false_alarms)))


if __name__ == "__main__":
    main()
