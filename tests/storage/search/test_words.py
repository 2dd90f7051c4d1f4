"""What counts as a word, and which words are the same."""

from unicodedata import normalize

import pytest
from hostile import EVERY, Hostile
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.search.words import LONGEST_KEY, keys, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where is my hammock?", ["where", "is", "my", "hammock"]),
        ("Crème BRÛLÉE", ["creme", "brulee"]),
        ("Straße İzmir ﬁne", ["strasse", "izmir", "fine"]),
        ("ΔΈΛΤΑ Ёлка", ["δελτα", "елка"]),
        ("W-1234567, 12,50€ 100%_", ["w", "1234567", "12", "50", "100"]),
        ("日本語のABC", ["日", "本", "語", "の", "abc"]),
        ("ﾊﾝﾓｯｸ ガ", ["ハ", "ン", "モ", "ッ", "ク", "ガ"]),
        ("해먹이", ["해", "먹", "이"]),
        ("हिन्दी की", ["हिन्दी", "की"]),
        ("שָׁלוֹם الهَمَك", ["שלום", "الهمك"]),
        ("ham\u00admock ham\u200bmock \u202ehammock", ["hammock"] * 3),
        ("👍🏽 C++ a👍b", ["👍", "c", "a", "👍", "b"]),
        ("\x1b[31mred\x00blue", ["31mred", "blue"]),
        ("\u0301 \ufe0f \u3164 ... +-*", []),
    ],
)
def test_case_accents_and_punctuation_do_not_count(text: str, expected: list[str]) -> None:
    assert keys(text) == expected


def test_a_word_stands_where_its_text_is() -> None:
    text = "«Crème brûlée», 日本 ham\u00admock!"

    assert [text[word.start : word.end] for word in words(text)] == ["Crème", "brûlée", "日", "本", "ham\u00admock"]


def test_a_very_long_word_is_known_by_its_beginning() -> None:
    assert keys("x" * 100_000) == ["x" * LONGEST_KEY]
    assert keys("é" * 100_000) == ["e" * LONGEST_KEY]


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_a_text_has_the_same_words_however_its_accents_are_written(text: str) -> None:
    assert keys(normalize("NFD", text)) == keys(normalize("NFC", text))


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_words_come_in_order_apart_from_each_other_and_without_anything_that_an_index_could_take_for_syntax(
    text: str,
) -> None:
    found = list(words(text))

    assert [word.key for word in found] == keys(text)
    assert all(0 < len(word.key) <= LONGEST_KEY for word in found)
    ends = [0, *(place for word in found for place in (word.start, word.end)), len(text)]
    assert ends == sorted(ends)
    assert all(character.isalnum() or not character.isascii() for word in found for character in word.key)


@pytest.mark.parametrize("hostile", EVERY, ids=str)
def test_each_piece_of_a_text_has_the_same_words_alone(hostile: Hostile) -> None:
    assert [key for piece in hostile.text.split() for key in keys(piece)] == keys(hostile.text)
