"""Summaries in the app: said before, made in sight, shown as a note, and nothing lost when they fail."""

from dataclasses import replace

from app_driver import running_app, services
from desks import a_ticket
from long_talk import add_turns, talk
from scripted_provider import Pause, ScriptedProvider, words
from turn_desk import AGENT

from assistant.builtin.assistant import BuiltinAssistant
from assistant.errors import Fault, ProviderError
from assistant.plan.plan import Fate, PlanSettings, StrategyName, Verdict
from assistant.provider.provider import Ended, Provider, TextChunk
from assistant.tasks.registry import Tasks
from assistant.tokens.sizing import Limits
from storage.interactions import Draft
from storage.sqlite_store import memory_store
from tui.services import Services
from tui.summary_text import SIGN

TICKET = "T-1"
SUMMARY = "agent: refunds of 1,50 € to 8,50 € are granted."
SETTINGS = PlanSettings(StrategyName.SUMMARISE, budget=1_000)
BUSY = ProviderError(Fault.SERVER, "models.example failed with status 500.", "Ask again in a moment.")


def long_services(provider: Provider, turns: int = 12, *, tokens: int = 100) -> Services:
    store = memory_store()
    talk(store, turns, tokens=tokens)
    made = services(store, provider, agent=AGENT, settings=SETTINGS, tasks=Tasks())
    return replace(made, limits=Limits(window=16_000))


async def test_enter_makes_the_summary_that_the_meter_announces_and_then_sends() -> None:
    provider = ScriptedProvider(words(SUMMARY), words("Dear Sophie"))
    async with running_app(long_services(provider), TICKET) as desk:
        plan = desk.sheet.plan
        assert plan is not None
        assert plan.verdict is Verdict.NEEDS_SUMMARY
        assert "do not fit" in desk.seen
        await desk.type("shorter")
        await desk.press("enter")
        await desk.answered()

        assert desk.shown[-2:] == ["shorter", "Dear Sophie"]
        assert len(provider.chains) == 2
        assert desk.screen.composer.text == ""
        plan = desk.sheet.plan
        assert plan is not None
        assert plan.verdict is Verdict.FITS
        assert "summarised" in desk.seen
        marks = {item.id: item.fate for item in desk.screen.chat.items}
        assert marks == {item.id: item.fate for item in plan.items if item.id in marks}
        assert Fate.SUMMARISED in marks.values()
        notes = [note for item in desk.screen.chat.items for note in item.notes]
        assert [note.details for note in notes if note.sign == SIGN] == [(SUMMARY,)]


async def test_while_the_summary_is_made_it_says_so_and_esc_stops_it_with_the_text_kept() -> None:
    provider = ScriptedProvider([TextChunk("half"), Pause.FOR_EVER])
    async with running_app(long_services(provider), TICKET) as desk:
        before = desk.store.head(desk.sheet.page.id)
        await desk.type("shorter")
        await desk.press("enter")
        await desk.until(provider.paused.is_set)
        await desk.until(lambda: desk.screen.desk.busy.startswith("Summarising turns 1 to "))
        await desk.press("escape")
        await desk.until(lambda: not desk.screen.desk.busy)

        assert desk.told[-1] == "Stopped before anything was sent; your text is kept."
        assert desk.screen.composer.text == "shorter"
        assert desk.store.head(desk.sheet.page.id) == before


async def test_what_is_typed_while_the_summary_is_made_stands_below_the_question_and_stays_when_that_leaves() -> None:
    provider = ScriptedProvider([TextChunk(SUMMARY), Pause.UNTIL_TOLD, Ended("stop")], words("Dear Sophie"))
    async with running_app(long_services(provider), TICKET) as desk:
        await desk.type("shorter")
        await desk.press("enter")
        await desk.until(provider.paused.is_set)
        await desk.press("a", "enter", "n", "d")
        assert desk.screen.composer.text == "shorter\nand"
        provider.go_on()
        await desk.answered()
        assert desk.shown[-2:] == ["shorter", "Dear Sophie"]
        assert desk.screen.composer.text == "and"
        await desk.until(lambda: desk.store.draft(AGENT, TICKET) == Draft("and"))


