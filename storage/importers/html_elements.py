"""HTML elements by how they are laid out."""

from typing import Final

VOID: Final = frozenset(
    {
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    }
)  # fmt: skip
"""Elements that hold nothing and have no end tag."""

BLOCKS: Final = frozenset(
    {
        "address", "article", "aside", "body", "caption", "center", "dd", "details", "dialog", "div", "dl", "dt",
        "fieldset", "figcaption", "figure", "footer", "form", "header", "html", "legend", "li", "main", "nav", "ol",
        "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul",
    }
)  # fmt: skip
"""Elements that begin a line."""

PARAGRAPHS: Final = frozenset(
    {
        "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "p", "pre",
    }
)  # fmt: skip
"""Elements that stand apart from what is before and after them."""

CLOSES: Final = {
    "li": ("li",),
    "td": ("td", "th"),
    "th": ("td", "th"),
    "tr": ("td", "th", "tr"),
    "dt": ("dt", "dd"),
    "dd": ("dt", "dd"),
    "option": ("option",),
}
"""What an element ends, when it begins, without an end tag of that."""

STOPS: Final = frozenset({"table", "ul", "ol", "dl", "select"})
"""Elements that keep what is around them open."""
