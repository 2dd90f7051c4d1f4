"""What was sent to a model, and what came back."""

from collections.abc import Sequence

from storage.answer_log import Logged
from storage.interactions import NewRequest, SentRequest
from storage.sqlite import answer_log, requests
from storage.sqlite.capabilities.part import Part
from storage.sqlite.usage import calls
from storage.usage import Call
from storage.values import JsonObject


class Requests(Part):
    """Recording and reading the calls of models."""

    def record_request(self, conversation_id: int, node_id: int, request: NewRequest) -> int:
        """Record what is about to be sent for an answer, before it is."""
        return self._write(lambda db, now: requests.record_request(db, conversation_id, node_id, request, now))

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
        self._write(
            lambda db, now: requests.record_response(
                db,
                conversation_id,
                request_id,
                now,
                response=response,
                status_code=status_code,
                usage=usage,
                latency_ms=latency_ms,
                error=error,
            )
        )

    def requests(self, conversation_id: int, node_id: int) -> Sequence[SentRequest]:
        """Return the calls made for one answer, oldest first."""
        return self._read(lambda db: requests.requests(db, conversation_id, node_id))

    def calls(
        self, agent: str, *, since: int | None = None, until: int | None = None, ticket_id: str | None = None
    ) -> Sequence[Call]:
        """Return the figures of the calls in this agent's conversations."""
        return self._read(lambda db: calls(db, agent, since, until, ticket_id))

    def answer_log(self, agent: str, *, since: int | None = None) -> Sequence[Logged]:
        """Return what became of the answers in this agent's conversations."""
        return self._read(lambda db: answer_log.answer_log(db, agent, since))

    def agents(self) -> Sequence[str]:
        """Return the names of all who have a conversation."""
        return self._read(answer_log.agents)
