"""A process that does everything a desk does, in a random order, and says what is durable; it waits to be killed.

Run as a script with the database, the agent's name and a seed. Each line that it prints is a JSON list: what was done,
and what must be found in the record from then on.
"""

import json
import random
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from desks import A_REQUEST, a_desk, a_ticket

from storage.errors import TurnRunningError
from storage.interactions import Draft, Status
from storage.sqlite_store import open_store
from storage.store import Store

SHARED = "T-80005"


def doomed_word(agent: str, number: int) -> str:
    """Return the word that stands only in a ticket that is going to be erased."""
    return f"zqdoomed{agent}{number}end"


class Hand:
    """One agent at work."""

    def __init__(self, store: Store, agent: str, seed: int) -> None:
        self._store = store
        self._agent = agent
        self._random = random.Random(seed)
        self._desk = a_desk(store, agent=agent)
        self._count = seed * 1_000

    def work(self) -> None:
        """Do one thing after another until the end."""
        steps: list[Callable[[], None]] = [
            self.say,
            self.say,
            self.answer,
            self.answer,
            self.draft,
            self.hear,
            self.end,
        ]
        while True:
            self._count += 1
            self._random.choice(steps)()

    def say(self) -> None:
        """Add a message somewhere in the tree."""
        text = f"{self._agent} {self._count} " * self._random.randrange(1, 60)
        node = self._desk.say(self._anywhere(), text)
        done("content", self._desk.id, node.id, text)

    def answer(self) -> None:
        """Stream an answer, with its request and its end."""
        node, text = self._desk.begin(self._anywhere()), ""
        request = self._store.record_request(
            self._desk.id,
            node.id,
            replace(A_REQUEST, task="t", provider="p", base_url="", model="m", body=str(self._count).encode()),
        )
        done("request", self._desk.id, node.id, str(self._count))
        for number in range(self._random.randrange(6)):
            text += f"piece {number} of {self._count}, "
            self._store.add_text(self._desk.id, node.id, f"piece {number} of {self._count}, ")
            done("beginning", self._desk.id, node.id, text)
        self._store.record_response(self._desk.id, request, response=b"ok", status_code=200, usage={}, latency_ms=1)
        self._store.finish(self._desk.id, node.id, Status.COMPLETE, {})
        done("content", self._desk.id, node.id, text)

    def draft(self) -> None:
        """Keep a draft."""
        text = f"draft {self._count}"
        self._store.save_draft(self._agent, SHARED, Draft(text))

    def hear(self) -> None:
        """Take in a ticket of its own."""
        ticket_id = f"T-{self._agent}-{self._count}"
        self._store.save_ticket(a_ticket(ticket_id, f"words of {ticket_id}"))
        done("ticket", ticket_id, f"words of {ticket_id}")

    def end(self) -> None:
        """Talk on a ticket, close it and erase it."""
        word = doomed_word(self._agent, self._count)
        ticket_id = f"T-doomed-{self._agent}-{self._count}"
        doomed = a_desk(self._store, agent=self._agent, ticket=a_ticket(ticket_id, word))
        doomed.ask(doomed.ticket_node, f"{word} again")
        self._store.close_ticket(ticket_id, self._agent)
        done("doomed", ticket_id, word)
        if self._store.erase(ticket_id, self._agent, "asked for").pending == "":
            done("erased", ticket_id, word)

    def _anywhere(self) -> int:
        return self._random.choice(self._store.nodes(self._desk.id)).id


def done(*what: str | int) -> None:
    """Say what is durable."""
    print(json.dumps(what), flush=True)


def work(database: Path, agent: str, seed: int) -> None:
    """Work until killed; an answer that a killed process of this agent left is closed first."""
    with closing(open_store(database)) as store:
        store.close_crashed()
        hand = Hand(store, agent, seed)
        while True:
            try:
                hand.work()
            except TurnRunningError:
                store.close_crashed()


if __name__ == "__main__":
    work(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
