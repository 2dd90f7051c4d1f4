"""Puts calls of tools together from the pieces in which servers send them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from assistant.plan.messages import ToolCall
from assistant.provider.openai_chunks import CallPiece

MOST_CALLS: Final = 16
"""More in one answer are no honest wish to know something; those are dropped."""

MOST_CHARACTERS: Final = 20_000
"""Of the arguments of one call; what is longer is cut, and then broken."""


@dataclass(slots=True)
class _Growing:
    """A call on its way."""

    id: str = ""
    name: str = ""
    arguments: str = ""


class CallAssembler:
    """Takes in pieces; calls stand in the order in which they began."""

    def __init__(self) -> None:
        self._calls: list[_Growing] = []
        self._by_index: dict[int, _Growing] = {}

    def add(self, pieces: Iterable[CallPiece]) -> None:
        """Take in the pieces of one event."""
        for piece in pieces:
            call = self._call_of(piece)
            if call is not None:
                call.id = call.id or piece.id
                call.name = call.name or piece.name
                call.arguments = (call.arguments + piece.arguments)[:MOST_CHARACTERS]

    def calls(self) -> tuple[ToolCall, ...]:
        """What was asked for so far; an id is "" where the server gave none."""
        return tuple(ToolCall(call.id, call.name, call.arguments) for call in self._calls)

    def _call_of(self, piece: CallPiece) -> _Growing | None:
        """The call that a piece belongs to, a new one where it begins one; None beyond `MOST_CALLS`."""
        last = self._calls[-1] if self._calls else None
        known = last if piece.index is None else self._by_index.get(piece.index)
        if known is not None and not _begins_another(piece, known):
            return known
        if len(self._calls) == MOST_CALLS:
            return None
        call = _Growing()
        self._calls.append(call)
        if piece.index is not None:
            self._by_index[piece.index] = call
        return call


def _begins_another(piece: CallPiece, known: _Growing) -> bool:
    """Another id with a name is another call, where servers count every call as number 0; a name alone, uncounted."""
    if not piece.name:
        return False
    if piece.id and known.id:
        return piece.id != known.id
    return piece.index is None and bool(known.arguments)
