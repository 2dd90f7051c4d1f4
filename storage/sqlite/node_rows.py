"""The rows that nodes are made of: what is read of an interaction, and from where."""

import json
from collections.abc import Sequence
from typing import Final, TypeAlias

from sqlite_utils import Database

OWN_COLUMNS: Final = ("id", "parent_id", "seq", "kind", "depth", "created_at", "replaces_id")
"""What is read of an interaction itself."""

_BESIDE: Final = ("author", "meta", "status", "detail", "preview")
"""What is read of what stands beside it; NULL where its words were erased or it has not ended."""

NodeRow: TypeAlias = tuple[
    int, int | None, int, str, int, int, int | None,
    str | None, str | None, str | None, str | None, str | None,
]  # fmt: skip
"""The columns of both."""

ID: Final = 0
PARENT_ID: Final = 1
SEQ: Final = 2
_OWN_WIDTH: Final = len(OWN_COLUMNS)
WIDTH: Final = _OWN_WIDTH + len(_BESIDE)
"""The columns of a `NodeRow`."""

COPIED: Final = f"interaction_id, {', '.join((*OWN_COLUMNS[1:], *_BESIDE))}"
"""The columns of a `NodeRow` where it is read from `reading` alone."""

_OTHERS: Final = """
    SELECT up.value, h.author, h.meta, f.status, s.detail, s.preview FROM json_each(:ids) up
    LEFT JOIN heading h ON h.interaction_id = up.value LEFT JOIN final f ON f.interaction_id = up.value
    LEFT JOIN seal s ON s.interaction_id = up.value
"""


def columns(table: str) -> str:
    """Name the columns of a `NodeRow`; `table` is that of the interactions, or its alias."""
    return ", ".join((*(f"{table}.{name}" for name in OWN_COLUMNS), *(f"r.{name}" for name in _BESIDE)))


def joined(table: str, external: int) -> str:
    """Join what stands beside interactions of one conversation, all of which are external or none."""
    return (
        f"LEFT JOIN reading r ON r.conversation_id = :conversation AND r.external = {external} AND r.seq = {table}.seq"
    )


def completed(db: Database, rows: Sequence[NodeRow]) -> Sequence[NodeRow]:
    """Look up what stands beside those that `reading` does not have."""
    missing = [row[ID] for row in rows if row[-1] is None]
    if not missing:
        return rows
    found = {row[ID]: row[1:] for row in db.execute(_OTHERS, {"ids": json.dumps(missing)})}
    return [row if row[-1] is not None else (*row[:_OWN_WIDTH], *found[row[ID]]) for row in rows]
