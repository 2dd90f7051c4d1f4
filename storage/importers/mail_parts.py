"""The MIME parts of a mail, split without recursion deeper than a fixed bound."""

import binascii
import re
from dataclasses import dataclass
from typing import Final

from storage.importers.limits import MAX_PART_DEPTH, MAX_PARTS
from storage.importers.mail_headers import Headers, decode_base64, split_message, typed

_UNSAFE_NAME: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_MAX_NAME_CHARS: Final = 200
_AFTER_BOUNDARY: Final = re.compile(rb"(--)?[ \t]*(?:\r\n|\n|\r|\Z)")


@dataclass(frozen=True, slots=True)
class Part:
    """One MIME part.

    Attributes:
        kind: "text/plain", "multipart/alternative", …
        disposition: "attachment", "inline" or "".
        file_name: made safe to show; "" where the part names none.
        body: as it stands in the mail, still encoded.
    """

    kind: str
    parameters: dict[str, str]
    disposition: str
    file_name: str
    encoding: str
    body: bytes
    parts: tuple["Part", ...] = ()

    def content(self) -> bytes:
        """Return the body with its transfer encoding undone."""
        match self.encoding:
            case "quoted-printable":
                return binascii.a2b_qp(self.body)
            case "base64":
                return decode_base64(self.body)
            case _:
                return self.body


class PartReader:
    """Splits one mail, counting its parts; what is beyond the bounds is noted in `repairs`."""

    def __init__(self) -> None:
        self.repairs: list[str] = []
        self._count = 0

    def read(self, data: bytes, depth: int = 0, default: str = "text/plain") -> Part:
        """Read one part with those inside it."""
        headers, body_at = split_message(data)
        kind, parameters = typed(headers.raw("content-type"), default)
        disposition, more = typed(headers.raw("content-disposition"), "")
        body = data[body_at:]
        parts: tuple[Part, ...] = ()
        if kind.startswith("multipart/"):
            parts = self._split(kind, parameters.get("boundary", ""), body, depth)
            if not parts:
                kind = "text/plain"
        elif "/" not in kind:
            kind = "text/plain"
        return Part(
            kind,
            parameters,
            disposition,
            safe_file_name(more.get("filename") or parameters.get("name") or ""),
            _transfer_encoding(headers),
            body,
            parts,
        )

    def _split(self, kind: str, boundary: str, body: bytes, depth: int) -> tuple[Part, ...]:
        if depth >= MAX_PART_DEPTH:
            self._note(f"parts nested deeper than {MAX_PART_DEPTH} were left out")
            return (Part("application/octet-stream", {}, "attachment", "", "", body),)
        pieces = _pieces(body, boundary) if boundary else []
        if not pieces:
            self._note("it has no parts where its headers promise some; read as one text")
        inside = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        parts = []
        for piece in pieces:
            self._count += 1
            if self._count > MAX_PARTS:
                self._note(f"only the first {MAX_PARTS} parts were read")
                break
            parts.append(self.read(piece, depth + 1, inside))
        return tuple(parts)

    def _note(self, repair: str) -> None:
        if repair not in self.repairs:
            self.repairs.append(repair)


def _pieces(body: bytes, boundary: str) -> list[bytes]:
    """Return what stands between the lines that are "--boundary", up to "--boundary--"."""
    mark = b"--" + boundary.rstrip().encode("utf-8", "replace")
    pieces = []
    begin = position = -1
    while (position := body.find(mark, position + 1)) >= 0:
        rest = _AFTER_BOUNDARY.match(body, position + len(mark))
        if rest is None or (position and body[position - 1] not in b"\r\n"):
            continue
        if begin >= 0:
            pieces.append(_without_last_line_end(body[begin:position]))
        begin = -1 if rest[1] else rest.end()
        if rest[1] or len(pieces) > MAX_PARTS:
            break
        position = begin - 1
    if begin >= 0:
        pieces.append(body[begin:])
    return pieces


def _without_last_line_end(piece: bytes) -> bytes:
    return piece[:-2] if piece.endswith(b"\r\n") else piece[:-1]


def _transfer_encoding(headers: Headers) -> str:
    return headers.raw("content-transfer-encoding").decode("latin-1").strip().strip("\"'").lower()


def safe_file_name(name: str) -> str:
    """Return the last component of a file name, without control characters; it is only ever shown."""
    last = re.split(r"[/\\]", name)[-1]
    return _UNSAFE_NAME.sub("_", last).strip()[:_MAX_NAME_CHARS]
