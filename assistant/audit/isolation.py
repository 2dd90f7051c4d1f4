"""Showing that nothing crossed: every request of the record holds words of its own conversation only.

Two things are looked at. Each part of each request must have its origin in its own conversation, its ticket or a task
(`assistant.audit.tracing`). And no run of six words of another ticket's messages may stand in it, for a model can also
repeat what it should not know, and an answer could have landed in the wrong place. A run counts for nothing where it is

* in this conversation's own ticket, in any version, or in what its agent wrote,
* in the task that was sent, in a task that is here, in a saved reply, or in the handbook,
* boilerplate: in the messages of three tickets or more.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Final

from assistant.audit.origins import Evidence, Origin, OriginKind, Part
from assistant.audit.tracing import SystemOf, Tracer
from assistant.audit.word_runs import runs, runs_as_sent
from storage.audit.rows import ConversationRow, SnapshotRow
from storage.interactions import Interaction
from storage.kinds import AGENT_MESSAGE
from storage.store import Store
from storage.values import JsonObject

BOILERPLATE_TICKETS: Final = 3
"""In so many tickets a run is nobody's own."""


@dataclass(frozen=True, slots=True)
class Leak:
    """One thing in a request that does not belong there.

    Attributes:
        what: one sentence.
        words: the run of words, "" where a part has no origin.
        other_ticket: whose words they are, "" where a part has no origin.
        more: further runs of the same ticket in the same part.
    """

    agent: str
    ticket_id: str
    node_id: int
    request_id: int
    attempt: int
    part: int
    what: str
    words: str = ""
    other_ticket: str = ""
    more: int = 0

    def as_json(self) -> JsonObject:
        """The leak as `audit isolation --json` prints it."""
        return {
            "agent": self.agent,
            "ticket": self.ticket_id,
            "node": self.node_id,
            "request": self.request_id,
            "attempt": self.attempt,
            "part": self.part,
            "what": self.what,
            "words": self.words,
            "other_ticket": self.other_ticket,
            "more": self.more,
        }


@dataclass(frozen=True, slots=True)
class Isolation:
    """What was looked at and found.

    Attributes:
        requests, parts: how many were looked at.
        erased: requests whose bytes are gone with the words of their ticket.
        unverified_tasks: (task, version) whose file is no longer here, so that the system message was not compared; it
            is looked through for words of tickets all the same.
    """

    requests: int
    parts: int
    erased: int
    unverified_tasks: tuple[tuple[str, str], ...]
    leaks: tuple[Leak, ...]

    @property
    def holds(self) -> bool:
        """Nothing crossed."""
        return not self.leaks

    def as_json(self) -> JsonObject:
        """The result as `audit isolation --json` prints it."""
        return {
            "holds": self.holds,
            "requests": self.requests,
            "parts": self.parts,
            "erased": self.erased,
            "unverified_tasks": [{"task": task, "version": version} for task, version in self.unverified_tasks],
            "leaks": [leak.as_json() for leak in self.leaks],
        }


def check_isolation(
    store: Store, *, system_of: SystemOf, boilerplate: Iterable[str], agent: str | None = None
) -> Isolation:
    """Look through every request of the record, or of one agent.

    Args:
        store: the record.
        system_of: the tasks that are here.
        boilerplate: texts that are nobody's own: tasks and saved replies.
        agent: whose requests are looked at; every agent's where it is None.
    """
    tickets = store.audited(lambda rows: _TicketRuns(rows.snapshots()))
    nobodys = frozenset(run for text in boilerplate for run in runs(text))
    requests = parts = erased = 0
    tasks: set[tuple[str, str]] = set()
    leaks: list[Leak] = []
    for row in store.audited(lambda rows: list(rows.conversations())):
        if agent is not None and row.agent != agent:
            continue
        interactions = {entry.id: entry for entry in store.contents(row.id, hanging=True)}
        page = _Page(row, interactions, tickets, nobodys)
        tracer = Tracer(page.interactions, system_of)
        for node_id in page.asked_at:
            for request in store.requests(row.id, node_id):
                evidence = tracer.trace(request)
                requests += 1
                parts += len(evidence.parts)
                erased += evidence.is_erased
                leaks += page.leaks(evidence)
                if any(part.origin.kind is OriginKind.TASK and not part.origin.is_verified for part in evidence.parts):
                    tasks.add((request.task, request.task_version))
    return Isolation(requests, parts, erased, tuple(sorted(tasks)), tuple(leaks))


