"""What is shown of a text around a match."""

from hypothesis import given, settings
from hypothesis import strategies as st

from storage.search.query import Phrase, plain_query
from storage.search.snippet import BEFORE, LENGTH, snippet


def shown(text: str, query: str, *, unfinished: bool = False) -> tuple[str, list[str]]:
    around, matches = snippet(text, plain_query(query, unfinished=unfinished).phrases)
    return around, [around[start:end] for start, end in matches]


def test_a_short_text_is_shown_whole_with_every_match() -> None:
    text = "The hammock, your Hammock,\nis on its way: no HAMMÖCK today."

    assert shown(text, "hammock way") == (text, ["hammock", "Hammock", "way", "HAMMÖCK"])


def test_a_long_text_is_cut_between_words_around_the_first_match() -> None:
    text = "before " * 100 + "hammock " + "after " * 100 + "hammock"

    around, matches = shown(text, "hammock")

    assert around.startswith("…before ")
    assert around.endswith("after…")
    assert matches == ["hammock"]
    assert LENGTH - 30 <= len(around) <= LENGTH + 2
    assert around.index("hammock") <= BEFORE + 1


def test_a_phrase_is_marked_whole_and_only_where_all_of_it_stands() -> None:
    assert shown("W 12 and W-1234567, 1234567", "w-1234567")[1] == ["W-1234567"]
    assert shown("日本の日本語", "日本語")[1] == ["日本語"]


def test_a_beginning_marks_the_words_that_go_on() -> None:
    assert shown("hammocks, ham, hamster", "hamm", unfinished=True)[1] == ["hammocks"]
    assert shown("no hammocks", "no-hamm", unfinished=True)[1] == ["no hammocks"]


def test_matches_that_overlap_are_marked_once() -> None:
    assert shown("a b c", "a-b b-c")[1] == ["a b c"]


def test_a_match_longer_than_what_is_shown_is_marked_as_far_as_that_goes() -> None:
    text = "x" * (LENGTH * 2)

    around, matches = shown(f"start {text} end", text)

    assert around.startswith("start xxx")
    assert matches == ["x" * (len(around) - len("start ") - 1)]


def test_without_a_match_the_beginning_is_shown() -> None:
    assert snippet("nothing of the kind", [Phrase(("hammock",))]) == ("nothing of the kind", ())
    assert snippet("", []) == ("", ())


@given(st.lists(st.sampled_from(["ham", "Hämmock", "日本", "x" * 40, "\u202e", "\n", "\0", "end."]), max_size=80))
@settings(max_examples=100, deadline=None)
def test_matches_stand_inside_what_is_shown_and_are_what_was_asked_for(parts: list[str]) -> None:
    text = " ".join(parts)

    around, matches = snippet(text, plain_query("hammock 日本").phrases)

    assert around.strip("…") in text
    assert len(around) <= LENGTH + 2
    assert {around[start:end] for start, end in matches} <= {"Hämmock", "日本"}
    assert bool(matches) == ("Hämmock" in parts or "日本" in parts)
