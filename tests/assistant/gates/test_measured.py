"""The gates on their test set; `tests/bench/bench_gates.py` prints the same figures."""

import pytest
from gate_set import Figures, measure


@pytest.fixture(scope="module")
def figures() -> Figures:
    return measure()


def test_at_least_99_of_100_seeded_errors_are_caught(figures: Figures) -> None:
    assert sum(figures.errors.values()) > 2_000
    assert figures.catch_rate >= 0.99, "\n".join(figures.misses)


def test_at_most_one_right_reply_of_100_is_rejected(figures: Figures) -> None:
    assert figures.clean > 200
    assert figures.reject_rate <= 0.01, "\n".join(figures.false_alarms)


def test_no_kind_of_error_is_missed_often(figures: Figures) -> None:
    rates = {kind: figures.caught[kind] / count for kind, count in figures.errors.items()}
    assert {kind for kind, rate in rates.items() if rate < 0.95} == set()
