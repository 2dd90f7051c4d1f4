"""The versions of the schema, applied one after the other; a schema from a newer Ticketree is refused."""

from typing import Final

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from storage.errors import NewerSchemaError, UnreadableError
from storage.sqlite import search_index
from storage.sqlite.authorizer import unguarded
from storage.sqlite.header import APPLICATION_ID
from storage.sqlite.schema import (
    chats,
    ending,
    label_search,
    labels,
    measures,
    read_indexes,
    reading,
    search,
    tasks,
    usage,
)
from storage.sqlite.schema.guards import GUARDS, log_triggers
from storage.sqlite.schema.record import LOG_KEYS, TABLES


def m001_record(db: Database) -> None:
    """Make the record: tickets, trees, contents, requests and the guards over them."""
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for statement in (*TABLES, *log_triggers(LOG_KEYS, GUARDS)):
        db.execute(statement)


def m002_search(db: Database) -> None:
    """Add the full-text index, and bring what is in the record into it."""
    for statement in search.statements():
        db.execute(statement)
    search_index.fill(db)


def m003_end_of_life(db: Database) -> None:
    """Add erasures, legal holds, and the triggers that let words go by an erasure only."""
    for statement in ending.statements():
        db.execute(statement)


def m004_chats(db: Database) -> None:
    """Add where the nodes of imported chats come from."""
    for statement in chats.statements():
        db.execute(statement)


def m005_labels(db: Database) -> None:
    """Add the labels of nodes, which go by an erasure too."""
    for statement in labels.statements():
        db.execute(statement)


def m006_usage(db: Database) -> None:
    """Add what each call took, and bring the responses that are in the record into it."""
    for statement in usage.statements():
        db.execute(statement)
    usage.fill(db)


def m007_measures(db: Database) -> None:
    """Add what is learned about models from their servers: how they count, and how much they take."""
    for statement in measures.statements():
        db.execute(statement)


def m008_tasks(db: Database) -> None:
    """Add the versions of tasks that answers were made with."""
    for statement in tasks.statements():
        db.execute(statement)


def m009_reading(db: Database) -> None:
    """Add the indexes by which trees and paths are read."""
    for statement in read_indexes.statements():
        db.execute(statement)


def m010_reading_table(db: Database) -> None:
    """Add the table that trees and paths are read from, in place of those indexes."""
    for statement in reading.statements():
        db.execute(statement)


def m011_label_search(db: Database) -> None:
    """Let nodes be found by their labels, and bring the labels that are in the record into the index."""
    for statement in label_search.statements():
        db.execute(statement)
    search_index.fill_labels(db)


VERSIONS: Final = (
    m001_record,
    m002_search,
    m003_end_of_life,
    m004_chats,
    m005_labels,
    m006_usage,
    m007_measures,
    m008_tasks,
    m009_reading,
    m010_reading_table,
    m011_label_search,
)

migrations: Final = Migrations("ticketree")
for version in VERSIONS:
    migrations()(version)


def is_current(db: Database, name: str) -> bool:
    """Tell whether nothing is left to apply; `name` is the file's, for the errors.

    Raises:
        UnreadableError: the database belongs to another program.
        NewerSchemaError: a newer Ticketree has written it.
    """
    if db.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
        raise UnreadableError(f"{name} is a database of another program; choose another file for the record.")
    applied = {migration.name for migration in migrations.applied(db)}
    known = {version.__name__ for version in VERSIONS}
    if newer := sorted(applied - known):
        raise NewerSchemaError(
            f"{name} was written by a newer Ticketree (it has {newer[-1]}); update Ticketree to open it."
        )
    return applied == known


def migrate(db: Database) -> None:
    """Apply what is missing, all or nothing; the caller holds the lock file and no transaction is open."""
    with unguarded(db):
        db.execute("BEGIN IMMEDIATE")
        try:
            migrations.apply(db)
            db.execute("COMMIT")
        except BaseException:
            if db.conn.in_transaction:
                db.execute("ROLLBACK")
            raise
