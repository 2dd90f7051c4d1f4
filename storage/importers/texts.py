"""Bytes to text, when what they are said to be is missing or wrong."""

import codecs
import re
from dataclasses import dataclass
from typing import Final

from storage.text import storable

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
# These are no character sets of anyone's mail, and some take quadratic time.
_NOT_CHARSETS: Final = frozenset(
    {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}
)
# What a sender writes, and the larger set that he means.
_MEANT: Final = {
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
# In these, text that also happens to be valid UTF-8 still is what it is said to be.
_MULTIBYTE: Final = ("gb18030", "hz", "cp932", "shift_", "euc_", "cp949", "johab", "big5", "cp950", "iso2022", "utf")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text and, where its character set was not what it was said to be, what was done about it."""

    text: str
    repair: str = ""


def unified_lines(text: str) -> str:
    """Let every line end with a line feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def byte_order_mark(data: bytes) -> tuple[bytes, str]:
    """Return the mark that the bytes begin with and the encoding it stands for, or two empty values."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return mark, encoding
    return b"", ""


def decode_file(data: bytes) -> tuple[str, str, str]:
    """Decode a text file so that its pieces encode back to the same bytes.

    Returns:
        The text without a byte order mark, the encoding that gives the bytes back, and the repair made or "".
    """
    mark, encoding = byte_order_mark(data)
    body = data[len(mark) :]
    for candidate in (encoding,) if encoding else ("utf-8", "cp1252"):
        try:
            text = body.decode(candidate)
        except UnicodeDecodeError:
            continue
        return text, candidate, "" if candidate != "cp1252" else "not valid UTF-8; read as windows-1252"
    if encoding.startswith("utf-16") or encoding.startswith("utf-32"):
        return body.decode(encoding, "replace"), encoding, f"damaged {encoding}; what is unreadable became U+FFFD"
    return body.decode("latin-1"), "latin-1", "not valid UTF-8; read as ISO-8859-1"


def html_charset(data: bytes) -> str:
    """Return the character set that an HTML text names itself, "" where it names none."""
    found = _META_CHARSET.search(data[:4_096])
    return found[1].decode("ascii") if found else ""


def decode_text(data: bytes, charset: str) -> Decoded:
    """Decode a mail's text: as UTF-8 where it is that, else as declared, else as windows-1252."""
    known = _known_charset(charset)
    named = f"the character set {charset[:40]!r} is unknown" if charset and not known else ""
    if known.startswith(_MULTIBYTE) and known != "utf-8":
        return _decode_multibyte(data, known, charset)
    if data.isascii() and known in {"", "ascii", "utf-8", "cp1252"}:
        return Decoded(data.decode("ascii"), named and f"{named}; all of it is ASCII")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_single_byte(data, known, charset, named)
    if known == "utf-8" or data.isascii():
        return Decoded(data.decode(known or "ascii") if data.isascii() else text, named)
    told = named or (f"said to be {charset[:40]}" if known else "no character set is named")
    return Decoded(text, f"{told}; it is UTF-8")


def _known_charset(charset: str) -> str:
    """Return the codec for a declared name, "" where there is none."""
    try:
        name = codecs.lookup(charset.strip().strip("\"'") or "?").name
    except (LookupError, ValueError):
        return ""
    if name.replace("-", "_") in _NOT_CHARSETS or not _is_text(name):
        return ""
    return _MEANT.get(name, name)


def _is_text(name: str) -> bool:
    try:
        b"a".decode(name)
    except LookupError:
        return False
    except UnicodeError:
        return True
    return True


def _decode_multibyte(data: bytes, known: str, charset: str) -> Decoded:
    for candidate in (known, "utf-8"):
        try:
            text = storable(data.decode(candidate))
        except UnicodeError:
            continue
        return Decoded(text, "" if candidate == known else f"said to be {charset[:40]}; it is UTF-8")
    return Decoded(storable(data.decode(known, "replace")), f"damaged {charset[:40]}; what is unreadable became U+FFFD")


def _decode_single_byte(data: bytes, known: str, charset: str, named: str) -> Decoded:
    if known == "utf-8":
        text = data.decode("utf-8", "replace")
        broken = text.count("�")
        if broken <= sum(not character.isascii() for character in text) - broken:
            return Decoded(text, "damaged UTF-8; what is unreadable became U+FFFD")
    elif known and known != "ascii":
        try:
            return Decoded(data.decode(known))
        except UnicodeError:
            pass
    told = named or (f"not valid {charset[:40]}" if charset else "no character set is named")
    return Decoded(_windows_1252(data), f"{told}; read as windows-1252")


def _windows_1252(data: bytes) -> str:
    """Decode as browsers do: the five unassigned bytes stand for themselves."""
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return "".join(
            chr(byte) if byte in b"\x81\x8d\x8f\x90\x9d" else bytes([byte]).decode("cp1252") for byte in data
        )
