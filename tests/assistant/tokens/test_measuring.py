"""What servers report corrects our counts, warns where a part was dropped, and teaches the window."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from fake_openai import FakeOpenAI
from fake_openai_sizes import WINDOW, SizeScript, other_tokens
from sized_desk import LETTERS, SizedDesk, a_sized_desk

from assistant.audit.sent_messages import sent_messages
from assistant.plan.messages import Message
from assistant.plan.plan import Verdict
from assistant.tokens.counters import counter_for
from assistant.tokens.dropping import Reading, drop_advice
from assistant.tokens.sizing import Limits
from storage.interactions import Node, Status

LONG = " ".join(LETTERS) * 8


@pytest.fixture(scope="module")
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as running:
        yield running


async def ask_so_often(desk: SizedDesk, answers: int) -> list[Node]:
    """Ask for so many answers, with questions of different lengths."""
    return [await desk.ask(" ".join(LETTERS[: 1 + turn % 4]) * (1 + turn % 3)) for turn in range(answers)]


async def error_after(desk: SizedDesk, answers: int) -> float:
    """The error of the count that the meter shows, over five more answers."""
    await ask_so_often(desk, answers)
    errors = []
    for text in (LETTERS[1], LONG, "plus court", LETTERS[3] * 3, "now in English for my colleague"):
        total = desk.plan(text).total
        errors.append(abs(total / desk.reported(await desk.ask(text)) - 1))
    return max(errors)


async def test_a_server_that_counts_in_its_own_way_is_met_within_five_percent_after_ten_answers(
    server: FakeOpenAI,
) -> None:
    async with a_sized_desk(server.url, SizeScript.COUNTS_OTHERWISE) as desk:
        assert desk.plan("shorter").accuracy == "near"
        assert await error_after(desk, 10) < 0.05
        plan = desk.plan("shorter")
        assert (plan.accuracy, plan.calibrated_on) == ("calibrated", 10)


async def test_a_tokenizer_of_another_ratio_and_overhead_is_met_within_five_percent_after_ten_answers() -> None:
    counter = counter_for("qwen3")
    with FakeOpenAI(count=lambda texts: round(sum(1.3 * counter.text(text) + 5 for text in texts))) as other:
        async with a_sized_desk(other.url, "qwen3") as desk:
            assert await error_after(desk, 10) < 0.05


async def test_a_plan_that_is_shown_is_sent_and_the_same_record_gives_the_same_bytes(server: FakeOpenAI) -> None:
    async with a_sized_desk(server.url, SizeScript.COUNTS_OTHERWISE, budget=1_200) as desk:
        await ask_so_often(desk, 9)
        before = desk.plan("shorter")
        answer = await desk.ask("shorter")
        plan = desk.store.requests(desk.conversation.id, answer.id)[-1].plan
        assert (plan["total"], plan["calibrated_on"]) == (before.total, 3)
        assert desk.plan("shorter").calibrated_on == 10, "a tenth answer renews it"
        assert desk.plan("again") == replace(desk).plan("again")


async def test_an_answer_to_a_part_of_the_request_is_warned_of_and_teaches_nothing(server: FakeOpenAI) -> None:
    async with a_sized_desk(server.url, SizeScript.DROPS_SILENTLY, ticket=LONG * 3) as desk:
        answer = await desk.ask("a draft")

        (warning,) = desk.warnings(answer)
        assert "The server dropped part of the request: drops-silently read" in warning.content
        assert (warning.node.meta["warning"], warning.node.meta["accuracy"]) == ("prompt_dropped", "near")
        assert warning.node.meta["read"] == desk.reported(answer)
        assert "configure window" in str(warning.node.meta["advice"])
        assert answer.status is Status.COMPLETE
        counter = counter_for(desk.provider.model)
        assert desk.store.prompt_counts(desk.provider.base_url, "drops-silently", counter.name, 9) == (0, [])


async def test_a_short_count_by_an_exact_encoding_is_warned_of_from_three_percent_on() -> None:
    counter = counter_for("gpt-4.1")

    def three_percent_less(texts: object) -> int:
        assert isinstance(texts, list)
        return int(0.96 * counter.chain([Message("user", text) for text in texts]))

    with FakeOpenAI(count=three_percent_less) as other:
        async with a_sized_desk(other.url, "gpt-4.1", ticket=LONG) as desk:
            assert desk.warnings(await desk.ask("a draft"))


async def test_an_answer_without_warning_has_none(server: FakeOpenAI) -> None:
    async with a_sized_desk(server.url, SizeScript.COUNTS_OTHERWISE, ticket=LONG) as desk:
        assert not any([desk.warnings(answer) for answer in await ask_so_often(desk, 4)])


@pytest.mark.parametrize(
    ("accuracy", "sent", "read", "characters", "short"),
    [
        ("exact", 1_000, 1_000, 4_000, False),
        ("exact", 1_000, 971, 4_000, False),
        ("exact", 1_000, 969, 4_000, True),
        ("exact", 300, 284, 1_200, False),
        ("exact", 1_000, 1_400, 4_000, False),
        ("calibrated", 1_000, 860, 4_000, False),
        ("calibrated", 1_000, 840, 4_000, True),
        ("calibrated", 300, 240, 1_200, False),
        ("near", 4_000, 2_500, 16_000, False),
        ("near", 4_000, 2_050, 16_000, True),
        ("near", 4_000, 1_500, 5_000, False),  # Hindi, of which newer vocabularies make few tokens
        ("estimate", 4_000, 2_050, 16_000, True),
    ],
)
def test_what_counts_as_short_depends_on_how_good_our_count_is(
    accuracy: str, sent: int, read: int, characters: int, short: bool
) -> None:
    assert Reading(sent, read, accuracy, characters).is_short is short


def test_the_advice_names_the_way_of_ollama() -> None:
    assert "OLLAMA_CONTEXT_LENGTH" in drop_advice("http://localhost:11434/v1")
    assert "OLLAMA" not in drop_advice("http://localhost:8000/v1")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"messages": "x"}', b"[" * 200_000])
def test_what_is_no_request_is_not_counted(body: bytes) -> None:
    assert sent_messages(body) is None


@pytest.mark.parametrize(
    ("body", "is_all"),
    [
        (b'{"messages": [{"role": "user", "content": "Hi", "name": "x"}]}', True),
        (b'{"messages": [{"role": "user", "content": [{"type": "text"}]}]}', False),
        (b'{"messages": [{"role": "assistant", "content": null, "tool_calls": [{}]}]}', False),
        (b'{"messages": [{"role": "user", "content": "Hi"}], "tools": [{}]}', False),
        (b'{"messages": [{"role": "user", "content": "Hi"}], "response_format": {"type": "json_schema"}}', False),
        (b'{"messages": [7]}', False),
    ],
)
def test_only_requests_that_are_counted_whole_calibrate(body: bytes, is_all: bool) -> None:
    sent = sent_messages(body)
    assert sent is not None
    assert sent.is_all is is_all


async def test_a_refusal_teaches_the_window_and_the_next_request_fits(server: FakeOpenAI) -> None:
    async with a_sized_desk(server.url, SizeScript.SMALL_WINDOW, budget=8_000) as desk:
        answers = await ask_so_often(desk, 12)
        refused = next(answer for answer in answers if answer.status is Status.ERROR)
        assert refused.detail["error"] == {
            "kind": "context_length_exceeded",
            "message": "The request is too long for window-2048: it takes 2,048 tokens with its answer.",
            "advice": "That is remembered: send it again, and older turns are left out so that it fits.",
            "window": WINDOW,
        }
        after = [answer.status for answer in answers[answers.index(refused) + 1 :]]
        assert after == [Status.COMPLETE] * len(after)
        assert len(after) >= 2
        plan = desk.plan("shorter")
        assert (plan.verdict, plan.budget, plan.sizing.answer_room) == (Verdict.CUT, 1_536, 512)


async def test_a_refusal_that_names_no_window_comes_down_to_one_that_fits(server: FakeOpenAI) -> None:
    async with a_sized_desk(server.url, SizeScript.SMALL_WINDOW_UNNAMED, budget=8_000) as desk:
        answers = await ask_so_often(desk, 12)
        refused = [answer for answer in answers if answer.status is Status.ERROR]
        assert 1 <= len(refused) <= 3
        assert answers[-1].status is Status.COMPLETE
        assert other_tokens([desk.plan("shorter").chain[-1].content]) < WINDOW
        window = desk.sizing.window
        assert window is not None
        assert window.reason.startswith("a guess: the server refused")


async def test_a_window_that_is_configured_afterwards_has_the_better_claim(server: FakeOpenAI) -> None:
    async with a_sized_desk(server.url, SizeScript.SMALL_WINDOW, budget=8_000, ticket=LONG * 2) as desk:
        assert (await desk.ask("a draft")).status is Status.ERROR
        assert desk.sizing.most == 1_536
        assert replace(desk, limits=Limits(window=32_000)).sizing.most == 32_000 - 1_024
