"""Checking the whole record, once through, a row at a time."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from operator import itemgetter
from typing import Final

from storage.audit.anchor import Anchor
from storage.audit.anchor_check import AnchorCheck, Anchored
from storage.audit.chain_walk import ChainWalk, OpenAnswer
from storage.audit.digest_checks import check_request, check_snapshots, check_sources
from storage.audit.findings import Cause, Finding, Findings, Place
from storage.audit.rows import ConversationRow, Link, LooseRow, RecordRows, time_of
from storage.audit.word_checks import Snapshots
from storage.errors import StorageError
from storage.store import Store
from storage.values import JsonObject

NEEDS_AN_ANCHOR: Final = (
    "Whoever can write the file can rewrite a whole conversation with all its hashes, cut off its end without a trace, "
    "or put an earlier copy back. Only an anchored head that was kept elsewhere shows that (`ticketree audit anchor`).",
    "Requests are no links of the chain: that one was taken away, given to another answer, or changed with its digest, "
    "or in its time, task, model or plan, is shown by an anchor alone, for the requests that were there when it was "
    "made.",
)
"""What a record alone cannot prove about itself."""

NEVER_PROVED: Final = (
    "That an entry was written by Ticketree: whoever can write the file can also add entries at the end.",
    "That the times are right: they are those of the clock of the machine that wrote them.",
    "What came back from a model: raw responses, usage and latency have no digest of their own.",
    "Which branch was chosen when, settings, labels, drafts, legal holds, who erased what when and why, the status of "
    "a ticket and further fields of its source, when it was opened, and when each version of it came in: they are "
    "kept, but no hash covers them.",
    "That the raw sources of a ticket are all there and as they were read: no hash shows one that was taken away, or "
    "changed with its digest.",
    "That search finds what is there: all that has words must have its entry, and the index all entries, but the words "
    "of an entry are not compared with the record.",
)
"""What no check can prove, whatever was kept."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked and found.

    Attributes:
        conversations, interactions, links, requests, snapshots: how many were checked.
        breaks: what is not as it was written: the first break of each conversation, and all of the record itself.
        unfinished: answers without an end; each says whether its writer is alive.
        erased: contents that were erased lawfully, their commitments still in place.
        pending: tickets that were erased and whose words may still be in the files.
        anchored: how the record stands to the anchor, None where none was given.
        complete: everything could be read and checked.
    """

    conversations: int
    interactions: int
    links: int
    requests: int
    snapshots: int
    breaks: tuple[Finding, ...]
    unfinished: tuple[Finding, ...]
    erased: int
    pending: tuple[str, ...]
    anchored: Anchored | None
    complete: bool

    @property
    def holds(self) -> bool:
        """Nothing is broken."""
        return not self.breaks

    @property
    def not_proved(self) -> tuple[str, ...]:
        """What this cannot prove, in plain words."""
        return NEVER_PROVED if self.anchored else (*NEEDS_AN_ANCHOR, *NEVER_PROVED)

    def as_json(self) -> JsonObject:
        """The verification as `audit verify --json` prints it."""
        return {
            "holds": self.holds,
            "complete": self.complete,
            "checked": {
                "conversations": self.conversations,
                "interactions": self.interactions,
                "links": self.links,
                "requests": self.requests,
                "snapshots": self.snapshots,
            },
            "breaks": [found.as_json() for found in self.breaks],
            "unfinished": [found.as_json() for found in self.unfinished],
            "erased": self.erased,
            "erasures_pending": list(self.pending),
            "anchor": self.anchored.as_json() if self.anchored else None,
            "not_proved": list(self.not_proved),
        }


def unopened(what: str) -> Verification:
    """Return what is found in a record that is too damaged to be opened; `what` is a sentence."""
    finding = Finding(Cause.CHANGED, what)
    return Verification(
        conversations=0,
        interactions=0,
        links=0,
        requests=0,
        snapshots=0,
        breaks=(finding,),
        unfinished=(),
        erased=0,
        pending=(),
        anchored=None,
        complete=False,
    )


def verify(store: Store, anchor: Anchor | None = None) -> Verification:
    """Check the whole record; writes nothing.

    What the engine finds alone is looked for in a second thread, as it takes long too; it may see a newer state of the
    record, and each finding is made within one.
    """
    verifier = _Verifier(anchor)
    with ThreadPoolExecutor(max_workers=1) as pool:
        damages = pool.submit(store.audited, lambda rows: tuple(rows.damages()))
        loose = pool.submit(store.audited, lambda rows: tuple(rows.loose()))
        store.audited(verifier.check)
        verifier.take_loose(loose.result)
        verifier.take_damages(damages.result)
    return verifier.result()


class _Verifier:
    """One run over the rows; what one check cannot read does not keep the others from looking."""

    def __init__(self, anchor: Anchor | None) -> None:
        self._findings = Findings()
        self._anchor = AnchorCheck(anchor, self._findings) if anchor else None
        self._anchored: Anchored | None = None
        self._conversations: dict[int, ConversationRow] = {}
        self._snapshots: Snapshots = {}
        self._unfinished: list[Finding] = []
        self._pending: tuple[str, ...] = ()
        self._interactions = self._links = self._requests = self._erased = 0
        self._complete = True
        self._are_rows_read = False

    def check(self, rows: RecordRows) -> None:
        """Check everything that can be read."""
        self._try(partial(self._check_schema, rows))
        if not self._are_rows_read:
            self._complete = False
            self._findings.add("Rows were not checked, because a table is not as it should be.")
            return
        for step in (
            self._read_conversations,
            self._check_tickets,
            self._check_chains,
            self._check_requests,
        ):
            self._try(partial(step, rows))
        if self._anchor and self._complete:
            self._anchored = self._anchor.close(self._conversations)

    def take_loose(self, loose: Callable[[], Iterable[LooseRow]]) -> None:
        """Add what stands beside the links and should not stand so."""

        def add() -> None:
            for row in loose():
                conversation = self._conversation(row.conversation_id)
                place = Place(conversation.id, conversation.agent, conversation.ticket, row.interaction_id)
                self._findings.add(row.what, place)

        if self._are_rows_read:
            self._try(add)

    def take_damages(self, damages: Callable[[], Iterable[str]]) -> None:
        """Add what the engine's own check of the file finds."""

        def add() -> None:
            for what in damages():
                self._findings.add(what)

        self._try(add)

    def result(self) -> Verification:
        """What was checked and found."""
        return Verification(
            conversations=len(self._conversations),
            interactions=self._interactions,
            links=self._links,
            requests=self._requests,
            snapshots=len(self._snapshots),
            breaks=self._findings.all(),
            unfinished=tuple(self._unfinished),
            erased=self._erased,
            pending=self._pending,
            anchored=self._anchored,
            complete=self._complete,
        )

    def _try(self, step: Callable[[], None]) -> None:
        try:
            step()
        except StorageError as error:
            self._complete = False
            self._findings.add(f"A part of the record cannot be read, so not all of it was checked: {error}")

    def _check_schema(self, rows: RecordRows) -> None:
        """Compare the schema; see whether the rows can be read by it."""
        differences = rows.schema_differences()
        for type_, name, how in differences:
            match how:
                case "missing":
                    what = f"The {type_} {name} is missing, so the record was not guarded as it should be."
                case "changed":
                    what = f"The {type_} {name} is not the one that the schema makes."
                case _:
                    what = f"The {type_} {name} does not belong to the record."
            self._findings.add(what)
        self._are_rows_read = not any(type_ == "table" and how != "foreign" for type_, _, how in differences)

    def _read_conversations(self, rows: RecordRows) -> None:
        self._conversations.update({row.id: row for row in rows.conversations()})
        self._pending = tuple(rows.pending_erasures())

    def _check_tickets(self, rows: RecordRows) -> None:
        self._snapshots = check_snapshots(rows.snapshots(), self._findings)
        check_sources(rows.sources(), self._findings)

    def _check_chains(self, rows: RecordRows) -> None:
        seen: set[int] = set()
        for conversation_id, links in groupby(rows.links(), key=itemgetter(0)):
            seen.add(conversation_id)
            self._walk(self._conversation(conversation_id), links, rows)
        for conversation in self._conversations.values():
            if conversation.id not in seen:
                self._walk(conversation, iter(()), rows)

    def _walk(self, conversation: ConversationRow, links: Iterator[Link], rows: RecordRows) -> None:
        walk = ChainWalk(conversation, self._snapshots, self._findings)
        wanted = self._anchor.links_wanted(conversation.id) if self._anchor else 0
        while walk.links < wanted and (last := walk.follow(islice(links, wanted - walk.links))):
            if self._anchor and walk.links == wanted:
                self._anchor.take(conversation, walk, time_of(last))
        walk.follow(links)
        walk.close()
        self._interactions += walk.entries
        self._links += walk.links
        self._erased += walk.erased
        if self._anchor:
            self._anchor.take_length(conversation.id, walk.links)
        if walk.open_answer is not None:
            self._unfinished.append(_unfinished(walk.open_answer, rows))

    def _check_requests(self, rows: RecordRows) -> None:
        for row in rows.requests():
            self._requests += 1
            conversation = self._conversation(row.conversation_id)
            check_request(row, conversation, self._findings)
            if self._anchor:
                self._anchor.take_request(conversation, row)

    def _conversation(self, conversation_id: int) -> ConversationRow:
        return self._conversations.get(conversation_id) or ConversationRow(conversation_id, "?", "?", 0, erased=False)


def _unfinished(answer: OpenAnswer, rows: RecordRows) -> Finding:
    writer = answer.row.writer
    if writer is not None and rows.is_alive(writer.decode("utf-8", "replace")):
        what = "An answer is still being written."
    else:
        what = "An answer broke off: its writer is gone. The next start of Ticketree closes it, its text is kept."
    return Finding(Cause.UNFINISHED, what, answer.place, answer.row.created_at)
