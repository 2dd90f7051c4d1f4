"""`ticketree search`: find words in this agent's conversations and in the tickets."""

from datetime import datetime

import click

from storage.search.hit import Hit
from storage.values import JsonObject
from tui.cli.options import TEXT, json_option, pass_run
from tui.cli.output import print_json, safe_line, say, say_marked
from tui.cli.run import Run
from tui.matches import pieces, place, when


@click.command(short_help="Find words in your conversations and in the tickets.")
@click.argument("query", nargs=-1, required=True, type=TEXT)
@click.option("--fts", is_flag=True, help='Read AND, OR, NOT, NEAR, brackets, "phrases" and word* as such.')
@click.option(
    "--limit", metavar="N", type=click.IntRange(1, 1000), default=20, show_default=True, help="How many to list."
)
@json_option
@pass_run
def search(run: Run, query: tuple[str, ...], fts: bool, limit: int, as_json: bool) -> None:
    """Find words in your conversations, on all branches, and in the tickets; newest first.

    The words are taken literally and must all occur; case, accents and punctuation do not count.
    """
    wanted = " ".join(query)
    with run.store() as store:
        found = store.search(run.agent, wanted, fts=fts, limit=limit)
    if as_json:
        print_json([_document(hit) for hit in found])
    elif not found:
        say(f"Nothing was found for {safe_line(wanted)}.")
    else:
        _list(found)
        if len(found) == limit:
            say(f"\nThere may be more; --limit lists more than {limit}.", dim=True)


def _list(found: list[Hit]) -> None:
    now = datetime.now().astimezone()
    for hit in found:
        facts = (hit.ticket_id, place(hit), hit.author, when(hit, now))
        say(" · ".join(line for fact in facts if (line := safe_line(fact))), bold=True)
        say_marked([("    ", False), *pieces(hit)])


def _document(hit: Hit) -> JsonObject:
    return {
        "id": hit.id,
        "ticket": hit.ticket_id,
        "node": hit.node_id,
        "snapshot": hit.snapshot,
        "message": hit.position,
        "kind": hit.kind,
        "is_label": hit.is_label,
        "author": hit.author,
        "created_at": hit.created_at,
        "snippet": hit.snippet,
        "matches": [list(span) for span in hit.matches],
    }
