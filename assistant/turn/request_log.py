"""Writes down every call of a provider: the exact body before it leaves, and what came back."""

import asyncio
from typing import Final

from assistant.plan.plan import Plan
from assistant.provider.provider import Exchange, Provider, model_for
from assistant.tasks.task import Task
from assistant.turn.settling import settled_call
from storage.interactions import NewRequest, Node
from storage.store import Store

_NOT_SENT: Final = Exchange(None, None, {}, 0, "It was stopped before it was sent.")


def attempts_of(store: Store, node: Node) -> int:
    """The number of the last attempt that is recorded for a node; 0 where there is none. Reads the record."""
    return max((request.attempt for request in store.requests(node.conversation_id, node.id)), default=0)


class RequestLog:
    """The `ExchangeLog` of one answer; each attempt is a row of its own.

    Args:
        earlier: attempts that are recorded for the node already.
    """

    def __init__(
        self, store: Store, provider: Provider, task: Task, plan: Plan, answer: Node, *, earlier: int = 0
    ) -> None:
        self._store = store
        self._provider = provider
        self._task = task
        self._plan = plan
        self._answer = answer
        self._earlier = earlier
        self._request_ids: dict[int, int] = {}

    async def sending(self, attempt: int, body: bytes) -> None:
        """Record what is about to leave."""
        try:
            await settled_call(self._record, attempt, body)
        except asyncio.CancelledError:
            await self.received(attempt, _NOT_SENT)
            raise

    async def received(self, attempt: int, exchange: Exchange) -> None:
        """Record what came back; nothing for a call that did not get into the record."""
        request_id = self._request_ids.pop(attempt, None)
        if request_id is None:
            return
        await settled_call(
            self._store.record_response,
            self._answer.conversation_id,
            request_id,
            response=exchange.response,
            status_code=exchange.status_code,
            usage=exchange.usage,
            latency_ms=exchange.latency_ms,
            error=exchange.error,
        )

    def _record(self, attempt: int, body: bytes) -> None:
        request = NewRequest(
            attempt=self._earlier + attempt,
            task=self._task.name,
            task_version=self._task.version,
            provider=self._provider.name,
            base_url=self._provider.base_url,
            model=model_for(self._provider, self._task),
            params=self._provider.params(),
            plan=self._plan.as_json(),
            body=body,
        )
        answer = self._answer
        self._request_ids[attempt] = self._store.record_request(answer.conversation_id, answer.id, request)
