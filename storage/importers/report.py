"""What an import did, as `ticketree import` reports it."""

from dataclasses import dataclass
from typing import NamedTuple

from storage.importers.findings import Repaired, Skip, Skipped
from storage.tickets import SaveOutcome
from storage.values import Json


class SkippedLine(NamedTuple):
    """What was not taken, and why."""

    name: str
    reason: str


class RepairedLine(NamedTuple):
    """What was taken although something about it was wrong, and what was done."""

    name: str
    what: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Honest counts, in tickets and chats.

    Attributes:
        found: tickets and chats seen, those that had to be skipped among them.
        imported: new ones, and known ones that brought something new.
        unchanged: those that are in the record already, word for word.
        skipped: whatever was not taken: tickets, chats, lines, files.
        repaired: what was taken with a correction.
        harmless: how many of `skipped` are no failure, such as a file that holds an empty list.
    """

    found: int
    imported: int
    unchanged: int
    skipped: tuple[SkippedLine, ...] = ()
    repaired: tuple[RepairedLine, ...] = ()
    harmless: int = 0

    def as_json(self) -> dict[str, Json]:
        """Return the report in the shape that `import --json` promises."""
        return {
            "found": self.found,
            "imported": self.imported,
            "unchanged": self.unchanged,
            "skipped": [{"name": line.name, "reason": line.reason} for line in self.skipped],
            "repaired": [{"name": line.name, "what": line.what} for line in self.repaired],
        }

    @property
    def exit_status(self) -> int:
        """0 when all was done, 1 when a part was, 2 when nothing was."""
        if len(self.skipped) == self.harmless:
            return 0
        return 1 if self.imported or self.unchanged else 2


class Tally:
    """Counts while an import runs."""

    def __init__(self) -> None:
        self.found = 0
        self.imported = 0
        self.unchanged = 0
        self._skipped: list[SkippedLine] = []
        self._repaired: dict[RepairedLine, None] = {}
        self._harmless = 0

    def skip(self, entry: Skipped) -> None:
        """Note what was not taken."""
        self._skipped.append(SkippedLine(entry.name, entry.reason))
        match entry.kind:
            case Skip.TICKET:
                self.found += 1
            case Skip.NOTHING:
                self._harmless += 1
            case Skip.FILE:
                pass

    def save(self, outcome: SaveOutcome) -> None:
        """Count a ticket that was saved."""
        self.found += 1
        if outcome is SaveOutcome.UNCHANGED:
            self.unchanged += 1
        else:
            self.imported += 1

    def repair(self, entry: Repaired) -> None:
        """Note a correction; the same one twice is one line."""
        self._repaired[RepairedLine(entry.name, entry.what)] = None

    def report(self) -> ImportReport:
        """Return the counts so far."""
        return ImportReport(
            self.found, self.imported, self.unchanged, tuple(self._skipped), tuple(self._repaired), self._harmless
        )
