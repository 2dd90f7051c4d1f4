"""Notes of observations: what was seen beside an answer."""

from collections.abc import Iterable, Sequence

from storage.interactions import Interaction
from tui.notes.note import Note


def observation_notes(observations: Sequence[Interaction]) -> Iterable[Note]:
    """One note for each that a task made here: who observed, and the first line of what; all of it where it is longer.

    What an imported chat had hidden names no task, and stays hidden.
    """
    for observation in observations:
        if "task" not in observation.node.meta:
            continue
        first, _, rest = observation.content.strip().partition("\n")
        details = (observation.content.strip(),) if rest.strip() else ()
        yield Note("◦", f"{observation.node.author}: {first}", details=details)
