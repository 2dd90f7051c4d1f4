"""How much of one thing is read; whatever is larger is skipped with a reason that names the limit."""

from typing import Final

MIB: Final = 1024 * 1024

MAX_MESSAGE_BYTES: Final = 32 * MIB
"""One mail, one ticket of another format, or one chat."""

MAX_DOCUMENT_BYTES: Final = 128 * MIB
"""A JSON or CSV file of tickets, which is read whole; mbox, JSONL and chats are read in pieces and have no limit."""

MAX_HEADER_BLOCK_BYTES: Final = 2 * MIB
"""The headers of one mail; what follows is not looked at as a header."""

MAX_HEADER_CHARS: Final = 65_536
"""One header's text as it is decoded."""

MAX_ADDRESSES: Final = 1_000
"""Recipients looked at, to tell agents from customers."""

MAX_PART_DEPTH: Final = 20
"""MIME parts inside MIME parts."""

MAX_PARTS: Final = 500
"""MIME parts of one mail."""

MAX_HTML_CHARS: Final = 4_000_000
"""An HTML body."""

MAX_HTML_TAGS: Final = 50_000
"""Start tags of an HTML body."""

MAX_UNPACKED_BYTES: Final = 4096 * MIB
"""All that is unpacked of one zip archive."""

MAX_UNPACKING_RATIO: Final = 200
"""How many times larger than packed one file of an archive may be; text of chats is about ten times larger."""

SMALL_UNPACKED_BYTES: Final = 8 * MIB
"""Up to this size the ratio does not matter."""

HEAD_BYTES: Final = 65_536
"""What a format is recognised from."""


def mebibytes(count: int) -> str:
    """Return a number of bytes as people say it."""
    return f"{count / MIB:.0f} MiB" if count >= 10 * MIB else f"{count / MIB:.1f} MiB"
