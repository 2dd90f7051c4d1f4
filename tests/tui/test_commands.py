"""Each command does what it says, by its first key; a command without a case here fails."""

from collections.abc import Awaitable, Callable

import pytest
from app_driver import (
    ANSWER,
    OTHER,
    TICKET,
    AppDriver,
    Branches,
    a_store,
    running_app,
    services,
    with_branches,
)
from desks import NOON, Clock, a_message, a_ticket
from gated import judge
from scripted_provider import Pause, ScriptedProvider

from assistant.plan.plan import StrategyName, Verdict
from assistant.provider.provider import TextChunk
from storage.closed_means import ClosedMeans
from storage.kinds import OBSERVATION
from storage.sqlite_store import memory_store
from storage.tickets import RawSource
from storage.values import JsonObject
from tui.commands.keys import key_name
from tui.commands.registry import BY_ID
from tui.screens.files import FilesScreen
from tui.screens.help import HelpScreen
from tui.screens.override import OverrideScreen
from tui.screens.search import SearchScreen
from tui.screens.strategies import StrategiesScreen
from tui.screens.task import TaskScreen
from tui.screens.usage import UsageScreen

Check = Callable[[AppDriver, Branches, str], Awaitable[None]]

CASES: dict[str, Check] = {}


def case(command_id: str) -> Callable[[Check], Check]:
    def remember(check: Check) -> Check:
        CASES[command_id] = check
        return check

    return remember


def test_every_command_has_a_case() -> None:
    assert CASES.keys() == BY_ID.keys()


@pytest.mark.parametrize("command_id", list(BY_ID))
async def test_a_key_does_what_its_command_says(command_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    store = a_store()
    branches = with_branches(store)
    async with running_app(services(store)) as desk:
        desk.screen.outline.focus()
        await desk.rest()
        await CASES[command_id](desk, branches, key_name(BY_ID[command_id].keys[0]))


# moving


@case("next_row")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.draft)
    await desk.press(key)
    assert desk.screen.outline.cursor_id == nodes.shorter.id
    desk.screen.tickets.focus()
    await desk.press(key)
    assert desk.screen.tickets.cursor_id == OTHER


@case("previous_row")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.draft)
    await desk.press(key)
    assert desk.screen.outline.cursor_id == nodes.ticket.id


@case("open")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    desk.screen.outline.cursor_to(nodes.shorter.id)
    await desk.rest()
    assert desk.shown[-1] == "Chère Sophie, quelle patience !"
    await desk.press(key)
    assert desk.shown[-1] == "Il est en route."
    desk.screen.tickets.focus()
    await desk.press("j", key)
    assert desk.sheet.page.ticket.id == OTHER


@case("search")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    opened = isinstance(desk.app.screen, SearchScreen)
    await desk.press("escape")
    assert (opened, desk.app.screen) == (True, desk.screen)


@case("next_match")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.draft)
    desk.screen.finding.query = "route"
    await desk.press(key)
    assert desk.screen.outline.cursor_id == nodes.short_draft.id
    assert desk.shown[-1] == "Il est en route."


@case("previous_match")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.friendlier)
    desk.screen.finding.query = "route"
    await desk.press(key)
    assert desk.screen.outline.cursor_id == nodes.short_draft.id


@case("parent")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.shorter)
    await desk.press(key)
    assert desk.screen.outline.cursor_id == nodes.draft.id
    await desk.press(key, key)
    assert desk.screen.outline.cursor_id == nodes.ticket.id


@case("child")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.draft)
    await desk.press(key)
    assert desk.screen.outline.cursor_id == nodes.friendlier.id


@case("next_sibling")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.shorter)
    assert desk.shown[-1] == "Il est en route."
    await desk.press(key)
    assert desk.screen.outline.cursor_id == nodes.friendlier.id
    assert desk.shown[-1] == "Chère Sophie, quelle patience !"
    await desk.press(key)
    assert desk.told[-1] == "There is no later sibling of this message."


@case("previous_sibling")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.friendlier)
    await desk.press(key)
    assert desk.screen.outline.cursor_id == nodes.shorter.id
    assert desk.shown[1:] == ["make it shorter", "Il est en route."]


