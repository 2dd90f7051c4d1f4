"""An imported chat in the app: its tree, its text, and what would be sent of it."""

from pathlib import Path

import pytest
from app_driver import a_store, running_app, services
from chat_exports import ChatDesk, a_chatgpt_chain, a_chatgpt_message, text_content
from scripted_provider import ScriptedProvider, words

from assistant.plan.plan import Verdict
from storage.sqlite_store import SqliteStore
from storage.values import Json


@pytest.fixture
def chats(tmp_path: Path) -> ChatDesk:
    store = a_store()
    assert isinstance(store, SqliteStore)
    return ChatDesk(store, tmp_path)


def a_chat() -> dict[str, Json]:
    """A chat with something hidden between its question and its answer."""
    return a_chatgpt_chain(
        a_chatgpt_message("s", "system", text_content("be kind")),
        a_chatgpt_message("u", "user", text_content("How do I word this?")),
        a_chatgpt_message("t", "tool", text_content("secret machinery")),
        a_chatgpt_message("a", "assistant", text_content("Say it \x1b[31mplainly.")),
        title="Wording",
    )


async def test_the_chat_shows_what_was_shown_and_nothing_of_the_machinery(chats: ChatDesk) -> None:
    chats.bring(a_chat())
    ticket_id = next(ticket.id for ticket in chats.store.tickets("camille") if ticket.subject == "Wording")

    async with running_app(services(chats.store), ticket_id) as desk:
        assert desk.shown == ["How do I word this?", "Say it \x1b[31mplainly."]
        assert "How do I word this?" in desk.seen
        assert "plainly." in desk.seen
        assert "secret machinery" not in desk.seen
        assert "be kind" not in desk.seen
        assert "new messages" not in desk.seen
        kinds = [row.node.kind for row in desk.screen.outline.rows]
        assert kinds == ["ticket", "agent_message", "assistant_response"]


async def test_a_follow_up_is_planned_without_a_ticket_and_sent(chats: ChatDesk) -> None:
    chats.bring(a_chat())
    ticket_id = next(ticket.id for ticket in chats.store.tickets("camille") if ticket.subject == "Wording")
    provider = ScriptedProvider(words("Shorter."))

    async with running_app(services(chats.store, provider), ticket_id) as desk:
        await desk.type("shorter")
        plan = desk.sheet.plan
        assert plan is not None
        assert (plan.verdict, plan.ticket_sent) == (Verdict.FITS, True)
        await desk.press("enter")
        await desk.answered()
        assert desk.shown == ["How do I word this?", "Say it \x1b[31mplainly.", "shorter", "Shorter."]

    (chain,) = provider.chains
    assert [message.role for message in chain] == ["system", "user", "assistant", "user"]
    assert chats.bring(a_chat()).unchanged == 1
