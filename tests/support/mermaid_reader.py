"""Reads the flowcharts that we write, and refuses whatever Mermaid 11 could take for something else.

What is refused was found with Mermaid's own parser and renderer: signs of its grammar, of Markdown in labels, and pairs
that it replaces after decoding entities.
"""

import re
from dataclasses import dataclass, field

OUTLINES = {"([": "])", "[/": "/]", "(": ")", "[": "]", "{{": "}}", "[[": "]]"}

_SHAPE = re.compile(r'    (n[1-9]\d*)(\(\[|\[/|\(|\[\[|\[|\{\{)"([^"\n]*)"(\]\)|/\]|\)|\]\]|\]|\}\})')
_EDGE = re.compile(r"    (n[1-9]\d*) (-->|-\.->) (n[1-9]\d*)")
_CLASS_DEF = re.compile(r"    classDef ([a-z]+) [a-z-]+:[#0-9a-z. ]+(?:,[a-z-]+:[#0-9a-z. ]+)*")
_CLASS = re.compile(r"    class (n\d+(?:,n\d+)*) ([a-z]+)")
_TOKEN = re.compile(r"#(\d+);|(<br/>)|([^\"#$%&*:;<>@\[\\\]^_`{|}~\x00-\x1f\x7f-\x9f\u2028\u2029])")
_BLOCK_BEGIN = re.compile(r"[-+=]|\d+[.)]|\s")
_STATEMENT = re.compile(r"direction\s+(TB|BT|RL|LR|TD)")
_REPLACED_LATE = re.compile(r"\ufb02\xb0|\xb6\xdf|\\n|\$\$|fa[bklrs]?:fa-")


@dataclass
class Drawing:
    """One diagram: labels as they are shown, edges by names."""

    outlines: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    edges: list[tuple[str, str]] = field(default_factory=list)
    dotted: list[tuple[str, str]] = field(default_factory=list)
    classes: dict[str, set[str]] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)


def read_drawing(text: str) -> Drawing:
    """Read one diagram."""
    assert text.endswith("\n")
    assert len(text.encode("utf-16-le")) // 2 <= 50_000
    lines = text[:-1].split("\n")
    drawing = Drawing()
    while lines[0].startswith("%%"):
        comment = lines.pop(0)
        assert re.fullmatch(r"%% [A-Za-z0-9 ,.]+", comment)
        drawing.comments.append(comment)
    assert lines.pop(0) == "flowchart TD"
    for line in lines:
        _read_line(drawing, line)
    assert len(drawing.labels) <= 400
    assert len(drawing.edges) + len(drawing.dotted) <= 500
    assert {end for edge in (*drawing.edges, *drawing.dotted) for end in edge} <= set(drawing.labels)
    assert set().union(*drawing.classes.values()) <= set(drawing.labels)
    return drawing


def read_drawings(text: str) -> list[Drawing]:
    """Read what was exported: one diagram, or the blocks of a Markdown file."""
    if not text.startswith("# "):
        return [read_drawing(text)]
    blocks = re.findall(r"^```mermaid\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert len(blocks) > 1
    return [read_drawing(block) for block in blocks]


def read_label(label: str) -> str:
    """Return the text that a label shows; word joiners, which show nothing, are left out."""
    assert label
    assert not _STATEMENT.search(label)
    shown, at = "", 0
    while at < len(label):
        if not shown or shown.endswith("\n"):
            assert not _BLOCK_BEGIN.match(label, at), label
        token = _TOKEN.match(label, at)
        assert token is not None, label[at : at + 20]
        code, line_break, character = token.groups()
        shown += chr(int(code)) if code else "\n" if line_break else character
        at = token.end()
    assert not _REPLACED_LATE.search(shown)
    assert not re.search(r"www\.", label, re.IGNORECASE)
    return shown.replace("\u2060", "")


def _read_line(drawing: Drawing, line: str) -> None:
    if shape := _SHAPE.fullmatch(line):
        name, begin, label, end = shape.groups()
        assert OUTLINES[begin] == end
        assert name not in drawing.labels
        drawing.outlines[name], drawing.labels[name] = begin, read_label(label)
    elif edge := _EDGE.fullmatch(line):
        begin, kind, end = edge.groups()
        (drawing.edges if kind == "-->" else drawing.dotted).append((begin, end))
    elif definition := _CLASS_DEF.fullmatch(line):
        drawing.classes[definition[1]] = set()
    else:
        members = _CLASS.fullmatch(line)
        assert members is not None, line
        drawing.classes[members[2]].update(members[1].split(","))
