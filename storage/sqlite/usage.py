"""What the calls of models took, per request and without reading what was sent or what came back."""

from typing import Final

from sqlite_utils import Database

from storage.sqlite.schema.usage import INSERT
from storage.text import storable
from storage.usage import Call, Usage

_FIRST: Final = 0
_LAST: Final = 2**62
"""Microseconds; no time is as late."""

# CROSS JOIN keeps the order: an agent's conversations, and of each only the requests of the time that is asked for.
_SQL: Final = """
    SELECT r.id, r.interaction_id, c.id, t.name, r.sent_at, r.task, r.task_version, r.provider, r.base_url, r.model,
        f.prompt, f.cached, f.cache_write, f.completion, f.reasoning, f.latency_ms, f.failed
    FROM agent a CROSS JOIN conversation c ON c.agent_id = a.id CROSS JOIN ticket t ON t.id = c.ticket_id
        CROSS JOIN request r INDEXED BY request_usage
            ON r.conversation_id = c.id AND r.sent_at >= :since AND r.sent_at < :until
        LEFT JOIN call_figures f ON f.request_id = r.id
    WHERE a.name = :agent{only} ORDER BY c.id, r.sent_at, r.id
"""
CALLS: Final = _SQL.format(only="")
"""Reads the calls of one agent; it takes agent, since and until."""
_OF_TICKET: Final = _SQL.format(only=" AND t.name = :ticket")


def keep_figures(
    db: Database, conversation_id: int, request_id: int, usage: Usage, latency_ms: int, *, failed: bool
) -> None:
    """Keep the numbers of a response, which stay when its words are erased."""
    numbers = (usage.prompt, usage.cached, usage.cache_write, usage.completion, usage.reasoning)
    db.execute(INSERT, (request_id, conversation_id, *numbers, latency_ms, int(failed)))


def calls(db: Database, agent: str, since: int | None, until: int | None, ticket_id: str | None) -> list[Call]:
    """The calls in an agent's conversations, or in that on one ticket."""
    wanted = {
        "agent": storable(agent),
        "ticket": storable(ticket_id or ""),
        "since": _FIRST if since is None else since,
        "until": _LAST if until is None else until,
    }
    return [
        Call(
            request_id,
            node_id,
            conversation_id,
            ticket,
            sent_at,
            task,
            task_version,
            provider,
            base_url,
            model,
            Usage() if prompt is None else Usage(prompt, cached, cache_write, completion, reasoning),
            latency_ms,
            bool(failed),
        )
        for (request_id, node_id, conversation_id, ticket, sent_at, task, task_version, provider, base_url, model,
             prompt, cached, cache_write, completion, reasoning, latency_ms, failed)
        in db.execute(CALLS if ticket_id is None else _OF_TICKET, wanted)
    ]  # fmt: skip
