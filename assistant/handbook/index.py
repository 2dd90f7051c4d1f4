"""The full-text index of a handbook, in a file of the cache or in memory; the only SQL about handbooks.

What a word is tells `storage.search.words`: case and accents do not count, signs of scripts without spaces stand alone.
So a query is only ever looked up word by word, and nothing that is written in one is read as an expression.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from assistant.handbook.function_words import FUNCTION_WORDS
from assistant.handbook.passages import Passage
from storage.search.words import keys, stands_alone
from storage.sqlite.driver import sqlite3

if TYPE_CHECKING:
    from sqlite3 import Connection

_VERSION: Final = 1
"""Of the tables and of how files are divided; an index of another version is made anew."""

_WAIT_SECONDS: Final = 10.0
_MOST_WORDS: Final = 64
_STEM_FROM: Final = 6
"""Words of so many letters are found by their beginning, without the last two: "refunds" finds "refunded"."""

_COMMON: Final = 0.4
"""A word that is in such a part of all passages says nothing, as long as others are asked for too."""

_HEADING_WEIGHT: Final = 4.0
_TEXT_WEIGHT: Final = 1.0

_SCHEMA: Final = """
    CREATE TABLE file (name TEXT PRIMARY KEY, size INTEGER, modified INTEGER, digest TEXT, skipped TEXT) WITHOUT ROWID;
    CREATE TABLE passage (id INTEGER PRIMARY KEY, file TEXT, heading TEXT, line INTEGER, text TEXT);
    CREATE INDEX passage_file ON passage (file);
    CREATE VIRTUAL TABLE words USING fts5 (heading, text, tokenize = 'ascii');
    CREATE VIRTUAL TABLE vocabulary USING fts5vocab ('words', 'row');
"""


class HandbookIndex:
    """The passages of the files that were put in; not safe for two threads at once.

    Args:
        path: the index's file, made where there is none; None for an index in memory.

    Raises:
        sqlite3.Error: the file can be neither used nor made anew.
        OSError: nor can its folder.
    """

    def __init__(self, path: Path | None) -> None:
        self._db = _memory() if path is None else _opened(path)

    def close(self) -> None:
        """Release the file."""
        self._db.close()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Make all changes of a `with` block at once; other processes see them together or not at all."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def known(self) -> dict[str, tuple[int, int, str, str]]:
        """What is indexed: name → size in bytes, time of the last change in nanoseconds, digest, why it was skipped."""
        rows = self._db.execute("SELECT name, size, modified, digest, skipped FROM file")
        return {name: (size, modified, digest, skipped) for name, size, modified, digest, skipped in rows}

    def put(self, name: str, size: int, modified: int, digest: str, skipped: str) -> None:
        """Note a file as it was looked at last."""
        self._db.execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?)", (name, size, modified, digest, skipped))

    def fill(self, name: str, found: Sequence[Passage]) -> None:
        """Replace the passages of a file."""
        self._db.execute("DELETE FROM words WHERE rowid IN (SELECT id FROM passage WHERE file = ?)", (name,))
        self._db.execute("DELETE FROM passage WHERE file = ?", (name,))
        for passage in found:
            row = self._db.execute(
                "INSERT INTO passage (file, heading, line, text) VALUES (?, ?, ?, ?)",
                (name, passage.heading, passage.line, passage.text),
            ).lastrowid
            self._db.execute(
                "INSERT INTO words (rowid, heading, text) VALUES (?, ?, ?)",
                (row, _indexed(f"{_stem(name)} {passage.heading}"), _indexed(passage.text)),
            )

    def remove(self, name: str) -> None:
        """Forget a file."""
        self.fill(name, ())
        self._db.execute("DELETE FROM file WHERE name = ?", (name,))

    def count(self) -> int:
        """How many passages there are."""
        number: int = self._db.execute("SELECT count(*) FROM passage").fetchone()[0]
        return number

    def texts(self) -> Iterator[str]:
        """All passages' words."""
        for (text,) in self._db.execute("SELECT text FROM passage ORDER BY id"):
            yield text

    def search(self, query: str, limit: int) -> list[Passage]:
        """Find the passages that fit a query best; none where none has a word of it."""
        wanted = list(dict.fromkeys(keys(query)))[:_MOST_WORDS]
        if not wanted:
            return []
        rows = self._db.execute(
            "SELECT p.file, p.heading, p.line, p.text FROM words w JOIN passage p ON p.id = w.rowid"
            " WHERE words MATCH ? ORDER BY bm25(words, ?, ?), p.file, p.id LIMIT ?",
            (" OR ".join(map(_term, self._telling(wanted))), _HEADING_WEIGHT, _TEXT_WEIGHT, limit),
        )
        return [Passage(*row) for row in rows]

    def _telling(self, wanted: Sequence[str]) -> Sequence[str]:
        """Leave out what every question is made of and what nearly every passage has, unless nothing else is left."""
        wanted = [key for key in wanted if key not in FUNCTION_WORDS] or wanted
        marks = ", ".join("?" for _ in wanted)
        most = max(4.0, _COMMON * self.count())
        found = self._db.execute(f"SELECT term FROM vocabulary WHERE term IN ({marks}) AND doc > ?", (*wanted, most))
        common = {term for (term,) in found}
        return [key for key in wanted if key not in common] or wanted


def _term(key: str) -> str:
    """A word as it is looked up; a key holds letters and digits only, so it can end no quotes."""
    stem = key.isalpha() and len(key) >= _STEM_FROM and not stands_alone(key)
    return f'"{key[:-2]}"*' if stem else f'"{key}"'


def _indexed(text: str) -> str:
    return " ".join(keys(text))


def _stem(name: str) -> str:
    """A file's name as words: its own heading."""
    return name.rpartition(".")[0]


def _memory() -> "Connection":
    db: Connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    db.executescript(_SCHEMA)
    return db


def _opened(path: Path) -> "Connection":
    """Open an index; what is no index, or one of another version, is made anew."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        return _current(path)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        pass
    for name in (path, path.with_name(f"{path.name}-journal")):
        name.unlink(missing_ok=True)
    return _current(path)


def _current(path: Path) -> "Connection":
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    db: Connection = sqlite3.connect(path, timeout=_WAIT_SECONDS, check_same_thread=False, isolation_level=None)
    try:
        db.execute("BEGIN IMMEDIATE")
        tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if tables and version != _VERSION:
            raise sqlite3.DatabaseError(f"an index of version {version}")
        if not tables:
            for statement in filter(str.strip, _SCHEMA.split(";")):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {_VERSION}")
        db.execute("COMMIT")
    except BaseException:
        db.close()
        raise
    return db
