"""What a query asks for, and what it refuses to ask."""

import pytest

from storage.errors import QueryError
from storage.search.query import MOST_WORDS, Phrase, expression_query, plain_query


def phrases(text: str, *, unfinished: bool = False) -> list[str]:
    found = plain_query(text, unfinished=unfinished).phrases
    return [" ".join(phrase.keys) + ("*" if phrase.is_beginning else "") for phrase in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hammock arrived", ["hammock", "arrived"]),
        ("W-1234567 12,50", ["w 1234567", "12 50"]),
        ('a" OR b NEAR(', ["a", "or", "b", "near"]),
        ("100%_ * ? -not", ["100", "not"]),
        ("a\0b \ud800c", ["a b", "\ufffd c"]),
        ("twice Twice", ["twice"]),
        ("日本語", ["日 本 語"]),
    ],
)
def test_a_query_is_taken_literally(text: str, expected: list[str]) -> None:
    assert phrases(text) == expected
    assert plain_query(text).expression is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my hamm", ["my", "hamm*"]),
        ("my hamm ", ["my", "hamm"]),
        ("my hamm!", ["my", "hamm"]),
        ("no-hamm", ["no hamm*"]),
        ("ha", ["ha"]),
        ("日本語", ["日 本 語"]),
    ],
)
def test_the_last_word_of_an_unfinished_query_may_go_on(text: str, expected: list[str]) -> None:
    assert phrases(text, unfinished=True) == expected


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_an_empty_query_says_what_to_type(text: str) -> None:
    with pytest.raises(QueryError, match="Type a word"):
        plain_query(text)
    with pytest.raises(QueryError, match="Type a word"):
        expression_query(text)


@pytest.mark.parametrize("text", ['"', "?!", "%_", "\u200b\u0301", "\x1b\x07", "-" * 500])
def test_a_query_of_signs_alone_says_that_it_has_no_word(text: str) -> None:
    with pytest.raises(QueryError, match=r"no word or number in “.*so there is nothing to search for\.$") as caught:
        plain_query(text)
    assert len(str(caught.value)) < 200


def test_a_pasted_text_is_too_much() -> None:
    with pytest.raises(QueryError, match=f"at most {MOST_WORDS} words at once; these are 5,000"):
        plain_query("word " * 5_000)
    assert len(plain_query(" ".join(map(str, range(MOST_WORDS)))).phrases) == MOST_WORDS


def test_an_expression_keeps_its_operators_and_its_words_apart() -> None:
    query = expression_query('crème AND ("no hammock" OR kettl*) NOT NEAR(a b, 5)')

    assert query.expression == (
        Phrase(("creme",)), " ", "AND", " ", "(", Phrase(("no", "hammock")), " ", "OR", " ", Phrase(("kettl",)), "*",
        ")", " ", "NOT", " ", "NEAR", "(", Phrase(("a",)), " ", Phrase(("b",)), ", 5", ")",
    )  # fmt: skip
    assert Phrase(("kettl",), is_beginning=True) in query.phrases


@pytest.mark.parametrize("text", ["and or near", "NEAR this", '"AND"', "ANDY"])
def test_what_only_looks_like_an_operator_is_a_word(text: str) -> None:
    parts = expression_query(text).expression

    assert parts is not None
    assert [part for part in parts if isinstance(part, str) and not part.isspace()] == []


def test_a_nul_would_cut_an_expression_short() -> None:
    with pytest.raises(QueryError, match="cannot be read"):
        expression_query("hammock\0 NOT kettle")
