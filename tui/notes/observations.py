"""Notes of observations: what was seen beside an answer."""

from collections.abc import Iterable, Sequence

from storage.interactions import Interaction
from tui.notes.note import Note
from tui.tones import MUTED, WARNING


def observation_notes(observations: Sequence[Interaction]) -> Iterable[Note]:
    """One note for each that a task made here: who observed, and the first line of what; all of it where it is longer.

    What an imported chat had hidden names no task, and stays hidden.
    """
    for observation in observations:
        if "task" not in observation.node.meta:
            continue
        meta, content = observation.node.meta, observation.content.strip()
        first, _, rest = content.partition("\n")
        details = (content,) if rest.strip() else ()
        who = meta.get("task_title") or observation.node.author
        yield Note("◦", f"{who}: {first}", WARNING if meta.get("failed") else MUTED, details)
