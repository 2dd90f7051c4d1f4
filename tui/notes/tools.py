"""Notes of tools: what was looked up for an answer and what came of it, opened with all that the model was given."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from assistant.tools.specs import SPECS
from storage.interactions import Interaction
from storage.values import Json
from tui.notes.note import Note
from tui.tones import MUTED, WARNING


def tool_notes(results: Sequence[Interaction]) -> Iterable[Note]:
    """One note for each result of a tool that was run here; those of an imported chat stay hidden.

    Results that follow each other and say the same, as of a model that keeps asking, are one note with their number.
    """
    for note, same in groupby(filter(None, map(_note, results))):
        count = len(list(same))
        yield replace(note, text=f"{note.text} ({count} times)") if count > 1 else note


def _note(result: Interaction) -> Note | None:
    match result.node.meta:
        case {"call_id": str(), "tool": str(tool), "doing": str(doing), "summary": str(summary), **more}:
            spec = SPECS.get(tool)
            done = spec.done if spec is not None else f"wanted {tool or 'a tool'}"
            tone = WARNING if more.get("failed") else MUTED
            line = f"{done}{f': {doing}' if doing else ''} · {summary}"
            return Note("⌕", line, tone, tuple(_paragraphs(result.content)))
        case _:
            return None


def _paragraphs(content: str) -> Iterable[str]:
    """What was given to the model, one paragraph for each entry below where it is from."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        yield content
        return
    match document:
        case {"passages": [*entries]} | {"messages": [*entries]}:
            for entry in entries:
                yield _entry(entry)
        case {"error": str()}:
            return
        case _:
            yield content
    if isinstance(document, dict) and isinstance(left_out := document.get("left_out"), int):
        yield f"{left_out} more did not fit."


def _entry(entry: Json) -> str:
    match entry:
        case {"source": str(source), "text": str(text)}:
            return f"{source}\n{text}"
        case {"turn": int(turn), "author": str(author), "text": str(text)}:
            return f"turn {turn}, {author}\n{text}"
        case _:
            return json.dumps(entry, ensure_ascii=False)
