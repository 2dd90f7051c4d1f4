"""What an agent does about an answer that the gates have judged: copy it, use it all the same, have it repaired."""

from collections.abc import Sequence

from assistant.gates.record import record_copy, record_override, record_repair, stopped_by
from assistant.gates.repair import repair_message
from assistant.gates.results import GateResult
from assistant.plan.newer_ticket import new_messages, stale_answers
from assistant.turn.settling import settled_call
from storage.interactions import Conversation, Interaction, Node
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE
from storage.tickets import TicketMessage
from tui.answers import is_internal
from tui.desk.desk import Desk
from tui.errors import TuiError


class Judging:
    """Keeps what an agent decides about answers; it touches no widget."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def stopped(self, conversation: Conversation, answer: Node) -> tuple[GateResult, ...]:
        """The failed rules that stop an answer from being copied, wherever in the tree it stands."""
        return stopped_by(await settled_call(self._hanging, conversation, answer))

    async def unseen(self, conversation: Conversation, copied: Sequence[Interaction]) -> tuple[TicketMessage, ...]:
        """What the customer has written that the last answer of what is copied does not know, nor what follows it."""
        store, last_id = self._desk.services.store, copied[-1].id
        newest = await settled_call(store.ticket, conversation.ticket_id)
        path = await settled_call(store.path, conversation.id, last_id)
        ids = {entry.id for entry in copied}
        answers = [at for at, entry in enumerate(path) if entry.id in ids and entry.kind == ASSISTANT_RESPONSE.name]
        if not answers or path[answers[-1]].id not in stale_answers(path, newest):
            return ()
        if any(entry.ticket is not None for entry in path[answers[-1] :]):
            return ()
        known = next(entry.ticket for entry in reversed(path[: answers[-1]]) if entry.ticket is not None)
        return new_messages(known, newest)

    async def override(self, conversation: Conversation, answer_id: int, reason: str) -> None:
        """Keep why an answer is used all the same."""
        store = self._desk.services.store
        await settled_call(record_override, store, conversation.id, answer_id, conversation.agent, reason)
        await self._desk.look_around()

    async def copied(self, conversation: Conversation, path: Sequence[Interaction], text: str) -> None:
        """Keep that a reply was copied; a path, a question or what is for colleagues is no reply."""
        answer = path[-1].node if len(path) == 1 else None
        if answer is None or answer.kind != ASSISTANT_RESPONSE.name or is_internal(answer) or answer.erased:
            return
        store = self._desk.services.store

        def keep() -> None:
            record_copy(store, conversation.id, answer.id, conversation.agent, text, whole=True)

        await settled_call(keep)
        await self._desk.look_around()

    async def repair(self, conversation: Conversation, answer: Node, failed: Sequence[GateResult]) -> None:
        """Send the question of an answer again with what failed below it, beside the question.

        Raises:
            TuiError: it would not be sent as things are.
        """
        sheet, store = self._desk.sheet, self._desk.services.store
        question = sheet.page.asked_by(answer) if sheet is not None else None
        if sheet is None or question is None or sheet.page.conversation != conversation or self._desk.busy:
            return
        asked = question.kind == AGENT_MESSAGE.name
        above_id = question.parent_id if asked and question.parent_id is not None else question.id
        branch = await settled_call(store.branch, conversation.id, question.id)
        text = repair_message(_content(branch, question) if asked else "", failed)
        above = [entry for entry in branch if not asked or question.id not in (entry.id, entry.node.parent_id)]
        plan = sheet.plan_again(above, text)
        if plan is None or not plan.may_begin:
            raise TuiError("The repair does not fit into the request as it is set now; look at the meter, then ask.")

        def keep() -> None:
            record_repair(store, conversation.id, answer.id, conversation.agent, failed)

        await settled_call(keep)
        replaces_id = question.id if asked else None
        self._desk.send_below(above_id, text, plan, sheet.task_on(above), replaces_id=replaces_id)

    def _hanging(self, conversation: Conversation, answer: Node) -> list[Interaction]:
        branch = self._desk.services.store.branch(conversation.id, answer.id)
        return [entry for entry in branch if not entry.is_external and entry.node.parent_id == answer.id]


def _content(branch: Sequence[Interaction], question: Node) -> str:
    return next(entry.content for entry in branch if entry.id == question.id)
