"""What the app promises around conversations: kept apart, kept safe, planned as shown."""

import pytest
from app_driver import (
    ANSWER,
    CLOSED,
    OTHER,
    TICKET,
    a_store,
    running_app,
    services,
    with_branches,
)
from desks import Desk, a_ticket
from scripted_provider import Pause, ScriptedProvider, words

from assistant.errors import Fault, ProviderError
from assistant.plan.plan import PlanSettings, StrategyName, Verdict
from assistant.provider.provider import Ended, TextChunk, Waiting
from storage.interactions import Draft, Status
from storage.sqlite_store import memory_store
from tui.desk.sheet import TEXT_STANDS
from tui.widgets.ticket_list import UNREAD

REFUSED = ProviderError(
    Fault.REFUSED, "The server at scripted.invalid refused the connection.", "Start it, then ask again."
)


async def test_a_ticket_opens_and_a_draft_is_asked_for_without_a_question() -> None:
    async with running_app(services(a_store())) as desk:
        assert "mon hamac n'est pas arrivé" in desk.seen
        await desk.press("f9")
        await desk.answered()
        assert desk.shown == [ANSWER]
        assert desk.screen.outline.cursor_id == desk.sheet.page.path[-1].id


async def test_enter_sends_the_text_and_empties_the_composer() -> None:
    provider = ScriptedProvider(words("Oui."))
    async with running_app(services(a_store(), provider)) as desk:
        await desk.type("Is it late?")
        plan = desk.sheet.plan
        assert plan is not None
        await desk.press("enter")
        await desk.answered()
        assert desk.shown == ["Is it late?", "Oui."]
        assert desk.screen.composer.text == ""
        await desk.until(lambda: desk.store.draft("camille", TICKET) == Draft(""))
        assert provider.chains == [plan.chain]


async def test_the_cursor_moves_in_the_composer_and_what_was_typed_can_be_deleted() -> None:
    async with running_app(services(a_store())) as desk:
        await desk.press(*"abcdef", "backspace", "left", "left", "delete", "up", "x", "end", "y")
        assert desk.screen.composer.text == "xabcey"
        assert desk.screen.typing


async def test_an_empty_composer_sends_nothing() -> None:
    provider = ScriptedProvider(words("Oui."))
    async with running_app(services(a_store(), provider)) as desk:
        await desk.press("enter", "space", "enter")
        assert not desk.screen.desk.turns.any_running
        assert provider.chains == []


async def test_who_answers_and_who_asks_is_always_in_sight() -> None:
    async with running_app(services(a_store())) as desk:
        assert "camille → scripted-1" in desk.seen


# keeping pages apart


async def test_an_answer_lands_where_it_belongs_while_another_ticket_is_open() -> None:
    provider = ScriptedProvider([TextChunk("First half, "), Pause.UNTIL_TOLD, TextChunk("second half."), Ended("stop")])
    async with running_app(services(a_store(), provider)) as desk:
        await desk.press("f9")
        await desk.until(lambda: desk.shown == ["First half, "])
        await desk.press("ctrl+n")
        assert desk.sheet.page.ticket.id == OTHER
        assert desk.shown == []
        assert desk.screen.desk.busy == ""
        provider.go_on()
        await desk.answered()
        assert desk.shown == []
        assert UNREAD in desk.seen
        await desk.press("ctrl+b")
        assert desk.shown == ["First half, second half."]
        assert UNREAD not in desk.seen


async def test_coming_back_to_a_growing_answer_shows_each_piece_once() -> None:
    provider = ScriptedProvider(
        [TextChunk("one "), Pause.UNTIL_TOLD, TextChunk("two "), Pause.UNTIL_TOLD, TextChunk("three"), Ended("stop")]
    )
    async with running_app(services(a_store(), provider)) as desk:
        await desk.press("f9")
        await desk.until(lambda: desk.shown == ["one "])
        await desk.press("ctrl+n")
        provider.go_on()
        await desk.until(lambda: provider.paused.is_set())
        await desk.press("ctrl+b")
        await desk.until(lambda: desk.shown == ["one two "])
        provider.go_on()
        await desk.answered()
        assert desk.shown == ["one two three"]


