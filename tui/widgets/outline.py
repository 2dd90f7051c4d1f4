"""The conversation's tree as an outline: one line a node, indented only where it forks."""

from collections.abc import Collection, Mapping, Sequence

from textual.content import Content
from textual.message import Message

from assistant.plan.plan import Fate
from storage.interactions import Node
from storage.kinds import AGENT_MESSAGE
from tui.display import one_line
from tui.outline_rows import OutlineRow, outline_rows
from tui.signs import CHOSEN, STATUS_SIGNS, failed_check_mark, fate_mark, sibling_mark, stale_mark
from tui.tones import ACCENT, FAINT, GOOD, LEAD, MUTED, WARNING
from tui.widgets.row_list import RowList

_ROOM_FOR_WORDS = 44
"""From this width on a cut row carries the word beside the sign."""
_ROOM_FOR_TOKENS = 20
"""Below this width the token counts are left out."""


class Outline(RowList):
    """Shows every node but the root; knows which branches are folded and where the cursor is."""

    class Highlighted(Message):
        """The cursor came to this node."""

        def __init__(self, node_id: int) -> None:
            super().__init__()
            self.node_id = node_id

        def can_replace(self, message: Message) -> bool:
            """Only the last of a burst counts."""
            return isinstance(message, Outline.Highlighted)

    class Chosen(Message):
        """The agent chose this node by Enter or a click."""

        def __init__(self, node_id: int) -> None:
            super().__init__()
            self.node_id = node_id

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002 - Textual's name
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._tree: Sequence[Node] = ()
        self._path: frozenset[int] = frozenset()
        self._fates: Mapping[int, Fate] = {}
        self._stopped: frozenset[int] = frozenset()
        self._stale: frozenset[int] = frozenset()
        self._tokens: Mapping[int, int] = {}
        self._folded: frozenset[int] = frozenset()
        self._rows: list[OutlineRow] = []

    def show(
        self,
        nodes: Sequence[Node],
        selected_path_ids: Collection[int],
        fates: Mapping[int, Fate],
        tokens: Mapping[int, int],
        stopped: Collection[int] = frozenset(),
        stale: Collection[int] = frozenset(),
    ) -> None:
        """Show a tree: all nodes in order of insertion, the path that is shown, and what is the matter with it.

        The cursor stays on its node, but follows the chosen leaf when it stood on it, and starts there in another tree.
        """
        before = self.cursor_id
        followed = before is None or before == self._chosen_id()
        self._tree, self._path = nodes, frozenset(selected_path_ids)
        self._fates, self._tokens = dict(fates), dict(tokens)
        self._stopped, self._stale = frozenset(stopped), frozenset(stale)
        known = {node.id: node for node in nodes}
        self._folded &= known.keys()
        self._unfold_above(self._deepest_on_path())
        self._rebuild()
        target = self._chosen_id() if followed or before not in known else before
        self.rows_changed(self._row_of(target))

    def mark(self, fates: Mapping[int, Fate], tokens: Mapping[int, int]) -> None:
        """Show what a new plan does with the same tree."""
        if fates != self._fates or tokens != self._tokens:
            self._fates, self._tokens = dict(fates), dict(tokens)
            self._rebuild()
            self.rows_changed(self.cursor)

    @property
    def cursor_id(self) -> int | None:
        """The node under the cursor, None in an empty outline."""
        return self._rows[self.cursor].id if self._rows else None

    @property
    def rows(self) -> Sequence[OutlineRow]:
        """The rows as they are shown."""
        return self._rows

    def cursor_to(self, node_id: int) -> None:
        """Put the cursor on a node, unfolding what hides it; an unknown node changes nothing."""
        if self._unfold_above(node_id):
            self._rebuild()
            self.rows_changed(self.cursor)
        if any(row.id == node_id for row in self._rows):
            self.put_cursor(self._row_of(node_id))

    def toggle_fold(self) -> None:
        """Fold or unfold what lies below the cursor."""
        node_id = self.cursor_id
        if node_id is not None:
            self._folded ^= {node_id}
            self._rebuild()
            self.rows_changed(self._row_of(node_id))

    def row_count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def row_content(self, index: int, width: int) -> Content:
        """Guides, text, sibling number, tokens, what the plan does, and whether it is the chosen leaf."""
        row = self._rows[index]
        marks = _marks(row, width)
        guides = _guides(row, width)
        sign = "› " if row.node.kind == AGENT_MESSAGE.name else ""
        folded = f" ▸ {row.folded_away} more" if row.folded_away else ""
        room = width - len(guides) - len(sign) - len(folded) - marks.cell_length - 1
        label = one_line(row.label, max(0, room))
        left = Content.assemble((guides, FAINT), (sign, LEAD), (label, _label_style(row)), folded)
        gap = max(1, width - left.cell_length - marks.cell_length)
        return Content.assemble(left, " " * gap, marks).truncate(width)

    def highlighted(self, index: int) -> None:
        """Post where the cursor is."""
        self.post_message(self.Highlighted(self._rows[index].id))

    def chosen(self, index: int) -> None:
        """Post what was chosen."""
        self.post_message(self.Chosen(self._rows[index].id))

    def _rebuild(self) -> None:
        self._rows = outline_rows(
            self._tree, self._path, self._fates, self._tokens, self._folded, self._stopped, self._stale
        )

    def _row_of(self, node_id: int | None) -> int:
        return next((at for at, row in enumerate(self._rows) if row.id == node_id), 0)

    def _chosen_id(self) -> int | None:
        return next((row.id for row in self._rows if row.chosen), None)

    def _deepest_on_path(self) -> int | None:
        return max(((node.depth, node.id) for node in self._tree if node.id in self._path), default=(0, None))[1]

    def _unfold_above(self, node_id: int | None) -> bool:
        """Unfold every ancestor of a node; says whether there was one to unfold."""
        if not self._folded:
            return False
        parents = {node.id: node.parent_id for node in self._tree}
        above = set()
        while node_id is not None and (node_id := parents.get(node_id)) is not None:
            above.add(node_id)
        hiding = self._folded & above
        self._folded -= hiding
        return bool(hiding)