@case("last_fork")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.friendly_draft)
    await desk.press(key)
    assert desk.screen.outline.cursor_id == nodes.draft.id


@case("branch_end")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.ticket)
    await desk.press(key)
    assert desk.screen.outline.cursor_id == nodes.friendly_draft.id


@case("first_row")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.screen.outline.cursor_id == nodes.ticket.id


@case("last_row")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.ticket)
    await desk.press(key)
    assert desk.screen.outline.cursor_id == nodes.friendly_draft.id


@case("fold")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.draft)
    await desk.press(key)
    assert len(desk.screen.outline.rows) == 2
    await desk.press(key)
    assert len(desk.screen.outline.rows) == 6


@case("back")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.shorter)
    await desk.at(nodes.ticket)
    await desk.press(key)
    assert desk.screen.outline.cursor_id == nodes.shorter.id


@case("forward")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.shorter)
    await desk.at(nodes.ticket)
    await desk.press("H", key)
    assert desk.screen.outline.cursor_id == nodes.ticket.id


async def scrolled(desk: AppDriver) -> None:
    await desk.pilot.resize_terminal(120, 16)
    await desk.rest()


@case("page_up")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await scrolled(desk)
    end = desk.screen.chat.scroll_y
    await desk.press(key)
    assert desk.screen.chat.scroll_y < end
    assert desk.app.focused is desk.screen.outline


@case("page_down")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await scrolled(desk)
    desk.screen.chat.scroll_home(animate=False)
    await desk.press(key)
    assert desk.screen.chat.scroll_y > 0


# acting


@case("write")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.screen.typing


@case("draft_reply")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.told[-1] == "This is answered already: ask again, or write what to change."
    await desk.at(nodes.ticket)
    await desk.press("r", "escape", key)
    await desk.answered()
    assert desk.shown == [ANSWER]


@case("follow_up")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.draft)
    await desk.press(key)
    assert desk.screen.typing
    assert desk.shown == ["Chère Sophie, votre hamac est en route."]
    await desk.type("in English")
    await desk.press("enter")
    await desk.answered()
    assert desk.shown[1:] == ["in English", ANSWER]
    assert [node.m for node in desk.sheet.page.children(nodes.draft.id)] == [3, 3, 3]


@case("ask_again")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.friendly_draft)
    await desk.press(key)
    await desk.answered()
    assert desk.shown[-2:] == ["friendlier", ANSWER]
    answers = desk.sheet.page.children(nodes.friendlier.id)
    assert [node.preview for node in answers] == ["Chère Sophie, quelle patience !", ANSWER]
    assert answers[1].replaces_id == nodes.friendly_draft.id


@case("edit")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.friendly_draft)
    await desk.press(key)
    assert desk.screen.composer.text == "friendlier"
    assert desk.screen.typing
    await desk.type(" please")
    await desk.press("enter")
    await desk.answered()
    assert desk.shown[1:] == ["friendlier please", ANSWER]
    edited = desk.sheet.page.children(nodes.draft.id)[-1]
    assert edited.replaces_id == nodes.friendlier.id
    assert desk.store.node(desk.sheet.page.id, nodes.friendlier.id).preview == "friendlier"


@case("stop_editing")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.friendlier)
    await desk.press("E", "escape", key)
    assert desk.screen.composer.text == ""
    await desk.press("E")
    await desk.type("!")
    await desk.press("escape", key)
    assert desk.screen.composer.text == "friendlier!"
    assert not desk.sheet.draft.edits


@case("stop_answer")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    provider = desk.screen.services.provider
    assert isinstance(provider, ScriptedProvider)
    provider._scripts = [[TextChunk("Half a sent"), Pause.FOR_EVER]]
    await desk.press("R")
    await desk.until(lambda: desk.shown[-1] == "Half a sent")
    await desk.press(key)
    await desk.answered()
    assert desk.shown[-1] == "Half a sent"
    assert "stopped" in desk.seen


