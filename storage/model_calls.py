"""The part of the record that keeps the calls of models: what went out, what came back, and what it took."""

from collections.abc import Sequence
from typing import Protocol

from storage.interactions import NewRequest, SentRequest
from storage.usage import Call
from storage.values import JsonObject


class ModelCalls(Protocol):
    """Each attempt to reach a model is one call."""

    def record_request(self, conversation_id: int, node_id: int, request: NewRequest) -> int:
        """Record what is about to be sent for an answer, before it is; returns the request's id."""

    def record_response(
        self,
        conversation_id: int,
        request_id: int,
        *,
        response: bytes | None,
        status_code: int | None,
        usage: JsonObject,
        latency_ms: int,
        error: str = "",
    ) -> None:
        """Record what came back, exactly once a request."""

    def requests(self, conversation_id: int, node_id: int) -> Sequence[SentRequest]:
        """The calls made for one answer, oldest first."""

    def calls(
        self, agent: str, *, since: int | None = None, until: int | None = None, ticket_id: str | None = None
    ) -> Sequence[Call]:
        """What the calls in this agent's conversations took, by conversation, each from its oldest call on.

        No word is read, and those of erased tickets are among them.

        Args:
            agent: whose conversations; no others are looked at.
            since: microseconds since 1970 UTC, the first that counts.
            until: the first that does not count any more.
            ticket_id: only in the conversation on this ticket.
        """
