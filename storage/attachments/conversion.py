"""Reading a file in a process of its own, which takes a bounded time and can be stopped at any moment."""

import json
import subprocess
import sys
from threading import Lock
from typing import Final

from storage.attachments.limits import TIME_LIMIT_S
from storage.attachments.media import MediaType
from storage.attachments.readers.read_text import ReadText
from storage.errors import ReadingError

CANCELLED: Final = "reading was stopped; attach it again"
# -P: a folder that the person happens to stand in is no place to import from.
COMMAND: Final = ("-P", "-m", "storage.attachments.worker")
"""What this Python runs to read a file, before the media type."""

_DIED: Final = "reading it takes too much memory or made the reader fail; attach a part of it"


class Conversion:
    """One file being read; `cancel` may be called from another thread, before, while or after it runs."""

    def __init__(self, *, time_limit_s: float = TIME_LIMIT_S) -> None:
        self._time_limit_s = time_limit_s
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_cancelled = False

    def run(self, data: bytes, media_type: MediaType) -> ReadText:
        """Read a file and wait for it.

        Raises:
            ReadingError: it cannot be read, took too long, or was cancelled.
        """
        with self._start(media_type) as process:
            try:
                output, _ = process.communicate(data, self._time_limit_s)
            except subprocess.TimeoutExpired:
                process.kill()
                reason = f"reading it took longer than {self._time_limit_s:.0f} s; attach a part of it"
                raise ReadingError(reason) from None
            except BaseException:
                process.kill()
                raise
            finally:
                with self._lock:
                    self._process = None
        if self._is_cancelled:
            raise ReadingError(CANCELLED)
        return _read_back(output)

    def cancel(self) -> None:
        """Stop reading."""
        with self._lock:
            self._is_cancelled = True
            if self._process is not None:
                self._process.kill()

    def _start(self, media_type: MediaType) -> "subprocess.Popen[bytes]":
        command = [sys.executable, *COMMAND, media_type.value]
        with self._lock:
            if self._is_cancelled:
                raise ReadingError(CANCELLED)
            try:
                self._process = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
                )
            except OSError as error:
                raise ReadingError(f"the reader cannot be started ({error.strerror})") from error
            return self._process


def _read_back(output: bytes) -> ReadText:
    try:
        document = json.loads(output)
    except ValueError:
        raise ReadingError(_DIED) from None
    match document:
        case {"text": str(text), "notes": list(notes)}:
            return ReadText(text, tuple(map(str, notes)))
        case {"reason": str(reason)}:
            raise ReadingError(reason)
        case _:
            raise ReadingError(_DIED)
