"""What became of answers is read per agent and time, and without words."""

import dataclasses

import pytest
from desks import NOON, Clock, Desk, a_desk, a_ticket

from storage.interactions import Status
from storage.kinds import COPY, GATE, OBSERVATION, OVERRIDE
from storage.sqlite_store import memory_store
from storage.values import JsonObject

META: JsonObject = {"task": "draft-reply"}
SECOND = 1_000_000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(clock: Clock) -> Desk:
    return a_desk(memory_store(clock=clock))


def test_what_reports_count_is_told_in_the_order_of_the_log_without_anything_else(desk: Desk) -> None:
    store = desk.store
    said = desk.say(desk.ticket_node, "zqquestion")
    answer = store.begin_answer(desk.id, said.id, "zqmodel", meta=META)
    store.add_text(desk.id, answer.id, "zqanswer")
    store.finish(desk.id, answer.id, Status.LENGTH, {"x": "zqdetail"})
    gate = store.add_internal(desk.id, answer.id, GATE, "zqgate", text="zqwords", meta={"gate": "rules"})
    override = store.add_internal(desk.id, answer.id, OVERRIDE, "camille", text="zqreason", meta={"x": "zqmeta"})
    store.add_internal(desk.id, answer.id, OBSERVATION, "x", text="zqseen", meta={})
    copy = store.add_internal(desk.id, answer.id, COPY, "camille", text="", meta={"sha256": "0"})
    log = store.answer_log("camille")
    assert [(each.id, each.kind, each.parent_id, each.status, each.meta) for each in log] == [
        (said.id, "agent_message", desk.ticket_node, Status.COMPLETE, {}),
        (answer.id, "assistant_response", said.id, Status.LENGTH, META),
        (gate, "gate", answer.id, Status.COMPLETE, {"gate": "rules"}),
        (override, "override", answer.id, Status.COMPLETE, {}),
        (copy, "copy", answer.id, Status.COMPLETE, {}),
    ]
    assert {each.ticket_id for each in log} == {"T-80005"}
    assert "zq" not in str(log)


def test_an_answer_that_has_not_ended_says_so(desk: Desk) -> None:
    desk.begin(desk.ticket_node)
    (answer,) = desk.store.answer_log("camille")
    assert answer.status is Status.STREAMING


def test_other_agents_and_conversations_from_before_are_left_out(desk: Desk, clock: Clock) -> None:
    store = desk.store
    first = desk.answer(desk.ticket_node)
    noahs = Desk(store, store.open_conversation("noah", "T-80005"))
    noahs_answer = noahs.answer(noahs.ticket_node)
    later = clock.now + SECOND
    store.save_ticket(a_ticket("T-2"))
    second = dataclasses.replace(desk, conversation=store.open_conversation("camille", "T-2"))
    new = second.answer(second.ticket_node)
    assert [each.id for each in store.answer_log("camille")] == [first.id, new.id]
    assert [each.id for each in store.answer_log("camille", since=later)] == [new.id]
    assert [each.id for each in store.answer_log("noah", since=NOON)] == [noahs_answer.id]
    assert store.answer_log("nobody") == []
    assert store.agents() == ["camille", "noah"]


def test_the_words_that_an_erasure_takes_are_gone_from_here_too(desk: Desk) -> None:
    answer = desk.store.begin_answer(desk.id, desk.ticket_node, "x", meta=META)
    desk.store.finish(desk.id, answer.id, Status.COMPLETE, {})
    desk.store.erase("T-80005", "camille", "asked for")
    (left,) = desk.store.answer_log("camille")
    assert (left.id, left.meta, left.status) == (answer.id, {}, Status.COMPLETE)
