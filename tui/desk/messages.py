"""What the desk reports to the screen; nothing else reaches the widgets."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.message import Message

from storage.tickets import TicketSummary


@dataclass
class TicketsChanged(Message):
    """The list of tickets, as it is now."""

    tickets: Sequence[TicketSummary]


@dataclass
class Opened(Message):
    """Another ticket is open, or none."""


@dataclass
class Turned(Message):
    """The open conversation shows something else: a new node, another path, an answer that ended.

    Attributes:
        cursor_id: where the cursor of the outline should be, None to leave it.
    """

    cursor_id: int | None = None


@dataclass
class Planned(Message):
    """There is another plan for the same path."""


@dataclass
class Drafted(Message):
    """The composer should hold another text."""


@dataclass
class Left(Message):
    """What was sent is in the record, and leaves the composer; what was written after it stays.

    Attributes:
        text: what was sent.
    """

    text: str


@dataclass
class Grew(Message):
    """A piece was added to an answer."""

    conversation_id: int
    node_id: int
    text: str


@dataclass
class Waits(Message):
    """An answer waits for its server."""

    node_id: int
    text: str


@dataclass
class Said(Message):
    """Something to tell the agent in passing.

    Attributes:
        text: a sentence, which may hold foreign text.
    """

    text: str
    is_error: bool = False