async def test_what_is_typed_while_an_answer_is_written_stays_and_is_sent_once_it_has_ended() -> None:
    provider = ScriptedProvider([TextChunk("Well, "), Pause.UNTIL_TOLD, Ended("stop")], words("Shorter."))
    store = a_store()
    async with running_app(services(store, provider)) as desk:
        await desk.press("f9")
        await desk.until(lambda: desk.shown == ["Well, "])
        await desk.press("R", "x", "enter")
        assert (desk.screen.composer.text, desk.screen.composer.read_only) == ("Rx", False)
        assert "The answer is being written. Esc stops it." in desk.seen
        assert len(provider.chains) == 1
        provider.go_on()
        await desk.answered()
        assert (desk.screen.composer.text, desk.screen.composer.reason) == ("Rx", "")
        await desk.until(lambda: store.draft("camille", TICKET).text == "Rx")
        await desk.press("enter")
        await desk.answered()
        assert desk.shown == ["Well, ", "Rx", "Shorter."]
        assert desk.screen.composer.text == ""


async def test_keys_right_behind_enter_are_the_beginning_of_the_next_text() -> None:
    store = a_store()
    async with running_app(services(store, ScriptedProvider(words("Oui."), words("Non.")))) as desk:
        await desk.type("Is it late?")
        await desk.press("left")
        await desk.burst(("enter", *"and"))
        await desk.answered()
        assert desk.shown == ["Is it late?", "Oui."]
        assert desk.screen.composer.text == "and"
        await desk.burst(("enter", "b"))
        await desk.answered()
        assert desk.shown[2:] == ["and", "Non."]
        await desk.until(lambda: store.draft("camille", TICKET) == Draft("b"))


async def test_keys_right_behind_the_enter_that_sends_an_edit_are_no_edit() -> None:
    store = a_store()
    made = with_branches(store)
    async with running_app(services(store)) as desk:
        await desk.at(made.friendlier)
        await desk.press("E")
        await desk.burst((*" still", "enter", "k"))
        await desk.answered()
        assert desk.shown[1:] == ["friendlier still", ANSWER]
        assert desk.sheet.page.edited is None
        await desk.until(lambda: store.draft("camille", TICKET) == Draft("k"))


async def test_what_is_typed_while_an_answer_fails_is_not_taken_away_by_the_question() -> None:
    provider = ScriptedProvider([Pause.UNTIL_TOLD, REFUSED])
    async with running_app(services(a_store(), provider)) as desk:
        await desk.type("Is it late?")
        await desk.press("enter")
        await desk.until(lambda: provider.paused.is_set() and not desk.screen.composer.text)
        await desk.type("and shorter")
        provider.go_on()
        await desk.answered()
        assert desk.screen.composer.text == "and shorter"


async def test_two_agents_have_pages_of_their_own() -> None:
    store = a_store()
    with_branches(store, "camille")
    async with running_app(services(store, agent="jonas")) as desk:
        assert desk.shown == []
        await desk.type("for Jonas only")
    async with running_app(services(store, agent="camille")) as desk:
        assert desk.screen.composer.text == ""
        assert len(desk.shown) == 3
    async with running_app(services(store, agent="jonas")) as desk:
        assert desk.screen.composer.text == "for Jonas only"


async def test_what_another_window_writes_appears_by_itself() -> None:
    store = a_store()
    async with running_app(services(store)) as desk:
        other_window = Desk(store, desk.sheet.page.conversation)
        other_window.answer(other_window.ticket_node, "Written elsewhere.")
        store.save_ticket(a_ticket("T-99999", "New here."))
        await desk.until(lambda: desk.shown == ["Written elsewhere."])
        await desk.until(lambda: "T-99999" in desk.seen)


async def test_an_answer_of_another_window_blocks_the_composer_until_it_ends() -> None:
    store = a_store()
    desk_there = Desk(store, store.open_conversation("camille", TICKET))
    growing = desk_there.begin(desk_there.ticket_node)
    async with running_app(services(store)) as desk:
        assert "Another window is writing an answer here." in desk.seen
        store.add_text(desk_there.id, growing.id, "Done.")
        store.finish(desk_there.id, growing.id, Status.COMPLETE, {})
        await desk.until(lambda: desk.screen.composer.reason == "")
        assert desk.shown == ["Done."]


# the cut before it happens


async def test_enter_does_not_send_while_the_ticket_is_outside() -> None:
    store, provider = a_store(), ScriptedProvider(words("Oui."))
    with_branches(store)
    async with running_app(services(store, provider)) as desk:
        await desk.type("shorter")
        assert desk.sheet.plan is not None
        desk.screen.desk.choose("budget", desk.sheet.plan.total - 1)
        await desk.rest()
        assert desk.sheet.plan.verdict is Verdict.TICKET_OUTSIDE
        assert "The ticket is outside the budget" in desk.seen
        await desk.press("enter")
        assert provider.chains == []
        assert desk.screen.composer.text == "shorter"


