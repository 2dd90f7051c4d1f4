"""Drives the app in a test: a desk with branches, what a person presses, and what they see then."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from desks import NOON, Clock, Desk, a_message, a_ticket
from fixed_tasks import FixedTasks
from painted import painted_text
from scripted_provider import ScriptedProvider, words
from textual import events
from textual.pilot import Pilot

from assistant.plan.plan import PlanSettings
from assistant.provider.provider import Provider
from assistant.tasks.registry import Tasks
from assistant.tokens.counters import EstimateCounter
from storage.interactions import Node
from storage.sqlite_store import memory_store
from storage.store import Store
from storage.tickets import Role, TicketMessage
from tui.app import TicketreeApp
from tui.desk.sheet import Sheet
from tui.screens.desk import DeskScreen
from tui.services import Services

TICKET, OTHER, CLOSED = "T-80005", "T-64704", "T-50001"
ANSWER = "Bonjour Sophie, votre hamac part demain."


def a_store(clock: Clock | None = None) -> Store:
    """Three tickets: one with an internal note, one in English, one closed."""
    store = memory_store(clock=clock or Clock())
    note = TicketMessage("Max", Role.AGENT, "Lost by the carrier.", created_at=NOON, internal=True)
    hello = a_message("Bonjour,\n\nmon hamac n'est pas arrivé (commande W2378156).\n\nSophie")
    store.save_ticket(a_ticket(TICKET, messages=(hello, note), language="fr", created_at=NOON + 3))
    kettle = a_ticket(OTHER, "My new kettle smells of plastic.", subject="Kettle smells", customer="Ann")
    store.save_ticket(kettle)
    store.save_ticket(a_ticket(CLOSED, "Danke!", subject="Danke", customer="Jo", status="closed", created_at=NOON - 3))
    return store


@dataclass(frozen=True, slots=True)
class Branches:
    """The nodes of the prepared conversation: a draft, and two ways to go on from it; the second is chosen."""

    ticket: Node
    draft: Node
    shorter: Node
    short_draft: Node
    friendlier: Node
    friendly_draft: Node


def with_branches(store: Store, agent: str = "camille") -> Branches:
    """Prepare the conversation on the first ticket."""
    desk = Desk(store, store.open_conversation(agent, TICKET))
    draft = desk.answer(desk.ticket_node, "Chère Sophie, ", "votre hamac est en route.")
    shorter = desk.say(draft.id, "make it shorter")
    short_draft = desk.answer(shorter.id, "Il est en route.")
    friendlier = desk.say(draft.id, "friendlier")
    friendly_draft = desk.answer(friendlier.id, "Chère Sophie, ", "quelle patience !")
    nodes = {node.id: node for node in store.nodes(desk.id)}
    return Branches(
        ticket=nodes[desk.ticket_node],
        draft=nodes[draft.id],
        shorter=nodes[shorter.id],
        short_draft=nodes[short_draft.id],
        friendlier=nodes[friendlier.id],
        friendly_draft=nodes[friendly_draft.id],
    )


def services(
    store: Store,
    provider: Provider | None = None,
    *,
    agent: str = "camille",
    settings: PlanSettings | None = None,
    keys: Mapping[str, str] | None = None,
    theme: str = "",
    tasks: Tasks | None = None,
) -> Services:
    """What the app works with: the estimate counter and a provider that says one sentence."""
    return Services(
        store=store,
        agent=agent,
        provider=provider or ScriptedProvider(words(ANSWER[:20], ANSWER[20:])),
        tasks=tasks or FixedTasks(),
        counter=EstimateCounter(),
        defaults=settings or PlanSettings(),
        theme=theme,
        keys=keys or {},
    )


class RecordingApp(TicketreeApp):
    """The app, with what it has told in passing."""

    def __init__(self, with_services: Services, ticket_id: str | None) -> None:
        super().__init__(
            lambda: with_services,
            ticket_id,
            theme=with_services.theme,
            now=lambda: datetime.fromtimestamp(NOON / 1e6, UTC),
        )
        self.told: list[str] = []

    def notify(self, message: str, **more: object) -> None:
        self.told.append(message)
        super().notify(message, **more)  # type: ignore[arg-type]


@dataclass
class AppDriver:
    """A running app with what a test needs of it."""

    app: RecordingApp
    pilot: Pilot[None]

    @property
    def screen(self) -> DeskScreen:
        assert self.app.desk_screen is not None, "the desk is not open yet"
        return self.app.desk_screen

    @property
    def store(self) -> Store:
        return self.screen.services.store

    @property
    def sheet(self) -> Sheet:
        assert self.screen.sheet is not None, "no ticket is open"
        return self.screen.sheet

    @property
    def seen(self) -> str:
        """The painted screen."""
        return painted_text(self.app)

    @property
    def shown(self) -> list[str]:
        """The texts of the chat after the ticket."""
        return [item.text for item in self.screen.chat.items if item.ticket is None]

    @property
    def told(self) -> list[str]:
        """What the app has told in passing, the last one last."""
        return self.app.told

    async def ready(self) -> None:
        """Wait until the ticket is open and plans can be made."""
        await self.until(lambda: self.app.failure is not None or self._is_open)
        if self.app.failure is not None:
            raise self.app.failure
        await self.rest()

    @property
    def _is_open(self) -> bool:
        return self.app.desk_screen is not None and self.screen.desk.ready

    async def press(self, *keys: str) -> None:
        """Press keys and let everything that they start come to rest, but for answers that wait."""
        await self.pilot.press(*keys)
        await self.rest()

    def hit(self, keys: Iterable[str]) -> None:
        """Press keys and wait for nothing."""
        for key in keys:
            self.app.post_message(events.Key(key, key if len(key) == 1 else None))

    def click(self, x: int, y: int) -> None:
        """Click on a cell of the screen and wait for nothing."""
        for event in (events.MouseDown, events.MouseUp):
            self.app.post_message(event(None, x, y, 0, 0, 1, False, False, False, screen_x=x, screen_y=y))

    async def burst(self, keys: Iterable[str]) -> None:
        """Press keys, all of them before the first has done anything."""
        self.hit(keys)
        await self.rest()

    async def type(self, text: str) -> None:
        """Type a text into what has the focus, as fast as a paste."""
        assert self.app.screen.focused is not None
        self.app.screen.focused.post_message(events.Paste(text))
        await self.rest()

    async def rest(self) -> None:
        """Wait until nothing is under way but answers."""
        async with asyncio.timeout(60):
            await self.pilot.pause()
            while any(worker.group == "step" and not worker.is_finished for worker in self.app.workers):
                await self._moment()
            await self.pilot.pause()

    async def until(self, happened: Callable[[], bool]) -> None:
        """Wait for something to happen."""
        async with asyncio.timeout(60):
            while not happened():
                await self._moment()
        await self.pilot.pause()

    async def _moment(self) -> None:
        """Let threads have the processor for a moment, then take over what they gave."""
        await asyncio.sleep(0.005)
        await self.pilot.pause()

    async def answered(self) -> None:
        """Wait until no answer is being written any more."""
        await self.until(lambda: not self.screen.desk.turns.any_running)
        await self.rest()

    async def at(self, node: Node) -> None:
        """Put the focus into the outline and show a node."""
        self.screen.outline.focus()
        self.screen.outline.cursor_to(node.id)
        await self.press("enter")


@asynccontextmanager
async def running_app(
    with_services: Services, ticket_id: str | None = TICKET, *, size: tuple[int, int] = (120, 36)
) -> AsyncIterator[AppDriver]:
    """Run the app, by default with the first ticket open and the composer in focus."""
    app = RecordingApp(with_services, ticket_id)
    async with app.run_test(size=size, notifications=True) as pilot:
        driver = AppDriver(app, pilot)
        await driver.ready()
        yield driver
        assert not [text for text in driver.told if "should not have" in text]
    driver.screen.desk.close()
