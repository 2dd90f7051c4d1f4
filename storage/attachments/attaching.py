"""Attaching a file to a node: it is pending while it is read, then processed or failed."""

import hashlib
import os
import stat
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex
from typing import Final

from storage.attachments.attachment import AttachedFile, Attachment, AttachmentState, size_words
from storage.attachments.conversion import Conversion
from storage.attachments.limits import MAX_FILE_BYTES
from storage.attachments.media import MediaType, recognise
from storage.attachments.states import INTERRUPTED, add_state, failed
from storage.errors import AttachmentError, ReadingError, StorageError
from storage.importers.mail_parts import safe_file_name
from storage.interactions import Conversation
from storage.store import Store
from storage.text import storable

_ID_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A file that can be attached; `data` is None where it is too large to be read."""

    file: AttachedFile
    media_type: MediaType
    data: bytes | None


def open_file(path: Path) -> OpenedFile:
    """Read the bytes of a file, if it is one and not too large.

    Raises:
        AttachmentError: there is no such file, or it cannot be read; a sentence that says what to do.
    """
    name = safe_file_name(storable(path.name)) or "unnamed"
    try:
        with open(path, "rb", opener=_without_waiting) as source:
            status = os.fstat(source.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise AttachmentError(f"{name} is no file that can be attached; name one file.")
            data = source.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "this is no path"
        raise AttachmentError(f"{name} cannot be opened: {why}. Check the path.") from error
    if len(data) > MAX_FILE_BYTES:
        size_bytes = max(status.st_size, len(data))
        return OpenedFile(AttachedFile(name, MediaType.OTHER.value, size_bytes, ""), MediaType.OTHER, None)
    media_type = recognise(name, data)
    digest = hashlib.sha256(data).hexdigest()
    return OpenedFile(AttachedFile(name, media_type.value, len(data), digest), media_type, data)


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe that nobody writes to would wait for ever."""
    return os.open(path, flags | os.O_NONBLOCK)


class Attaching:
    """One file on its way into a conversation: announced at once, read by `finish`.

    Attributes:
        pending: the attachment as it was announced.
    """

    def __init__(self, store: Store, conversation: Conversation, node_id: int, opened: OpenedFile) -> None:
        """Announce the file on a node; NotFoundError or ErasedError where it takes nothing."""
        self._store = store
        self._conversation = conversation
        self._opened = opened
        self._conversion = Conversion()
        announced = Attachment(token_hex(_ID_BYTES), node_id, 0, AttachmentState.PENDING, opened.file, store.mark())
        self.pending = add_state(store, conversation, announced)

    def finish(self) -> Attachment:
        """Read the file and add how that ended; whatever happens, it is pending no longer."""
        try:
            return self._end(self._read())
        except ReadingError as error:
            return self._end(failed(self.pending, str(error)))
        except BaseException:
            # A record that cannot be written keeps it pending until this process is gone.
            with suppress(StorageError):
                self._end(failed(self.pending, INTERRUPTED))
            raise

    def cancel(self) -> None:
        """Stop reading; `finish` then ends as failed. May be called from any thread."""
        self._conversion.cancel()

    def _read(self) -> Attachment:
        if self._opened.data is None:
            most = size_words(MAX_FILE_BYTES)
            raise ReadingError(f"it has {self._opened.file.size}, and at most {most} are read; attach a part of it")
        read = self._conversion.run(self._opened.data, self._opened.media_type)
        return replace(
            self.pending,
            state=AttachmentState.PROCESSED,
            reader="",
            text=read.text,
            words=len(read.text.split()),
            notes=read.notes,
        )

    def _end(self, ended: Attachment) -> Attachment:
        return add_state(self._store, self._conversation, ended)
