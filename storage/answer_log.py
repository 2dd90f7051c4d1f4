"""What became of answers, as reports read it: the shape of a log and what machinery noted, without anybody's words."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from storage.interactions import Status
from storage.values import JsonObject


class Logged(NamedTuple):
    """One entry of a conversation's log: an agent's message, an answer, or what a report counts on an answer.

    Attributes:
        kind: `agent_message`, `assistant_response`, or `gate`, `override`, `repair`, `copy`, which hang on an answer.
        status: how an answer or a message ended; STREAMING for one that has not.
        created_at: microseconds since 1970 UTC.
        meta: of an answer or a gate, as `storage.interactions.Node` tells; empty for other kinds, and once erased.
    """

    id: int
    conversation_id: int
    ticket_id: str
    kind: str
    parent_id: int
    replaces_id: int | None
    created_at: int
    status: Status
    meta: JsonObject


class AnswerLog(Protocol):
    """The part of the record that tells what became of answers."""

    def answer_log(self, agent: str, *, since: int | None = None) -> Sequence[Logged]:
        """This agent's conversations, each in the order of its log; no word of anybody is read.

        Args:
            agent: whose conversations; no others are looked at.
            since: microseconds since 1970 UTC; conversations to which nothing was added since are left out.
        """

    def agents(self) -> Sequence[str]:
        """The names of all who have a conversation here, in order."""
