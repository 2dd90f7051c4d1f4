"""Two agents on two tickets, asking, stopping and branching while answers come swapped and late."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from attached_files import add_states
from juggled_provider import JuggledProvider, marked
from scripted_provider import ScriptedProvider, words
from turn_desk import TASK, collected

from assistant.errors import PlanStoppedError
from assistant.plan.plan import PlanSettings, StrategyName
from assistant.plan.planner import make_plan, prepare
from assistant.tasks.registry import Tasks
from assistant.tokens.counters import EstimateCounter
from assistant.turn.events import TurnEvent
from assistant.turn.summarising import Summariser
from assistant.turn.turns import Turns
from storage.attachments.attachment import AttachmentState
from storage.interactions import Conversation, Node
from storage.kinds import ASSISTANT_RESPONSE, ROOT
from storage.store import Store
from storage.tickets import IncomingTicket, Role, TicketMessage

AGENTS = ("camille", "noah")
TICKETS = ("T1", "T2")
ACTS = ("ask", "ask", "fail", "again", "answer", "answer", "stop", "select", "snapshot", "attach", "summarise")
SUMMARISE = PlanSettings(StrategyName.SUMMARISE, 2_000)
SETTINGS = (
    PlanSettings(budget=100_000),
    PlanSettings(StrategyName.SELECT, 260),
    PlanSettings(StrategyName.WINDOW, 900, 1),
    SUMMARISE,
)

_OWNER = re.compile(r"canary(T\d)(\D+)\d")


def canaries(ticket_id: str, who: str, number: int) -> str:
    """Eight words that nobody else has."""
    return " ".join(f"canary{ticket_id}{who}{number}w{word}" for word in range(8))


def strangers(text: str, page: Conversation) -> list[str]:
    """The marked words of a text that belong to another ticket or to another agent."""
    owners = {word: _OWNER.match(word) for word in marked(text)}
    return [
        word
        for word, owner in owners.items()
        if owner is None or owner[1] != page.ticket_id or owner[2] not in ("customer", page.agent)
    ]


@dataclass(frozen=True)
class Step:
    """One thing that happens: on which conversation, and a number that chooses among what is there."""

    act: str
    page: int
    choice: int


class RandomDesk:
    """Does steps on a store; one that is not possible now does nothing."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.provider = JuggledProvider()
        self._summariser = Summariser(store, ScriptedProvider(words("They spoke.")), Tasks(), EstimateCounter())
        self.turns = Turns(store, self.provider, EstimateCounter(), batch_s=0.0)
        self._versions = dict.fromkeys(TICKETS, 0)
        for ticket_id in TICKETS:
            self._customer_writes(ticket_id)
        self.pages = [store.open_conversation(agent, ticket_id) for ticket_id in TICKETS for agent in AGENTS]
        self._running: dict[int, asyncio.Task[list[TurnEvent]]] = {}
        self._asked = 0

    async def run(self, steps: Sequence[Step]) -> None:
        """Do all steps, then let every answer come that still waits, the newest first."""
        for step in steps:
            await self._do(step, self.pages[step.page % len(self.pages)])
        while self.provider.calls:
            await self._answer(-1)
        await self.turns.aclose()

    async def _do(self, step: Step, page: Conversation) -> None:
        nodes = [node for node in self.store.nodes(page.id) if node.kind != ROOT.name]
        node = nodes[step.choice % len(nodes)]
        busy = page.id in self._running
        match step.act:
            case "ask" if not busy:
                self._asked += 1
                await self._begin(
                    page, self._send(page, node.id, canaries(page.ticket_id, page.agent, self._asked), step)
                )
            case "fail" if not busy:
                await self._fail(page, node, step)
            case "summarise" if not busy:
                await self._summarise(page, node)
            case "again" if not busy:
                await self._begin(page, self._ask_again(page, node, step))
            case "answer" if self.provider.calls:
                await self._answer(step.choice)
            case "stop" if busy:
                self.turns.stop(page.id)
                await self._ended(page.id)
            case "attach":
                self._asked += 1
                states = [AttachmentState.PENDING, AttachmentState.PROCESSED, AttachmentState.WITHDRAWN]
                add_states(
                    self.store, page, node.id, canaries(page.ticket_id, page.agent, self._asked),
                    states[: 1 + step.choice % 3],
                )  # fmt: skip
            case "select":
                self.store.select(page.id, node.id)
            case "snapshot" if not busy:
                self._customer_writes(page.ticket_id)
                path = self.store.path(page.id, node.id)
                if max(each.ticket.snapshot for each in path if each.ticket) < self._versions[page.ticket_id]:
                    self.store.add_snapshot(page.id, node.id, self._versions[page.ticket_id])

    async def _fail(self, page: Conversation, node: Node, step: Step) -> None:
        """Ask while no server answers; a file is attached to what has no words then."""
        self._asked += 1
        text = canaries(page.ticket_id, page.agent, self._asked)
        self.provider.is_down = True
        try:
            await collected(self._send(page, node.id, text, step))
        except PlanStoppedError:
            return
        finally:
            self.provider.is_down = False
        file = canaries(page.ticket_id, page.agent, 1_000 + self._asked)
        add_states(self.store, page, self.store.selected(page.id), file, list(AttachmentState)[:2])

    async def _summarise(self, page: Conversation, node: Node) -> None:
        """Have all turns above a node summarised but the last, where that is worth a call."""
        branch = self.store.branch(page.id, node.id)
        coverage = prepare(branch, TASK, SUMMARISE, EstimateCounter()).to_summarise()
        if coverage is not None:
            await self._summariser.summarise(page, coverage, SUMMARISE, lambda _: None)

    def _send(self, page: Conversation, at_id: int, text: str, step: Step) -> AsyncIterator[TurnEvent]:
        settings = SETTINGS[step.choice % len(SETTINGS)]
        plan = make_plan(self.store.branch(page.id, at_id), text, TASK, settings, EstimateCounter())
        return self.turns.send(page, at_id, text, plan, settings, TASK, on_purpose=True)

    def _ask_again(self, page: Conversation, node: Node, step: Step) -> AsyncIterator[TurnEvent]:
        settings = SETTINGS[step.choice % len(SETTINGS)]
        at_id = node.parent_id if node.kind == ASSISTANT_RESPONSE.name else node.id
        assert at_id is not None
        plan = make_plan(self.store.branch(page.id, at_id), None, TASK, settings, EstimateCounter())
        return self.turns.ask_again(page, node.id, plan, settings, TASK, on_purpose=True)

    async def _begin(self, page: Conversation, events: AsyncIterator[TurnEvent]) -> None:
        """Start a turn and wait until it has asked, or was refused by its plan."""
        self.provider.asked.clear()
        turn = asyncio.create_task(collected(events))
        asked = asyncio.create_task(self.provider.asked.wait())
        await asyncio.wait({turn, asked}, return_when=asyncio.FIRST_COMPLETED)
        if asked.done():
            self._running[page.id] = turn
        else:
            asked.cancel()
            assert isinstance(turn.exception(), PlanStoppedError)

    async def _answer(self, choice: int) -> None:
        """Let one of the answers that wait come, and wait for whichever turn that ends."""
        self.provider.answer(choice)
        await asyncio.wait(self._running.values(), return_when=asyncio.FIRST_COMPLETED)
        for page_id in [page_id for page_id, turn in self._running.items() if turn.done()]:
            await self._ended(page_id)

    async def _ended(self, page_id: int) -> None:
        await self._running.pop(page_id)

    def _customer_writes(self, ticket_id: str) -> None:
        """Let the ticket come in with one message more."""
        self._versions[ticket_id] += 1
        messages = tuple(
            TicketMessage("Sophie", Role.CUSTOMER, canaries(ticket_id, "customer", number))
            for number in range(1, self._versions[ticket_id] + 1)
        )
        self.store.save_ticket(IncomingTicket(ticket_id, "Colis", "Sophie", messages))
