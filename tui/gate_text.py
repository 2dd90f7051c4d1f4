"""What the gates decided about an answer, in words for the agent."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from assistant.gates.record import failed_once, stopped_by
from assistant.gates.results import GateResult
from storage.interactions import Interaction


def stop_sentence(failed: Sequence[GateResult], override_key: str) -> str:
    """Why an answer cannot be copied, and what to do; "" where nothing stops it."""
    if not failed:
        return ""
    rules = ", ".join(result.rule for result in failed)
    checks = "A check of this answer" if len(failed) == 1 else f"{len(failed)} checks of this answer"
    return f"{checks} failed ({rules}), so it is not copied. {override_key} uses it all the same, with a reason."


def hanging_of(branch: Iterable[Interaction]) -> dict[int, list[Interaction]]:
    """What hangs on each node of a branch that has something."""
    hanging: dict[int, list[Interaction]] = {}
    for entry in branch:
        if not entry.is_external and entry.node.parent_id is not None:
            hanging.setdefault(entry.node.parent_id, []).append(entry)
    return hanging


def stopped_nodes(hanging: Mapping[int, Sequence[Interaction]]) -> Collection[int]:
    """The answers that a failed gate stops."""
    return frozenset(node_id for node_id, entries in hanging.items() if failed_once(entries) and stopped_by(entries))
