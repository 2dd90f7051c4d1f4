"""The headers of a mail, read in bounded time whatever they hold."""

import binascii
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from email.message import Message
from typing import Final

from storage.importers.limits import MAX_ADDRESSES, MAX_HEADER_BLOCK_BYTES, MAX_HEADER_CHARS
from storage.importers.texts import decode_text
from storage.text import storable

_FIELD: Final = re.compile(rb"([!-9;-~]{1,200})[ \t]*:(.*)", re.DOTALL)
_BLANK_LINE: Final = re.compile(rb"(?:\A|(?<=\n)|(?<=\r)(?!\n))(?:\r\n|\n|\r)")
_LINE_END: Final = re.compile(rb"\r\n|\n|\r")
_FOLD: Final = re.compile(rb"(?:\r\n|\n|\r)[ \t]+")
_ENCODED_WORD: Final = re.compile(r"=\?([^?\s]{1,60})\?([bq])\?(.{0,2000}?)\?=", re.IGNORECASE | re.DOTALL)
_MESSAGE_ID: Final = re.compile(r"<([^<>]{1,998})>")
_ADDRESS: Final = re.compile(r"[^\s<>,;:\"'()\[\]]{1,200}@[^\s<>,;:\"'()\[\]]{1,200}")
_MAX_PARAMETER_CHARS: Final = 4_000


@dataclass(frozen=True, slots=True)
class Headers:
    """Header fields in order: lower-case name, unfolded value as bytes."""

    fields: tuple[tuple[str, bytes], ...] = ()
    _first: dict[str, bytes] = field(default_factory=dict)

    def raw(self, name: str) -> bytes:
        """Return a header's first value, b"" where there is none."""
        return self._first.get(name, b"")[:MAX_HEADER_CHARS]

    def text(self, name: str) -> str:
        """Return a header's value with its encoded words decoded."""
        return decode_words(self.raw(name))[0]

    def all_raw(self, name: str) -> bytes:
        """Return all values of a header, joined by commas."""
        return b", ".join(value for key, value in self.fields if key == name)


def split_message(data: bytes) -> tuple[Headers, int]:
    """Read the header block at the start of a message.

    Returns:
        The headers and where the body begins.
    """
    block = data[:MAX_HEADER_BLOCK_BYTES]
    blank = _BLANK_LINE.search(block)
    body_at = blank.end() if blank else len(data)
    lines = _LINE_END.split(_FOLD.sub(b" ", block[: blank.start() if blank else len(block)]))
    fields = []
    first: dict[str, bytes] = {}
    for line in lines:
        if found := _FIELD.match(line):
            name, value = found[1].decode("ascii").lower(), found[2].strip()
            fields.append((name, value))
            first.setdefault(name, value)
    return Headers(tuple(fields), first), body_at


def decode_words(value: bytes) -> tuple[str, tuple[str, ...]]:
    """Decode a header with RFC 2047 encoded words, also where they break the rules.

    Returns:
        The text, and what had to be repaired.
    """
    decoded = decode_text(value[:MAX_HEADER_CHARS], "")
    text, repairs = decoded.text, [decoded.repair]
    result: list[str] = []
    position = 0
    run: tuple[str, bytes] | None = None
    for word in _ENCODED_WORD.finditer(text):
        between = text[position : word.start()]
        charset = word[1].partition("*")[0].lower()
        content = _decode_word(word[2].lower(), word[3])
        if run and not between.strip():
            if run[0] == charset:
                run = (charset, run[1] + content)
                position = word.end()
                continue
            between = ""
        result += [_finish(run, repairs), between]
        run = (charset, content)
        position = word.end()
    result += [_finish(run, repairs), text[position:]]
    clean = "".join(result).replace("\r", " ").replace("\n", " ").strip()
    return storable(clean), tuple(repair for repair in repairs if repair)


def _finish(run: tuple[str, bytes] | None, repairs: list[str]) -> str:
    if run is None:
        return ""
    decoded = decode_text(run[1], run[0])
    repairs.append(decoded.repair)
    return decoded.text


def _decode_word(encoding: str, text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    if encoding == "q":
        return binascii.a2b_qp(raw.replace(b" ", b"_"), header=True)
    return decode_base64(raw)


def decode_base64(data: bytes) -> bytes:
    """Decode base64 that may lack padding or hold foreign characters."""
    clean = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    if len(clean) % 4 == 1:
        clean = clean[:-1]
    return binascii.a2b_base64(clean + b"=" * (-len(clean) % 4))


def message_ids(value: bytes) -> tuple[str, ...]:
    """Return the ids that Message-ID, In-Reply-To or References name, each as "<id>", in order, each once."""
    text = decode_text(value[:MAX_HEADER_CHARS], "").text
    found: Iterable[str] = _MESSAGE_ID.findall(text)
    named = ["".join(name.split()) for name in found] or [
        word.strip("<>,;") for word in text.split() if "@" in word and len(word) < 998
    ]
    return tuple(dict.fromkeys(f"<{storable(name)}>" for name in named if name))


def addresses(value: bytes) -> tuple[str, ...]:
    """Return the addresses in a recipients' header, in lower case; at most `MAX_ADDRESSES`."""
    found: dict[str, None] = {}
    for match in _ADDRESS.finditer(decode_text(value[: 4 * MAX_HEADER_CHARS], "").text):
        found[storable(match[0].lower())] = None
        if len(found) >= MAX_ADDRESSES:
            break
    return tuple(found)


def sender(value: bytes) -> tuple[str, str]:
    """Return the name and the address of a From header; the name is the address where there is none."""
    text = decode_text(value[:_MAX_PARAMETER_CHARS], "").text
    head, opening, rest = text.rpartition("<")
    if opening and "@" in rest:
        address, name = rest.partition(">")[0].strip(), head
    else:
        found = _ADDRESS.search(text)
        address = found[0] if found else ""
        name = text.replace(address, "", 1) if address else text
    name = name.strip().strip(",").strip()
    if name.startswith("(") and name.endswith(")"):
        name = name[1:-1]
    if len(name) > 1 and name[0] == name[-1] and name[0] in "\"'":
        name = name[1:-1]
    name = re.sub(r"\\(.)", r"\1", name)
    shown = decode_words(name.encode("utf-8", "replace"))[0]
    if len(shown) > 1 and shown[0] == shown[-1] == '"':
        shown = shown[1:-1]
    return storable(shown or address), storable(address.lower())


def typed(value: bytes, default: str = "text/plain") -> tuple[str, dict[str, str]]:
    """Read a Content-Type or Content-Disposition header.

    Returns:
        The type in lower case, and its parameters by lower-case name, RFC 2231 and 2047 decoded.
    """
    message = Message()
    message["x"] = decode_text(value[:_MAX_PARAMETER_CHARS], "").text.replace("\r", " ").replace("\n", " ")
    parameters = {}
    try:
        given = message.get_params(header="x") or []
    except (ValueError, IndexError, TypeError):
        given = []
    for name, parameter in given[1:]:
        parameters[name.lower()] = _parameter(parameter)
    kind = (given[0][0] if given else "").strip().lower()
    return kind or default, parameters


def _parameter(value: str | tuple[str | None, str | None, str]) -> str:
    if isinstance(value, tuple):
        charset, _, encoded = value
        return storable(decode_text(encoded.encode("latin-1", "replace"), charset or "").text)
    return decode_words(value.encode("utf-8", "replace"))[0]
