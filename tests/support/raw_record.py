"""The record's file as any program with SQLite sees it: no pragmas of ours, no store."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from storage.chain import FINAL_FIELDS, GENESIS, INTERACTION_FIELDS, commitment, final_hash, interaction_hash
from storage.sqlite.driver import sqlite3


@contextmanager
def raw(database: Path, *, enforcing: bool = False) -> Iterator[sqlite3.Connection]:
    """Open the file with SQLite's weakest settings, or with foreign keys and recursive triggers on."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        state = "ON" if enforcing else "OFF"
        connection.execute(f"PRAGMA foreign_keys = {state}")
        connection.execute(f"PRAGMA recursive_triggers = {state}")
        yield connection


def dump(connection: sqlite3.Connection) -> dict[str, list[tuple[object, ...]]]:
    """Return every table's definition, triggers and rows."""
    schema = connection.execute("SELECT name, type, sql FROM sqlite_schema ORDER BY name").fetchall()
    tables = [name for name, kind, _ in schema if kind == "table"]
    return {"": schema, **{name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables}}


def broken_links(connection: sqlite3.Connection, conversation_id: int) -> list[int]:
    """Return the links of a conversation's chain that do not hold, its contents included."""
    connection.row_factory = sqlite3.Row
    interactions = connection.execute(
        "SELECT i.*, h.salt, h.meta, h.author FROM interaction i JOIN heading h ON h.interaction_id = i.id"
        " WHERE i.conversation_id = ?",
        (conversation_id,),
    )
    finals = connection.execute(
        "SELECT f.*, s.salt, s.detail FROM final f JOIN seal s USING (interaction_id) WHERE f.conversation_id = ?",
        (conversation_id,),
    )
    links = sorted((*interactions.fetchall(), *finals.fetchall()), key=lambda row: int(row["link"]))
    broken, before = [], GENESIS
    for expected, row in enumerate(links, 1):
        if "kind" in row.keys():  # noqa: SIM118 - a Row contains its values, not its names
            sealed = commitment(row["salt"], row["meta"], row["author"])
            made = interaction_hash(before, {name: row[name] for name in INTERACTION_FIELDS}, sealed)
        else:
            sealed = commitment(row["salt"], row["detail"], _content(connection, row["interaction_id"]))
            made = final_hash(before, {name: row[name] for name in FINAL_FIELDS}, sealed)
        if (row["link"], row["prev_hash"], row["hash"]) != (expected, before, made):
            broken.append(expected)
        before = row["hash"]
    return broken


def _content(connection: sqlite3.Connection, interaction_id: int) -> str:
    rows: Sequence[tuple[str]] = connection.execute(
        "SELECT text FROM payload WHERE interaction_id = ? ORDER BY piece", (interaction_id,)
    ).fetchall()
    return "".join(text for (text,) in rows)