@case("notes")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    desk.store.add_internal(
        desk.sheet.page.id, nodes.friendly_draft.id, OBSERVATION, "tone", text="Warm.\nYes.", meta={"task": "tone"}
    )
    await desk.at(nodes.draft)
    await desk.press(key)
    assert desk.told[-1] == "There are no notes below this message."
    await desk.at(nodes.friendly_draft)
    await desk.until(lambda: "◦ tone: Warm. · f opens" in desk.seen)
    await desk.press(key)
    assert "│ Yes." in desk.seen
    await desk.press(key)
    assert "│ Yes." not in desk.seen


@case("label")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.friendly_draft)
    await desk.press(key)
    await desk.type("refund\u202e version")
    await desk.press("enter")
    assert desk.store.node(desk.sheet.page.id, nodes.friendly_draft.id).label == "refund\u202e version"
    assert desk.screen.outline.rows[-1].label.startswith("# refund‹U+202E› version · Chère Sophie")
    assert desk.seen.count("# refund‹U+202E› version") == 2, "in the outline and in the chat"
    await desk.press(key)
    await desk.type("x" * 61)
    await desk.press("enter")
    assert "A label has at most 60 characters, and this has 61; shorten it." in desk.seen
    await desk.press("escape")
    assert desk.store.node(desk.sheet.page.id, nodes.friendly_draft.id).label == "refund\u202e version"
    await desk.press(key, "delete", "enter")
    assert desk.store.node(desk.sheet.page.id, nodes.friendly_draft.id).label == ""
    assert "# refund" not in desk.seen
    await desk.screen.desk.erase(TICKET, "asked for")
    await desk.press(key)
    assert desk.told[-1] == "The words of this ticket were erased; it takes no labels."


@case("copy_answer")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    sent: list[str] = []
    desk.screen.write_terminal = sent.append
    await desk.press(key)
    assert sent == ["\x1b]52;c;Q2jDqHJlIFNvcGhpZSwgcXVlbGxlIHBhdGllbmNlICE=\x07"]
    assert desk.told[-1].startswith("Sent to your terminal")


@case("copy_path")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    sent: list[str] = []
    desk.screen.write_terminal = sent.append
    await desk.press(key)
    assert len(sent[0]) > 200
    assert desk.told[-1].startswith("Sent to your terminal")


@case("take_in")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.told[-1] == "The conversation has the newest version of the ticket."
    messages = (*desk.sheet.page.ticket.messages, a_message("Toujours rien !", source_id="2"))
    desk.store.save_ticket(a_ticket(TICKET, messages=messages, language="fr", created_at=NOON + 3))
    await desk.screen.desk._refresh(desk.sheet.page.conversation)
    await desk.press(key)
    assert "Toujours rien !" in desk.seen
    assert desk.sheet.page.path[-1].ticket is not None


@case("observe")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.store.settings(desk.sheet.page.id)["observers"] is True
    assert desk.told[-1].startswith("Complete answers here are observed from now on: ")
    await desk.press(key)
    assert desk.store.settings(desk.sheet.page.id)["observers"] is False


@case("send_along")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.told[-1] == "No observer found anything in this message."
    meta: JsonObject = {"task": "tone", "task_title": "Tone"}
    desk.store.add_internal(
        desk.sheet.page.id, nodes.friendly_draft.id, OBSERVATION, "scripted-1", text="Curt.", meta=meta
    )
    await desk.screen.desk.look_around()
    await desk.press(key)
    assert desk.screen.composer.text == "> Tone:\n> Curt.\n\n"
    assert desk.screen.typing


@case("attach")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    opened = isinstance(desk.app.screen, FilesScreen)
    await desk.press("escape")
    assert (opened, desk.app.screen) == (True, desk.screen)


@case("show_sent")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.at(nodes.ticket)
    await desk.press(key)
    assert desk.told[-1] == "Put the cursor on an answer to see what was sent for it."
    await desk.at(nodes.friendly_draft)
    await desk.press(key)
    assert desk.told[-1] == "Nothing was sent for this answer: no model was asked for it here."
    await desk.press("R")
    await desk.answered()
    desk.screen.outline.focus()
    await desk.press(key)
    assert "What was sent for node" in desk.seen
    await desk.press("q")
    assert desk.app.screen is desk.screen


