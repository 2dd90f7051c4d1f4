"""Finding words."""

from sqlite_utils import Database

from storage.search.hit import Hit
from storage.search.renewal import Renewal
from storage.sqlite import search_index, search_missing, searching
from storage.sqlite.capabilities.part import Part


class Finding(Part):
    """Full-text search."""

    def search(
        self,
        agent: str,
        query: str,
        *,
        ticket_id: str | None = None,
        fts: bool = False,
        unfinished: bool = False,
        limit: int = 20,
        before: int | None = None,
    ) -> list[Hit]:
        """Find words in this agent's conversations and in the tickets, newest first."""
        return self._read(
            lambda db: searching.search(
                db,
                agent,
                query,
                ticket_id=ticket_id,
                fts=fts,
                unfinished=unfinished,
                limit=limit,
                before=before,
            )
        )

    def reindex(self) -> Renewal:
        """Add the entries that are missing, and write the index of the search anew."""

        def renew(db: Database, now: int) -> Renewal:
            del now
            added = search_missing.add_missing(db)
            return Renewal(search_index.renew(db), added)

        return self._write(renew)
