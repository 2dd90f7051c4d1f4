"""`ticketree audit anchor`: the heads of all conversations, to be kept outside the database."""

from pathlib import Path

import click

from tui.cli.audit.files import as_lines, now_us
from tui.cli.audit.record import record_as_it_is
from tui.cli.options import pass_run
from tui.cli.output import remark
from tui.cli.output_file import write_new, write_over
from tui.cli.run import Run


@click.command
@click.option(
    "-o", "target", metavar="FILE", type=click.Path(path_type=Path), help="Write into a new file [standard output]."
)
@click.option("--force", is_flag=True, help="Replace FILE where it exists.")
@pass_run
def anchor(run: Run, target: Path | None, force: bool) -> None:
    """Write down how long each conversation is and its last hash; it holds no words and no names.

    Keep it where whoever can write the database cannot: `audit verify --anchor FILE` then also finds what was written
    anew, cut off at its end, or put back from an earlier copy.
    """
    if force and target is None:
        raise click.UsageError("--force replaces a file; name it with -o, or leave --force out.")
    from storage.audit.anchor import anchor_record
    from tui.audit_text import counted

    with record_as_it_is(run) as store:
        made = anchor_record(store, now_us())
    text = as_lines(made.as_json())
    if target is None:
        click.echo(text, nl=False)
    else:
        (write_over if force else write_new)(target, [text])
        remark(f"Written to {target}.")
    remark(
        f"{counted(len(made.heads), 'conversation')}, {counted(made.links, 'link')}; the hash of it all is {made.hash}"
    )
