"""`ticketree reindex`: make the index of the search anew."""

import click

from tui.cli.options import json_option, pass_run
from tui.cli.output import print_json, say
from tui.cli.run import Run


@click.command(short_help="Make the index of the search anew.")
@json_option
@pass_run
def reindex(run: Run, as_json: bool) -> None:
    """Make the index of the search anew from the record, where `audit verify` says that it lacks something.

    What is indexed stays, and what is missing is added. Nothing else is changed.
    """
    with run.store() as store:
        made = store.reindex()
    if as_json:
        print_json({"entries": made.entries, "added": made.added})
    else:
        added = f", {made.added:,} of them added" if made.added else ""
        say(f"The index of the search is written anew: {made.entries:,} entries{added}.")
