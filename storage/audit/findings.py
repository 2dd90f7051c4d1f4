"""What an audit says: where something is not as it was written, since when, and what kind of thing it is."""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from storage.values import JsonObject


class Cause(StrEnum):
    """What kind of thing was found."""

    CHANGED = "changed"
    """Changed, removed, added or moved behind Ticketree's back, by a person, a program or a broken disk."""

    UNFINISHED = "unfinished"
    """An answer without an end: still being written, or its writer is gone and the next start closes it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the record; what is not known or not meant is None.

    Attributes:
        node_id: the interaction.
        seq: its position in the conversation's log.
        link: the position in the chain.
    """

    conversation_id: int | None = None
    agent: str | None = None
    ticket: str | None = None
    node_id: int | None = None
    seq: int | None = None
    link: int | None = None
    request_id: int | None = None

    def as_json(self) -> JsonObject:
        """The place as commands print it."""
        return {
            "conversation": self.conversation_id,
            "agent": self.agent,
            "ticket": self.ticket,
            "node": self.node_id,
            "seq": self.seq,
            "link": self.link,
            "request": self.request_id,
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it was written.

    Attributes:
        what: one sentence.
        since: microseconds since 1970 UTC, the time of the link or row; None where nothing tells it. What was changed
            is at least as old as this, the change itself may be newer.
        more: how many further findings the same conversation has after this first one.
    """

    cause: Cause
    what: str
    place: Place = field(default_factory=Place)
    since: int | None = None
    more: int = 0

    def as_json(self) -> JsonObject:
        """The finding as commands print it."""
        return {
            "cause": self.cause.value,
            "what": self.what,
            **self.place.as_json(),
            "since": self.since,
            "more": self.more,
        }


class Findings:
    """Collects what is broken: the first break of each conversation, and all that concern no conversation."""

    def __init__(self) -> None:
        self._of_record: list[Finding] = []
        self._first: dict[int, Finding] = {}

    def add(self, what: str, place: Place | None = None, since: int | None = None) -> None:
        """Note a break."""
        finding = Finding(Cause.CHANGED, what, place or Place(), since)
        conversation_id = finding.place.conversation_id
        if conversation_id is None:
            self._of_record.append(finding)
            return
        known = self._first.get(conversation_id)
        if known is None:
            self._first[conversation_id] = finding
        else:
            self._first[conversation_id] = replace(min(known, finding, key=_position), more=known.more + 1)

    def all(self) -> tuple[Finding, ...]:
        """What was found: about the record first, then by conversation."""
        return (*self._of_record, *(self._first[key] for key in sorted(self._first)))


def _position(finding: Finding) -> float:
    return float("inf") if finding.place.link is None else finding.place.link
