"""What every store keeps of chats that come in."""

from pathlib import Path

import pytest
from desks import Desk, a_ticket
from raw_record import broken_links, raw

from storage.audit.verification import verify
from storage.chats import ChatOutcome, IncomingChat
from storage.errors import ErasedError, NotFoundError, RefusedError, TurnRunningError
from storage.interactions import IncomingNode
from storage.sqlite.driver import sqlite3
from storage.store import Store
from storage.tickets import RawSource

QUESTION = IncomingNode("agent_message", None, "", "Q", source_id="q", created_at=5)
ANSWER = IncomingNode("assistant_response", 0, "gpt", "A", source_id="a", meta={"model": "gpt"})
TOOL = IncomingNode("tool_result", 1, "python", "{}", source_id="t")


def a_chat(*nodes: IncomingNode, chat_id: str = "c", current: int | None = None) -> IncomingChat:
    source = RawSource("x.json#1", "chatgpt", f"{chat_id} {len(nodes)}".encode())
    return IncomingChat("ChatGPT", chat_id, nodes, current, a_ticket("", subject="A chat"), source)


def test_a_chat_makes_a_ticket_a_conversation_and_a_branch_below_the_root(store: Store) -> None:
    saved = store.save_chat("camille", a_chat(QUESTION, ANSWER, TOOL, current=1))

    conversation = store.conversation("camille", saved.ticket_id)
    root, ticket, question, answer = store.nodes(conversation.id)
    assert (saved.outcome, saved.added, saved.changed) == (ChatOutcome.NEW, 3, ())
    assert saved.node_ids[:2] == (question.id, answer.id)
    assert (ticket.parent_id, question.parent_id, answer.parent_id) == (root.id, root.id, question.id)
    assert (question.author, question.created_at, answer.author) == ("camille", 5, "gpt")
    assert store.selected(conversation.id) == answer.id
    assert [name for name, _, _ in store.sources(saved.ticket_id)] == ["x.json#1"]
    assert verify(store).holds


def test_the_same_chat_again_writes_nothing(store: Store) -> None:
    first = store.save_chat("camille", a_chat(QUESTION, ANSWER, TOOL))
    head = store.head(store.conversation("camille", first.ticket_id).id)

    again = store.save_chat("camille", a_chat(QUESTION, ANSWER, TOOL))

    assert (again.outcome, again.added, again.node_ids) == (ChatOutcome.UNCHANGED, 0, first.node_ids)
    assert store.head(store.conversation("camille", first.ticket_id).id) == head


def test_comparing_says_what_saving_would_do(store: Store) -> None:
    assert store.compare_chat("camille", a_chat(QUESTION)).outcome is ChatOutcome.NEW
    assert store.tickets("camille") == []
    store.save_chat("camille", a_chat(QUESTION))

    grown = store.compare_chat("camille", a_chat(QUESTION, ANSWER))

    assert (grown.outcome, grown.added, grown.node_ids) == (ChatOutcome.GROWN, 1, ())


def test_a_chat_that_cannot_be_added_whole_is_not_added_at_all(store: Store) -> None:
    bad = IncomingNode("root", None, "", source_id="r")

    with pytest.raises(RefusedError):
        store.save_chat("camille", a_chat(QUESTION, ANSWER, bad))

    assert store.tickets("camille") == []


def test_chats_with_equal_nodes_stay_apart(store: Store) -> None:
    first = store.save_chat("camille", a_chat(QUESTION))
    second = store.save_chat("camille", a_chat(QUESTION, chat_id="other"))

    assert first.ticket_id != second.ticket_id
    assert second.outcome is ChatOutcome.NEW


def test_what_became_visible_is_added_and_what_became_hidden_too(store: Store) -> None:
    saved = store.save_chat("camille", a_chat(QUESTION, ANSWER, TOOL))
    shown = IncomingNode("assistant_response", 1, "gpt", "it is 42", source_id="t")
    hidden = IncomingNode("observation", 0, "gpt", "{}", source_id="a")
    tool = IncomingNode("tool_result", 0, "python", "{}", source_id="t")

    store.save_chat("camille", a_chat(QUESTION, ANSWER, shown))
    store.save_chat("camille", a_chat(QUESTION, hidden, tool))

    nodes = store.nodes(store.conversation("camille", saved.ticket_id).id)
    assert [node.preview for node in nodes[2:]] == ["Q", "A", "it is 42"]
    assert verify(store).holds


def test_a_ticket_that_is_named_must_be_there_and_not_erased(desk: Desk) -> None:
    with pytest.raises(NotFoundError):
        desk.store.save_chat("camille", a_chat(QUESTION), "T-9")
    saved = desk.store.save_chat("camille", a_chat(QUESTION), "T-80005")
    assert saved.ticket_id == "T-80005"
    desk.store.erase("T-80005", "camille", "asked for")

    for chat in (a_chat(QUESTION), a_chat(QUESTION, chat_id="other")):
        with pytest.raises(ErasedError):
            desk.store.save_chat("camille", chat, "T-80005")
    with pytest.raises(ErasedError):
        desk.store.save_chat("camille", a_chat(QUESTION))


def test_nothing_is_added_while_an_answer_is_written(desk: Desk) -> None:
    desk.begin(desk.ticket_node)

    with pytest.raises(TurnRunningError):
        desk.store.save_chat("camille", a_chat(QUESTION), "T-80005")


def test_the_chain_holds_over_what_came_in(file_desk: Desk, database: Path) -> None:
    file_desk.store.save_chat("camille", a_chat(QUESTION, ANSWER, TOOL), "T-80005")
    file_desk.say(file_desk.ticket_node, "meanwhile")

    with raw(database) as connection:
        assert broken_links(connection, file_desk.id) == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE imported_node SET interaction_id = 1",
        "DELETE FROM imported_node",
        "DELETE FROM imported_chat",
        "INSERT OR REPLACE INTO imported_node SELECT conversation_id, chat_id, key, version, 1 FROM imported_node",
        "INSERT INTO imported_node SELECT conversation_id, chat_id, key, 5, interaction_id FROM imported_node",
        "INSERT INTO imported_node SELECT conversation_id, chat_id, x'00', 1, 9999 FROM imported_node",
        "INSERT INTO imported_node SELECT conversation_id, 9999, x'00', 1, interaction_id FROM imported_node",
        "INSERT INTO imported_chat SELECT 9, conversation_id, key, imported_at FROM imported_chat",
        "INSERT INTO imported_chat SELECT 9, 9999, key, imported_at FROM imported_chat",
    ],
)
def test_where_nodes_came_from_cannot_be_changed_or_bent(statement: str, file_desk: Desk, database: Path) -> None:
    file_desk.store.save_chat("camille", a_chat(QUESTION), "T-80005")

    with raw(database) as connection, pytest.raises(sqlite3.Error, match="refused"):
        connection.execute(statement)
