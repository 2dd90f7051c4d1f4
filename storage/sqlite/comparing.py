"""A chat that comes in beside what the record holds of it already; writes nothing."""

from dataclasses import dataclass, replace
from typing import Final

from sqlite_utils import Database

from storage.chats import ChangedStatus, ChatOutcome, IncomingChat, SavedChat
from storage.closed_means import ClosedMeans
from storage.errors import ExportError, NotFoundError
from storage.interactions import Conversation
from storage.kinds import TICKET
from storage.sqlite import conversations, tickets
from storage.sqlite.comparing_nodes import Compared, State, compare_nodes, said_by
from storage.sqlite.erasing import refuse_erased
from storage.sqlite.origins import Held, held
from storage.sqlite.saving import is_written_to_again, says_another_status
from storage.text import storable
from storage.ticket_digests import snapshot_digest
from storage.tickets import OPEN, IncomingTicket

_OF_AGENT: Final = """
    SELECT t.name FROM imported_chat x JOIN conversation c ON c.id = x.conversation_id
        JOIN agent a ON a.id = c.agent_id JOIN ticket t ON t.id = c.ticket_id
    WHERE x.key = ? AND a.name = ? ORDER BY x.id LIMIT 1
"""
_ON_TICKET: Final = """
    SELECT 1 FROM imported_chat x JOIN conversation c ON c.id = x.conversation_id WHERE x.key = ? AND c.ticket_id = ?
"""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A chat beside what is known of it.

    Attributes:
        conversation: None where there is none yet.
        chats: the chats that its nodes come from, and the row of each where it has one.
        holds_any: the conversation is one of those chats, or holds some of one.
        versions: of the ticket, which are to be added.
        said: the status that a source names with them and that is to be added, "" where the ticket keeps its own.
        opens: they hold words of the customer that open the ticket.
        status: what the ticket's becomes with it, None where it stays the same.
    """

    ticket_id: str
    conversation: Conversation | None
    chats: dict[bytes, int | None]
    holds_any: bool
    nodes: tuple[Compared, ...]
    versions: tuple[IncomingTicket, ...]
    said: str = ""
    opens: bool = False
    status: ChangedStatus | None = None

    def outcome(self) -> SavedChat:
        """Say what saving comes to."""
        added = sum(each.is_added for each in self.nodes)
        changed = tuple(each.node.source_id for each in self.nodes if each.state is State.CHANGED and each.was_held)
        is_here = bool(self.nodes) and not added
        grows = added or self.versions
        if self.conversation is None or not (self.holds_any or is_here):
            what = ChatOutcome.NEW
        else:
            what = ChatOutcome.GROWN if grows else ChatOutcome.UNCHANGED
        return SavedChat(self.ticket_id, what, added, changed, status=self.status)


def compare(db: Database, agent: str, chat: IncomingChat, ticket_id: str | None, means: ClosedMeans) -> Comparison:
    """Compare a chat with what the agent's conversation holds.

    Raises:
        NotFoundError: no such ticket.
        ErasedError: its words were erased.
        ExportError: the record holds the ticket with other words.
    """
    name = storable(ticket_id) if ticket_id is not None else _ticket_for(db, agent, chat)
    ticket_key = tickets.find(db, name)
    if ticket_key is not None:
        refuse_erased(db, ticket_key)
    elif not chat.versions and (ticket_id is not None or chat.ticket is None):
        raise NotFoundError(f"There is no ticket {name}.")
    place = conversations.find(db, agent, name) if ticket_key is not None else None
    versions = _newer_versions(db, ticket_key, chat)
    compared = compare_at(db, name, place, chat, versions)
    said = storable(chat.source_status)
    if ticket_key is None or not versions:
        return compared
    before = tickets.snapshot(db, name).status
    if says_another_status(db, ticket_key, said, means):
        return replace(compared, said=said, status=ChangedStatus(said, before) if said != before else None)
    if is_written_to_again(db, ticket_key, replace(versions[-1], status=said), means):
        return replace(compared, opens=True, status=ChangedStatus(OPEN, before, by_customer=True))
    return compared


def compare_at(
    db: Database,
    ticket_id: str,
    place: Conversation | None,
    chat: IncomingChat,
    versions: tuple[IncomingTicket, ...] = (),
) -> Comparison:
    """Compare a chat with what a conversation holds; None holds nothing. `versions` are to be added first."""
    chats = dict.fromkeys(chat.origin_of(node).chat for node in chat.nodes) or {chat.key: None}
    found = held(db, place.id, chats) if place else Held()
    nodes = compare_nodes(db, place, chat, found)
    return Comparison(ticket_id, place, chats | found.chats, bool(found.chats), nodes, versions)


def _newer_versions(db: Database, ticket_key: int | None, chat: IncomingChat) -> tuple[IncomingTicket, ...]:
    """The versions of a chat's ticket that follow the newest one of the record; all where it has none."""
    if ticket_key is None or not chat.versions:
        return chat.versions
    known: list[str] = [
        digest
        for (digest,) in db.execute(
            "SELECT digest FROM snapshot_words WHERE ticket_id = ? ORDER BY number", (ticket_key,)
        )
    ]
    told = [snapshot_digest(version) for version in chat.versions]
    begin = told.index(known[-1]) + 1 if known[-1] in told else len(told)
    newer = {digest: version for digest, version in zip(told[begin:], chat.versions[begin:], strict=True)}
    here = {*known, *newer}
    if here.isdisjoint(told) or any(said_by(node) not in here for node in chat.nodes if node.kind == TICKET.name):
        raise ExportError(
            f"The export holds ticket {chat.versions[-1].id} with other words than the record does; it was left out, "
            "so that no conversation is taken for one on other words."
        )
    return tuple(version for digest, version in newer.items() if digest not in known)


def _ticket_for(db: Database, agent: str, chat: IncomingChat) -> str:
    """The ticket on which the agent has this chat, else the one made for it, else the id of one to be made."""
    if found := db.execute(_OF_AGENT, (chat.key, storable(agent))).fetchone():
        name: str = found[0]
        return name
    for name in chat.ticket_ids():
        ticket_key = tickets.find(db, name)
        if ticket_key is None or db.execute(_ON_TICKET, (chat.key, ticket_key)).fetchone():
            break
    return name