@pytest.mark.parametrize(("key", "ticket_is_sent"), [("f2", True), ("f3", True), ("f4", False)])
async def test_each_choice_of_the_warning_acts_from_the_composer(key: str, ticket_is_sent: bool) -> None:
    store, provider = a_store(), ScriptedProvider(words("Oui."))
    with_branches(store)
    async with running_app(services(store, provider)) as desk:
        await desk.type("shorter")
        assert desk.sheet.plan is not None
        desk.screen.desk.choose("budget", desk.sheet.plan.total - 1)
        await desk.press(key)
        if key != "f4":
            plan = desk.sheet.plan
            await desk.press("enter")
            assert plan.ticket_sent
        await desk.answered()
        assert desk.shown[-2:] == ["shorter", "Oui."]
        sent = "".join(message.content for message in provider.chains[0])
        assert ("W2378156" in sent) is ticket_is_sent


async def test_shortening_the_text_takes_the_warning_away() -> None:
    store = a_store()
    with_branches(store)
    async with running_app(services(store)) as desk:
        assert desk.sheet.plan is not None
        desk.screen.desk.choose("budget", desk.sheet.plan.total + 10)
        await desk.type("very long " * 10)
        assert "outside" in desk.seen
        desk.screen.composer.load("short")
        await desk.rest()
        assert desk.sheet.plan.verdict is Verdict.FITS
        assert "outside" not in desk.seen


async def test_cut_turns_are_marked_by_a_word_in_the_chat_and_a_sign_in_the_outline() -> None:
    store = a_store()
    with_branches(store)
    async with running_app(services(store)) as desk:
        assert "✂" not in desk.seen
        assert desk.sheet.plan is not None
        desk.screen.desk.choose("budget", desk.sheet.plan.total - 1)
        await desk.rest()
        assert "✂ cut" in desk.seen


async def test_a_choice_for_one_conversation_is_kept_for_it_alone() -> None:
    store = a_store()
    async with running_app(services(store)) as desk:
        await desk.press("f5", "f3")
        await desk.press("ctrl+n")
        assert desk.sheet.settings == PlanSettings()
    async with running_app(services(store)) as desk:
        assert (desk.sheet.settings.strategy, desk.sheet.settings.budget) == ("select", 4_000)


# failures


async def test_a_failure_gives_a_card_and_the_question_back() -> None:
    provider = ScriptedProvider([REFUSED], words("Now it works."))
    async with running_app(services(a_store(), provider)) as desk:
        await desk.type("Is it late?")
        await desk.press("enter")
        await desk.answered()
        assert "refused the connection" in desk.seen
        assert "Start it, then ask again." in desk.seen
        assert desk.screen.composer.text == "Is it late?"
        assert "ask again" in desk.screen.composer.mode
        await desk.press("enter")
        await desk.answered()
        question = desk.sheet.page.path[-1].node.parent_id
        assert question is not None
        assert [node.status for node in desk.sheet.page.children(question)] == [Status.ERROR, Status.COMPLETE]
        assert desk.shown == ["Is it late?", "Now it works."]
        assert desk.screen.composer.text == ""


async def test_a_question_that_was_changed_after_a_failure_is_a_sibling() -> None:
    provider = ScriptedProvider([REFUSED], words("Oui."))
    async with running_app(services(a_store(), provider)) as desk:
        await desk.type("Is it late?")
        await desk.press("enter")
        await desk.answered()
        await desk.type(" Really?")
        await desk.press("enter")
        await desk.answered()
        assert desk.shown == ["Is it late? Really?", "Oui."]
        assert [node.preview for node in desk.sheet.page.nodes if node.kind == "agent_message"] == [
            "Is it late?",
            "Is it late? Really?",
        ]


async def test_a_failure_in_another_conversation_gives_the_question_back_there() -> None:
    provider = ScriptedProvider([Pause.UNTIL_TOLD, REFUSED])
    async with running_app(services(a_store(), provider)) as desk:
        await desk.type("Is it late?")
        await desk.press("enter")
        await desk.until(lambda: provider.paused.is_set())
        await desk.press("ctrl+n")
        provider.go_on()
        await desk.answered()
        assert desk.screen.composer.text == ""
        await desk.press("ctrl+b")
        assert desk.screen.composer.text == "Is it late?"
        assert "refused the connection" in desk.seen


