"""kill -9 at random moments, with one, two and four writing processes; the long run is `tests/bench/bench_kills.py`."""

from pathlib import Path

import pytest
from crashes import Acknowledged, kill_at_random, prove

AGENTS = ("camille", "noah", "zoe", "max")


@pytest.mark.parametrize(("processes", "kills"), [(1, 9), (2, 4), (4, 2)])
def test_nothing_acknowledged_is_lost(database: Path, processes: int, kills: int) -> None:
    said = Acknowledged()
    for seed in range(kills):
        assert kill_at_random(database, AGENTS[:processes], seed, said) > 0
        prove(database, said)
