"""Back and forward through the nodes that were looked at."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Visited:
    """The nodes looked at in one conversation, oldest first, and where in them the agent stands."""

    _nodes: list[int] = field(default_factory=list)
    _at: int = -1

    def visit(self, node_id: int) -> None:
        """Remember a node; what could have been reached by `forward` is forgotten, as in a browser."""
        if self._at >= 0 and self._nodes[self._at] == node_id:
            return
        del self._nodes[self._at + 1 :]
        self._nodes.append(node_id)
        self._at += 1

    def back(self) -> int | None:
        """Step back; None at the oldest."""
        return self._step(-1)

    def forward(self) -> int | None:
        """Step forward; None at the newest."""
        return self._step(1)

    def _step(self, by: int) -> int | None:
        if not 0 <= self._at + by < len(self._nodes):
            return None
        self._at += by
        return self._nodes[self._at]
