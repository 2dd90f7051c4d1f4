"""One thing that `ticketree doctor` looked at, and how good it is."""

from dataclasses import dataclass
from enum import StrEnum

from storage.values import JsonObject


class State(StrEnum):
    """How good what was found is."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes:
        found: what is there (may hold foreign text).
        advice: what to do, "" where nothing is to be done.
    """

    name: str
    state: State
    found: str
    advice: str = ""

    def as_json(self) -> JsonObject:
        """The check as `doctor --json` prints it."""
        return {"name": self.name, "state": self.state.value, "found": self.found, "advice": self.advice}
