"""Conversations as Mermaid flowcharts (mermaid.js.org, version 11): shapes by role, the shown path marked.

One diagram is plain Mermaid. A tree that does not fit into one gives a Markdown file with a block for each, which is
how programs that draw Mermaid read several.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from storage.exporters.export import Export, Exporter, Rendered, Scope
from storage.exporters.mermaid_labels import LINE_BREAK, label
from storage.exporters.mermaid_layout import Diagram, Layout, Shape, layout
from storage.exporters.words import ENDS
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, ROOT, TICKET
from storage.tree import path_ids

_OUTLINES: Final = {
    ROOT.name: ("([", "])"),
    TICKET.name: ("[/", "/]"),
    AGENT_MESSAGE.name: ("(", ")"),
    ASSISTANT_RESPONSE.name: ("[", "]"),
}
_OTHER_OUTLINE: Final = ("{{", "}}")
_FOLDED_OUTLINE: Final = ("[[", "]]")

_CLASSES: Final = {
    "shown": "stroke:#d97706,stroke-width:3px",
    "folded": "stroke-dasharray:4 4",
    "elsewhere": "stroke-dasharray:2 4,opacity:0.6",
}


def render(export: Export) -> Rendered:
    """Return the export as one diagram, or as a Markdown file with several."""
    lines: dict[int, str] = {}

    def text_of(shape: Shape) -> int:
        first_id = shape.nodes[0].id
        if len(shape.nodes) > 1:
            return len(_folded(shape))
        if first_id not in lines:
            lines[first_id] = _shape(shape, export)
        return len(lines[first_id].encode("utf-16-le")) // 2

    drawn = layout(export.nodes, text_of)
    texts = [_folded(shape) if len(shape.nodes) > 1 else lines[shape.nodes[0].id] for shape in drawn.shapes]
    shown = frozenset(path_ids(export.nodes, export.selected_id))
    diagrams = [_diagram(drawn.shapes, texts, diagram, shown) for diagram in drawn.diagrams]
    remarks = tuple(_remarks(drawn))
    if len(diagrams) == 1:
        comments = "".join(f"%% {remark}\n" for remark in remarks)
        return Rendered(".mmd", iter((comments, *diagrams)), remarks)
    return Rendered(".md", _blocks(diagrams, remarks), remarks)


EXPORTER: Final = Exporter("mermaid", Scope.TREE, render)


def _shape(shape: Shape, export: Export) -> str:
    """The outline and label of a node."""
    (node,) = shape.nodes
    begin, end = _OUTLINES.get(node.kind, _OTHER_OUTLINE)
    words = node.preview
    if node.kind == ROOT.name:
        words = f"{export.conversation.agent} · {export.conversation.ticket_id}"
    ended = f"{LINE_BREAK}({ENDS[node.status]})" if node.status in ENDS else ""
    return f'{begin}"{label(words)}{ended}"{end}'


def _folded(shape: Shape) -> str:
    begin, end = _FOLDED_OUTLINE
    return f'{begin}"… {len(shape.nodes):,} messages folded …"{end}'


def _diagram(shapes: Sequence[Shape], texts: Sequence[str], diagram: Diagram, shown: Collection[int]) -> str:
    drawn = sorted((*diagram.own, *diagram.elsewhere))
    lines = ["flowchart TD"]
    lines += [f"    n{position + 1}{texts[position]}" for position in drawn]
    for position in diagram.own:
        shape = shapes[position]
        if shape.parent is not None:
            lines.append(f"    n{shape.parent + 1} --> n{position + 1}")
        if shape.replaces is not None:
            lines.append(f"    n{position + 1} -.-> n{shape.replaces + 1}")
    marked = {
        "shown": [position for position in drawn if shapes[position].nodes[0].id in shown],
        "folded": [position for position in drawn if len(shapes[position].nodes) > 1],
        "elsewhere": diagram.elsewhere,
    }
    for name, positions in marked.items():
        if positions:
            lines.append(f"    classDef {name} {_CLASSES[name]}")
            lines.append(f"    class {','.join(f'n{position + 1}' for position in positions)} {name}")
    return "\n".join(lines) + "\n"


def _remarks(drawn: Layout) -> Iterator[str]:
    folded = [len(shape.nodes) for shape in drawn.shapes if len(shape.nodes) > 1]
    if folded:
        runs = "a run" if len(folded) == 1 else f"{len(folded):,} runs"
        yield f"{sum(folded):,} messages in {runs} without a fork are folded, so that the diagram can be drawn."
    if len(drawn.diagrams) > 1:
        yield (
            f"The tree is drawn in {len(drawn.diagrams):,} diagrams, in a Markdown file with a Mermaid block each; "
            "a faint shape belongs to another diagram."
        )


def _blocks(diagrams: Sequence[str], remarks: Sequence[str]) -> Iterator[str]:
    yield "# A conversation\n" + "".join(f"\n{remark}\n" for remark in remarks)
    for number, diagram in enumerate(diagrams, 1):
        yield f"\n## Diagram {number:,} of {len(diagrams):,}\n\n```mermaid\n{diagram}```\n"
