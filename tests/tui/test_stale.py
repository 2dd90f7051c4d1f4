"""The customer writes again: older answers are marked, copying asks, and the next request has the new messages."""

from dataclasses import replace

import pytest
from app_driver import ANSWER, TICKET, AppDriver, Branches, a_store, running_app, services, with_branches
from desks import NOON, a_message, a_ticket
from scripted_provider import ScriptedProvider, words

from storage.kinds import COPY
from storage.store import Store
from tui.screens.stale import StaleScreen

AGAIN = "Annulez tout : remboursez-moi."


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    return []


def write_again(store: Store, text: str = AGAIN) -> None:
    messages = (*store.ticket(TICKET).messages, a_message(text, source_id=text))
    store.save_ticket(a_ticket(TICKET, messages=messages, language="fr", created_at=NOON + 3))


def stale_desk() -> tuple[Store, Branches]:
    store = a_store()
    nodes = with_branches(store)
    write_again(store)
    return store, nodes


async def reading(desk: AppDriver, sent: list[str]) -> None:
    desk.screen.write_terminal = sent.append
    desk.screen.outline.focus()
    await desk.rest()


def asks(desk: AppDriver) -> bool:
    return isinstance(desk.app.screen, StaleScreen)


def kinds(desk: AppDriver) -> list[str]:
    return [entry.kind for entry in desk.sheet.page.path]


async def test_answers_to_the_older_version_are_marked_with_a_sign_and_a_word() -> None:
    store, nodes = stale_desk()
    async with running_app(services(store)) as desk:
        stale = [line for line in desk.seen.splitlines() if "◌" in line]
        assert any("◌ stale" in line[40:] for line in stale)
        assert any("Chère Sophie" in line[:40] for line in stale)
        assert {item.id for item in desk.screen.chat.items if item.stale} == {nodes.draft.id, nodes.friendly_draft.id}


async def test_the_outline_marks_them_on_every_branch_that_has_not_taken_the_new_version_in() -> None:
    store, nodes = stale_desk()
    below = store.add_snapshot(nodes.draft.conversation_id, nodes.draft.id, 2)
    store.add_message(below.conversation_id, below.id, "camille", "so it is")
    async with running_app(services(store)) as desk:
        assert desk.sheet.page.stale == {nodes.draft.id, nodes.short_draft.id, nodes.friendly_draft.id}
        marked = [line[:40] for line in desk.seen.splitlines() if "◌" in line[:40]]
        texts = ("votre hamac", "Il est en route.", "quelle")
        assert [any(text in row for row in marked) for text in texts] == [True, True, True]


@pytest.mark.parametrize("key", ["y", "Y"])
async def test_copying_a_stale_answer_shows_what_was_written_since_and_copies_only_when_asked_again(
    key: str, sent: list[str]
) -> None:
    store, _ = stale_desk()
    async with running_app(services(store)) as desk:
        await reading(desk, sent)
        await desk.press(key)
        assert asks(desk)
        assert AGAIN in desk.seen
        await desk.press("escape")
        assert not asks(desk)
        assert sent == []
        await desk.press(key)
        await desk.press(key)
        assert not asks(desk)
        assert len(sent) == 1


async def test_an_answer_that_goes_stale_while_another_window_imports_asks_too(sent: list[str]) -> None:
    store = a_store()
    nodes = with_branches(store)
    async with running_app(services(store)) as desk:
        await reading(desk, sent)
        write_again(store)
        await desk.press("y")
        assert asks(desk)
        await desk.press("escape")
        await desk.screen.desk.look_around()
        await desk.rest()
        assert "◌ stale" in desk.seen
    assert [e for e in store.branch(nodes.draft.conversation_id, nodes.friendly_draft.id) if e.kind == COPY.name] == []


async def test_what_is_sent_takes_the_new_version_in_first_exactly_as_the_plan_showed(sent: list[str]) -> None:
    store, nodes = stale_desk()
    provider = ScriptedProvider(words(ANSWER))
    async with running_app(services(store, provider)) as desk:
        desk.screen.composer.focus()
        await desk.type("shorter")
        plan = desk.sheet.plan
        assert plan is not None
        assert AGAIN in plan.chain[-2].content
        assert "takes in version 2 of the ticket" in desk.seen
        assert "new; goes along with what you send" in desk.seen
        await desk.press("enter")
        await desk.answered()
        assert kinds(desk)[-3:] == ["ticket", "agent_message", "assistant_response"]
        assert desk.sheet.page.path[-4].id == nodes.friendly_draft.id
        assert provider.chains[-1] == plan.chain
        assert nodes.friendly_draft.id in desk.sheet.page.stale
        assert desk.sheet.page.path[-1].id not in desk.sheet.page.stale
        await reading(desk, sent)
        await desk.press("y")
        assert len(sent) == 1


async def test_a_reply_to_the_new_messages_can_be_drafted_without_a_question() -> None:
    store, nodes = stale_desk()
    async with running_app(services(store, ScriptedProvider(words(ANSWER)))) as desk:
        desk.screen.outline.focus()
        await desk.press("d")
        await desk.answered()
        assert kinds(desk)[-2:] == ["ticket", "assistant_response"]
        assert desk.sheet.page.path[-3].id == nodes.friendly_draft.id


async def test_an_edited_message_is_sent_below_the_new_version() -> None:
    store, nodes = stale_desk()
    provider = ScriptedProvider(words(ANSWER))
    async with running_app(services(store, provider)) as desk:
        desk.screen.outline.focus()
        await desk.at(nodes.friendlier)
        await desk.press("E")
        await desk.press("enter")
        await desk.answered()
        assert kinds(desk)[-3:] == ["ticket", "agent_message", "assistant_response"]
        assert desk.sheet.page.path[-4].id == nodes.draft.id
        assert desk.sheet.page.path[-2].content == "friendlier"
        assert AGAIN in provider.chains[-1][-2].content


async def test_asking_again_puts_the_question_into_the_composer_so_that_the_new_messages_go_along() -> None:
    store, nodes = stale_desk()
    provider = ScriptedProvider(words(ANSWER))
    async with running_app(services(store, provider)) as desk:
        desk.screen.outline.focus()
        await desk.at(nodes.friendly_draft)
        await desk.press("R")
        assert desk.told[-1] == "The ticket has new messages. They go along with what you send now."
        assert (desk.screen.composer.text, provider.chains) == ("friendlier", [])


async def test_leaving_an_edit_keeps_nothing_that_was_not_typed() -> None:
    store, nodes = stale_desk()
    async with running_app(services(store)) as desk:
        desk.screen.outline.focus()
        await desk.at(nodes.friendlier)
        await desk.press("E")
        desk.screen.outline.focus()
        await desk.press("u")
        assert desk.screen.composer.text == ""


async def test_a_note_of_a_colleague_marks_nothing_and_copying_does_not_ask(sent: list[str]) -> None:
    store = a_store()
    with_branches(store)
    ticket = store.ticket(TICKET)
    note = ticket.messages[-1]
    more = (*ticket.messages, replace(note, text="Found it.", source_id="n"))
    store.save_ticket(a_ticket(TICKET, messages=more, language="fr", created_at=NOON + 3))
    async with running_app(services(store)) as desk:
        assert "◌" not in desk.seen
        await reading(desk, sent)
        await desk.press("y")
        assert len(sent) == 1
