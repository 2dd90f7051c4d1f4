"""SQL on our own connections cannot change the schema, attach a file or lift the guards, with either SQLite module."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from storage.errors import RefusedError
from storage.sqlite.engine import Engine, FileEngine, MemoryEngine

REFUSED = (
    "CREATE TABLE side (x)",
    "CREATE TEMP TABLE side (x)",
    "CREATE INDEX side ON interaction (kind)",
    "CREATE VIEW side AS SELECT 1",
    "CREATE TRIGGER side AFTER INSERT ON interaction BEGIN SELECT 1; END",
    "CREATE TEMP TRIGGER side BEFORE DELETE ON main.payload BEGIN SELECT RAISE(IGNORE); END",
    "CREATE VIRTUAL TABLE side USING fts5 (x)",
    "DROP TRIGGER payload_no_delete",
    "DROP TABLE payload",
    "DROP INDEX interaction_root",
    "ALTER TABLE payload RENAME TO other",
    "ALTER TABLE payload ADD COLUMN x",
    "REINDEX",
    "ATTACH ':memory:' AS side",
    "PRAGMA writable_schema = ON",
    "PRAGMA main.writable_schema = 1",
    "PRAGMA Writable_Schema (1)",
    "PRAGMA foreign_keys = OFF",
    "PRAGMA recursive_triggers = OFF",
    "PRAGMA trusted_schema = ON",
    "PRAGMA ignore_check_constraints = ON",
    "PRAGMA secure_delete = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA application_id = 1",
)
ALLOWED = (
    "PRAGMA integrity_check",
    "PRAGMA foreign_key_check",
    "PRAGMA table_info(interaction)",
    "PRAGMA journal_mode",
    "PRAGMA page_count",
    "SELECT count(*) FROM sqlite_schema",
)


@pytest.fixture(params=["file", "memory"])
def engine(request: pytest.FixtureRequest, database: Path) -> Iterator[Engine]:
    made: Engine = FileEngine(database, 5.0) if request.param == "file" else MemoryEngine()
    with closing(made):
        yield made


@pytest.mark.parametrize("sql", REFUSED)
def test_the_writer_and_the_readers_refuse_it(engine: Engine, sql: str) -> None:
    for run in (engine.write, engine.read):
        with pytest.raises(RefusedError, match="not changed while it is in use"):
            run(lambda db: db.execute(sql).fetchall())


@pytest.mark.parametrize("sql", ALLOWED)
def test_looking_is_allowed(engine: Engine, sql: str) -> None:
    assert engine.read(lambda db: db.execute(sql).fetchall()) is not None
    assert engine.scrub()
    assert engine.read(lambda db: db.execute(sql).fetchall()) is not None


def test_the_schema_is_still_guarded_after_the_file_was_rewritten(engine: Engine) -> None:
    engine.scrub()

    with pytest.raises(RefusedError):
        engine.write(lambda db: db.execute("DROP TRIGGER payload_no_delete"))


def test_it_is_the_same_with_pythons_own_sqlite(database: Path) -> None:
    script = """
import sys
sys.modules["pysqlite3"] = None
from pathlib import Path
from storage.errors import RefusedError
from storage.sqlite.driver import sqlite3
from storage.sqlite.engine import FileEngine
database, *statements = sys.argv[1:]
engine = FileEngine(Path(database), 5.0)
for sql in statements:
    for run in (engine.write, engine.read):
        try:
            run(lambda db: db.execute(sql).fetchall())
        except RefusedError:
            continue
        print("allowed:", sql)
print(sqlite3.__name__, engine.scrub())
engine.close()
"""
    command = [sys.executable, "-W", "error", "-c", script, str(database), *REFUSED]
    done = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=True)

    assert done.stdout == "sqlite3 True\n"
