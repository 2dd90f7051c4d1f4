"""What stands in the front matter of a task file, read field by field; each problem is noted with its line."""

from collections.abc import Collection, Mapping
from enum import Enum
from typing import Final, TypeVar

from assistant.tasks.front_matter import FrontMatter, Problem
from assistant.tasks.task import RuleChoice
from storage.values import Json, JsonObject

Choice = TypeVar("Choice", bound=Enum)

KEYS: Final = (
    "name",
    "title",
    "about",
    "version",
    "audience",
    "contract",
    "reply_field",
    "rules",
    "tools",
    "model",
    "visible_to",
    "placeholders",
)
"""Everything that a task file can say."""


class TaskFields:
    """Reads the fields; what cannot be used is noted and left out.

    Attributes:
        problems: in the order in which they were found.
    """

    def __init__(self, front: FrontMatter) -> None:
        self._front = front
        self.problems = [
            Problem(front.lines[(key,)], f"{key} means nothing in a task; it can say {', '.join(KEYS)}.")
            for key in front.values
            if key not in KEYS
        ]

    @property
    def keys(self) -> Collection[str]:
        """What the front matter says anything about."""
        return self._front.values.keys()

    def text(self, key: str, *, required: bool = False) -> str:
        """A text on one line, "" where it is not there."""
        if key not in self._front.values:
            if required:
                self.problems.append(Problem(1, f"It lacks its {key}; add a line '{key}: …' below the first line."))
            return ""
        words = self._front.words.get(key)
        if words is None or "\n" in words.strip():
            self._wrong(key, f"{key} is one line of text.")
            return ""
        if required and not words.strip():
            self._wrong(key, f"It lacks its {key}: write one after the colon.")
        return words.strip()

    def choice(self, key: str, default: Choice) -> Choice:
        """One of a few words."""
        kinds = {str(kind.value): kind for kind in type(default)}
        if (words := self.text(key) or str(default.value)) not in kinds:
            self._wrong(key, f"{key} is {' or '.join(kinds)}.")
        return kinds.get(words, default)

    def names(self, key: str) -> tuple[str, ...]:
        """A list of names; a single one need not be a list."""
        value = self._front.values.get(key)
        items = [value] if isinstance(value, str) else value
        match items:
            case None:
                return ()
            case [*_] if all(isinstance(item, str) and item.strip() for item in items):
                return tuple(dict.fromkeys(str(item).strip() for item in items))
            case _:
                self._wrong(key, f"{key} is a list of names: [one, another].")
                return ()

    def mapping(self, key: str) -> JsonObject | None:
        """Entries of their own, None where they are not there."""
        value = self._front.values.get(key)
        if value is None or isinstance(value, Mapping):
            return value
        self._wrong(key, f"{key} needs entries of its own, each on a line that is indented.")
        return None

    def rules(self, key: str) -> tuple[RuleChoice, ...]:
        """A list of rules, each a name, or a name with its parameters."""
        value = self._front.values.get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            self._wrong(key, f"{key} is a list: each line '- name', or '- name: {{parameter: value}}'.")
            return ()
        found = [self._rule(key, position, item) for position, item in enumerate(value)]
        return tuple(rule for rule in found if rule is not None)

    def texts(self, key: str) -> dict[str, str]:
        """Entries whose values are texts."""
        entries = self.mapping(key) or {}
        for name, value in entries.items():
            if not isinstance(value, str | int | float):
                self.problems.append(Problem(self._front.lines[(key, name)], f"{key}: {name} stands for one text."))
        return {name: str(value) for name, value in entries.items() if isinstance(value, str | int | float)}

    def line(self, *place: str | int) -> int:
        """The line of a value, or of the nearest one around it."""
        while place and place not in self._front.lines:
            place = place[:-1]
        return self._front.lines[place] if place else 1

    def _rule(self, key: str, position: int, item: Json) -> RuleChoice | None:
        match item:
            case str() if item.strip():
                return RuleChoice(item.strip())
            case Mapping() if len(item) == 1:
                ((name, parameters),) = item.items()
                if parameters is None or isinstance(parameters, Mapping):
                    return RuleChoice(name, parameters or {})
        what = "A rule is '- name', or '- name: {parameter: value}'."
        self.problems.append(Problem(self._front.lines[(key, position)], what))
        return None

    def _wrong(self, key: str, what: str) -> None:
        self.problems.append(Problem(self._front.lines[(key,)], what))
