"""Finding words."""

from storage.search.hit import Hit
from storage.sqlite import search_index, searching
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

    def reindex(self) -> int:
        """Write the index of the search anew."""
        return self._write(lambda db, now: search_index.renew(db))
