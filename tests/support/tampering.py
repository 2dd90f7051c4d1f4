"""Changing a record behind Ticketree's back, as whoever can write the file could."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from raw_record import raw

from storage.chain import FINAL_FIELDS, INTERACTION_FIELDS, final_hash, interaction_hash
from storage.sqlite.driver import sqlite3
from storage.sqlite.schema.reading import COPY


@contextmanager
def tampered(database: Path) -> Iterator[sqlite3.Connection]:
    """Open the file without its guards, and put them back afterwards as if nothing had been."""
    with raw(database) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        for _, sql in triggers:
            connection.execute(sql)


def swap_links(connection: sqlite3.Connection, conversation_id: int, one: int, other: int) -> None:
    """Exchange the places of two interactions in the chain, hashes and all."""
    for before, after in ((one, -1), (other, one), (-1, other)):
        connection.execute(
            "UPDATE interaction SET link = ? WHERE conversation_id = ? AND link = ?", (after, conversation_id, before)
        )


def swap_contents(connection: sqlite3.Connection, one: int, other: int) -> None:
    """Exchange what two interactions say, pieces and seals."""
    for before, after in ((one, -1), (other, one), (-1, other)):
        for table in ("payload", "seal"):
            connection.execute(f"UPDATE {table} SET interaction_id = ? WHERE interaction_id = ?", (after, before))


def move_links(connection: sqlite3.Connection, conversation_id: int, start: int, by: int) -> None:
    """Make room in a chain: all links from one on are renumbered."""
    for table in ("interaction", "final"):
        for sign in (-1, 1):
            connection.execute(
                f"UPDATE {table} SET link = ? * (abs(link) + ?) WHERE conversation_id = ? AND abs(link) >= ?",
                (sign, by if sign < 0 else 0, conversation_id, start),
            )


def remove(connection: sqlite3.Connection, node_id: int) -> None:
    """Take an interaction away with all that stands beside it."""
    requests = connection.execute("SELECT id FROM request WHERE interaction_id = ?", (node_id,)).fetchall()
    _remove_by(connection, "request_id", [key for (key,) in requests])
    _remove_by(connection, "interaction_id", [node_id])
    connection.execute("DELETE FROM interaction WHERE id = ?", (node_id,))
    connection.execute("INSERT INTO search (search) VALUES ('rebuild')")


def _remove_by(connection: sqlite3.Connection, column: str, keys: list[int]) -> None:
    tables = connection.execute(
        "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = ?",
        (column,),
    ).fetchall()
    for (table,) in tables:
        for key in keys:
            connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (key,))


def rewrite_chain(connection: sqlite3.Connection, conversation_id: int) -> None:
    """Compute all hashes of a conversation anew, so that its chain holds again whatever was changed, and its copies."""
    connection.execute("DELETE FROM reading WHERE conversation_id = ?", (conversation_id,))
    connection.execute(f"{COPY} WHERE f.conversation_id = ?", (conversation_id,))
    connection.row_factory = sqlite3.Row
    rows = [
        *connection.execute("SELECT * FROM interaction WHERE conversation_id = ?", (conversation_id,)),
        *connection.execute("SELECT * FROM final WHERE conversation_id = ?", (conversation_id,)),
    ]
    before = bytes(32)
    for row in sorted(rows, key=lambda row: int(row["link"])):
        if "kind" in row.keys():  # noqa: SIM118 - a Row contains its values, not its names
            made = interaction_hash(before, {name: row[name] for name in INTERACTION_FIELDS}, row["commitment"])
            table, key, value = "interaction", "id", row["id"]
        else:
            made = final_hash(before, {name: row[name] for name in FINAL_FIELDS}, row["commitment"])
            table, key, value = "final", "interaction_id", row["interaction_id"]
        connection.execute(f"UPDATE {table} SET prev_hash = ?, hash = ? WHERE {key} = ?", (before, made, value))
        before = made
    connection.row_factory = None
