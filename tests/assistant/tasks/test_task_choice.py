"""The task that a branch has."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from desks import Desk, a_desk

from assistant.tasks.choice import choose_task, task_of
from assistant.tasks.registry import Tasks
from storage.audit.verification import verify
from storage.sqlite_store import memory_store
from storage.store import Store

TASKS = Tasks()


@pytest.fixture
def store() -> Iterator[Store]:
    with closing(memory_store()) as opened:
        yield opened


def choose(desk: Desk, node_id: int, name: str) -> None:
    choose_task(desk.store, desk.id, node_id, desk.agent, TASKS.get(name))


def task_at(desk: Desk, node_id: int) -> str:
    return task_of(desk.store.branch(desk.id, node_id))


def test_a_conversation_begins_with_replies(store: Store) -> None:
    desk = a_desk(store)
    assert task_at(desk, desk.ticket_node) == "draft-reply"
    assert task_of(()) == "draft-reply"


def test_what_is_chosen_on_a_node_holds_below_it_until_another_is_chosen(store: Store) -> None:
    desk = a_desk(store)
    draft = desk.ask(desk.ticket_node)
    choose(desk, draft.id, "shorten")
    short = desk.ask(draft.id)
    choose(desk, short.id, "free-question")
    choose(desk, short.id, "change-tone")
    last = desk.ask(short.id)
    assert [task_at(desk, node) for node in (desk.ticket_node, draft.id, short.id, last.id)] == [
        "draft-reply",
        "shorten",
        "change-tone",
        "change-tone",
    ]
    assert verify(store).holds


def test_each_branch_carries_its_own(store: Store) -> None:
    desk = a_desk(store)
    draft = desk.ask(desk.ticket_node)
    one, other = desk.ask(draft.id), desk.ask(draft.id)
    choose(desk, one.id, "translate-for-colleague")
    assert task_at(desk, desk.ask(one.id).id) == "translate-for-colleague"
    assert task_at(desk, desk.ask(other.id).id) == "draft-reply"


def test_choosing_is_no_node_and_says_which_version_and_by_whom(store: Store) -> None:
    desk = a_desk(store)
    before = len(store.nodes(desk.id))
    choose(desk, desk.ticket_node, "shorten")
    choice = store.branch(desk.id, desk.ticket_node)[-1]
    assert len(store.nodes(desk.id)) == before
    assert (choice.kind, choice.node.author, choice.content) == ("task", desk.agent, "")
    assert choice.node.meta == {
        "task": "shorten",
        "task_title": "Shorten",
        "task_version": TASKS.get("shorten").version,
    }
