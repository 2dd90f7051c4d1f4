from collections.abc import Iterator
from pathlib import Path

import pytest
from sample_paths import a_task

from assistant.plan.plan import Fate, PlanSettings, StrategyName
from assistant.plan.planner import make_plan
from assistant.plan.projection import project
from assistant.tokens.counters import EstimateCounter
from storage.errors import NotFoundError
from storage.interactions import IncomingNode, Status
from storage.sqlite_store import memory_store, open_store
from storage.store import Store
from storage.tickets import IncomingTicket, Role, TicketMessage


def incoming(*texts: str, ticket_id: str = "T-1") -> IncomingTicket:
    messages = tuple(TicketMessage("Sophie", Role.CUSTOMER, text) for text in texts)
    return IncomingTicket(ticket_id, "Hammock", "Sophie", messages)


@pytest.fixture
def store() -> Iterator[Store]:
    record = memory_store()
    record.save_ticket(incoming("Where is my hammock?"))
    record.save_ticket(incoming("The kettle smells.", ticket_id="T-2"))
    yield record
    record.close()


def answered(store: Store, conversation_id: int, parent_id: int, text: str) -> int:
    answer = store.begin_answer(conversation_id, parent_id, "built-in", meta={})
    store.add_text(conversation_id, answer.id, text)
    return store.finish(conversation_id, answer.id, Status.COMPLETE, {}).id


def texts(store: Store, agent: str, ticket_id: str, at: int | None = None) -> list[str]:
    path = project(store, agent, ticket_id, at).path
    return [i.ticket.messages[-1].text if i.ticket else i.content for i in path]


def test_the_path_to_the_chosen_leaf(store: Store) -> None:
    conversation = store.open_conversation("camille", "T-1")
    answer_id = answered(store, conversation.id, store.selected(conversation.id), "On its way.")
    message = store.add_message(conversation.id, answer_id, "camille", "shorter")
    projection = project(store, "camille", "T-1")
    assert texts(store, "camille", "T-1") == ["", "Where is my hammock?", "On its way.", "shorter"]
    assert (projection.conversation, projection.leaf_id) == (conversation, message.id)
    assert projection.head == store.head(conversation.id)


def test_the_path_to_any_node(store: Store) -> None:
    conversation = store.open_conversation("camille", "T-1")
    first = answered(store, conversation.id, store.selected(conversation.id), "On its way.")
    store.add_message(conversation.id, first, "camille", "shorter")
    assert texts(store, "camille", "T-1", at=first) == ["", "Where is my hammock?", "On its way."]


def test_before_a_conversation_has_begun_the_path_is_what_it_will_begin_with(store: Store) -> None:
    projection = project(store, "camille", "T-1")
    assert (projection.conversation, projection.leaf_id, projection.head) == (None, None, 0)
    before = make_plan(projection.path, None, a_task(), PlanSettings(), EstimateCounter())
    assert all(item.id is None for item in before.items)
    with pytest.raises(NotFoundError):
        store.conversation("camille", "T-1")

    store.open_conversation("camille", "T-1")
    begun = project(store, "camille", "T-1")
    assert begun.leaf_id is not None
    after = make_plan(begun.path, None, a_task(), PlanSettings(), EstimateCounter())
    assert after.chain == before.chain
    assert (after.total, after.verdict) == (before.total, before.verdict)


def test_an_unknown_ticket_is_not_found(store: Store) -> None:
    with pytest.raises(NotFoundError):
        project(store, "camille", "T-9")


def test_a_node_of_another_ticket_or_agent_is_not_found(store: Store) -> None:
    mine = store.open_conversation("camille", "T-1")
    theirs = store.open_conversation("robin", "T-1")
    other = store.open_conversation("camille", "T-2")
    for node_id in (store.selected(theirs.id), store.selected(other.id), 10_000):
        with pytest.raises(NotFoundError):
            project(store, "camille", "T-1", at=node_id)
    with pytest.raises(NotFoundError):
        project(store, "sam", "T-1", at=store.selected(mine.id))


def test_agents_share_a_ticket_and_no_word(store: Store) -> None:
    for agent in ("camille", "robin"):
        conversation = store.open_conversation(agent, "T-1")
        store.add_message(conversation.id, store.selected(conversation.id), agent, f"by {agent}")
    assert texts(store, "camille", "T-1")[-1] == "by camille"
    assert texts(store, "robin", "T-1")[-1] == "by robin"


def test_a_newer_snapshot_is_told_of_until_it_is_on_the_path(store: Store) -> None:
    conversation = store.open_conversation("camille", "T-1")
    assert not project(store, "camille", "T-1").has_newer_ticket
    store.save_ticket(incoming("Where is my hammock?", "Hello?"))
    assert project(store, "camille", "T-1").has_newer_ticket
    node = store.add_snapshot(conversation.id, store.selected(conversation.id), 2)
    projection = project(store, "camille", "T-1", at=node.id)
    assert not projection.has_newer_ticket
    plan = make_plan(projection.path, "and now?", a_task(), PlanSettings(), EstimateCounter())
    assert [item.kind for item in plan.items] == ["system", "ticket", "ticket", "question"]


def test_branches_do_not_meet_in_a_plan(store: Store) -> None:
    conversation = store.open_conversation("camille", "T-1")
    ticket_id = store.selected(conversation.id)
    left = answered(store, conversation.id, ticket_id, "left")
    right = answered(store, conversation.id, ticket_id, "right")
    for leaf, other in ((left, "right"), (right, "left")):
        path = project(store, "camille", "T-1", at=leaf).path
        plan = make_plan(path, "shorter", a_task(), PlanSettings(), EstimateCounter())
        assert all(item.fate is Fate.SENT for item in plan.items)
        assert not any(other in message.content for message in plan.chain)


def test_a_conversation_gives_the_same_chain_after_a_restart(tmp_path: Path) -> None:
    settings = PlanSettings(StrategyName.SELECT, budget=80)
    chains = []
    store: Store = open_store(tmp_path / "desk.db")
    store.save_ticket(incoming("Where is my hammock? <|endoftext|>"))
    conversation = store.open_conversation("camille", "T-1")
    leaf = answered(store, conversation.id, store.selected(conversation.id), "a\x00b\u202e" * 40)
    store.add_message(conversation.id, leaf, "camille", "shorter \U0001f469\u200d\U0001f467")
    for _ in range(2):
        path = project(store, "camille", "T-1").path
        chains.append(make_plan(path, None, a_task(), settings, EstimateCounter()).chain)
        store.close()
        store = open_store(tmp_path / "desk.db")
    store.close()
    assert chains[0] == chains[1]
    assert [message.role for message in chains[0]] == ["system", "user", "user"]
    assert chains[0][-1].content == "shorter \U0001f469\u200d\U0001f467"


def test_a_path_that_was_imported_has_no_ticket_and_misses_none(store: Store) -> None:
    conversation = store.open_conversation("camille", "T-1")
    (question,) = store.add_branch(conversation.id, [IncomingNode("agent_message", None, "camille", "an old chat")])

    projection = project(store, "camille", "T-1", at=question)
    plan = make_plan(projection.path, "and now?", a_task(), PlanSettings(), EstimateCounter())

    assert not projection.has_newer_ticket
    assert [item.kind for item in plan.items] == ["system", "agent_message", "question"]
    assert plan.ticket_sent
    assert plan.may_send
