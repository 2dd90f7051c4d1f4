"""Strings that try to do something to whoever shows them."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Hostile:
    id: str
    cls: str
    text: str

    def __str__(self) -> str:
        return self.id


def _read() -> tuple[Hostile, ...]:
    lines = Path(__file__).with_name("hostile_text.jsonl").read_text("utf-8").splitlines()
    return tuple(Hostile(case["id"], case["cls"], case["text"]) for case in map(json.loads, lines))


HOSTILE = _read()

MORE = (
    Hostile("bidi-override", "tty", "total \u202e99\u202c EUR \u2066x\u2069"),
    Hostile("every-c0-c1", "tty", "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0))))),
    Hostile("lone-surrogate", "unicode", "a\ud800b\udfff"),
    Hostile("marks", "unicode", "\u200e\u200f\u061cabc\ufeff\u2060"),
    Hostile("entities", "tty", "&#27;]52;c;&#7; &#8238;x &#x202e; &#x9b;"),
    Hostile("separators", "tty", "a\u2028b\u2029c\u0085d"),
    Hostile("wide", "keep", "日本語のハンモック👩\u200d👩\u200d👧" * 20),
)
"""What the file has no line for."""

EVERY = HOSTILE + MORE
