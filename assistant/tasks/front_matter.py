"""The front matter of a task file: YAML between two lines of ---, with the line that each value stands on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Final, TypeAlias

from storage.values import Json

if TYPE_CHECKING:
    import yaml

FENCE: Final = "---"

Place: TypeAlias = tuple[str | int, ...]
"""Keys and positions that lead to a value: ("rules", 0)."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that cannot be used.

    Attributes:
        line: from 1.
        what: one sentence that says what to do.
    """

    line: int
    what: str


class UnreadableFrontMatter(Exception):
    """The file has no front matter that can be read; holds its one problem."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.problem = Problem(line, what)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """A file taken apart.

    Attributes:
        values: what the front matter says, by key.
        words: the words of each key whose value is a single one, as they are written: `version: 1.0` is "1.0" here.
        lines: the line of each value.
        body: what stands below.
        body_line: the line that the body begins on.
    """

    values: Mapping[str, Json]
    words: Mapping[str, str]
    lines: Mapping[Place, int]
    body: str
    body_line: int


def read_front_matter(text: str) -> FrontMatter:
    """Take a file apart.

    Raises:
        UnreadableFrontMatter: there is no front matter, or it is no YAML mapping.
    """
    first, *rest = text.replace("\r\n", "\n").split("\n")
    stripped = [line.rstrip() for line in rest]
    if first.rstrip() != FENCE or FENCE not in stripped:
        raise UnreadableFrontMatter(1, f"It must begin with its name and title between two lines of {FENCE}.")
    end = stripped.index(FENCE)
    node = _mapping("\n".join(rest[:end]))
    lines: dict[Place, int] = {}
    values = dict(_entries(node, (), lines)) if node is not None else {}
    words = {key.value: value.value for key, value in node.value if isinstance(value.value, str)} if node else {}
    return FrontMatter(values, words, lines, "\n".join(rest[end + 1 :]), end + 3)


def _mapping(source: str) -> "yaml.MappingNode | None":
    import yaml

    # The C parser is many times faster; both read the same language.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for event in yaml.parse(source, Loader=loader):
            if isinstance(event, yaml.AliasEvent):
                line = event.start_mark.line + 2 if event.start_mark is not None else 2
                raise UnreadableFrontMatter(line, "A reference with * is not followed; write out what it stands for.")
        node = yaml.compose(source, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.context_mark or error.problem_mark
        what = f"This is no YAML: {error.problem or error.context}. A text with a colon in it goes into quotes."
        raise UnreadableFrontMatter(mark.line + 2 if mark else 2, what) from None
    except yaml.YAMLError as error:
        raise UnreadableFrontMatter(2, f"This is no YAML: {' '.join(str(error).split())}.") from None
    except RecursionError:
        raise UnreadableFrontMatter(2, "It is nested too deep; a contract needs a few levels only.") from None
    if node is None:
        return None
    if not isinstance(node, yaml.MappingNode):
        raise UnreadableFrontMatter(2, "Each of its entries is written as 'key: value'.")
    return node


def _entries(node: "yaml.MappingNode", place: Place, lines: dict[Place, int]) -> Iterator[tuple[str, Json]]:
    """Yield the entries of a mapping, noting the line of each; a key stands once."""
    seen: set[str] = set()
    for key_node, value_node in node.value:
        line, key = key_node.start_mark.line + 2, key_node.value
        if not isinstance(key, str) or key_node.tag.endswith(":merge"):
            raise UnreadableFrontMatter(line, "A key is a single word or text.")
        if key in seen:
            raise UnreadableFrontMatter(line, f"{key} stands here for the second time; it may stand once.")
        seen.add(key)
        lines[(*place, key)] = line
        yield key, _value(value_node, (*place, key), lines)


def _value(node: "yaml.Node", place: Place, lines: dict[Place, int]) -> Json:
    """Read a value as JSON has it; a date, which JSON has not, is its text."""
    import yaml

    if isinstance(node, yaml.MappingNode):
        return dict(_entries(node, place, lines))
    if isinstance(node, yaml.SequenceNode):
        items = []
        for position, item in enumerate(node.value):
            lines[(*place, position)] = item.start_mark.line + 2
            items.append(_value(item, (*place, position), lines))
        return items
    if not isinstance(node, yaml.ScalarNode):
        return None
    constructor = yaml.constructor.SafeConstructor()
    match node.tag.rpartition(":")[2]:
        case "null":
            return None
        case "bool":
            return bool(constructor.construct_yaml_bool(node))
        case "int":
            return int(constructor.construct_yaml_int(node))
        case "float" if isfinite(number := float(constructor.construct_yaml_float(node))):
            return number
        case _:
            return str(node.value)
