"""What a running turn reports, in order; screens and the command line both follow these."""

from dataclasses import dataclass
from typing import TypeAlias

from storage.interactions import Node


@dataclass(frozen=True, slots=True)
class TurnPreparing:
    """Something is done before the question is written.

    Attributes:
        what: one line: "Summarising 12 turns…".
    """

    conversation_id: int
    what: str


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The question (None when asked again) and the empty answer are in the record."""

    conversation_id: int
    question: Node | None
    answer: Node


@dataclass(frozen=True, slots=True)
class AnswerGrew:
    """A piece is in the record and may be painted."""

    conversation_id: int
    node_id: int
    text: str


@dataclass(frozen=True, slots=True)
class TurnWaiting:
    """The server is busy or unreachable; it will be tried again by itself."""

    conversation_id: int
    node_id: int
    delay_s: float
    reason: str

    @property
    def words(self) -> str:
        """What to tell: the reason, and when it is tried again, where that is not at once."""
        return f"{self.reason} Trying again in {self.delay_s:.0f} s." if self.delay_s else self.reason


@dataclass(frozen=True, slots=True)
class TurnStep:
    """Something is done for an answer beside calling the model.

    Attributes:
        what: one line: "searched the handbook: returns policy"; may hold foreign text.
    """

    conversation_id: int
    node_id: int
    what: str


@dataclass(frozen=True, slots=True)
class TurnRemark:
    """Something to tell the agent in passing; the answer stands.

    Attributes:
        text: a sentence, which may hold foreign text.
    """

    conversation_id: int
    node_id: int
    text: str


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The answer's final row is in the record.

    Attributes:
        answer: with its status and, after a failure, detail["error"] = {"kind", "message", "advice"}.
        shown_id: the node to show now: the answer, or the last good one after a failed ask again.
    """

    conversation_id: int
    answer: Node
    shown_id: int


TurnEvent: TypeAlias = TurnPreparing | TurnStarted | AnswerGrew | TurnWaiting | TurnStep | TurnRemark | TurnEnded
