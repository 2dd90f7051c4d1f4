"""Plots are as wide and high as they are given room, and what is there is never drawn as nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui.bars import bar, columns

AMOUNTS = st.lists(st.floats(0, 1e9), min_size=1, max_size=90)


def drawn(amounts: list[float], labels: list[str], width: int, height: int = 2) -> list[str]:
    return [line.plain for line in columns(amounts, labels, "12k", width, height)]


def test_columns_stand_over_their_labels_an_eighth_of_a_cell_exact() -> None:
    assert drawn([16, 8, 1, 0, 4], ["Mon", "Tue", "Wed", "Thu", "Fri"], 31) == [
        "12k ┤████                     ",
        "    │████ ████ ▁▁▁▁      ▄▄▄▄ ",
        "  0 ┼─────────────────────────",
        "     Mon       Wed         Fri",
    ]


def test_more_amounts_than_cells_are_added_up() -> None:
    amounts = [1.0] * 20 + [3.0] * 20
    lines = drawn(amounts, [str(n) for n in range(40)], 26)

    assert lines[0].endswith("██████████")
    assert lines[1].count("█") == 10, "the first half, a third as high, has no full cell"
    assert lines[-1].split() == ["0", "20", "38"]


@given(AMOUNTS, st.integers(12, 130), st.integers(1, 9))
def test_columns_fit_and_what_is_something_is_seen(amounts: list[float], width: int, height: int) -> None:
    lines = drawn(amounts, [f"{n} Nov" for n in range(len(amounts))], width, height)

    assert len(lines) == height + 2
    assert max(map(cell_len, lines)) <= width
    lowest = lines[height - 1].partition("│" if height > 1 else "┤")[2]
    assert bool(lowest.strip()) is any(amounts)


@given(AMOUNTS, st.integers(1, 60))
def test_a_bar_is_as_wide_as_it_is_given_room(amounts: list[float], width: int) -> None:
    most = max(amounts)
    for amount in amounts:
        line = bar(amount, most, width).plain
        assert cell_len(line) == width
        assert (line.strip("·") != "") is (amount > 0)
        assert amount < most or most == 0 or line == "█" * width


@pytest.mark.parametrize(("amount", "line"), [(0, "····"), (1, "▏···"), (8, "█···"), (12, "█▌··"), (32, "████")])
def test_a_bar_is_an_eighth_of_a_cell_exact(amount: float, line: str) -> None:
    assert bar(amount, 32, 4).plain == line
