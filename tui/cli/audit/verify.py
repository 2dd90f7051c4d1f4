"""`ticketree audit verify`: the whole record checked."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tui.cli.audit.files import read_anchor_file
from tui.cli.audit.record import record_as_it_is
from tui.cli.failures import ExitStatus
from tui.cli.options import json_option, pass_run
from tui.cli.output import print_json, say
from tui.cli.run import Run

if TYPE_CHECKING:
    from storage.audit.verification import Verification


@click.command
@click.option(
    "--anchor",
    "anchor_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="An anchor that was kept: what was there then must still be there.",
)
@json_option
@click.pass_context
@pass_run
def verify(run: Run, context: click.Context, anchor_file: Path | None, as_json: bool) -> None:
    """Check the whole record, and name the first break of each conversation: what, where, since when.

    Nothing is written, not even the end of an answer that broke off. The exit status is 0 when the record holds and 3
    when it does not.
    """
    from storage.audit.verification import unopened
    from storage.audit.verification import verify as verify_record
    from storage.errors import DamagedError

    anchor = read_anchor_file(anchor_file) if anchor_file else None
    try:
        with record_as_it_is(run) as store:
            found = verify_record(store, anchor)
    except DamagedError as error:
        found = unopened(str(error))
    if as_json:
        print_json(found.as_json())
    else:
        _say(found)
    context.exit(ExitStatus.DONE if found.holds else ExitStatus.STOPPED)


def _say(found: "Verification") -> None:
    from tui import audit_text
    from tui.erasure_text import pending

    if found.holds:
        say("✓ The record holds.", bold=True, colour="green")
    else:
        say(f"✗ {audit_text.counted(len(found.breaks), 'break')} found.", bold=True, colour="red")
    say(f"Checked: {audit_text.checked(found)}.")
    for broken in found.breaks:
        say(f"✗ {audit_text.finding(broken)}", colour="red")
    for unfinished in found.unfinished:
        say(f"… {audit_text.finding(unfinished)}")
    if found.erased:
        say(f"Lawfully erased: the words of {audit_text.counted(found.erased, 'link')}; their commitments stand.")
    for ticket in found.pending:
        say(f"… {pending(ticket)}", colour="yellow")
    if anchored := audit_text.anchored(found):
        say(anchored)
    say()
    say("What this cannot prove:", dim=True)
    for limit in found.not_proved:
        say(f"  {limit}", dim=True)