def _guides(row: OutlineRow, width: int) -> str:
    """The guides, at most a third of the width; `⋯` stands for the levels further out."""
    levels = max(1, width // 6)
    if row.levels <= levels:
        return row.guides
    return "⋯ " + row.guides[len(row.guides) - 2 * (levels - 1) :]


def _label_style(row: OutlineRow) -> str:
    if row.chosen:
        return "bold"
    if row.fate in (Fate.CUT, Fate.SUMMARISED):
        return f"{MUTED} italic"
    return "" if row.on_path else MUTED


def _trouble(row: OutlineRow, *, in_words: bool) -> str:
    """What keeps an answer from being copied just so; of both the failed check in words."""
    failed = failed_check_mark(row.stopped, in_words=in_words)
    return f"{failed}{stale_mark(row.stale, in_words=in_words and not failed)}"


def _marks(row: OutlineRow, width: int) -> Content:
    """The right edge of a row, in columns that line up."""
    status = STATUS_SIGNS[row.node.status] or _trouble(row, in_words=width >= _ROOM_FOR_WORDS)
    siblings = sibling_mark(row.node)
    tokens = f"{row.tokens:,}" if row.tokens is not None and width >= _ROOM_FOR_TOKENS else ""
    fate = fate_mark(row.fate)
    fate = f"{fate:<5}" if width >= _ROOM_FOR_WORDS else f"{fate[:1]:<1}"
    return Content.assemble(
        (f"{status} " if status else "", WARNING),
        (f"{siblings} " if siblings else "", ACCENT),
        (f"{tokens:>5} " if width >= _ROOM_FOR_TOKENS else "", MUTED),
        (fate, WARNING),
        (CHOSEN if row.chosen else " ", f"bold {GOOD}"),
    )