@case("close_ticket")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.store.ticket(TICKET).status == "closed"
    assert "closed" in desk.seen
    await desk.press(key)
    assert desk.store.ticket(TICKET).status == "open"


async def test_a_ticket_that_its_source_calls_solved_looks_closed_and_z_opens_it() -> None:
    store = memory_store(clock=Clock(), closed_means=ClosedMeans({"csv": frozenset({"solved"})}))
    store.save_ticket(a_ticket(TICKET, status="solved", sources=(RawSource("a.csv", "csv", b"a"),)))
    async with running_app(services(store), TICKET) as desk:
        assert "✓ solved" in desk.seen
        desk.screen.outline.focus()
        await desk.press("z")
        assert store.ticket(TICKET).status == "open"
        assert "✓" not in desk.seen


@case("erase_ticket")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert "This cannot be undone." in desk.seen
    await desk.press("escape")
    await desk.press(key)
    await desk.press("enter")
    assert not desk.store.ticket(TICKET).erased, "without a reason nothing happens"
    await desk.type("asked by mail")
    await desk.press("enter")
    assert desk.store.ticket(TICKET).erased
    assert desk.shown == ["[erased on 2025-06-15 by camille: asked by mail]"] * len(desk.shown)
    assert desk.told[-1] == f"The words of {TICKET} are erased, in the record and in its files."
    desk.screen.outline.focus()
    await desk.press(key)
    assert desk.told[-1] == "The words of this ticket are erased already."


# choosing what is sent


async def with_the_ticket_outside(desk: AppDriver, text: str = "shorter") -> None:
    """Choose a budget that the newest turn fits, but not the ticket."""
    await desk.press("w")
    await desk.type(text)
    plan = desk.sheet.plan
    assert plan is not None
    desk.screen.desk.choose("budget", plan.total - 1)
    await desk.press("escape")
    assert desk.sheet.plan is not None
    assert desk.sheet.plan.verdict is Verdict.TICKET_OUTSIDE


@case("keep_ticket")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await with_the_ticket_outside(desk)
    await desk.press(key)
    assert desk.sheet.settings.strategy is StrategyName.SELECT
    assert desk.sheet.plan is not None
    assert desk.sheet.plan.may_send
    assert desk.store.settings(desk.sheet.page.id)["strategy"] == "select"


@case("raise_budget")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await with_the_ticket_outside(desk)
    await desk.press(key)
    assert desk.sheet.plan is not None
    assert desk.sheet.plan.may_send
    before = desk.sheet.settings.budget
    await desk.press(key)
    assert desk.sheet.settings.budget > before
    assert desk.store.settings(desk.sheet.page.id)["budget"] == desk.sheet.settings.budget


@case("lower_budget")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.sheet.settings.budget == 2_000
    assert "of 2,000" in desk.seen


@case("send_without_ticket")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.told[-1] == "The ticket is not outside the budget."
    await with_the_ticket_outside(desk)
    await desk.press(key)
    await desk.answered()
    assert desk.shown[-2:] == ["shorter", ANSWER]
    provider = desk.screen.services.provider
    assert isinstance(provider, ScriptedProvider)
    assert not any("W2378156" in message.content for message in provider.chains[-1])


@case("next_strategy")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    for strategy in (StrategyName.SELECT, StrategyName.WINDOW, StrategyName.SUMMARISE, StrategyName.CUT):
        await desk.press(key)
        assert desk.sheet.settings.strategy is strategy
        assert f"· {strategy.value} ·" in desk.seen
        assert desk.told[-1].startswith(f"Strategy {strategy.value}. Keeps the ")


@case("compare_strategies")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    opened = isinstance(desk.app.screen, StrategiesScreen)
    await desk.press("3", "enter")
    assert (opened, desk.app.screen) == (True, desk.screen)
    assert desk.sheet.settings.strategy is StrategyName.WINDOW


@case("summarise")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.sheet.settings.strategy is StrategyName.SUMMARISE
    assert "· summarise ·" in desk.seen
    await desk.press(key)
    assert desk.told[-1] == "The first turns are summarised already (strategy summarise)."


