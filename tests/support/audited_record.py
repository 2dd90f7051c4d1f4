"""A record with a little of everything, for tests that look for what is wrong with it."""

from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from desks import A_REQUEST, Clock, Desk, a_desk, a_ticket

from storage.audit.anchor import Anchor
from storage.audit.verification import Verification, verify
from storage.interactions import Node
from storage.kinds import InteractionKind
from storage.sqlite_store import open_store
from storage.store import Store
from storage.tickets import RawSource

BODY = b'{"model":"m","messages":[{"role":"user","content":"make it shorter"}]}'


@dataclass(frozen=True)
class Audited:
    """Where things are: a conversation with questions and answers, and another agent's on the same ticket."""

    database: Path
    conversation: int
    root: int
    ticket_node: int
    question: int
    answer: int
    shorter: int
    short_answer: int
    others: int
    request: int

    def verify(self, anchor: Anchor | None = None) -> Verification:
        """Check it."""
        with closing(open_store(self.database)) as store:
            return verify(store, anchor)


def make(database: Path) -> Audited:
    """Make the record."""
    with closing(open_store(database, clock=Clock())) as store:
        ticket = a_ticket("T-1", "Where is my hammock?", "Any news?", sources=(RawSource("a.json", "json", b"{}"),))
        desk = a_desk(store, ticket=ticket)
        question = desk.say(desk.ticket_node, "Draft a reply. " * 30)
        answer = desk.answer(question.id, "Dear Sophie, ", "votre colis est en route, ", "à bientôt.")
        request = a_request(store, desk, answer)
        a_request(store, desk, answer, attempt=2)
        shorter = desk.say(answer.id)
        short_answer = desk.answer(shorter.id)
        desk.say(answer.id, "friendlier", replaces_id=shorter.id)
        store.add_internal(desk.id, answer.id, InteractionKind("observation", False), "x", text="seen", meta={})
        others = a_desk(store, agent="noah", ticket=ticket)
        others.ask(others.ticket_node)
        return Audited(
            database,
            desk.id,
            store.nodes(desk.id)[0].id,
            desk.ticket_node,
            question.id,
            answer.id,
            shorter.id,
            short_answer.id,
            others.id,
            request,
        )


def a_request(store: Store, desk: Desk, node: Node, *, attempt: int = 1, body: bytes = BODY) -> int:
    """Record a request for an answer, with its response."""
    request_id = store.record_request(
        desk.id, node.id, replace(A_REQUEST, attempt=attempt, base_url="http://localhost/v1", model="m", body=body)
    )
    store.record_response(
        desk.id, request_id, response=b"{}", status_code=200, usage={"completion_tokens": 3}, latency_ms=1
    )
    return request_id
