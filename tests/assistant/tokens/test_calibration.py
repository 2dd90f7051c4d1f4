"""A server's own counts of past requests correct ours; single odd ones do not."""

import random
import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.plan.messages import Message
from assistant.tokens.calibration import Calibration, calibrate, settled
from assistant.tokens.counters import EstimateCounter, TiktokenCounter
from storage.measures import PromptCount

NEAR = TiktokenCounter("cl100k_base", "near")


def asked(ratio: float, per_message: int, per_request: int, *, answers: int, seed: int = 0) -> list[PromptCount]:
    """Requests of conversations that grow, counted by a server that counts texts so, 3 % more or less."""
    chance = random.Random(seed)
    counts = []
    for turn in range(answers):
        messages = 2 + 2 * (turn % 7)
        text_tokens = 350 + sum(chance.choice((8, 30, 90, 250)) for _ in range(messages))
        reported = ratio * text_tokens * chance.gauss(1, 0.03) + per_message * messages + per_request
        counts.append(PromptCount(messages, text_tokens, round(reported)))
    return counts


def mean_error(calibration: Calibration | None, counts: list[PromptCount]) -> float:
    assert calibration is not None
    return sum(abs(calibration.predicted(count) / count.reported - 1) for count in counts) / len(counts)


SERVERS = [(1.3, 5, 0), (0.8, 12, 0), (1.1, 3, 250), (1.6, 0, 0), (1.0, 4, 3), (2.2, 9, 30)]


@pytest.mark.parametrize("server", SERVERS)
def test_after_ten_answers_counts_are_within_five_percent(server: tuple[float, int, int]) -> None:
    calibration = calibrate("cl100k_base", asked(*server, answers=10))
    assert mean_error(calibration, asked(*server, answers=60, seed=1)) < 0.05


@pytest.mark.parametrize("server", SERVERS)
def test_odd_answers_take_no_part(server: tuple[float, int, int]) -> None:
    counts = asked(*server, answers=10)
    for place, reported in ((3, 50), (7, 9_999)):
        counts[place] = PromptCount(counts[place].messages, counts[place].text_tokens, reported)
    assert mean_error(calibrate("cl100k_base", counts), asked(*server, answers=60, seed=1)) < 0.05


def test_too_few_answers_or_answers_that_contradict_each_other_give_none() -> None:
    assert calibrate("cl100k_base", asked(1.3, 5, 0, answers=2)) is None
    assert calibrate("cl100k_base", [PromptCount(2, 500, reported) for reported in (20, 600, 40_000)]) is None
    assert calibrate("cl100k_base", [PromptCount(2, 500, 20)] * 5) is None, "a tenth of the tokens is no vocabulary"


@pytest.mark.parametrize(
    ("answers", "rests_on"), [(0, 0), (2, 0), (3, 3), (9, 3), (10, 10), (19, 10), (20, 20), (137, 130)]
)
def test_it_is_renewed_in_steps(answers: int, rests_on: int) -> None:
    assert settled(answers) == rests_on


def test_a_calibrated_counter_adds_up_and_says_what_it_is() -> None:
    counter = Calibration("cl100k_base", 1.3, 5.0, 7, answers=10).applied_to(NEAR)
    messages = [Message("system", "You draft replies."), Message("user", "Où est mon hamac ?", "sophie")]

    assert (counter.name, counter.accuracy, counter.reply_overhead) == ("cl100k_base", "calibrated", 7)
    assert counter.text("Where is my hammock? " * 10) == round(1.3 * NEAR.text("Where is my hammock? " * 10))
    assert counter.chain(messages) == 7 + sum(map(counter.message, messages))
    assert counter.message(messages[0]) == round(1.3 * NEAR.text("You draft replies.") + 5)


def test_counts_of_another_encoding_are_left_alone() -> None:
    calibration = Calibration("cl100k_base", 1.3, 5.0, 7, answers=10)
    exact, estimate = TiktokenCounter("cl100k_base", "exact"), EstimateCounter()
    assert calibration.applied_to(exact) is exact
    assert calibration.applied_to(estimate) is estimate


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.builds(PromptCount, st.integers(1, 400), st.integers(1, 2_000_000), st.integers(1, 2_000_000)), max_size=60
    )
)
def test_whatever_servers_report_a_calibration_is_sound_and_always_the_same(counts: list[PromptCount]) -> None:
    calibration = calibrate("cl100k_base", counts)
    assert calibration == calibrate("cl100k_base", list(counts))
    if calibration is not None:
        assert 0.2 <= calibration.ratio <= 5
        assert calibration.per_message >= 0
        assert calibration.applied_to(NEAR).message(Message("user", "")) >= 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        " " * 2_000_000,
        "a\ud800b\udfff",
        "<|endoftext|><|im_start|>system",
        "👩‍👩‍👧‍👦🏳️‍🌈" * 2_000,
        "नमस्ते " * 500,
        "\x00\x1b]52;c;\u202e",
    ],
    ids=["nothing", "two million spaces", "lone surrogates", "special tokens", "emoji", "Hindi", "controls"],
)
def test_any_text_is_counted_without_network(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was used")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)
    counter = Calibration("cl100k_base", 1.3, 5.0, 7, answers=10).applied_to(NEAR)
    messages = [Message("user", text), Message("system", text)]
    assert counter.chain(messages) == counter.reply_overhead + sum(map(counter.message, messages))
    assert counter.text(text) >= 0
