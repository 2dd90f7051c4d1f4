"""Which key asks for which command: the defaults, what the configuration changes, and keys no terminal delivers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from tui.commands.command import Command

FORBIDDEN: Final = frozenset(
    {"ctrl+h", "ctrl+i", "ctrl+m", "ctrl+left_square_bracket", "alt+left_square_bracket", "ctrl+[", "alt+["}
    | {"shift+enter", "ctrl+enter", "alt+enter"}
    | {f"alt+{digit}" for digit in range(10)}
)
"""Keys that terminals deliver as another key, or not at all."""

RESERVED: Final = frozenset({"tab", "shift+tab", "ctrl+q", "ctrl+c"})
"""Keys that always keep their meaning, so that nobody is locked in."""

_NAMES: Final = {
    "?": "question_mark",
    ":": "colon",
    "[": "left_square_bracket",
    "]": "right_square_bracket",
    "+": "plus",
    "-": "minus",
    "=": "equals_sign",
    "<": "less_than_sign",
    ">": "greater_than_sign",
    "/": "slash",
    ".": "full_stop",
    "(": "left_parenthesis",
    ")": "right_parenthesis",
}

_SHOWN: Final = {
    "space": "space",
    "enter": "Enter",
    "escape": "Esc",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
} | {name: key for key, name in _NAMES.items()}


def key_name(key: str) -> str:
    """Textual's name of a key that a person wrote: "?" is "question_mark", "F2" is "f2", "J" stays "J"."""
    if len(key) == 1:
        return _NAMES.get(key, key)
    *modifiers, last = key.split("+")
    return "+".join([*(modifier.lower() for modifier in modifiers), _NAMES.get(last, last.lower())])


def shown_key(key: str) -> str:
    """A key as people read it: "Ctrl+P", "F2", "?"."""
    *modifiers, last = key.split("+")
    if last in _SHOWN:
        last = _SHOWN[last]
    elif len(last) > 1 or modifiers:
        last = last.upper() if len(last) <= 3 else last.replace("_", " ").capitalize()
    return "+".join([*(modifier.capitalize() for modifier in modifiers), last])


@dataclass(frozen=True, slots=True)
class KeyMap:
    """The keys of every command in this run.

    Attributes:
        keys: command id → its keys, the one to show first.
        warnings: one sentence for each line of the configuration that could not be used.
    """

    keys: Mapping[str, tuple[str, ...]]
    warnings: tuple[str, ...] = ()

    def shown(self, command: Command) -> str:
        """All keys of a command, for the help."""
        return " ".join(shown_key(key) for key in self.keys[command.id])

    def first(self, command: Command, *, typing: bool = False) -> str:
        """The key to show in the key bar; while typing only one that is not typed as text, "" where there is none."""
        for key in self.keys[command.id]:
            if not (typing and is_typed(key)):
                return shown_key(key)
        return ""


def is_typed(key: str) -> bool:
    """The composer uses this key for itself, as text or to move its cursor."""
    moves = {"space", "enter", "up", "down", "left", "right", "pageup", "pagedown", "home", "end", "backspace"}
    return len(key) == 1 or key in moves or key in _NAMES.values()


def make_key_map(commands: Iterable[Command], configured: Mapping[str, str]) -> KeyMap:
    """Join the defaults with the configuration; a line there replaces all keys of its command.

    A key that the configuration gives to one command is taken from the others.
    """
    known = {command.id: command for command in commands}
    warnings: list[str] = []
    chosen: dict[str, tuple[str, ...]] = {}
    taken: set[str] = set()
    for name, text in configured.items():
        if name not in known:
            warnings.append(f"[keys] names the unknown action {name}; `?` in the app lists the actions.")
            continue
        wanted = tuple(key_name(key) for key in text.split())
        refused = [key for key in wanted if key in FORBIDDEN or key in RESERVED]
        if refused:
            shown = ", ".join(shown_key(key) for key in refused)
            warnings.append(f"[keys] {name} cannot use {shown}: terminals do not deliver it, or it is reserved.")
        usable = tuple(key for key in wanted if key not in refused)
        taken_twice = [key for key in usable if key in taken]
        warnings += [f"[keys] gives {shown_key(key)} to two actions; {name} goes without." for key in taken_twice]
        usable = tuple(key for key in usable if key not in taken)
        taken.update(usable)
        if usable:
            chosen[name] = usable
    keys = {
        name: chosen.get(name, tuple(key for key in map(key_name, command.keys) if key not in taken))
        for name, command in known.items()
    }
    return KeyMap(keys, tuple(warnings))
