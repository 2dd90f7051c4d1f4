"""The files that audits write and read."""

import json
import time
from pathlib import Path

from storage.audit.anchor import Anchor, read_anchor
from storage.values import Json
from tui.errors import SetupError


def now_us() -> int:
    """When a file is written, in microseconds since 1970 UTC."""
    return time.time_ns() // 1000


def as_lines(document: Json) -> str:
    """A document as a file holds it; every character that a terminal could obey is escaped."""
    return json.dumps(document, ensure_ascii=True, indent=1) + "\n"


def read_anchor_file(path: Path) -> Anchor:
    """Read an anchor.

    Raises:
        SetupError: the file cannot be read.
        UnreadableError: it holds no anchor, or one that was changed.
    """
    try:
        document: Json = json.loads(path.read_bytes())
    except OSError as error:
        raise SetupError(f"The anchor {path} cannot be read ({error.strerror or error}).") from error
    except (ValueError, RecursionError):
        document = None
    return read_anchor(document)
