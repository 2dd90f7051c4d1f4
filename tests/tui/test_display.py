from datetime import UTC, datetime, timedelta, timezone

import pytest
from hostile import EVERY, HOSTILE, Hostile
from hypothesis import given
from hypothesis import strategies as st
from painted import HARMFUL
from rich.cells import cell_len

from tui.display import display_safe, editable, hidden_count, local_time, one_line

BIDI_AND_HIDDEN = "\u202e\u2066\u200b\u200e\ufeff\u00ad\u200c\u200d\ufe0f\U000e0061\u2028\r\n\t\x1b\x9b\ud800"


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_nothing_harmful_is_left_in_what_is_shown(case: Hostile) -> None:
    assert not HARMFUL.search(display_safe(case.text).replace("\n", "").replace("\t", ""))


@pytest.mark.parametrize("case", [case for case in HOSTILE if case.cls == "keep"], ids=str)
def test_what_people_write_is_kept_exactly_and_not_flagged(case: Hostile) -> None:
    assert display_safe(case.text) == case.text
    assert hidden_count(case.text) == 0


@pytest.mark.parametrize("case", [case for case in HOSTILE if case.cls == "markup"], ids=str)
def test_markup_is_shown_literally(case: Hostile) -> None:
    assert display_safe(case.text) == case.text


@pytest.mark.parametrize("case", [case for case in HOSTILE if case.cls == "tty"], ids=str)
def test_controls_are_shown_as_stand_ins_and_counted(case: Hostile) -> None:
    assert hidden_count(case.text) > 0
    assert display_safe(case.text) != ""


@pytest.mark.parametrize(
    ("text", "shown", "hidden"),
    [
        ("\x1b]52;c;x\x07", "␛]52;c;x␇", 2),
        ("\x9b31m", "‹U+009B›31m", 1),
        ("a\x7fb", "a␡b", 1),
        ("total 10\rtotal 99", "total 10␍total 99", 1),
        ("one\r\ntwo", "one\ntwo", 0),
        ("one\u2028two", "one\ntwo", 0),
        ("a\u202eb", "a‹U+202E›b", 1),
        ("Thanks" + "\U000e0061" * 14, "Thanks‹14 hidden›", 14),
        ("47\u200b11", "4711", 1),
        ("47\u00ad11", "4711", 1),
        ("a\ud800b", "a\ufffdb", 0),
        ("a\u200db", "ab", 1),
        ("a\ufe00\ufe01b", "ab", 2),
    ],
)
def test_stand_ins(text: str, shown: str, hidden: int) -> None:
    assert display_safe(text) == shown
    assert hidden_count(text) == hidden


@pytest.mark.parametrize(
    "text",
    [
        "❤️ 1️⃣ 🏳️\u200d🌈 👩🏽\u200d💻",
        "क्\u200dष",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "葛\U000e0100城",
        "naïve Größe Ελληνικά кириллица ไทย",
    ],
    ids=["emoji", "indic", "flag of Scotland", "ideographic variant", "scripts"],
)
def test_scripts_and_emoji_are_kept(text: str) -> None:
    assert display_safe(text) == text
    assert hidden_count(text) == 0


def test_line_breaks_and_tabs_become_spaces_on_one_line() -> None:
    assert display_safe("a\r\nb\tc", newlines=False) == "a b c"


@given(st.text(st.characters() | st.sampled_from(BIDI_AND_HIDDEN)))
def test_showing_twice_changes_nothing_more(text: str) -> None:
    once = display_safe(text)
    assert display_safe(once) == once


@given(st.text(st.characters() | st.sampled_from(BIDI_AND_HIDDEN)), st.integers(0, 40))
def test_one_line_fits_its_width(text: str, width: int) -> None:
    line = one_line(text, width)
    assert cell_len(line) <= width
    assert not HARMFUL.search(line)


def test_one_line_says_where_it_is_cut() -> None:
    assert one_line("Hammock\nhas  not arrived", 12) == "Hammock has…"
    assert one_line("日本語のテキスト", 6) == "日本…"
    assert one_line("short", 12) == "short"


def test_an_editor_gets_no_hidden_characters() -> None:
    assert editable("a\r\nb\rc\x1b[31m\u202e\u200b\td\u2028e") == "a\nb\nc[31m\td\ne"
    assert editable("بی\u200cنظم") == "بی\u200cنظم"


@pytest.mark.parametrize(
    ("now", "shown"),
    [
        (datetime(2024, 5, 3, 20, tzinfo=UTC), "14:00"),
        (datetime(2024, 5, 9, 20, tzinfo=UTC), "3 May 14:00"),
        (datetime(2025, 1, 1, 20, tzinfo=UTC), "3 May 2024"),
        (datetime(2024, 5, 3, 20, tzinfo=timezone(timedelta(hours=2))), "16:00"),
    ],
)
def test_times_are_as_short_as_the_clock_allows(now: datetime, shown: str) -> None:
    assert local_time(1_714_744_800_000_000, now) == shown


def test_a_time_out_of_range_shows_nothing() -> None:
    assert local_time(2**63, datetime(2024, 5, 3, tzinfo=UTC)) == ""
