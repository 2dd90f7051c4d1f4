"""The kinds of interaction; a new kind is one definition here."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class InteractionKind:
    """One kind of entry in a conversation's log.

    External kinds are the nodes of the tree; internal ones hang on a node and are never anyone's parent.
    """

    name: str
    external: bool


_REGISTRY: dict[str, InteractionKind] = {}


def define(name: str, *, external: bool) -> InteractionKind:
    """Register a kind and return it.

    Raises:
        ValueError: the name is taken.
    """
    if name in _REGISTRY:
        raise ValueError(f"interaction kind {name!r} is already defined")
    kind = InteractionKind(name, external)
    _REGISTRY[name] = kind
    return kind


def kind_named(name: str) -> InteractionKind:
    """Return the kind of this name.

    Raises:
        KeyError: no such kind.
    """
    return _REGISTRY[name]


ROOT: Final = define("root", external=True)
TICKET: Final = define("ticket", external=True)
AGENT_MESSAGE: Final = define("agent_message", external=True)
ASSISTANT_RESPONSE: Final = define("assistant_response", external=True)
TOOL_CALL: Final = define("tool_call", external=False)
TOOL_RESULT: Final = define("tool_result", external=False)
OBSERVATION: Final = define("observation", external=False)
WARNING: Final = define("warning", external=False)
"""Something about an answer that its reader must know, such as that the server dropped part of the request."""
ATTACHMENT: Final = define("attachment", external=False)
TASK: Final = define("task", external=False)
"""Choosing what the assistant is asked to do, from the node that it hangs on; meta: task, task_title, task_version."""
COMPACTION: Final = define("compaction", external=False)
GATE: Final = define("gate", external=False)
"""What a gate decided about an answer; meta: gate, task, task_version, results (rule, version, result)."""
OVERRIDE: Final = define("override", external=False)
"""An agent's reason for using an answer that failed a gate; the text is the reason."""
COPY: Final = define("copy", external=False)
"""An answer was copied out; meta: sha256 of what was copied, whole: it was the whole reply."""
SELF_CHECK: Final = define("self_check", external=False)
"""Whether an answer does what was asked, by a model's own word; meta: fulfilled, task, task_version."""
REPAIR: Final = define("repair", external=False)
"""An agent asked for a repair of this answer, which failed a gate; meta: rules."""
