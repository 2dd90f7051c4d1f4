"""`ticketree import`: tickets from mails, JSON and CSV; chats from what chat programs export."""

from pathlib import Path

import click

from storage.errors import RefusedError
from storage.importers.report import ImportReport
from tui.cli.options import json_option, pass_run
from tui.cli.output import print_json, say
from tui.cli.progress import ProgressLine
from tui.cli.run import Absent, Run


@click.command("import", short_help="Bring tickets in from mails, JSON and CSV, and chats from exports.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Report what would be imported; write nothing.")
@click.option(
    "--ticket",
    "ticket_id",
    metavar="ID",
    help="The id of the ticket, where the source holds just one; chats go to your conversation on it.",
)
@click.option(
    "--map",
    "mapping",
    metavar="THEIRS=OURS",
    multiple=True,
    help="Read a field of another name, such as Betreff=subject; may be repeated.",
)
@json_option
@click.pass_context
@pass_run
def import_(
    run: Run,
    context: click.Context,
    paths: tuple[Path, ...],
    check: bool,
    ticket_id: str | None,
    mapping: tuple[str, ...],
    as_json: bool,
) -> None:
    """Bring tickets in from .eml, mbox, JSON, JSONL and CSV files, or folders of them.

    Chats come from exports of ChatGPT, Claude, LibreChat and Open WebUI (a file, a zip archive or a folder), and from
    what `export --to json` wrote. Each becomes a branch of your conversation on a ticket of its own.

    The format is recognised from the content. Importing the same again changes nothing. Where there is no record yet,
    one is made once there is something to import.
    """
    from storage.importers.importing import holds_anything, import_paths

    fields = dict(_pair(text) for text in mapping)
    try:
        is_made = not check and (run.has_record or holds_anything(paths, mapping=fields, ticket_id=ticket_id))
        with run.store(absent=Absent.MADE if is_made else Absent.PRETENDED) as store, ProgressLine() as line:
            report = import_paths(
                store,
                paths,
                check=check,
                ticket_id=ticket_id,
                mapping=fields,
                agent=run.agent,
                progress=line.tell,
            )
    except RefusedError as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        print_json(report.as_json())
    else:
        _say(report, check)
    context.exit(report.exit_status)


def _pair(text: str) -> tuple[str, str]:
    theirs, separator, ours = text.partition("=")
    if not (separator and theirs.strip() and ours.strip()):
        raise click.BadParameter(f"{text!r} must look like THEIRS=OURS.", param_hint="--map")
    return theirs.strip(), ours.strip()


def _say(report: ImportReport, check: bool) -> None:
    would = "would be " if check else ""
    say(
        f"{report.found} found, {report.imported} {would}imported, {report.unchanged} unchanged, "
        f"{len(report.skipped)} skipped, {len(report.repaired)} repaired."
    )
    for skipped in report.skipped:
        say(f"  skipped   {skipped.name}: {skipped.reason}", colour="yellow")
    for repaired in report.repaired:
        say(f"  repaired  {repaired.name}: {repaired.what}", dim=True)
