"""What any store promises about choices, drafts, settings and requests."""

import hashlib
from dataclasses import replace

import pytest
from desks import A_REQUEST, Desk, a_desk, a_ticket

from storage.errors import NotFoundError, RefusedError
from storage.interactions import Draft
from storage.kinds import GATE, OVERRIDE
from storage.store import Store
from storage.values import Json, JsonObject


def test_choosing_a_node_does_not_touch_the_tree(desk: Desk) -> None:
    answer = desk.ask(desk.ticket_node)
    before = desk.store.nodes(desk.id)

    desk.store.select(desk.id, desk.ticket_node)
    desk.store.select(desk.id, desk.ticket_node)

    assert desk.store.selected(desk.id) == desk.ticket_node
    assert desk.store.nodes(desk.id) == before
    assert desk.store.last_choice_below(desk.id, desk.ticket_node) == answer.id


def test_each_fork_remembers_its_last_choice(desk: Desk) -> None:
    left = desk.ask(desk.ticket_node, "left")
    left_again = desk.ask(left.id, "left, again")
    right = desk.ask(desk.ticket_node, "right")
    below = {
        name: desk.store.last_choice_below(desk.id, node) for name, node in (("t", desk.ticket_node), ("l", left.id))
    }
    assert below == {"t": right.id, "l": left_again.id}

    desk.store.select(desk.id, left.id)

    assert desk.store.last_choice_below(desk.id, desk.ticket_node) == left_again.id
    assert desk.store.last_choice_below(desk.id, right.id) == right.id


def test_a_draft_needs_no_conversation_and_is_overwritten(store: Store) -> None:
    store.save_ticket(a_ticket())
    assert store.draft("camille", "T-80005") == Draft("")

    store.save_draft("camille", "T-80005", Draft("Dear \0\ud800"))
    store.save_draft("noah", "T-80005", Draft("other"))

    assert store.draft("camille", "T-80005") == Draft("Dear \0\ufffd")
    store.save_draft("camille", "T-80005", Draft(""))
    assert store.draft("camille", "T-80005") == Draft("")
    assert store.draft("noah", "T-80005") == Draft("other")
    with pytest.raises(NotFoundError):
        store.save_draft("camille", "T-0", Draft("x"))
    with pytest.raises(NotFoundError):
        store.conversation("camille", "T-80005")


def test_a_draft_keeps_what_it_edits_in_its_own_conversation(desk: Desk) -> None:
    message = desk.say(desk.ticket_node)
    other = a_desk(desk.store, agent="noah")

    desk.store.save_draft("camille", "T-80005", Draft("better", message.id, edits=True))

    assert desk.store.draft("camille", "T-80005") == Draft("better", message.id, edits=True)
    with pytest.raises(NotFoundError):
        desk.store.save_draft("camille", "T-80005", Draft("x", other.ticket_node))


@pytest.mark.parametrize("value", [1900, 0.5, "cut", True, None, ["a", 1], {"notes": [1, 2]}])
def test_a_setting_is_the_value_set_last(desk: Desk, value: Json) -> None:
    desk.store.set_setting(desk.id, "strategy", "select")
    desk.store.set_setting(desk.id, "budget", 1)
    desk.store.set_setting(desk.id, "budget", value)

    assert desk.store.settings(desk.id) == {"strategy": "select", "budget": value}


def record(desk: Desk, node_id: int, *, attempt: int = 1, body: bytes = b'{"a":"\xff\x00"}') -> int:
    return desk.store.record_request(
        desk.id,
        node_id,
        replace(
            A_REQUEST,
            attempt=attempt,
            base_url="https://example.org/v1",
            params={"temperature": 0.2},
            plan={"kept": [1, 2], "cut": []},
            body=body,
        ),
    )