async def test_what_is_typed_while_the_summary_is_made_stays_with_its_ticket_when_another_is_opened() -> None:
    provider = ScriptedProvider([TextChunk(SUMMARY), Pause.UNTIL_TOLD, Ended("stop")], words("Dear Sophie"))
    made = long_services(provider)
    made.store.save_ticket(a_ticket("T-2", "Where is my kettle?"))
    async with running_app(made, TICKET) as desk:
        await desk.type("shorter")
        await desk.press("enter")
        await desk.until(provider.paused.is_set)
        await desk.type("and kinder")
        await desk.press("ctrl+n")
        await desk.until(lambda: desk.sheet.page.ticket.id == "T-2")
        await desk.type("For the other")
        assert desk.screen.composer.text == "For the other"
        provider.go_on()
        await desk.answered()
        assert desk.screen.composer.text == "For the other"
        await desk.press("ctrl+b")
        await desk.until(lambda: desk.sheet.page.ticket.id == TICKET)
        assert desk.shown[-2:] == ["shorter", "Dear Sophie"]
        assert desk.screen.composer.text == "and kinder"
        assert desk.store.draft(AGENT, "T-2").text == "For the other"


async def test_a_summary_that_fails_is_said_and_the_conversation_can_be_sent_otherwise() -> None:
    provider = ScriptedProvider([BUSY], words("Dear Sophie"))
    async with running_app(long_services(provider), TICKET) as desk:
        await desk.type("shorter")
        await desk.press("enter")
        await desk.until(lambda: bool(desk.told))
        assert "No summary was made, and nothing was sent. models.example failed" in desk.told[-1]
        assert desk.screen.composer.text == "shorter"

        await desk.press("f2", "enter")
        await desk.answered()
        assert desk.shown[-2:] == ["shorter", "Dear Sophie"]
        await desk.until(lambda: desk.store.draft(AGENT, TICKET) == Draft(""))


async def test_where_the_extract_would_not_be_used_the_meter_says_so_before_enter_does() -> None:
    async with running_app(long_services(BuiltinAssistant(pace_s=0), 90, tokens=8), TICKET) as desk:
        await desk.until(lambda: "no summary helps. Nothing is sent; choose:" in desk.seen)
        await desk.type("shorter")
        await desk.rest()
        assert "no summary helps" in desk.screen.meter.render().plain
        assert "Enter" not in desk.screen.meter.render().plain
        assert "turns cut" in desk.screen.meter.render().plain
        assert "leave them out" in desk.screen.meter.render().plain

        await desk.press("enter")
        await desk.until(lambda: bool(desk.told))
        assert "No summary was made, and nothing was sent. After 2 of 5 calls" in desk.told[-1]
        assert desk.screen.composer.text == "shorter"


async def test_of_a_model_only_the_call_can_tell() -> None:
    async with running_app(long_services(ScriptedProvider(words(SUMMARY)), 90, tokens=8), TICKET) as desk:
        await desk.rest()

        assert "Enter summarises, then sends." in desk.screen.meter.render().plain


async def test_a_summary_made_anew_takes_the_place_of_the_one_that_stands() -> None:
    provider = ScriptedProvider(words(SUMMARY), words("Dear Sophie"), words("Newly: all of it."))
    async with running_app(long_services(provider), TICKET) as desk:
        await desk.type("shorter")
        await desk.press("enter")
        await desk.answered()
        add_turns(desk.store, desk.sheet.page.conversation, [20, 21])
        await desk.screen.desk.look_around()
        await desk.press("escape", "V")

        def planned() -> str:
            return "\n".join(message.content for message in desk.sheet.plan.chain) if desk.sheet.plan else ""

        await desk.until(lambda: "Newly: all of it." in planned())
        assert len(provider.chains) == 3
        assert SUMMARY not in planned()