async def test_asking_again_in_vain_returns_to_the_good_answer() -> None:
    provider = ScriptedProvider(words("Good."), [REFUSED])
    async with running_app(services(a_store(), provider)) as desk:
        await desk.press("f9")
        await desk.answered()
        await desk.press("escape", "R")
        await desk.answered()
        assert desk.shown == ["Good."]
        assert any("asking again failed" in text for text in desk.told)
        assert Status.ERROR in [row.node.status for row in desk.screen.outline.rows]


async def test_a_busy_server_is_waited_for_in_sight() -> None:
    provider = ScriptedProvider(
        [Waiting(1, 2.0, "The server is busy (429)."), Pause.UNTIL_TOLD, TextChunk("Here."), Ended("stop")]
    )
    async with running_app(services(a_store(), provider)) as desk:
        await desk.press("f9")
        await desk.until(lambda: "The server is busy (429). Trying again in 2 s." in desk.seen)
        provider.go_on()
        await desk.answered()
        assert desk.shown == ["Here."]


async def test_an_unexpected_error_is_a_sentence_and_the_app_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_app(services(a_store())) as desk:
        monkeypatch.setattr(type(desk.store), "open_conversation", lambda *_: 1 / 0)
        await desk.press("ctrl+n")
        assert "ZeroDivisionError" in desk.told[-1]
        desk.told.clear()
        assert desk.sheet.page.ticket.id == TICKET


# drafts and restarts


async def test_a_draft_is_kept_for_its_own_ticket() -> None:
    store = a_store()
    async with running_app(services(store)) as desk:
        await desk.type("half a thought")
        await desk.press("ctrl+n")
        assert desk.screen.composer.text == ""
        await desk.type("another")
        await desk.press("ctrl+b")
        assert desk.screen.composer.text == "half a thought"
    assert store.draft("camille", TICKET).text == "half a thought"
    assert store.draft("camille", OTHER).text == "another"


async def test_the_last_draft_is_saved_whatever_ends_the_app() -> None:
    store = a_store()
    async with running_app(services(store)) as desk:
        desk.screen.composer.insert("typed a moment ago")
        await desk.pilot.pause()
    assert store.draft("camille", TICKET).text == "typed a moment ago"


async def test_an_edit_that_was_begun_goes_on_after_a_restart() -> None:
    store = a_store()
    nodes = with_branches(store)
    async with running_app(services(store)) as desk:
        await desk.at(nodes.shorter)
        await desk.press("E")
        await desk.type("!")
    async with running_app(services(store)) as desk:
        assert desk.screen.composer.text == "make it shorter!"
        assert desk.screen.composer.mode.startswith("edit 1/2")
        await desk.press("enter")
        await desk.answered()
        assert desk.shown[1:] == ["make it shorter!", ANSWER]


async def test_a_text_in_the_composer_does_not_give_way_to_an_edit() -> None:
    store = a_store()
    nodes = with_branches(store)
    async with running_app(services(store)) as desk:
        await desk.type("half a thought")
        await desk.press("escape")
        await desk.at(nodes.shorter)
        await desk.press("E")
        assert desk.screen.composer.text == "half a thought"
        assert desk.told[-1] == TEXT_STANDS
    kept = store.draft("camille", TICKET)
    assert (kept.text, kept.edits) == ("half a thought", False)


async def test_the_chosen_leaf_survives_a_restart() -> None:
    store = a_store()
    nodes = with_branches(store)
    async with running_app(services(store)) as desk:
        assert desk.shown[-1] == "Chère Sophie, quelle patience !"
        await desk.at(nodes.shorter)
    async with running_app(services(store)) as desk:
        assert desk.shown[-1] == "Il est en route."


async def test_leaving_stops_what_is_being_written_and_keeps_it() -> None:
    store = a_store()
    async with running_app(services(store, ScriptedProvider([TextChunk("Half"), Pause.FOR_EVER]))) as desk:
        await desk.press("f9")
        await desk.until(lambda: desk.shown == ["Half"])
        await desk.press("escape")
        await desk.answered()
        await desk.press("escape", "R")
        await desk.until(lambda: desk.shown == ["Half"] and desk.screen.desk.turns.any_running)
        await desk.press("q")
        assert desk.told[-1] == "An answer is still being written; Ctrl+Q stops it and leaves."
        await desk.pilot.press("ctrl+q")
        await desk.until(lambda: desk.app._exit)
    conversation = store.conversation("camille", TICKET)
    answers = [node for node in store.nodes(conversation.id) if node.kind == "assistant_response"]
    assert [node.status for node in answers] == [Status.INTERRUPTED, Status.INTERRUPTED]


