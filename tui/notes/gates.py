"""Notes of gates: each rule that failed with the words that decided, all others in one line; overrides and repairs."""

from collections.abc import Iterable, Sequence

from assistant.gates.record import results_on
from assistant.gates.results import Outcome
from storage.interactions import Interaction
from tui.notes.note import Note
from tui.signs import FAILED_CHECK
from tui.tones import MUTED, WARNING


def gate_notes(gates: Sequence[Interaction]) -> Iterable[Note]:
    """One note for each rule that failed, and one that opens all the rest."""
    results = results_on(gates)
    for result in results:
        if result.result is Outcome.FAIL:
            yield Note(FAILED_CHECK, f"{result.rule}: {result.detail}", WARNING)
    passed = [result for result in results if result.result is Outcome.PASS]
    unknown = [result for result in results if result.result is Outcome.UNKNOWN]
    if passed or unknown:
        counts = [f"{len(passed)} check{'' if len(passed) == 1 else 's'} passed" if passed else ""]
        counts.append(f"{len(unknown)} could not be decided" if unknown else "")
        details = [f"{result.rule}: {result.detail}" for result in passed]
        details += [f"{result.rule}, not decided: {result.detail}" for result in unknown]
        yield Note("✓" if passed else "?", ", ".join(filter(None, counts)), MUTED, tuple(details))


def override_notes(overrides: Sequence[Interaction]) -> Iterable[Note]:
    """One note for each reason that an agent gave."""
    for override in overrides:
        yield Note("!", f"{override.node.author} uses it all the same: {override.content.strip()}", WARNING)


def repair_notes(repairs: Sequence[Interaction]) -> Iterable[Note]:
    """One note, however often it was asked for."""
    for repair in repairs[:1]:
        yield Note("↻", f"{repair.node.author} asked for a repair; it stands on a branch beside this one", MUTED)
