"""Every place where words of a ticket, or of the conversations on it, are kept; erasure empties all of them.

A new table with such words is one line in `WORD_HOLDERS` (and a call of `word_triggers` in the migration that makes
it). A test refuses a text column that is neither here nor known to hold none. The full-text index, which is made of
words but no table of them, is emptied beside this (`storage.sqlite.erasing`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from storage.sqlite.schema.guards import trigger

_CONVERSATIONS: Final = "(SELECT id FROM conversation WHERE ticket_id = {ticket})"
_ROWS: Final = {
    "ticket_id": "ticket_id = {ticket}",
    "conversation_id": f"conversation_id IN {_CONVERSATIONS}",
    "interaction_id": f"interaction_id IN (SELECT id FROM interaction WHERE conversation_id IN {_CONVERSATIONS})",
    "request_id": f"request_id IN (SELECT id FROM request WHERE conversation_id IN {_CONVERSATIONS})",
}
"""How the rows of a ticket are found by the column that leads to it."""


@dataclass(frozen=True, slots=True)
class WordHolder:
    """A table with words.

    Attributes:
        what: the class of content, as an erasure names it; "" for rows that only join others.
        column: what leads to the ticket: ticket_id, or beside a conversation_id interaction_id or request_id.
        only: a condition on the rows that go, with {row} for the row; all of them where it is empty.
        since: the version of the schema that has both the table and erasures.
    """

    table: str
    what: str
    column: str
    only: str = ""
    since: int = 3

    def rows_of(self, ticket: str) -> str:
        """Return the condition that is true for the rows of a ticket, given as SQL."""
        found = _ROWS[self.column].format(ticket=ticket)
        return f"{found} AND {self.only.format(row=self.table)}" if self.only else found

    @property
    def may_go(self) -> str:
        """The condition that is true for a row (OLD) that may be deleted."""
        erased = is_erased("OLD", self.column)
        return f"{erased} AND {self.only.format(row='OLD')}" if self.only else erased


WORD_HOLDERS: Final = (
    WordHolder("search_entry", "search entries", "ticket_id"),
    WordHolder("snapshot_words", "versions of the ticket", "ticket_id"),
    WordHolder("snapshot_message", "", "ticket_id"),
    WordHolder("ticket_message", "messages of the ticket", "ticket_id"),
    WordHolder("ticket_source", "raw sources", "ticket_id"),
    WordHolder("ticket_status", "statuses that sources named", "ticket_id", "{row}.origin = 'import'"),
    WordHolder("reading", "", "conversation_id", since=10),
    WordHolder("heading", "authors", "interaction_id"),
    WordHolder("payload", "pieces of text", "interaction_id"),
    WordHolder("seal", "previews", "interaction_id"),
    WordHolder("setting", "settings", "conversation_id"),
    WordHolder("node_label", "labels", "conversation_id", since=5),
    WordHolder("response", "responses", "request_id"),
    WordHolder("wire", "bytes sent and received", "request_id"),
    WordHolder("draft", "drafts", "ticket_id"),
)
"""In the order in which they are emptied: what refers to another row goes before it."""

STRUCTURE: Final = {
    "ticket_snapshot": "ticket_id",
    "conversation": "ticket_id",
    "interaction": "conversation_id",
    "request": "conversation_id",
}
"""Tables without words that stay as they are once a ticket is erased, with the column that leads to it."""

ORPHANS: Final = "NOT EXISTS (SELECT 1 FROM ticket_source WHERE raw_source_id = {row}.id)"
"""Raw sources belong to every ticket that was read from them, and go with the last one."""


def word_triggers(version: int) -> Iterator[str]:
    """Yield the statements that make the triggers of all word holders of a version of the schema anew."""
    holders = [holder for holder in WORD_HOLDERS if holder.since <= version]
    deletable = {holder.table: holder.may_go for holder in holders if holder.table != "draft"}
    for table, may_go in {**deletable, "raw_source": ORPHANS.format(row="OLD")}.items():
        name = f"{table}_no_delete"
        yield f"DROP TRIGGER IF EXISTS {name}"
        yield trigger(name, f"BEFORE DELETE ON {table}", {"immutable": f"NOT ({may_go})"})
    columns = {holder.table: holder.column for holder in holders}
    for table, column in {**columns, **STRUCTURE}.items():
        name = f"{table}_not_erased"
        yield f"DROP TRIGGER IF EXISTS {name}"
        yield trigger(name, f"BEFORE INSERT ON {table}", {"erased": is_erased("NEW", column)})
    yield "DROP TRIGGER IF EXISTS erasure_acts"
    deletes = [f"DELETE FROM {holder.table} WHERE {holder.rows_of('NEW.ticket_id')}" for holder in holders]
    deletes.append(f"DELETE FROM raw_source WHERE {ORPHANS.format(row='raw_source')}")
    yield "CREATE TRIGGER erasure_acts AFTER INSERT ON erasure BEGIN\n" + ";\n".join(deletes) + ";\nEND"


def is_erased(row: str, column: str) -> str:
    """Return the condition that is true where the ticket of a trigger's row (OLD or NEW) is erased."""
    ticket = f"{row}.ticket_id"
    if column != "ticket_id":
        ticket = f"(SELECT ticket_id FROM conversation WHERE id = {row}.conversation_id)"
    return f"EXISTS (SELECT 1 FROM erasure WHERE ticket_id = {ticket})"
