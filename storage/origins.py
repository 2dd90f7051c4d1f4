"""Where a node was added first: what tells it from all others on every desk that it reaches.

A node that was written here has the identity of its conversation, which is the hash of its first link, and the
beginning of the hash of its own. Both hold a random salt, stay when words are erased, and never change. A node that
came in keeps the identity that it came with.
"""

import re
from typing import Final, NamedTuple

NODE_BYTES: Final = 16
_TEXT: Final = re.compile(r"([0-9a-f]{64})/([0-9a-f]{32})")


class Origin(NamedTuple):
    """Where a node was added first.

    Attributes:
        chat: 32 bytes, of the conversation, or of the chat of another program.
        node: 16 bytes, of the node in it.
    """

    chat: bytes
    node: bytes

    @property
    def text(self) -> str:
        """The origin as an export names it: two hex numbers with "/" between them."""
        return f"{self.chat.hex()}/{self.node.hex()}"


def own_origin(first_hash: bytes, link_hash: bytes) -> Origin:
    """Return the origin of a node that was added here, from the hashes of its conversation's first link and its own."""
    return Origin(first_hash, link_hash[:NODE_BYTES])


def origin_in(text: str) -> Origin | None:
    """Return the origin that an export names, None where the text is none."""
    found = _TEXT.fullmatch(text)
    return Origin(bytes.fromhex(found[1]), bytes.fromhex(found[2])) if found else None
