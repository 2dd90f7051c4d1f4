"""What `ticketree doctor` says of the handbook: how much of it is found, and which files are not read."""

from collections.abc import Iterator
from typing import Final

from assistant.errors import AssistantError
from tui.cli.check import Check, State
from tui.setup import Setup

_MOST_NAMED: Final = 5


def handbook(setup: Setup) -> Iterator[Check]:
    """Look through the handbook's folder; each file that is skipped is told with its reason, the first ones by name."""
    from tui.services import handbook_of

    found_in = handbook_of(setup)
    if found_in is None:
        yield Check("handbook", State.OK, "none is configured", "Name its folder with --handbook, or in the file.")
        return
    try:
        contents = found_in.contents()
    except AssistantError as error:
        yield Check("handbook", State.PROBLEM, str(error))
        return
    finally:
        found_in.close()
    files = "1 file" if contents.files == 1 else f"{contents.files:,} files"
    passages = "1 passage" if contents.passages == 1 else f"{contents.passages:,} passages"
    where = f"{found_in.folder} (from {setup.handbook.source})"
    kept = "" if contents.cached else ", read anew at each start, as its index cannot be kept"
    state = State.OK if contents.files else State.WARNING
    advice = "" if contents.files else "Put Markdown or text files into it."
    yield Check("handbook", state, f"{where}, {files}, {passages}{kept}", advice)
    for skipped in contents.skipped[:_MOST_NAMED]:
        yield Check("handbook", State.WARNING, f"{skipped.name} {skipped.reason}; it is skipped")
    if (more := len(contents.skipped) - _MOST_NAMED) > 0:
        yield Check("handbook", State.WARNING, f"{more:,} more files are skipped")