# the desk


async def test_an_empty_desk_says_how_to_begin() -> None:
    async with running_app(services(memory_store()), None) as desk:
        assert "ticketree import" in desk.seen
        assert "ticketree demo" in desk.seen


async def test_enter_in_the_list_opens_a_ticket_to_write() -> None:
    async with running_app(services(a_store()), None) as desk:
        assert "Choose a ticket" in desk.seen
        await desk.press("j", "enter")
        assert desk.sheet.page.ticket.id == OTHER
        assert desk.screen.typing


async def test_a_closed_ticket_says_so() -> None:
    async with running_app(services(a_store()), CLOSED) as desk:
        assert "✓ closed" in desk.seen


async def test_a_narrow_terminal_hides_the_side_panel_until_it_is_wanted() -> None:
    async with running_app(services(a_store()), size=(80, 24)) as desk:
        assert not desk.screen.tickets.is_on_screen
        await desk.press("ctrl+t")
        assert desk.app.focused is desk.screen.tickets
        await desk.press("j", "enter")
        assert desk.sheet.page.ticket.id == OTHER
        assert not desk.screen.tickets.is_on_screen
        assert desk.screen.typing


async def test_letters_typed_into_the_composer_are_no_commands() -> None:
    async with running_app(services(a_store())) as desk:
        await desk.press(*"jkRtq?")
        assert desk.screen.composer.text == "jkRtq?"
        assert not desk.app.screen.is_modal


@pytest.mark.parametrize("panel", ["1", "2", "3"])
async def test_what_is_typed_right_after_the_key_that_leads_to_the_composer_is_text(panel: str) -> None:
    store = a_store()
    with_branches(store)
    async with running_app(services(store)) as desk:
        await desk.press("escape", panel)
        await desk.burst("wshortez")
        assert desk.screen.composer.text == "shortez"
        await desk.press("escape")
        await desk.burst("rsit")
        assert desk.screen.composer.text == "shortezsit"
        assert desk.sheet.settings.strategy is StrategyName.CUT


async def test_keys_can_be_given_away_in_the_configuration() -> None:
    async with running_app(services(a_store(), keys={"next_ticket": "z F6", "quit": "ctrl+h"})) as desk:
        assert "cannot use Ctrl+H" in desk.told[0]
        await desk.press("escape", "z")
        assert desk.sheet.page.ticket.id == OTHER


async def test_no_counter_yet_means_nothing_is_sent() -> None:
    async with running_app(services(a_store())) as desk:
        desk.sheet.plan = None
        desk.screen.desk.send()
        assert not desk.screen.desk.turns.any_running


async def test_a_ticket_that_another_window_erases_is_shown_as_erased_and_takes_nothing_new() -> None:
    store = a_store()
    with_branches(store)
    async with running_app(services(store)) as desk:
        await desk.type("what was typed here")
        store.erase(TICKET, "noah", "asked by mail")

        await desk.screen.desk.look_around()
        await desk.rest()

        assert desk.sheet.page.ticket.erased
        assert set(desk.shown) == {"[erased on 2025-06-15 by noah: asked by mail]"}
        assert desk.screen.desk.busy == "The words of this ticket were erased; it takes nothing new."
        assert desk.screen.composer.read_only
        assert "what was typed here" not in desk.seen
        desk.screen.outline.focus()
        await desk.press("z")
        assert desk.told[-1] == "The words of this ticket were erased; it stays as it is."
    assert store.draft("camille", TICKET).text == ""


async def test_a_ticket_that_another_window_closes_is_shown_as_closed() -> None:
    store = a_store()
    async with running_app(services(store)) as desk:
        store.close_ticket(TICKET, "noah")

        await desk.screen.desk.look_around()
        await desk.rest()

        assert desk.sheet.page.ticket.status == "closed"
        assert "✓ closed" in desk.seen


async def test_a_pending_erasure_is_said_in_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    store = a_store()
    monkeypatch.setattr("storage.sqlite.engine.MemoryEngine.scrub", lambda engine: False)
    async with running_app(services(store)) as desk:
        desk.screen.outline.focus()
        await desk.press("Z")
        await desk.type("asked by mail")
        await desk.press("enter")

        assert desk.told[-1].startswith(f"Erasure pending: the words of {TICKET} are gone from the record.")
        assert desk.store.erasures()[0].pending
