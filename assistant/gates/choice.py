"""Which rules a task asks for, and with what parameters."""

from dataclasses import dataclass, field

from storage.values import JsonObject


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """One line of a task's `rules:`.

    Attributes:
        name: the rule's ("amounts"); `assistant.gates.registry` knows them all.
        parameters: what the rule takes, {} for none.
    """

    name: str
    parameters: JsonObject = field(default_factory=dict)
