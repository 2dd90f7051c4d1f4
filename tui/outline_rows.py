"""A conversation's tree as a flat list of rows: the shown line in one column, other branches indented beside it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from assistant.plan.plan import Fate
from storage.interactions import Node
from storage.kinds import ROOT, TICKET
from tui.answers import reply_preview
from tui.display import display_safe
from tui.signs import STATUS_WORDS, label_mark

GUIDE_LEVELS: Final = 16
"""How many levels of guides a row keeps; the ones further out are only counted in `levels`."""


@dataclass(frozen=True, slots=True)
class OutlineRow:
    """One node as a row of the outline.

    Attributes:
        node: the node itself.
        guides: two characters a level ("│ ", "├ "), at most the innermost `GUIDE_LEVELS` levels.
        levels: how many branches beside the straight line lie around it, its own included.
        on_path: it lies on the path that is shown.
        chosen: it is the leaf of that path.
        fate: what the plan does with it, None when it is not in the plan.
        tokens: None when they are not counted.
        folded_away: nodes hidden below it, 0 when it is not folded.
        stopped: a check of it failed and was not overridden.
        stale: it does not know all that the customer wrote.
    """

    node: Node
    guides: str
    levels: int
    on_path: bool
    chosen: bool
    fate: Fate | None
    tokens: int | None
    folded_away: int
    stopped: bool = False
    stale: bool = False

    @property
    def id(self) -> int:
        """The node's id."""
        return self.node.id

    @property
    def label(self) -> str:
        """What the agent called it, then what it says, safe to show and on one line."""
        return " · ".join(filter(None, (label_mark(self.node), self._words)))

    @property
    def _words(self) -> str:
        """The beginning of its text; how it ended where there is no text."""
        if self.node.kind == TICKET.name:
            snapshot = self.node.meta.get("snapshot", 1)
            return "ticket" if snapshot == 1 else f"ticket, version {snapshot}"
        text = " ".join(display_safe(reply_preview(self.node), newlines=False).split())
        return text or STATUS_WORDS[self.node.status]


def outline_rows(
    nodes: Sequence[Node],
    selected_path_ids: Collection[int],
    fates: Mapping[int, Fate],
    tokens: Mapping[int, int],
    folded: Collection[int] = frozenset(),
    stopped: Collection[int] = frozenset(),
    stale: Collection[int] = frozenset(),
) -> list[OutlineRow]:
    """Return the rows from top to bottom: parents before children, no row for the root.

    One child of each node goes straight on in its parent's column: the one on the shown path, else the newest. Its
    siblings branch off above it, in order of insertion, so that the shown path is one column however often it forks.

    `nodes` come in order of insertion, as the record gives them, so a parent stands before its children.
    """
    path = frozenset(selected_path_ids)
    chosen = max((node.depth, node.id) for node in nodes if node.id in path)[1] if path else None
    children: dict[int, list[Node]] = {}
    for node in nodes:
        if node.parent_id is not None:
            children.setdefault(node.parent_id, []).append(node)
    sizes = _sizes(nodes)
    rows: list[OutlineRow] = []
    waiting = [(node, "", "", 0) for node in reversed(nodes) if node.kind == ROOT.name]
    while waiting:
        node, guides, below, levels = waiting.pop()
        hidden = sizes[node.id] - 1 if node.id in folded else 0
        if node.kind != ROOT.name:
            rows.append(
                OutlineRow(
                    node=node,
                    guides=guides,
                    levels=levels,
                    on_path=node.id in path,
                    chosen=node.id == chosen,
                    fate=fates.get(node.id),
                    tokens=tokens.get(node.id),
                    folded_away=hidden,
                    stopped=node.id in stopped,
                    stale=node.id in stale,
                )
            )
        if not hidden:
            waiting.extend(reversed(_placed(children.get(node.id, []), path, below, levels)))
    return rows


def _placed(
    siblings: Sequence[Node], path: frozenset[int], outer: str, levels: int
) -> list[tuple[Node, str, str, int]]:
    """Siblings with the guides of their own row and of the rows below them, and their level."""
    if not siblings:
        return []
    straight = next((node for node in siblings if node.id in path), siblings[-1])
    kept = outer[-2 * (GUIDE_LEVELS - 1) :]
    branches = [(node, f"{kept}├ ", f"{kept}│ ", levels + 1) for node in siblings if node is not straight]
    return [*branches, (straight, outer, outer, levels)]


def _sizes(nodes: Sequence[Node]) -> dict[int, int]:
    """Nodes in each subtree, its root included."""
    sizes = dict.fromkeys((node.id for node in nodes), 1)
    for node in reversed(nodes):
        if node.parent_id is not None:
            sizes[node.parent_id] += sizes[node.id]
    return sizes
