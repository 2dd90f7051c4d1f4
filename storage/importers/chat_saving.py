"""Bringing found chats and exported conversations into an agent's conversations."""

from collections.abc import Iterator

from storage.chats import ChangedStatus, ChatOutcome, IncomingChat, SavedChat
from storage.errors import ExportError, NotFoundError, RefusedError
from storage.exporters.json_reading import parse_export
from storage.exporters.reading_back import compare_tree, is_of_this_conversation, save_tree
from storage.importers.chats.differing import KnownNodes, differences
from storage.importers.chats.fields import name_of
from storage.importers.chats.notes import having
from storage.importers.findings import FoundChat, FoundExport, Repaired, Skip, Skipped
from storage.importers.report import Tally
from storage.importers.shelf import Shelf
from storage.store import Store
from storage.tickets import SaveOutcome


class ChatSaver:
    """Saves chats and counts them; a check only asks what saving would do."""

    def __init__(
        self, store: Store, shelf: Shelf, tally: Tally, *, agent: str | None, ticket_id: str | None, check: bool
    ) -> None:
        self._store = store
        self._shelf = shelf
        self._tally = tally
        self._agent = agent
        self._ticket_id = ticket_id
        self._check = check
        self._known = KnownNodes(store)
        self._brought: set[bytes] = set()

    def save(self, found: FoundChat | FoundExport) -> None:
        """Save one, as a transaction of its own."""
        if not self._agent:
            self._skip(found.name, "it is a chat, and no agent is named to whose conversations it could be added")
            return
        agent = self._agent
        try:
            saved = self._saved(found, agent) if isinstance(found, FoundChat) else self._saved_export(found, agent)
        except (RefusedError, ExportError, NotFoundError) as error:
            self._skip(found.name, str(error))
            return
        if saved.changed:
            self._tally.repair(Repaired(found.name, _changed(saved.changed)))
        if saved.status:
            self._tally.repair(Repaired(found.name, _with_status(saved.ticket_id, saved.status)))
        if isinstance(found, FoundChat):
            for difference in self._differences(found.chat, saved, agent):
                self._tally.repair(Repaired(found.name, difference))
        again = isinstance(found, FoundChat) and self._comes_again(found, saved)
        is_new = again or saved.outcome is not ChatOutcome.UNCHANGED
        self._tally.save(SaveOutcome.NEW if is_new else SaveOutcome.UNCHANGED)

    def _comes_again(self, found: FoundChat, saved: SavedChat) -> bool:
        """Whether the same import brought a chat of this id already; then both are one, and both count as imported."""
        if found.chat.key in self._brought:
            note = "a chat with the same id came before it; the two are one, and what is new of this one was added"
            self._tally.repair(Repaired(found.name, note))
            return True
        if saved.outcome is not ChatOutcome.UNCHANGED:
            self._brought.add(found.chat.key)
        return False

    def _differences(self, chat: IncomingChat, saved: SavedChat, agent: str) -> Iterator[str]:
        """Say what of a chat is another than in the record, and was left as it is there."""
        if saved.outcome is not ChatOutcome.NEW:
            yield from differences(chat, self._known.of(chat, agent, saved.ticket_id), saved.changed)
        ticket = self._shelf.known(saved.ticket_id)
        if chat.ticket and ticket and saved.ticket_id in chat.ticket_ids() and ticket.subject != chat.ticket.subject:
            new, old = name_of(chat.ticket.subject), name_of(ticket.subject)
            yield f"its title is {new!r} by now; the one that it was imported with, {old!r}, was left"

    def _saved(self, found: FoundChat, agent: str) -> SavedChat:
        chat, ticket_id = found.chat, self._ticket_id
        if ticket_id is not None and self._shelf.known(ticket_id) is None:
            raise NotFoundError(
                f"there is no ticket {ticket_id} to add it to; import that first, or leave --ticket out"
            )
        if not self._check:
            return self._store.save_chat(agent, chat, ticket_id)
        try:
            return self._store.compare_chat(agent, chat, ticket_id)
        except NotFoundError:
            # The ticket is among those that the same import would bring.
            return SavedChat(ticket_id or "", ChatOutcome.NEW, len(chat.nodes))

    def _saved_export(self, found: FoundExport, agent: str) -> SavedChat:
        tree = parse_export(found.text)
        if self._ticket_id not in (None, tree.ticket_id):
            raise RefusedError(f"it is a conversation on ticket {tree.ticket_id}, and can be added to no other")
        if is_of_this_conversation(tree, self._store, agent):
            return SavedChat(tree.ticket_id, ChatOutcome.UNCHANGED, 0)
        return (compare_tree if self._check else save_tree)(tree, self._store, agent)

    def _skip(self, name: str, reason: str) -> None:
        self._tally.skip(Skipped(name, reason, Skip.TICKET))


def _changed(ids: tuple[str, ...]) -> str:
    return f"{having(ids)} another text than when it was imported; the new one stands beside it as a sibling"


def _with_status(ticket_id: str, status: ChangedStatus) -> str:
    if status.by_customer:
        return f"the customer of ticket {ticket_id} wrote again, so it is open; it was {name_of(status.before)!r} here"
    return (
        f"with a newer version of ticket {ticket_id} comes the status {name_of(status.now)!r} that its source names; "
        f"it was {name_of(status.before)!r} here"
    )
