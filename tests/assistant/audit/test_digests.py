"""What a server receives, byte for byte, is what the record holds and what the audit takes apart."""

from collections import Counter
from contextlib import closing
from pathlib import Path

from many_requests import MODELS, many_requests
from turn_desk import AGENT, TASK

from assistant.audit.origins import Evidence, OriginKind
from assistant.audit.tracing import Tracer
from assistant.plan.plan import Fate
from storage.audit.verification import verify
from storage.interactions import SentRequest
from storage.sqlite_store import memory_store, open_store
from storage.store import Store


def recorded(store: Store) -> list[SentRequest]:
    """All requests of the record, in order."""
    found: list[SentRequest] = []
    for row in store.audited(lambda rows: list(rows.conversations())):
        for node in store.nodes(row.id):
            found += store.requests(row.id, node.id)
    return sorted(found, key=lambda request: request.id)


def traced(store: Store, request: SentRequest) -> Evidence:
    conversation = store.locate(AGENT, request.node_id)
    interactions = {each.id: each for each in store.contents(conversation.id)}
    return Tracer(interactions, lambda task, version: TASK.system).trace(request)


async def test_all_digests_agree_over_retries_streams_and_failures(tmp_path: Path) -> None:
    with closing(open_store(tmp_path / "desk.db")) as store:
        received = await many_requests(store, at_least=40)
        requests = recorded(store)
        assert [request.body for request in requests] == [got.body for got in received]
        assert [request.body_sha256 for request in requests] == [got.sha256 for got in received]
        assert max(Counter(request.node_id for request in requests).values()) == 3
        assert verify(store).breaks == ()
        assert [traced(store, request).problems for request in requests] == [()] * len(received)


async def test_a_request_is_taken_apart_into_parts_with_their_origins() -> None:
    store = memory_store()
    await many_requests(store, at_least=len(MODELS) + 2, models=MODELS[:1])
    evidence = traced(store, recorded(store)[1])
    system, ticket, question, answer, second = evidence.parts
    assert (system.origin.kind, system.origin.task, system.origin.task_version) == (
        OriginKind.TASK,
        TASK.name,
        TASK.version,
    )
    assert (ticket.origin.kind, ticket.origin.ticket_id, ticket.origin.snapshot) == (OriginKind.TICKET, "T-ok", 1)
    assert ticket.origin.messages == (1,)
    assert [part.origin.node_id for part in (question, answer, second)] == [3, 4, 5]
    assert [part.role for part in evidence.parts] == ["system", "user", "user", "assistant", "user"]
    assert all(part.tokens for part in evidence.parts)
    assert evidence.settings["stream"] is True
    assert (evidence.digest_holds, evidence.left_out, evidence.is_erased) == (True, (), False)


def test_what_was_cut_is_told() -> None:
    request = SentRequest(
        id=1,
        node_id=9,
        attempt=1,
        task="t",
        task_version="1",
        provider="openai",
        base_url="",
        model="m",
        params={},
        plan={"interactions": [{"id": 3, "kind": "ticket", "tokens": 45, "fate": "cut"}, {"id": "x"}]},
        body=b"{}",
        body_sha256="",
        sent_at=0,
    )
    evidence = Tracer({}, lambda task, version: None).trace(request)
    (left,) = evidence.left_out
    assert (left.node_id, left.kind, left.tokens, left.fate) == (3, "ticket", 45, Fate.CUT)
    assert evidence.problems == (
        "The bytes do not give the SHA-256 that was recorded.",
        "The body is not in the form of a chat request.",
    )
