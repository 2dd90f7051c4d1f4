"""From a key in the composer to the meter that shows the new plan, on a path of 200 turns, short ones and 2 MB.

Run: uv run python tests/bench/bench_key.py

Prints the median and the slowest of 200 keys each, in the app without a terminal, with exact counting.
"""

import asyncio
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from app_driver import TICKET, running_app, services
from desks import Desk, a_message, a_ticket
from textual import events

from assistant.plan.plan import PlanSettings
from assistant.tokens.counters import counter_for
from storage.sqlite_store import memory_store
from tui.services import Services

TURNS = 200
KEYS = 200
AGENT = "camille"
ANSWER = "Dear Sophie, it is on its way. "
SIZES = {"short answers": 8, "2 MB of history": 330}
"""How often an answer says it."""
TEXT = "please make it a little shorter and friendlier "


def prepared(size: int) -> Services:
    """A desk with one conversation of so many turns, its answers of this size."""
    store = memory_store()
    store.save_ticket(a_ticket(TICKET, messages=(a_message("Where is my hammock? " * 20),)))
    desk = Desk(store, store.open_conversation(AGENT, TICKET))
    leaf = desk.ticket_node
    for turn in range(TURNS):
        leaf = desk.answer(desk.say(leaf, f"make it shorter, please ({turn})").id, ANSWER * size).id
    made = services(store, agent=AGENT, settings=PlanSettings(budget=8_000))
    return Services(made.store, made.agent, made.provider, made.tasks, counter_for("gpt-4.1-mini"), made.defaults)


async def measure(name: str, size: int) -> None:
    """Print the figures of one size."""
    milliseconds = []
    async with running_app(prepared(size)) as desk:
        for at in range(KEYS):
            character = TEXT[at % len(TEXT)]
            shown, began = desk.screen.meter.plan, time.perf_counter()
            desk.app.post_message(events.Key("space" if character == " " else character, character))
            while desk.screen.meter.plan is shown:  # noqa: ASYNC110 - an event would be one more thing to measure
                await asyncio.sleep(0)
            milliseconds.append(1_000 * (time.perf_counter() - began))
            await desk.rest()
    median, slowest = statistics.median(milliseconds), max(milliseconds)
    print(f"key to meter, {TURNS} turns, {name:<16} median {median:.1f} ms, slowest {slowest:.1f} ms")


if __name__ == "__main__":
    for named, answers in SIZES.items():
        asyncio.run(measure(named, answers))
