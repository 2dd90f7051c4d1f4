"""Labelling nodes: a log beside the tree, of which the last label of a node counts."""

from sqlite_utils import Database

from storage.errors import RefusedError
from storage.sqlite.nodes import one_node
from storage.sqlite.search_index import index_label
from storage.text import LABEL_LENGTH, label_of


def set_label(db: Database, conversation_id: int, node_id: int, label: str, now: int) -> None:
    """Label a node, or take its label off; the label that it has already leaves no trace."""
    wanted = label_of(label)
    if len(wanted) > LABEL_LENGTH:
        raise RefusedError(f"A label has at most {LABEL_LENGTH} characters, and this has {len(wanted)}; shorten it.")
    if one_node(db, conversation_id, node_id).label != wanted:
        label_id = db.execute(
            "INSERT INTO node_label (conversation_id, interaction_id, label, set_at) VALUES (?, ?, ?, ?)",
            (conversation_id, node_id, wanted, now),
        ).lastrowid
        index_label(db, conversation_id, node_id, label_id, wanted)
