"""Comparing a record with an anchored head: what was there then must still be there, link for link."""

from dataclasses import dataclass

from storage.audit.anchor import Anchor, Head
from storage.audit.chain_walk import ChainWalk
from storage.audit.findings import Findings, Place
from storage.audit.hashing import request_hash
from storage.audit.rows import ConversationRow, RequestRow
from storage.chain import GENESIS
from storage.values import JsonObject


@dataclass(frozen=True, slots=True)
class Anchored:
    """How a record stands to an anchor that was kept.

    Attributes:
        made_at: when the anchor was made, microseconds since 1970 UTC.
        conversations, links: what the anchor holds.
        added: links that these conversations have got since.
    """

    made_at: int
    conversations: int
    links: int
    added: int

    def as_json(self) -> JsonObject:
        """The comparison as `audit verify --json` prints it."""
        return {
            "made_at": self.made_at,
            "conversations": self.conversations,
            "links": self.links,
            "added": self.added,
        }


class AnchorCheck:
    """Is told what a record holds, and finds what an anchor says otherwise."""

    def __init__(self, anchor: Anchor, findings: Findings) -> None:
        self._anchor = anchor
        self._findings = findings
        self._seen: set[int] = set()
        self._requests: dict[int, tuple[int, bytes]] = {}
        self._added = 0

    def links_wanted(self, conversation_id: int) -> int:
        """How many links into a conversation `take` must be called; 0 where the anchor does not know it."""
        head = self._anchor.heads.get(conversation_id)
        return head.links if head else 0

    def take(self, conversation: ConversationRow, walk: ChainWalk, since: int) -> None:
        """Compare the hash of the link that was the last one."""
        head = self._anchor.heads[conversation.id]
        self._seen.add(conversation.id)
        if walk.head.hex() != head.hash:
            what = f"Link {head.links} is not the one that was anchored: the conversation was written anew."
            self._break(conversation, what, link=head.links, since=since)

    def take_length(self, conversation_id: int, links: int) -> None:
        """Take how many links a conversation has in all."""
        if conversation_id in self._anchor.heads:
            self._added += links - self._anchor.heads[conversation_id].links

    def take_request(self, conversation: ConversationRow, request: RequestRow) -> None:
        """Take the next request of a conversation."""
        count, before = self._requests.get(conversation.id, (0, GENESIS))
        count, after = count + 1, request_hash(before, request)
        self._requests[conversation.id] = count, after
        head = self._anchor.heads.get(conversation.id)
        if head and head.requests == count and head.requests_hash != after.hex():
            self._break(conversation, f"The first {count} requests are not those that were anchored.")

    def close(self, conversations: dict[int, ConversationRow]) -> Anchored:
        """Find what is missing."""
        for conversation_id, head in self._anchor.heads.items():
            conversation = conversations.get(conversation_id)
            if conversation is None:
                what = f"Conversation {conversation_id} was anchored with {head.links} links and is gone."
                self._findings.add(what, Place(conversation_id), self._anchor.made_at)
            elif conversation_id not in self._seen:
                what = f"It was anchored with {head.links} links and has fewer now: its end was cut off."
                self._break(conversation, what, since=self._anchor.made_at)
            else:
                self._check_requests(conversation, head)
        return Anchored(self._anchor.made_at, len(self._anchor.heads), self._anchor.links, max(0, self._added))

    def _check_requests(self, conversation: ConversationRow, head: Head) -> None:
        count, _ = self._requests.get(conversation.id, (0, GENESIS))
        if count < head.requests:
            what = f"It was anchored with {head.requests} requests and has {count} now."
            self._break(conversation, what, since=self._anchor.made_at)

    def _break(
        self, conversation: ConversationRow, what: str, *, link: int | None = None, since: int | None = None
    ) -> None:
        place = Place(conversation.id, conversation.agent, conversation.ticket, link=link)
        self._findings.add(what, place, since)