class _TicketRuns:
    """Which tickets a run of words stands in; of runs only hashes are kept, so that a large desk fits into memory."""

    def __init__(self, snapshots: Iterable[SnapshotRow]) -> None:
        self._owners: dict[int, tuple[str, ...]] = {}
        for ticket, versions in groupby(snapshots, key=lambda row: row.ticket):
            words = [row.words for row in versions if row.words is not None]
            texts = {message.text for each in words for message in each.messages or ()}
            alone = (ticket,)
            for run in {hash(run) for text in texts for run in runs(text)}:
                owners = self._owners.get(run)
                if owners is None:
                    self._owners[run] = alone
                elif len(owners) < BOILERPLATE_TICKETS:
                    self._owners[run] = (*owners, ticket)

    def owners(self, run: str) -> tuple[str, ...]:
        """The tickets whose own this run is; none where it is boilerplate."""
        owners = self._owners.get(hash(run), ())
        return owners if len(owners) < BOILERPLATE_TICKETS else ()


class _Page:
    """One conversation whose requests are looked at; what several requests repeat is looked at once."""

    def __init__(
        self,
        row: ConversationRow,
        interactions: dict[int, Interaction],
        tickets: _TicketRuns,
        nobodys: frozenset[str],
    ) -> None:
        self.interactions = interactions
        self._row = row
        self._tickets = tickets
        self._nobodys = nobodys
        self._seen: set[str] = set()

    @property
    def asked_at(self) -> list[int]:
        """The nodes for which requests can be made: answers, and whatever else a summary can end with."""
        return [each.id for each in self.interactions.values() if each.is_external]

    def leaks(self, evidence: Evidence) -> list[Leak]:
        """Find what does not belong into a request of this conversation."""
        parts = evidence.parts
        if not parts and evidence.request.body is not None:
            parts = (Part(0, "", evidence.request.body.decode(errors="replace"), None, _NO_CHAT),)
        found: list[Leak] = []
        for part in parts:
            if part.origin.kind is OriginKind.UNKNOWN:
                found.append(self._leak(evidence, part, f"Part {part.number} has {part.origin.detail}"))
            if not _is_known(part.origin) and part.content not in self._seen:
                self._seen.add(part.content)
                found += self._strangers(evidence, part)
        return found

    def _strangers(self, evidence: Evidence, part: Part) -> list[Leak]:
        """Find words of other tickets in a part: the first run of each ticket, and how many more there are."""
        found: dict[str, list[str]] = {}
        for run in runs_as_sent(part.content):
            owners = self._tickets.owners(run)
            if owners and self._row.ticket not in owners and run not in self._nobodys and run not in self._agents_runs:
                found.setdefault(owners[0], []).append(run)
        return [
            self._leak(evidence, part, f"Part {part.number} holds words of ticket {other}.", other, all_runs)
            for other, all_runs in found.items()
        ]

    @cached_property
    def _agents_runs(self) -> frozenset[str]:
        """What the agent wrote here."""
        written = (each.content for each in self.interactions.values() if each.kind == AGENT_MESSAGE.name)
        return frozenset(run for text in written for run in runs(text))

    def _leak(
        self, evidence: Evidence, part: Part, what: str, other_ticket: str = "", found: Sequence[str] = ("",)
    ) -> Leak:
        request = evidence.request
        return Leak(
            agent=self._row.agent,
            ticket_id=self._row.ticket,
            node_id=request.node_id,
            request_id=request.id,
            attempt=request.attempt,
            part=part.number,
            what=what,
            words=found[0],
            other_ticket=other_ticket,
            more=len(found) - 1,
        )


_NO_CHAT: Final = Origin(OriginKind.UNKNOWN, "no origin in the record, because it is no chat request.", False)


def _is_known(origin: Origin) -> bool:
    """The words are the ticket's own, the agent's or a task's, compared with the record; all others are looked through.

    What a model wrote, an answer or a summary, can hold what it should not, and a file can be another customer's.
    """
    match origin.kind:
        case OriginKind.INTERACTION:
            return origin.node_kind == AGENT_MESSAGE.name
        case OriginKind.TASK | OriginKind.TICKET:
            return origin.is_verified
        case _:
            return False
