"""Attachments of a branch, read back from the states that hang on its nodes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from storage.errors import AttachmentError
from storage.interactions import Interaction
from storage.kinds import ATTACHMENT
from storage.values import Json, JsonObject


class AttachmentState(StrEnum):
    """How far an attachment has come; each state is an interaction of its own."""

    PENDING = "pending"
    PROCESSED = "processed"
    FAILED = "failed"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """What is known of a file besides its text.

    Attributes:
        name: its last component only, without control characters; foreign text all the same.
        sha256: hex digest of its bytes, "" where it was too large to be opened.
    """

    name: str
    media_type: str
    size_bytes: int
    sha256: str

    @property
    def size(self) -> str:
        """Its size as people say it."""
        return size_words(self.size_bytes)

    def as_json(self) -> dict[str, Json]:
        """The fields, as the record keeps them."""
        return {
            "name": self.name,
            "media_type": self.media_type,
            "size_bytes": self.size_bytes,
            "sha256": self.sha256,
        }


def size_words(size_bytes: int) -> str:
    """Return a size as people say it: "812 B", "1.2 kB", "32 MB"."""
    for unit, bytes_each in (("MB", 1_000_000), ("kB", 1_000)):
        if size_bytes >= bytes_each:
            count = size_bytes / bytes_each
            return f"{count:.1f} {unit}" if count < 10 else f"{count:.0f} {unit}"
    return f"{size_bytes} B"


@dataclass(frozen=True, slots=True)
class Attachment:
    """One file as a branch sees it now.

    Attributes:
        id: links its states; unique on a branch.
        node_id: the node that it hangs on.
        entry_id: the interaction that says what is sent of it: the newest that is no withdrawal.
        reader: the mark of the process that reads it, while it is pending.
        text: what was read; "" unless it was processed.
        words: how many the text has.
        notes: clauses about what was repaired or left out while reading.
        reason: a clause that says why it failed, "" where it did not.
    """

    id: str
    node_id: int
    entry_id: int
    state: AttachmentState
    file: AttachedFile
    reader: str = ""
    text: str = ""
    words: int = 0
    notes: tuple[str, ...] = ()
    reason: str = ""

    @property
    def is_sent(self) -> bool:
        """Further requests of the branch hold it, or what stands for it."""
        return self.state in (AttachmentState.PENDING, AttachmentState.PROCESSED)

    @property
    def meta(self) -> dict[str, Json]:
        """What the interaction of this state keeps besides the text; `attachment_in` reads it."""
        more: dict[str, Json] = {
            "reader": self.reader,
            "words": self.words,
            "notes": list(self.notes),
            "reason": self.reason,
        }
        kept = {name: value for name, value in more.items() if value}
        return {"attachment": self.id, "state": self.state.value, **self.file.as_json(), **kept}

    def as_json(self) -> JsonObject:
        """The attachment as commands print it, without its text."""
        return {
            "id": self.id,
            "node": self.node_id,
            "state": self.state.value,
            **self.file.as_json(),
            "characters": len(self.text),
            "words": self.words,
            "notes": list(self.notes),
            "reason": self.reason,
        }


def attachments_of(branch: Iterable[Interaction]) -> tuple[Attachment, ...]:
    """Return the attachments of a branch, in the order in which they were added.

    The first end of reading counts, and what was withdrawn stays so. Interactions of other kinds are passed over.
    """
    found: dict[str, Attachment] = {}
    for entry in branch:
        if entry.kind == ATTACHMENT.name and (state := attachment_in(entry)) is not None:
            found[state.id] = _after(found.get(state.id), state)
    return tuple(found.values())


def attachment_in(entry: Interaction) -> Attachment | None:
    """Read the state that one interaction holds; None where it cannot be read, as after an erasure."""
    meta = entry.node.meta
    match meta:
        case {
            "attachment": str(attachment_id),
            "state": str(state),
            "name": str(name),
            "media_type": str(media_type),
            "size_bytes": int(size_bytes),
            "sha256": str(sha256),
        } if entry.node.parent_id is not None and state in set(AttachmentState):
            return Attachment(
                id=attachment_id,
                node_id=entry.node.parent_id,
                entry_id=entry.id,
                state=AttachmentState(state),
                file=AttachedFile(name, media_type, size_bytes, sha256),
                reader=_text(meta.get("reader")),
                text=entry.content,
                words=_number(meta.get("words")),
                notes=_texts(meta.get("notes")),
                reason=_text(meta.get("reason")),
            )
        case _:
            return None


def attachment_named(attachments: Sequence[Attachment], attachment_id: str) -> Attachment:
    """Return one of a branch's attachments.

    Raises:
        AttachmentError: the branch has none of this id.
    """
    for attachment in attachments:
        if attachment.id == attachment_id:
            return attachment
    raise AttachmentError(f"There is no attachment {attachment_id} on this branch; `ticketree attachments` lists them.")


def _after(before: Attachment | None, state: Attachment) -> Attachment:
    if before is None:
        return state
    if state.state is AttachmentState.WITHDRAWN:
        return replace(before, state=AttachmentState.WITHDRAWN)
    return state if before.state is AttachmentState.PENDING else before


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Json) -> int:
    return value if isinstance(value, int) else 0


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(map(_text, value)) if isinstance(value, list) else ()
