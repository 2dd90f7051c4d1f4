"""The indexes that keep together what lists and paths read of one conversation.

Ids count through the whole record, so in a desk where many people write, the rows of one conversation lie on as many
pages as it has nodes. These indexes hold copies of the columns that are read, a conversation's beside each other, so
that a tree is read in a third of the time.
"""

from collections.abc import Iterator
from typing import Final

_COLUMNS: Final = {
    "heading": "author, meta",
    "final": "status",
    "seal": "detail, preview",
}
# In place of the index that knew the children of a node only. They are found by this one too.
_OF_THE_TREE: Final = (
    "DROP INDEX interaction_parent",
    "CREATE INDEX interaction_read ON interaction (conversation_id, parent_id, external, seq, id, kind, depth,"
    " created_at, replaces_id, snapshot)",
)


def statements() -> Iterator[str]:
    """Yield what the migration executes."""
    for table, columns in _COLUMNS.items():
        yield f"CREATE INDEX {table}_read ON {table} (conversation_id, interaction_id, {columns})"


def tree_statements() -> Iterator[str]:
    """Yield what the migration after it executes."""
    yield from _OF_THE_TREE
