"""`ticketree handbook`: look things up in the team's handbook as the assistant does."""

import click

from assistant.handbook.passages import Passage
from storage.values import JsonObject
from tui.cli.options import TEXT, json_option, pass_run
from tui.cli.output import print_json, safe_line, say
from tui.cli.run import Run


@click.group
def handbook() -> None:
    """Look things up in the handbook: a folder of Markdown and text files, named by --handbook or the configuration."""


@handbook.command(short_help="Find passages of the handbook.")
@click.argument("query", nargs=-1, required=True, type=TEXT)
@click.option(
    "--limit", metavar="N", type=click.IntRange(1, 100), default=5, show_default=True, help="How many to list."
)
@json_option
@pass_run
def search(run: Run, query: tuple[str, ...], limit: int, as_json: bool) -> None:
    """Find passages of the handbook, the best first, each with its file and heading.

    The words are taken literally; case and accents do not count, and a passage need not hold all of them.
    """
    from tui.services import handbook_of

    found_in = handbook_of(run.setup)
    if found_in is None:
        raise click.UsageError(
            "No handbook is configured; name its folder with --handbook, or as handbook in the file."
        )
    try:
        passages = found_in.search(" ".join(query), limit)
    finally:
        found_in.close()
    if as_json:
        print_json([_document(passage) for passage in passages])
    elif not passages:
        say(f"The handbook says nothing on {safe_line(' '.join(query))}.")
    else:
        _list(passages)


def _list(passages: list[Passage]) -> None:
    for position, passage in enumerate(passages):
        if position:
            say()
        say(safe_line(passage.source), bold=True)
        for line in passage.text.splitlines():
            say(f"    {line}" if line.strip() else "")


def _document(passage: Passage) -> JsonObject:
    return {"file": passage.file, "heading": passage.heading, "line": passage.line, "text": passage.text}
