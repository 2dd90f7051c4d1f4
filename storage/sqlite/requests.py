"""The calls of a model: what went out, byte for byte, and what came back."""

import hashlib
import json
from typing import Final

from sqlite_utils import Database

from storage.chain import canonical_json
from storage.errors import NotFoundError, RefusedError
from storage.interactions import NewRequest, SentRequest
from storage.sqlite.usage import keep_figures
from storage.text import storable
from storage.usage import usage_of
from storage.values import JsonObject

_SQL: Final = """
    SELECT r.id, r.interaction_id, r.attempt, r.task, r.task_version, r.provider, r.base_url, r.model, r.params, r.plan,
        r.body_sha256, r.sent_at,
        (SELECT data FROM wire WHERE request_id = r.id AND direction = 'sent'),
        (SELECT data FROM wire WHERE request_id = r.id AND direction = 'received'),
        a.status_code, coalesce(a.usage, '{}'), a.latency_ms, coalesce(a.error, '')
    FROM request r LEFT JOIN response a ON a.request_id = r.id
    WHERE r.conversation_id = ? AND r.interaction_id = ? ORDER BY r.id
"""


def record_request(db: Database, conversation_id: int, node_id: int, request: NewRequest, now: int) -> int:
    """Record what is about to be sent."""
    if not db.execute(
        "SELECT 1 FROM interaction WHERE conversation_id = ? AND id = ? AND external = 1", (conversation_id, node_id)
    ).fetchone():
        raise NotFoundError(f"There is no node {node_id} in this conversation.")
    names = (request.task, request.task_version, request.provider, request.base_url, request.model)
    request_id = db.execute(
        "INSERT INTO request (conversation_id, interaction_id, attempt, task, task_version, provider, base_url, model,"
        " params, plan, body_sha256, sent_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            conversation_id,
            node_id,
            request.attempt,
            *(storable(name) for name in names),
            canonical_json(request.params),
            canonical_json(request.plan),
            hashlib.sha256(request.body).hexdigest(),
            now,
        ),
    ).lastrowid
    assert request_id is not None
    _keep(db, conversation_id, request_id, "sent", request.body)
    return request_id


def record_response(
    db: Database,
    conversation_id: int,
    request_id: int,
    now: int,
    *,
    response: bytes | None,
    status_code: int | None,
    usage: JsonObject,
    latency_ms: int,
    error: str,
) -> None:
    """Record what came back."""
    if not db.execute(
        "SELECT 1 FROM request WHERE conversation_id = ? AND id = ?", (conversation_id, request_id)
    ).fetchone():
        raise NotFoundError(f"There is no request {request_id} in this conversation.")
    if db.execute("SELECT 1 FROM response WHERE request_id = ?", (request_id,)).fetchone():
        raise RefusedError("The response to this request is recorded already.")
    db.execute(
        "INSERT INTO response (request_id, conversation_id, status_code, usage, latency_ms, error, received_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (request_id, conversation_id, status_code, canonical_json(usage), latency_ms, storable(error), now),
    )
    keep_figures(db, conversation_id, request_id, usage_of(usage), latency_ms, failed=bool(error))
    if response is not None:
        _keep(db, conversation_id, request_id, "received", response)


def requests(db: Database, conversation_id: int, node_id: int) -> list[SentRequest]:
    """The calls made for one answer, oldest first."""
    return [
        SentRequest(
            id=request_id,
            node_id=interaction_id,
            attempt=attempt,
            task=task,
            task_version=task_version,
            provider=provider,
            base_url=base_url,
            model=model,
            params=json.loads(params),
            plan=json.loads(plan),
            body=sent,
            body_sha256=body_sha256,
            sent_at=sent_at,
            response=received,
            status_code=status_code,
            usage=json.loads(usage),
            latency_ms=latency_ms,
            error=error,
        )
        for (request_id, interaction_id, attempt, task, task_version, provider, base_url, model, params, plan,
             body_sha256, sent_at, sent, received, status_code, usage, latency_ms, error)
        in db.execute(_SQL, (conversation_id, node_id)).fetchall()
    ]  # fmt: skip


def _keep(db: Database, conversation_id: int, request_id: int, direction: str, data: bytes) -> None:
    db.execute(
        "INSERT INTO wire (conversation_id, request_id, direction, data) VALUES (?, ?, ?, ?)",
        (conversation_id, request_id, direction, data),
    )
