"""Letting audits read."""

from collections.abc import Callable
from typing import TypeVar

from sqlite_utils import Database

from storage.audit.rows import RecordRows
from storage.sqlite.audit_rows import SqliteRows
from storage.sqlite.audit_setting import set_for_audits
from storage.sqlite.capabilities.part import Part

T = TypeVar("T")


class Audits(Part):
    """The rows as they are stored."""

    def audited(self, audit: Callable[[RecordRows], T]) -> T:
        """Let an audit read the rows as they are stored."""

        def work(db: Database) -> T:
            with set_for_audits(db):
                return audit(SqliteRows(db, self._engine.lives))

        return self._read(work)
