"""What is checked against digests: the words of tickets, the sources they were read from, the bodies of requests."""

import hashlib
from collections.abc import Iterable

from storage.audit.findings import Findings, Place
from storage.audit.rows import ConversationRow, RequestRow, SnapshotRow, SnapshotWords, SourceRow
from storage.audit.word_checks import KnownSnapshot
from storage.text import preview_of
from storage.ticket_digests import digest_of, message_digest, snapshot_json


def check_snapshots(rows: Iterable[SnapshotRow], findings: Findings) -> dict[tuple[str, int], KnownSnapshot]:
    """Each snapshot gives its digest and each message its own; returns what their nodes must say."""
    known: dict[tuple[str, int], KnownSnapshot] = {}
    newest: dict[str, int] = {}
    for row in rows:
        expected = newest.get(row.ticket, 0) + 1
        newest[row.ticket] = row.number
        if row.number != expected:
            _broken(row, findings, f"Snapshot {expected} of the ticket is missing.")
        if row.words is None:
            if not row.erased:
                _broken(
                    row, findings, f"The words of snapshot {row.number} are gone although the ticket was not erased."
                )
            continue
        known[row.ticket, row.number] = _known(row.number, row.words)
        if problem := _problem(row, row.words):
            _broken(row, findings, problem)
    return known


def check_sources(rows: Iterable[SourceRow], findings: Findings) -> None:
    """Each raw source gives its digest."""
    for row in rows:
        if hashlib.sha256(row.data).hexdigest() != row.digest:
            findings.add(f"The raw source {row.name!r} was changed: its bytes do not give its digest.")


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


def _known(number: int, words: SnapshotWords) -> KnownSnapshot:
    meta = f'{{"digest":"{words.digest}","snapshot":{number}}}'
    return KnownSnapshot(_bytes(meta), _bytes(preview_of(words.subject)))


def _problem(row: SnapshotRow, words: SnapshotWords) -> str:
    name = f"Snapshot {row.number} of the ticket"
    if words.messages is None:
        return f"{name} has a message that cannot be read any more."
    if not words.is_dense:
        return f"{name} lacks one of its messages."
    for position, (message, digest) in enumerate(zip(words.messages, words.message_digests, strict=True), 1):
        if message_digest(message) != digest:
            return f"Message {position} of snapshot {row.number} does not give its digest: it was changed."
    said = snapshot_json(row.ticket, words.subject, words.customer, words.language, words.messages)
    return "" if digest_of(said) == words.digest else f"{name} does not give its digest: its words were changed."


def _broken(row: SnapshotRow, findings: Findings, what: str) -> None:
    findings.add(what, Place(ticket=row.ticket), row.added_at)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