def test_a_request_keeps_the_bytes_that_went_out_and_came_back(desk: Desk) -> None:
    node = desk.begin(desk.ticket_node)
    first = record(desk, node.id)
    (waiting,) = desk.store.requests(desk.id, node.id)
    assert (waiting.response, waiting.status_code, waiting.latency_ms, waiting.usage) == (None, None, None, {})

    desk.store.record_response(
        desk.id, first, response=None, status_code=429, usage={}, latency_ms=12, error="Too many requests."
    )
    second = record(desk, node.id, attempt=2)
    desk.store.record_response(
        desk.id, second, response=b"data: \xff\n\n", status_code=200, usage={"prompt_tokens": 45}, latency_ms=900
    )

    failed, answered = desk.store.requests(desk.id, node.id)
    assert (failed.id, failed.attempt, failed.status_code, failed.error) == (first, 1, 429, "Too many requests.")
    assert failed.response is None
    assert answered.body == b'{"a":"\xff\x00"}'
    assert answered.body_sha256 == hashlib.sha256(answered.body).hexdigest()
    assert (answered.response, answered.usage, answered.latency_ms) == (b"data: \xff\n\n", {"prompt_tokens": 45}, 900)
    assert (answered.params, answered.plan) == ({"temperature": 0.2}, {"kept": [1, 2], "cut": []})
    assert (answered.task, answered.provider, answered.model) == ("draft-reply", "openai", "gpt-4.1-mini")


def test_a_response_is_recorded_once_and_in_its_conversation(desk: Desk) -> None:
    node = desk.begin(desk.ticket_node)
    other = a_desk(desk.store, agent="noah")
    request = record(desk, node.id)

    def respond(conversation_id: int) -> None:
        desk.store.record_response(conversation_id, request, response=b"", status_code=200, usage={}, latency_ms=1)

    with pytest.raises(NotFoundError):
        respond(other.id)
    respond(desk.id)
    with pytest.raises(RefusedError, match="already"):
        respond(desk.id)
    with pytest.raises(RefusedError):
        record(desk, node.id)
    with pytest.raises(NotFoundError):
        record(desk, 999)
    assert desk.store.requests(desk.id, node.id)[0].response == b""


def test_names_that_no_encoding_holds_and_numbers_that_no_column_holds_are_no_trouble(desk: Desk) -> None:
    store, name = desk.store, "zo\udce9"
    store.save_ticket(a_ticket(name))

    other = a_desk(store, agent=name, ticket=a_ticket(name))
    store.save_draft(name, name, Draft("x"))

    assert store.draft(name, name) == Draft("x")
    assert store.conversation(name, name) == store.locate(name, other.ticket_node) == other.conversation
    assert (other.conversation.agent, store.ticket(name).id) == ("zo\ufffd", "zo\ufffd")
    assert store.tickets(name)[0].nodes + store.tickets(name)[1].nodes == 1
    for missing in (10**30, -1):
        with pytest.raises(NotFoundError):
            store.path(desk.id, missing)
        with pytest.raises(NotFoundError):
            desk.say(missing)


def test_what_hangs_on_answers_that_failed_a_gate_is_shown_wherever_they_stand(desk: Desk) -> None:
    failed, passed, shown = (desk.answer(desk.ticket_node) for _ in range(3))
    for answer, result in ((failed, "fail"), (passed, "pass"), (failed, "pass"), (shown, "fail")):
        meta: JsonObject = {"gate": "rules", "results": [{"result": result, "rule": "numbers"}]}
        desk.store.add_internal(desk.id, answer.id, GATE, "gate", text="[]", meta=meta)
    override = desk.store.add_internal(desk.id, failed.id, OVERRIDE, "camille", text="fine", meta={})

    tree = desk.store.shown(desk.id)

    assert [(entry.node.parent_id, entry.kind) for entry in tree.judged] == [
        (failed.id, "gate"),
        (failed.id, "gate"),
        (failed.id, "override"),
    ]
    assert tree.judged[-1].id == override
    assert [entry.node.parent_id for entry in tree.branch if entry.kind == GATE.name] == [shown.id]
