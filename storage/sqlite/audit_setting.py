"""How a connection reads while an audit lasts."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlite_utils import Database

_MAPPED_BYTES: Final = 2_147_418_112
"""The most that SQLite maps."""


@contextmanager
def set_for_audits(db: Database) -> Iterator[None]:
    """While this lasts, read text as it is stored, also where it is no UTF-8 any more, and the file by memory map.

    The rows of one conversation lie all over the file: reading each page by itself would double the time.
    """
    connection = db.conn
    before = connection.text_factory
    connection.text_factory = _text
    db.execute(f"PRAGMA mmap_size = {_MAPPED_BYTES}")
    try:
        yield
    finally:
        db.execute("PRAGMA mmap_size = 0")
        connection.text_factory = before


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogateescape")
