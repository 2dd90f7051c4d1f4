"""In the app: a window that is learned, a budget that stops at it, a part that a server dropped, and its cache."""

from dataclasses import replace

import pytest
from app_driver import a_store, running_app, services, with_branches
from desks import A_REQUEST, Desk, a_desk
from fake_openai import FakeOpenAI
from scripted_provider import ScriptedProvider, words

from assistant.errors import Fault, ProviderError
from assistant.plan.plan import PlanSettings
from assistant.provider.model_settings import ModelSettings
from assistant.provider.openai_provider import OpenAIProvider
from storage.interactions import Draft
from storage.sqlite_store import memory_store
from storage.values import JsonObject
from tui.desk.page import read_page

TOO_LONG = ProviderError(
    Fault.CONTEXT,
    "The request is too long for scripted-1: it takes 600 tokens with its answer.",
    "That is remembered: send it again, and older turns are left out so that it fits.",
    window=600,
)


async def test_a_refusal_teaches_the_window_and_enter_sends_what_fits() -> None:
    store = a_store()
    with_branches(store)
    provider = ScriptedProvider([TOO_LONG], words("Oui."))
    async with running_app(services(store, provider, settings=PlanSettings(budget=5_000))) as desk:
        await desk.type("Is it late?")
        await desk.press("enter")
        await desk.answered()
        assert "The request is too long for scripted-1" in desk.seen
        assert "of 450" in desk.seen
        assert "window 600" in desk.seen
        assert desk.screen.composer.text == "Is it late?"
        await desk.press("enter")
        await desk.answered()
        assert desk.shown[-2:] == ["Is it late?", "Oui."]


async def test_the_budget_is_raised_as_far_as_the_window_leaves_and_then_says_why_not() -> None:
    store = a_store()
    provider = ScriptedProvider([TOO_LONG], words("Oui."))
    async with running_app(services(store, provider, settings=PlanSettings(budget=5_000))) as desk:
        await desk.type("Is it late?")
        await desk.press("enter")
        await desk.answered()
        desk.screen.outline.focus()
        await desk.press("+", "+")
        assert desk.sheet.plan is not None
        assert desk.sheet.plan.budget == 450
        assert "window of 600 tokens (the server said so when it refused a request) leaves no more" in desk.told[-1]


async def test_an_answer_to_a_part_of_the_request_is_marked_in_the_chat() -> None:
    with FakeOpenAI(count=lambda _: 5) as server:
        provider = OpenAIProvider(ModelSettings(model="ok", base_url=server.url))
        async with running_app(services(a_store(), provider)) as desk:
            await desk.type("Please answer every point that she has raised. " * 12)
            await desk.press("enter")
            await desk.answered()
            assert "⚠ The server dropped part of the request: ok read 5 of" in desk.seen
        await provider.aclose()


def called(desk: Desk, parent_id: int, cached: int) -> int:
    """Add an answer with its call, and return the answer's id."""
    node = desk.answer(parent_id)
    request_id = desk.store.record_request(desk.id, node.id, replace(A_REQUEST, task_version="3"))
    usage: JsonObject = {
        "prompt_tokens": 1_000,
        "completion_tokens": 7,
        "prompt_tokens_details": {"cached_tokens": cached},
    }
    desk.store.record_response(desk.id, request_id, response=b"x", status_code=200, usage=usage, latency_ms=9)
    return node.id


def test_the_cached_share_is_that_of_the_last_answer_of_the_branch() -> None:
    desk = a_desk(memory_store())
    first = called(desk, desk.ticket_node, 0)
    question = desk.say(first)
    shown = called(desk, question.id, 620)
    called(desk, question.id, 250)

    def share(draft: Draft) -> float | None:
        return read_page(desk.store, desk.conversation, draft).cached_share

    assert share(Draft("")) == pytest.approx(0.25)
    desk.store.select(desk.id, shown)
    assert share(Draft("")) == pytest.approx(0.62)
    assert share(Draft("x", question.id, edits=True)) == 0.0, "the edited message follows the first answer"
