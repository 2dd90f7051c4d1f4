"""Killing processes at random moments, and proving that nothing they acknowledged is lost."""

import json
import random
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import PIPE, Popen, TimeoutExpired

import crash_worker
from canaries import traces
from raw_record import raw

from storage.audit.verification import verify
from storage.interactions import Status
from storage.sqlite_store import open_store
from storage.store import Store

_LONGEST_LIFE_SECONDS = 0.4


@dataclass
class Acknowledged:
    """What the killed processes said, by what must be found."""

    lines: list[list[str | int]] = field(default_factory=list)

    def take(self, output: str) -> int:
        """Take over whole lines; returns how many there were."""
        lines = [json.loads(line) for line in output.splitlines() if line.endswith("]")]
        self.lines += lines
        return len(lines)

    def of(self, what: str) -> list[list[str | int]]:
        """What was said of one kind."""
        return [rest for kind, *rest in self.lines if kind == what]


def kill_at_random(database: Path, agents: Sequence[str], seed: int, said: Acknowledged) -> int:
    """Let a process for each agent work, kill all at a random moment after the first word; returns how many words."""
    chance = random.Random(seed)
    command = [sys.executable, "-W", "error", crash_worker.__file__, str(database)]
    running = [Popen([*command, agent, str(seed)], stdout=PIPE, stderr=PIPE, text=True) for agent in agents]
    count = 0
    try:
        for process in running:
            assert process.stdout is not None
            first = process.stdout.readline()
            count += said.take(first)
            assert first, process.stderr.read() if process.stderr else ""
        with suppress(TimeoutExpired):
            running[0].wait(chance.random() * _LONGEST_LIFE_SECONDS)
    finally:
        for process in running:
            process.kill()
    for process in running:
        with process:
            assert process.stdout is not None
            assert process.stderr is not None
            count += said.take(process.stdout.read())
            errors = process.stderr.read()
        assert process.returncode == -9, errors
    return count


def prove(database: Path, said: Acknowledged) -> None:
    """Open the record again: what was acknowledged is there, what was erased is not, and the record holds."""
    with raw(database) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with closing(open_store(database)) as store:
        store.close_crashed()
        assert [each.pending for each in store.finish_erasures() if each.pending] == []
        verified = verify(store)
        assert verified.holds, verified.breaks
        assert verified.complete
        assert verified.unfinished == ()
        _prove_contents(store, said)
        for ticket_id, text in said.of("ticket"):
            assert [message.text for message in store.ticket(str(ticket_id)).messages] == [text]
        doomed = {str(ticket_id): str(word) for ticket_id, word in said.of("doomed")}
        gone = {word for ticket_id, word in doomed.items() if store.ticket(ticket_id).erased}
        assert {str(word) for _, word in said.of("erased")} <= gone
        left = set(doomed.values()) - gone
        found = traces(database, sorted(doomed.values()))
        assert found == left, f"in the files still: {found - left}; not in them any more: {left - found}"


def _prove_contents(store: Store, said: Acknowledged) -> None:
    conversations = {int(conversation_id) for conversation_id, *_ in said.of("content") + said.of("beginning")}
    found = {step.id: step for each in conversations for step in store.contents(each)}
    for _, node_id, text in said.of("content"):
        assert found[int(node_id)].content == text
    for _, node_id, text in said.of("beginning"):
        step = found[int(node_id)]
        assert step.content.startswith(str(text))
        assert step.node.status in (Status.COMPLETE, Status.CRASHED)
    for conversation_id, node_id, body in said.of("request"):
        (request,) = store.requests(int(conversation_id), int(node_id))
        assert request.body == str(body).encode()
