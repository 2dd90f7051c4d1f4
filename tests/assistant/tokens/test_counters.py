import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.plan.messages import Message
from assistant.tokens import encodings
from assistant.tokens.counters import EstimateCounter, TiktokenCounter, counter_for, pieces
from assistant.tokens.encodings import EncodingName

ENCODINGS: list[EncodingName] = ["o200k_base", "cl100k_base"]

CHAIN = [
    Message("system", "You answer a customer of a garden shop."),
    Message("user", "Where is my hammock? Order 4711-2026.", name="sophie"),
    Message("assistant", "It left us on Monday.", name="camille"),
    Message("user", "Vielen Dank für die schnelle Auskunft!"),
]

any_text = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_chain_costs_its_texts_and_names_four_a_message_one_a_name_and_three_once(encoding: EncodingName) -> None:
    counter = TiktokenCounter(encoding)
    texts = sum(counter.text(message.content) + counter.text(message.name or "") for message in CHAIN)
    assert counter.chain(CHAIN) == texts + 4 * len(CHAIN) + 2 + 3


@pytest.mark.parametrize(("encoding", "tokens"), [("o200k_base", 61), ("cl100k_base", 66)])
def test_the_counts_of_a_known_chain(encoding: EncodingName, tokens: int) -> None:
    assert TiktokenCounter(encoding).chain(CHAIN) == tokens


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_role_is_one_token(encoding: EncodingName) -> None:
    counter = TiktokenCounter(encoding)
    assert [counter.text(role) for role in ("system", "user", "assistant")] == [1, 1, 1]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_special_tokens_are_ordinary_text(encoding: EncodingName) -> None:
    counter = TiktokenCounter(encoding)
    assert counter.text("<|endoftext|>") > 1
    assert counter.text("<|im_start|>system") > 1


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("run", [" ", "\t ", "\u00a0", "e\u0301"])
def test_long_runs_are_counted(encoding: EncodingName, run: str) -> None:
    text = run * (1_000_000 // len(run))
    assert 0 < TiktokenCounter(encoding).text(text) <= 3 * len(text)


def test_two_million_spaces_cost_one_token_for_each_longest_one() -> None:
    assert TiktokenCounter("o200k_base").text(" " * 2_000_000) == 2_000_000 // 128


@given(any_text)
@settings(max_examples=50, deadline=None)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_any_text_is_counted(encoding: EncodingName, text: str) -> None:
    count = TiktokenCounter(encoding).text(text)
    assert 0 <= count <= 4 * len(text)
    assert (count > 0) == bool(text)


def test_a_lone_surrogate_counts_as_the_character_that_the_record_keeps_for_it() -> None:
    counter = TiktokenCounter("o200k_base")
    assert counter.text("a\ud800b") == counter.text("a\ufffdb")


WORDS = st.lists(st.text("ab'sB1!-/ \t\u00a0é漢😀", min_size=1, max_size=4).filter(str.strip), min_size=1).map(" ".join)


@given(WORDS)
@settings(max_examples=50, deadline=None)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_cutting_between_words_changes_no_count(encoding: EncodingName, text: str) -> None:
    encode = encodings.load(encoding).encode_ordinary
    cut = list(pieces(text, limit=16))
    assert "".join(cut) == text
    assert sum(len(encode(piece)) for piece in cut) == len(encode(text))


@given(any_text, st.integers(min_value=2, max_value=9))
def test_pieces_are_short_and_lose_nothing(text: str, limit: int) -> None:
    cut = list(pieces(text, limit))
    assert "".join(cut) == text
    assert all(len(piece) <= limit for piece in cut)


def test_a_text_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = TiktokenCounter("o200k_base")
    first = counter.text("Where is my hammock?")

    def refuse(name: EncodingName) -> None:
        raise AssertionError("counted again")

    monkeypatch.setattr(encodings, "load", refuse)
    assert counter.text("Where is my hammock?") == first
    with pytest.raises(AssertionError, match="counted again"):
        counter.text("Where is my kettle?")


def test_what_is_remembered_is_bounded_by_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.tokens.counters._REMEMBERED_BYTES", 10 * sys.getsizeof("text 00"))
    counter = TiktokenCounter("o200k_base")
    for number in range(50):
        counter.text(f"text {number:02}")
    remembered = [number for number in range(50) if counter._counts.get(f"text {number:02}") is not None]
    assert remembered == list(range(40, 50))


def test_threads_agree() -> None:
    counter = TiktokenCounter("o200k_base")
    texts = [f"Order {number % 7} has not arrived" for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(counter.text, texts))
    assert counts == [TiktokenCounter("o200k_base").text(text) for text in texts]


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcdefg", 1), ("abcdefgh", 2)])
def test_the_estimate_is_a_token_for_four_characters_and_at_least_one(text: str, tokens: int) -> None:
    counter = EstimateCounter()
    assert counter.text(text) == tokens
    assert counter.message(Message("user", text, name="sophie")) == tokens
    assert counter.chain([Message("user", text)] * 3) == 3 * tokens


def test_counters_are_named_and_say_how_close_they_are() -> None:
    def label(model: str, *, estimate: bool = False) -> tuple[str, str, int]:
        counter = counter_for(model, kind="estimate" if estimate else "exact")
        return counter.name, counter.accuracy, counter.reply_overhead

    assert label("gpt-4.1-mini") == ("o200k_base", "exact", 3)
    assert label("gpt-4") == ("cl100k_base", "exact", 3)
    assert label("llama3.2") == ("cl100k_base", "near", 3)
    assert label("gpt-4.1-mini", estimate=True) == ("estimate", "estimate", 0)


def test_counters_of_one_encoding_share_what_they_have_counted() -> None:
    assert counter_for("gpt-4.1-mini") is counter_for("gpt-4o")