@case("make_summary")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    await desk.until(lambda: bool(desk.told))
    assert desk.told[-1].startswith("The turns before the newest one are too few or too short")


@case("wider_window")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.sheet.settings.window_turns == 7
    assert desk.told[-1] == "Strategy window keeps the last 7 turns; it is not the one in use."


@case("narrower_window")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    desk.screen.desk.choose("strategy", StrategyName.WINDOW.value)
    await desk.press(*[key] * 5)
    assert desk.told[-1] == "Strategy window keeps the last turn."
    await desk.press(*[key] * 2)
    assert desk.sheet.settings.window_turns == 1
    assert desk.told[-1] == "The window keeps one turn; it cannot be narrower."


@case("include_notes")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    assert desk.sheet.plan is not None
    without = desk.sheet.plan.counts.ticket
    await desk.press(key)
    assert desk.sheet.plan.counts.ticket > without
    await desk.press(key)
    assert desk.sheet.plan.counts.ticket == without


# tickets, panels and the app


@case("next_ticket")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.sheet.page.ticket.id == OTHER
    assert "smells of plastic" in desk.seen


@case("previous_ticket")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.told[-1] == "There is no earlier ticket."
    await desk.press(">", key)
    assert desk.sheet.page.ticket.id == TICKET


@case("go_to_tickets")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.app.focused is desk.screen.tickets


@case("go_to_conversation")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    desk.screen.chat.focus()
    await desk.press(key)
    assert desk.app.focused is desk.screen.outline


@case("go_to_chat")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.app.focused is desk.screen.chat


@case("toggle_panel")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert not desk.screen.outline.is_on_screen
    await desk.press(key)
    assert desk.screen.outline.is_on_screen


@case("choose_task")
async def choose_task(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert isinstance(desk.app.screen, TaskScreen)
    await desk.press("5")
    await desk.until(lambda: desk.sheet.task.name == "translate-for-colleague")
    assert "Translate for a colleague (internal) · camille" in desk.seen


@case("copy_internal")
async def copy_internal(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.app.told[-1] == "This is no internal answer, as a translation for a colleague is; y copies replies."


@case("override")
async def override(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert desk.told[-1] == "No check of this answer failed."
    judge(desk.store, nodes.friendly_draft)
    await desk.screen.desk.look_around()
    await desk.press(key)
    assert isinstance(desk.app.screen, OverrideScreen)
    await desk.type("The number is right.")
    await desk.press("enter")
    assert "camille uses it all the same: The number is right." in desk.seen


@case("repair")
async def repair(desk: AppDriver, nodes: Branches, key: str) -> None:
    judge(desk.store, nodes.friendly_draft)
    await desk.screen.desk.look_around()
    await desk.press(key)
    await desk.answered()
    assert desk.shown[-1] == ANSWER
    assert desk.shown[-2].startswith("friendlier\n\nAn earlier draft did not pass these checks:")


@case("show_usage")
async def show_usage(desk: AppDriver, branches: Branches, key: str) -> None:
    await desk.press(key)
    assert isinstance(desk.app.screen, UsageScreen)
    assert "Nothing was asked in this conversation yet." in desk.seen


@case("help")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert isinstance(desk.app.screen, HelpScreen)
    await desk.until(lambda: "Move in the conversation" in desk.seen)
    await desk.press("escape")
    assert not desk.app.screen.is_modal


@case("palette")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    await desk.type("next strat")
    await desk.until(lambda: "Next strategy" in desk.seen)
    await desk.press("enter")
    await desk.until(lambda: desk.sheet.settings.strategy is StrategyName.SELECT)


@case("switch_theme")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.press(key)
    assert not desk.app.current_theme.dark
    await desk.press(key)
    assert desk.app.current_theme.dark


@case("close")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.pilot.press(key)
    await desk.until(lambda: not desk.app.is_running or desk.app._exit)


@case("quit")
async def _(desk: AppDriver, nodes: Branches, key: str) -> None:
    await desk.pilot.press(key)
    await desk.until(lambda: not desk.app.is_running or desk.app._exit)
