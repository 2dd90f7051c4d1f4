"""Observers: off until switched on, after the answer's own end, stopped by Esc, and sent along by a key."""

from dataclasses import replace

import pytest
from app_driver import ANSWER, OTHER, TICKET, AppDriver, a_store, running_app, services, with_branches
from scripted_provider import Pause, ScriptedProvider, Step, words

from assistant.builtin.assistant import BuiltinAssistant
from assistant.errors import Fault, ProviderError
from assistant.tasks.registry import Tasks
from storage.interactions import Interaction, Status
from storage.kinds import OBSERVATION
from storage.store import Store
from tui.services import Services

SAID = "Trop sec.\n\nRemerciez-la."


def observed_services(*scripts: list[Step], names: tuple[str, ...] = ("tone",)) -> tuple[Services, ScriptedProvider]:
    store = a_store()
    with_branches(store)
    provider = ScriptedProvider(*scripts)
    return replace(services(store, provider, tasks=Tasks()), observers=names), provider


async def ask(desk: AppDriver, text: str = "shorter") -> None:
    desk.screen.composer.focus()
    await desk.type(text)
    await desk.press("enter")


def observations(store: Store, ticket_id: str = TICKET) -> list[Interaction]:
    conversation = store.conversation("camille", ticket_id).id
    return [each for each in store.branch(conversation, store.selected(conversation)) if each.kind == OBSERVATION.name]


async def test_nobody_observes_until_it_is_switched_on_and_then_in_this_conversation_alone() -> None:
    with_services, provider = observed_services(words(ANSWER), words(ANSWER), words("OK"), words("OK"), words("OK"),
                                                words(ANSWER), names=())  # fmt: skip
    async with running_app(with_services) as desk:
        await ask(desk)
        await desk.answered()
        assert (observations(desk.store), len(provider.chains)) == ([], 1)
        desk.screen.outline.focus()
        await desk.press("W")
        assert desk.told[-1] == (
            "Complete answers here are observed from now on: Missing question, Policy check, Tone."
        )  # fmt: skip
        assert "scripted-1 · observed" in desk.seen
        await ask(desk, "friendlier")
        await desk.answered()
        assert [each.node.meta["task"] for each in observations(desk.store)] == [
            "missing-question", "policy-check", "tone",
        ]  # fmt: skip
        await desk.screen.desk.open(OTHER)
        await desk.rest()
        await ask(desk)
        await desk.answered()
        assert (observations(desk.store, OTHER), len(provider.chains)) == ([], 6)


async def test_the_answer_has_its_end_before_anybody_observes_and_esc_stops_only_that() -> None:
    with_services, provider = observed_services(words(ANSWER), [Pause.FOR_EVER])
    async with running_app(with_services) as desk:
        await ask(desk)
        await desk.until(lambda: provider.paused.is_set())
        await desk.rest()
        answer = desk.sheet.page.path[-1]
        assert (answer.node.status, answer.content) == (Status.COMPLETE, ANSWER)
        assert "Observing: Tone… Esc stops it." in desk.seen
        await desk.press("escape")
        await desk.answered()
        assert desk.told[-1].startswith("Stopped; the answer stays")
        assert desk.sheet.page.path[-1].content == ANSWER
        assert observations(desk.store) == []
        assert desk.screen.desk.busy == ""


async def test_what_was_observed_stands_below_the_answer_and_goes_into_the_message_by_a_key_to_be_changed() -> None:
    with_services, provider = observed_services(words(ANSWER), words(SAID), words("Mieux."), words("OK"))
    async with running_app(with_services) as desk:
        await ask(desk)
        await desk.answered()
        assert "◦ Tone: Trop sec." in desk.seen
        desk.screen.outline.focus()
        await desk.press("I")
        assert desk.screen.composer.text == "> Tone:\n> Trop sec.\n>\n> Remerciez-la.\n\n"
        await desk.type("please")
        plan = desk.sheet.plan
        assert plan is not None
        await desk.press("enter")
        await desk.answered()
        assert provider.chains[2] == plan.chain
        assert provider.chains[2][-1].content.startswith("> Tone:\n> Trop sec.")
        assert "◦ Tone: OK" in desk.seen
        desk.screen.outline.focus()
        await desk.press("I")
        assert desk.told[-1] == "No observer found anything in this message."


async def test_what_stands_in_the_composer_stays_above_what_is_sent_along() -> None:
    with_services, _ = observed_services(words(ANSWER), words("Curt."))
    async with running_app(with_services) as desk:
        await ask(desk)
        await desk.answered()
        await desk.type("Do it again:")
        desk.screen.outline.focus()
        await desk.press("I")
        assert desk.screen.composer.text == "Do it again:\n\n> Tone:\n> Curt.\n\n"


async def test_a_failure_is_said_below_the_answer_and_harms_nothing() -> None:
    busy = ProviderError(Fault.SERVER, "The server is busy.", "Ask again in a moment.")
    with_services, _ = observed_services(words(ANSWER), [busy])
    async with running_app(with_services) as desk:
        await ask(desk)
        await desk.answered()
        assert "◦ Tone: Not observed. The server is busy." in desk.seen
        assert desk.sheet.page.path[-1].node.status is Status.COMPLETE


async def test_an_answer_that_was_stopped_is_not_observed() -> None:
    with_services, provider = observed_services([*words(ANSWER)[:-1], Pause.FOR_EVER])
    async with running_app(with_services) as desk:
        await ask(desk)
        await desk.until(lambda: provider.paused.is_set())
        await desk.press("escape")
        await desk.answered()
        assert (len(provider.chains), observations(desk.store)) == (1, [])


async def test_a_name_that_observes_nothing_is_told_and_the_answer_stands() -> None:
    with_services, provider = observed_services(words(ANSWER), names=("shorten",))
    async with running_app(with_services) as desk:
        await ask(desk)
        await desk.answered()
        assert "The task 'shorten' observes nothing" in desk.told[-1]
        assert (len(provider.chains), desk.sheet.page.path[-1].content) == (1, ANSWER)


@pytest.mark.parametrize("names", [(), ("tone",)])
async def test_without_a_model_observers_say_that_they_need_one(names: tuple[str, ...]) -> None:
    store = a_store()
    with_branches(store)
    with_builtin = replace(services(store, BuiltinAssistant(pace_s=0), tasks=Tasks()), observers=names)
    async with running_app(with_builtin) as desk:
        desk.screen.outline.focus()
        await desk.press("W")
        assert desk.told[-1] == "Observers need a language model; the built-in assistant is none."
