"""Thousands of random histories of two agents on two tickets, answers swapped and late: nothing may cross.

Run with `uv run python tests/bench/soak_isolation.py [HISTORIES] [SEED]`; a history that fails names its seed.
"""

import asyncio
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from random_desk import ACTS, RandomDesk, Step, strangers
from turn_desk import TASK

from assistant.audit.isolation import check_isolation
from assistant.audit.known_texts import system_messages
from assistant.tasks.registry import Tasks
from assistant.turn.summarising import SUMMARISE_HISTORY
from storage.sqlite_store import memory_store

HISTORIES = 2_000
STEPS = 14
SYSTEM_OF = system_messages([TASK, Tasks().get(SUMMARISE_HISTORY)])


def history(seed: int) -> int:
    """Do one history; returns how many requests it made."""
    chance = random.Random(seed)
    desk = RandomDesk(memory_store())
    steps = [Step(chance.choice(ACTS), chance.randrange(4), chance.randrange(50)) for _ in range(STEPS)]
    asyncio.run(desk.run(steps))
    for page in desk.pages:
        for node in desk.store.nodes(page.id):
            for request in desk.store.requests(page.id, node.id):
                assert request.body is not None
                assert not strangers(request.body.decode(), page), f"seed {seed}: request {request.id}"
    found = check_isolation(desk.store, system_of=SYSTEM_OF, boilerplate=())
    assert found.holds, f"seed {seed}: {found.leaks}"
    desk.store.close()
    return found.requests


def main() -> None:
    """Do them all."""
    histories = int(sys.argv[1]) if len(sys.argv) > 1 else HISTORIES
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    requests = sum(history(seed) for seed in range(first, first + histories))
    print(f"{histories:,} histories with {requests:,} requests: nothing crossed")


if __name__ == "__main__":
    main()
