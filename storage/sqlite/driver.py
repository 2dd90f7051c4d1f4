"""The SQLite library in use: the newer one that pysqlite3 brings, else Python's own; sqlite-utils picks the same."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
else:
    try:
        import pysqlite3 as sqlite3
    except ImportError:
        import sqlite3

__all__ = ["sqlite3"]
