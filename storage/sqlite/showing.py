"""Reading what a screen shows of a conversation: the whole tree and the contents of one branch, each row once."""

from sqlite_utils import Database

from storage.interactions import ShownTree
from storage.sqlite import nodes, views
from storage.sqlite.judged import judged
from storage.tree import by_id, leaf_below, path_ids


def shown(db: Database, conversation_id: int, through: int | None) -> ShownTree:
    """The tree, and the branch to the node chosen last, or one through a node."""
    tree = nodes.all_nodes(db, conversation_id)
    known = by_id(tree)
    way = path_ids(tree, views.selected(db, conversation_id))
    if through in known and through not in way:
        way = path_ids(tree, leaf_below(tree, through, views.choices(db, conversation_id)))
    path = nodes.with_contents(db, conversation_id, [known[node_id] for node_id in way])
    branch = nodes.with_hanging(db, conversation_id, path)
    on_path = frozenset(way)
    off_path = (node for node in tree if node.id not in on_path)
    hanging = judged(db, conversation_id, off_path)
    return ShownTree(nodes.head(db, conversation_id), tuple(tree), tuple(branch), tuple(hanging))
