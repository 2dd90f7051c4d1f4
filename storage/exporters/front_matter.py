"""The block of names and values at the head of a Markdown file."""

from collections.abc import Mapping

from storage.exporters.printable import printable


def front_matter(values: Mapping[str, str | int]) -> str:
    """Return the block as YAML: one line a value, and texts in quotes, so that none can end it or add to it."""
    lines = (f"{name}: {value if isinstance(value, int) else _quoted(value)}" for name, value in values.items())
    return "\n".join(("---", *lines, "---"))


def _quoted(text: str) -> str:
    safe = printable(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{safe}"'
