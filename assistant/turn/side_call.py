"""A call of a model beside an answer's own: for a summary, a self-check or an observer; recorded like any other."""

from collections.abc import AsyncGenerator, Callable

from assistant.plan.plan import Plan
from assistant.provider.provider import Ended, Prompt, Provider, TextChunk, Waiting
from assistant.tasks.task import Task
from assistant.turn.request_log import RequestLog, attempts_of
from assistant.turn.settling import settled_call
from storage.interactions import Node
from storage.store import Store


class SideCall:
    """One call, made once; what was said before it failed stays readable.

    Attributes:
        text: what the model said so far.
        ended: how it ended; without a finish reason as long as it has not.
    """

    def __init__(self, store: Store, provider: Provider, plan: Plan, task: Task, node: Node) -> None:
        self._store = store
        self._provider = provider
        self._plan = plan
        self._task = task
        self._node = node
        self.text = ""
        self.ended = Ended("")

    async def run(self, tell: Callable[[str], None]) -> None:
        """Make the call to its end; it is recorded for the node, and its stream is closed whatever happens.

        Args:
            tell: told in a sentence when a server has to be waited for.

        Raises:
            ProviderError: the call failed.
            StorageError: the record cannot be written.
        """
        earlier = await settled_call(attempts_of, self._store, self._node)
        log = RequestLog(self._store, self._provider, self._task, self._plan, self._node, earlier=earlier)
        stream = self._provider.stream(Prompt(self._plan.chain, self._task), log)
        try:
            async for chunk in stream:
                match chunk:
                    case TextChunk():
                        self.text += chunk.text
                    case Waiting():
                        tell(f"{chunk.reason} Trying again in {chunk.delay_s:.0f} s.")
                    case Ended():
                        self.ended = chunk
        finally:
            if isinstance(stream, AsyncGenerator):
                await stream.aclose()
