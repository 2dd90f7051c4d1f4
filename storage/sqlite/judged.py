"""Finding the answers that a check failed on, wherever they stand in a tree."""

from collections.abc import Iterable
from typing import Final

from sqlite_utils import Database

from storage.chain import canonical_json
from storage.interactions import Interaction, Node
from storage.kinds import GATE
from storage.sqlite import nodes

_FAILED: Final = canonical_json({"result": "fail"})[1:-1]
"""What stands in the meta of a gate that failed an answer; where it stands in another, more is read than is needed."""

_SQL: Final = f"""
    SELECT DISTINCT parent_id FROM reading
    WHERE conversation_id = ? AND external = 0 AND kind = '{GATE.name}' AND instr(meta, ?) > 0
"""


def judged(db: Database, conversation_id: int, among: Iterable[Node]) -> list[Interaction]:
    """What hangs on those of some nodes that a gate failed once, as it was added."""
    failed = {answer_id for (answer_id,) in db.execute(_SQL, (conversation_id, _FAILED))}
    answers = [Interaction(node, "") for node in among if node.id in failed] if failed else []
    return [entry for entry in nodes.with_hanging(db, conversation_id, answers) if not entry.is_external]
