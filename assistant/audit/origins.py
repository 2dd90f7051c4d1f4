"""A request taken apart: each message with where it came from, what was left out, and whether the bytes hold."""

import base64
from dataclasses import dataclass
from enum import StrEnum

from assistant.plan.files import FileForm
from assistant.plan.plan import Fate
from storage.interactions import SentRequest
from storage.values import JsonObject


class OriginKind(StrEnum):
    """What a part of a request was made of; a history is the turns that a summary is made from.

    A tool's calls and results, and an answer that is checked, belong to the answer that the request was made for.
    """

    TASK = "task"
    TICKET = "ticket"
    INTERACTION = "interaction"
    ATTACHMENT = "attachment"
    SUMMARY = "summary"
    HISTORY = "history"
    TOOL = "tool"
    CHECK = "check"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a part came from.

    Attributes:
        detail: one line for people.
        task, task_version: of a task.
        is_verified: the words were compared; only a task whose file is no longer here was not.
        node_id, node_kind: of a ticket, interaction or summary; of a history, its last node.
        ticket_id, snapshot, messages: of a ticket; `messages` are the positions of those that were sent, from 1.
    """

    kind: OriginKind
    detail: str
    is_verified: bool = True
    task: str | None = None
    task_version: str | None = None
    node_id: int | None = None
    node_kind: str | None = None
    ticket_id: str | None = None
    snapshot: int | None = None
    messages: tuple[int, ...] = ()

    def as_json(self) -> JsonObject:
        """The origin as commands print it."""
        return {
            "kind": self.kind.value,
            "detail": self.detail,
            "verified": self.is_verified,
            "task": self.task,
            "task_version": self.task_version,
            "node": self.node_id,
            "node_kind": self.node_kind,
            "ticket": self.ticket_id,
            "snapshot": self.snapshot,
            "messages": list(self.messages),
        }


@dataclass(frozen=True, slots=True)
class Part:
    """One message of a request.

    Attributes:
        number: from 1.
        role, content: as sent.
        tokens: as planned; None where the plan does not know the part.
    """

    number: int
    role: str
    content: str
    tokens: int | None
    origin: Origin

    def as_json(self) -> JsonObject:
        """The part as commands print it."""
        return {
            "part": self.number,
            "role": self.role,
            "content": self.content,
            "tokens": self.tokens,
            "origin": self.origin.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Planned:
    """One interaction as the plan of a request has it; `node_id` is None for the system message.

    Attributes:
        form: of an attached file.
    """

    node_id: int | None
    kind: str
    tokens: int
    fate: Fate
    form: FileForm | None = None

    def as_json(self) -> JsonObject:
        """The interaction as commands print it."""
        return {"node": self.node_id, "kind": self.kind, "tokens": self.tokens, "fate": self.fate.value}


@dataclass(frozen=True, slots=True)
class Evidence:
    """A request taken apart.

    Attributes:
        request: with the bytes as sent and as received.
        is_erased: the bytes are gone with the words of the ticket.
        digest_holds: the bytes give the recorded SHA-256.
        parts: in the order of the request; none where the body is no chat request.
        left_out: what the plan cut or summarised.
        settings: everything in the body besides its messages.
    """

    request: SentRequest
    is_erased: bool
    digest_holds: bool
    parts: tuple[Part, ...]
    left_out: tuple[Planned, ...]
    settings: JsonObject

    @property
    def is_for_answer(self) -> bool:
        """It asked for the answer itself, and neither for a summary that ends with it nor for a check of it."""
        return all(part.origin.kind not in (OriginKind.HISTORY, OriginKind.CHECK) for part in self.parts)

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not as it should be, as sentences."""
        if self.is_erased:
            return ()
        found = [] if self.digest_holds else ["The bytes do not give the SHA-256 that was recorded."]
        if not self.parts:
            found.append("The body is not in the form of a chat request.")
        found += [
            f"Part {part.number}: {part.origin.detail}" for part in self.parts if part.origin.kind is OriginKind.UNKNOWN
        ]
        return tuple(found)

    def as_json(self) -> JsonObject:
        """The request as `audit request --json` prints it; bytes are text where they are UTF-8, else base64."""
        request = self.request
        return {
            "request": request.id,
            "attempt": request.attempt,
            "sent_at": request.sent_at,
            "task": request.task,
            "task_version": request.task_version,
            "provider": request.provider,
            "base_url": request.base_url,
            "model": request.model,
            "params": request.params,
            "sha256": request.body_sha256,
            "digest_holds": self.digest_holds,
            "erased": self.is_erased,
            "problems": list(self.problems),
            "parts": [part.as_json() for part in self.parts],
            "settings": self.settings,
            "left_out": [item.as_json() for item in self.left_out],
            "plan": request.plan,
            **_bytes_as_json("body", request.body),
            "status_code": request.status_code,
            **_bytes_as_json("response", request.response),
            "usage": request.usage,
            "latency_ms": request.latency_ms,
            "error": request.error,
        }


def _bytes_as_json(name: str, data: bytes | None) -> JsonObject:
    if data is None:
        return {name: None, f"{name}_base64": None}
    try:
        return {name: data.decode(), f"{name}_base64": None}
    except UnicodeDecodeError:
        return {name: None, f"{name}_base64": base64.b64encode(data).decode("ascii")}
