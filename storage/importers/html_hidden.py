"""Which parts of an HTML mail its reader does not see."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

NEVER_SHOWN: Final = frozenset(
    {"head", "script", "style", "title", "template", "iframe", "noembed", "noframes", "svg", "object", "datalist"}
)
"""Elements whose content is machinery."""

_COMMENT: Final = re.compile(r"/\*.*?(\*/|\Z)", re.DOTALL)
_ZERO: Final = re.compile(r"0*\.?0*(px|pt|em|rem|ex|%|cm|mm|in|vw|vh)?")
_NEARLY_ZERO_SIZE: Final = re.compile(r"(0*[01](\.\d+)?|0*\.\d+)px")
_FAR_AWAY: Final = re.compile(r"-\d{3,}(\.\d+)?(px|pt|em|%)?|-\d{2,}(\.\d+)?em")
_RGB: Final = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})(?:[\s,/]+([\d.]+%?))?\s*\)")
_SELECTOR: Final = re.compile(r"([a-z0-9]*)([.#])([\w-]+)", re.IGNORECASE)
_NAMED_COLOURS: Final = {
    "white": (255, 255, 255),
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "whitesmoke": (245, 245, 245),
    "ghostwhite": (248, 248, 255),
    "black": (0, 0, 0),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "lightgray": (211, 211, 211),
    "lightgrey": (211, 211, 211),
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
}
_SAME_COLOUR: Final = 8
_MAX_STYLE_CHARS: Final = 4_000
_MAX_SHEET_CHARS: Final = 200_000

Colour = tuple[int, int, int]
WHITE: Final[Colour] = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Look:
    """What an element inherits: its text's colour and what is behind it (None where that is unknown)."""

    colour: Colour | None = (0, 0, 0)
    behind: Colour | None = WHITE


def declarations(style: str) -> dict[str, str]:
    """Read a style attribute or the inside of a rule."""
    found = {}
    for declaration in _COMMENT.sub("", style[:_MAX_STYLE_CHARS]).split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            found[name.strip().lower()] = value.lower().replace("!important", "").strip()
    return found


def class_rules(sheet: str) -> dict[str, dict[str, str]]:
    """Read the rules for single classes and ids (".preheader", "#x"); those inside @media and the like are left out."""
    rules: dict[str, dict[str, str]] = {}
    depth, prelude = 0, ""
    for piece in re.split(r"([{}])", _COMMENT.sub("", sheet[:_MAX_SHEET_CHARS])):
        match piece:
            case "{":
                depth += 1
            case "}":
                depth = max(depth - 1, 0)
            case _ if depth == 0:
                prelude = piece
            case _ if depth == 1 and "@" not in prelude:
                for selector in prelude.split(","):
                    if simple := _SELECTOR.fullmatch(selector.strip()):
                        rules.setdefault(simple[2] + simple[3], {}).update(declarations(piece))
    return rules


def style_of(attributes: Mapping[str, str], rules: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return the declarations that hold for an element: its classes' and id's, then its own."""
    style: dict[str, str] = {}
    if rules:
        for name in attributes.get("class", "").split()[:20]:
            style.update(rules.get("." + name, {}))
        style.update(rules.get("#" + attributes.get("id", ""), {}))
    if "bgcolor" in attributes:
        style["background-color"] = attributes["bgcolor"].lower()
    if "color" in attributes:
        style["color"] = attributes["color"].lower()
    if "style" in attributes:
        style.update(declarations(attributes["style"]))
    return style


def look_of(style: Mapping[str, str], inherited: Look) -> Look:
    """Return the colours inside an element of this style."""
    colour, behind = inherited.colour, inherited.behind
    for name in ("background", "background-color", "background-image"):
        value = style.get(name, "")
        if value and value not in ("none", "transparent", "inherit", "initial"):
            behind = colour_named(value)
    if value := style.get("color", ""):
        colour = behind if value == "transparent" else colour if value == "inherit" else colour_named(value)
    return Look(colour, behind)


def hides(attributes: Mapping[str, str], style: Mapping[str, str]) -> bool:
    """Whether a reader does not see what an element of this style holds."""
    if "hidden" in attributes or attributes.get("type", "").lower() == "hidden":
        return True
    size = style.get("font-size", "")
    clipped = style.get("overflow", "") == "hidden"
    return (
        style.get("display") == "none"
        or style.get("visibility") in ("hidden", "collapse")
        or style.get("mso-hide") == "all"
        or style.get("color") == "transparent"
        or _is_zero(style.get("opacity", ""))
        or _is_zero(size)
        or bool(_NEARLY_ZERO_SIZE.fullmatch(size))
        or (clipped and any(_is_zero(style.get(name, "")) for name in ("height", "max-height", "width", "max-width")))
        or any(_FAR_AWAY.fullmatch(style.get(name, "")) for name in ("text-indent", "left", "top", "margin-left"))
    )


def blends_in(look: Look) -> bool:
    """Whether text has the colour of what is behind it."""
    if look.colour is None or look.behind is None:
        return False
    return all(abs(one - other) <= _SAME_COLOUR for one, other in zip(look.colour, look.behind, strict=True))


def colour_named(value: str) -> Colour | None:
    """Read a colour, None where it is none that can be told (a picture, a gradient, half transparent)."""
    value = value.strip()
    digits = value.removeprefix("#")
    if re.fullmatch(r"[0-9a-f]{3}", digits) and value != digits:
        return (int(digits[0] * 2, 16), int(digits[1] * 2, 16), int(digits[2] * 2, 16))
    if re.fullmatch(r"[0-9a-f]{6}", digits):
        return (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16))
    if (rgb := _RGB.fullmatch(value)) and rgb[4] in (None, "1", "100%"):
        return (int(rgb[1]), int(rgb[2]), int(rgb[3]))
    return _NAMED_COLOURS.get(value)


def _is_zero(value: str) -> bool:
    return bool(value) and bool(_ZERO.fullmatch(value)) and "0" in value
