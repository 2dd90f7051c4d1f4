"""What the chain commits to but does not hold: contents, previews, bodies of requests, words of tickets."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from storage.audit.findings import Findings, Place
from storage.audit.rows import ContentRow, ConversationRow, LooseRow, RequestRow, SnapshotRow, SourceRow
from storage.kinds import TICKET
from storage.text import PREVIEW_LENGTH, preview_of
from storage.ticket_digests import digest_of, message_digest, snapshot_json

UNKNOWN = ConversationRow(0, "?", "?")

_LONGEST_PREVIEW_BYTES = 4 * PREVIEW_LENGTH


@dataclass
class Known:
    """What other rows are compared with.

    Attributes:
        conversations: by id.
        previews: (ticket, meta of its node) → what stands for the snapshot in lists.
        erased: how many contents were erased lawfully.
    """

    conversations: Mapping[int, ConversationRow]
    previews: Mapping[tuple[str, str], str]
    erased: int = 0


def check_contents(rows: Iterable[ContentRow], known: Known, findings: Findings) -> None:
    """Each content fits its commitment, is whole, and its preview is its beginning."""
    for row in rows:
        conversation = known.conversations.get(row.conversation_id, UNKNOWN)
        if row.salt is None and not row.data and conversation.erased:
            known.erased += 1
        elif problem := _content_problem(row, known, conversation):
            place = Place(
                row.conversation_id, conversation.agent, conversation.ticket, row.interaction_id, row.seq, row.link
            )
            findings.add(problem, place, row.ended_at)


def _content_problem(row: ContentRow, known: Known, conversation: ConversationRow) -> str:
    if row.kind is None:
        return "Its end is there, but the entry itself is gone."
    if row.numbers != tuple(range(1, row.pieces + 1)):
        return f"Its content has the pieces {_listed(row.numbers)} where its end counts {row.pieces}."
    if row.salt is None:
        return "The salt of its content is gone although the ticket was not erased."
    if hashlib.sha256(row.salt + row.content).digest() != row.commitment:
        return "Its content does not fit its commitment, so the content or its salt was changed."
    if row.preview is None:
        return "Its preview is gone although the ticket was not erased."
    if row.kind == TICKET.name:
        expected = known.previews.get((conversation.ticket, row.meta or ""))
        if expected is None:
            return "The snapshot of the ticket that it stands for is gone, or is not the one that it names by digest."
    else:
        beginning = row.content[:_LONGEST_PREVIEW_BYTES].decode("utf-8", "ignore")
        expected = preview_of(beginning)
    return "" if row.preview == expected.encode() else "Its preview, which lists show, is not what it says."


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers[:8])) + (", …" if len(numbers) > 8 else "") if numbers else "none"


def check_loose(rows: Iterable[LooseRow], conversations: Mapping[int, ConversationRow], findings: Findings) -> None:
    """Nothing stands beside an interaction that has no end but the pieces written so far."""
    for row in rows:
        conversation = conversations.get(row.conversation_id, UNKNOWN)
        findings.add(row.what, Place(row.conversation_id, conversation.agent, conversation.ticket, row.interaction_id))


def check_request(row: RequestRow, conversation: ConversationRow, findings: Findings) -> None:
    """The bytes that were sent give the digest that was recorded."""
    if row.body is None:
        problem = "" if conversation.erased else "The body of a request is gone although the ticket was not erased."
    elif hashlib.sha256(row.body).hexdigest() != row.body_sha256:
        problem = "The body of a request does not give its recorded SHA-256, so one of the two was changed."
    else:
        problem = ""
    if problem:
        place = Place(row.conversation_id, conversation.agent, conversation.ticket, row.node_id, request_id=row.id)
        findings.add(problem, place, row.sent_at)


def check_snapshots(rows: Iterable[SnapshotRow], findings: Findings) -> dict[tuple[str, str], str]:
    """Each snapshot gives its digest and each message its own; returns what stands for each snapshot in lists."""
    previews: dict[tuple[str, str], str] = {}
    numbers: dict[str, int] = {}
    for row in rows:
        expected = numbers.get(row.ticket, 0) + 1
        numbers[row.ticket] = row.number
        if row.number != expected and not row.erased:
            _snapshot_broken(row, findings, f"Snapshot {expected} of the ticket is missing.")
        previews[row.ticket, node_meta(row)] = preview_of(row.subject)
        if problem := _snapshot_problem(row):
            _snapshot_broken(row, findings, problem)
    return previews


def node_meta(row: SnapshotRow) -> str:
    """Return how the node of a snapshot names it in a chain."""
    return f'{{"digest":"{row.digest}","snapshot":{row.number}}}'


def _snapshot_problem(row: SnapshotRow) -> str:
    name = f"Snapshot {row.number} of the ticket"
    if row.messages is None:
        return f"{name} has a message that cannot be read any more."
    if not row.is_dense:
        return "" if row.erased else f"{name} lacks one of its messages."
    for position, (message, digest) in enumerate(zip(row.messages, row.message_digests, strict=True), 1):
        if message_digest(message) != digest:
            return (
                f"Message {position} in snapshot {row.number} of the ticket was changed: it does not give its digest."
            )
    if not row.messages and row.erased:
        return ""
    words = snapshot_json(row.ticket, row.subject, row.customer, row.language, row.messages)
    return "" if digest_of(words) == row.digest else f"{name} was changed: its words do not give its digest."


def _snapshot_broken(row: SnapshotRow, findings: Findings, what: str) -> None:
    findings.add(what, Place(ticket=row.ticket), row.added_at)


def check_sources(rows: Iterable[SourceRow], findings: Findings) -> int:
    """Each raw source gives its digest; returns how many there are."""
    count = 0
    for row in rows:
        count += 1
        if hashlib.sha256(row.data).hexdigest() != row.digest:
            findings.add(f"The raw source {row.name!r} was changed: its bytes do not give its digest.")
    return count
