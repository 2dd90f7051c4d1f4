"""Following the links of one conversation: each names the one before it, has its place in the tree, and its words.

Rows are taken apart at once where every row passes, as naming their fields one by one takes several times as long.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from storage.audit.findings import Findings, Place
from storage.audit.hashing import end_hash, entry_hash
from storage.audit.rows import ConversationRow, EndRow, EntryRow, Link
from storage.audit.word_checks import Snapshots, content_problem, heading_problem, is_heading_gone, is_seal_gone
from storage.chain import GENESIS
from storage.kinds import ROOT

_ROOT: Final = ROOT.name.encode()
_FIELDS: Final = "Its stored fields do not give the hash that stands beside them, so one of them was changed."
_ORDER: Final = (
    "It does not name the hash of the link before it, so a link before it was changed, removed, added or moved."
)
_ENDLESS: Final = "It has no end although its conversation went on, so its end was removed."


@dataclass(frozen=True, slots=True)
class OpenAnswer:
    """The newest node of a conversation where it has no end."""

    row: EntryRow
    place: Place


class ChainWalk:
    """Follows the links of one conversation in order; `close` tells that there are no more.

    Attributes:
        links: how many were taken.
        entries: how many of them were interactions.
        erased: how many headings and seals were erased lawfully.
        head: the hash of the last link.
        open_answer: set by `close` where the conversation ends with an answer that has no end.
    """

    def __init__(self, conversation: ConversationRow, snapshots: Snapshots, findings: Findings) -> None:
        self._conversation = conversation
        self._snapshots = snapshots
        self._findings = findings
        self._erased = conversation.erased
        self.links = 0
        self.entries = 0
        self.erased = 0
        self.head = GENESIS
        self.open_answer: OpenAnswer | None = None
        self._expected_link = 1
        self._expected_seq = 1
        self._node_count = 0
        self._nodes: dict[int, tuple[int, int | None]] = {}
        self._open: dict[int, EntryRow] = {}

    def follow(self, links: Iterable[Link]) -> Link | None:
        """Check the next links; return the last one, None where there are no more."""
        row: Link | None = None
        for row in links:
            if isinstance(row, EntryRow):
                self._take_entry(row)
            else:
                self._take_end(row)
        return row

    def close(self) -> None:
        """Check what can only be known after the last link."""
        if not self.entries:
            self._findings.add("It has no entries, not even a root: they were removed.", self._place())
            return
        newest = max(self._nodes, default=0)
        for row in self._open.values():
            if row.id == newest and row.external and row.writer is not None:
                self.open_answer = OpenAnswer(row, self._of_entry(row))
            else:
                self._entry_broken(row, _ENDLESS)

    def _take_entry(self, row: EntryRow) -> None:
        (_, prev_hash, link_hash, commitment, created_at, depth, external, node_id, _, link, node_count, parent_id, _,
         seq, _, _, _, _, _) = row  # fmt: skip
        if not (
            type(created_at) is type(link) is type(seq) is int
            and type(prev_hash) is type(link_hash) is type(commitment) is bytes
        ):
            self._entry_broken(row, "Its time, its position or a hash is not of the type that the schema keeps.")
            return
        if link != self._expected_link:
            self._entry_broken(row, self._gap(link))
        if prev_hash != self.head:
            self._entry_broken(row, _ORDER)
        if entry_hash(row) != link_hash:
            self._entry_broken(row, _FIELDS)
        self._expected_link = link + 1
        self.head = link_hash
        self.links += 1
        self.entries += 1
        if problem := self._misplaced(row):
            self._entry_broken(row, problem)
        if self._erased and is_heading_gone(row):
            self.erased += 1
        elif problem := heading_problem(row, self._conversation, self._snapshots):
            self._entry_broken(row, problem)
        self._expected_seq = seq + 1
        self._node_count = node_count
        if external:
            self._nodes[node_id] = (depth, parent_id)
        self._open[node_id] = row

    def _take_end(self, row: EndRow) -> None:
        _, prev_hash, link_hash, commitment, ended_at, node_id, link, _, _, _, _, _, _, _, _ = row
        if not (
            type(ended_at) is type(link) is int and type(prev_hash) is type(link_hash) is type(commitment) is bytes
        ):
            self._end_broken(row, "The time, link or hash of its end is not of the type that the schema keeps.")
            return
        if link != self._expected_link:
            self._end_broken(row, self._gap(link))
        if prev_hash != self.head:
            self._end_broken(row, _ORDER)
        if end_hash(row) != link_hash:
            self._end_broken(row, _FIELDS)
        self._expected_link = link + 1
        self.head = link_hash
        self.links += 1
        entry = self._open.get(node_id)
        if entry is None:
            self._end_broken(row, "It has an end but no beginning in this conversation before it, or a second end.")
            return
        if self._erased and is_seal_gone(row):
            self.erased += 1
        elif problem := content_problem(row, entry, self._conversation, self._snapshots):
            self._end_broken(row, problem)
        del self._open[node_id]

    def _misplaced(self, row: EntryRow) -> str:
        """Say what is wrong with an entry's place in the tree; "" where nothing is."""
        (_, _, _, _, created_at, depth, external, _, kind, _, node_count, parent_id, replaces_id, seq, _, _, _, _,
         _) = row  # fmt: skip
        if seq != self._expected_seq:
            return f"Its position is {seq} where {self._expected_seq} comes next, so entries are missing or moved."
        if node_count != self._node_count + (1 if external else 0):
            return "Its count of nodes does not follow from the entries before it."
        if parent_id is None:
            if not (seq == 1 and kind == _ROOT and depth == 0 and external == 1):
                return "It stands below nothing, and is not the root that opens the conversation."
            is_then = created_at == self._conversation.created_at
            return "" if is_then else "The conversation is said to have been opened at another time than its root was."
        parent = self._nodes.get(parent_id)
        if parent is None:
            return "It cannot be reached from the root: what it stands below is no earlier node of its conversation."
        if depth != parent[0] + 1:
            return "Its depth is not one more than that of the node it stands below."
        if replaces_id is not None and self._nodes.get(replaces_id, (0, 0))[1] != parent_id:
            return "What it was made instead of is no earlier sibling of it."
        return ""

    def _gap(self, link: int) -> str:
        missing = link - self._expected_link
        if missing < 0:
            return f"It is numbered {link} in the chain where {self._expected_link} comes next."
        before = f"Link {self._expected_link} is" if missing == 1 else f"Links {self._expected_link} to {link - 1} are"
        return f"{before} missing before it."

    def _entry_broken(self, row: EntryRow, what: str) -> None:
        self._findings.add(what, self._of_entry(row), row.created_at)

    def _end_broken(self, row: EndRow, what: str) -> None:
        opened = self._open.get(row.interaction_id)
        place = self._place(row.interaction_id, opened.seq if opened else None, row.link)
        self._findings.add(what, place, row.ended_at)

    def _of_entry(self, row: EntryRow) -> Place:
        return self._place(row.id, row.seq, row.link)

    def _place(self, node_id: int | None = None, seq: int | None = None, link: int | None = None) -> Place:
        conversation = self._conversation
        return Place(conversation.id, conversation.agent, conversation.ticket, node_id, seq, link)
