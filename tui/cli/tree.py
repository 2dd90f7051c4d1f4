"""`ticketree tree`: a conversation as an outline, or whole as JSON."""

from functools import partial

import click

from assistant.plan.newer_ticket import stale_in_tree
from storage.interactions import Conversation, Interaction, Node
from storage.kinds import ROOT
from storage.store import Store
from storage.values import JsonObject
from tui.cli.options import json_option, pass_run, ticket_argument
from tui.cli.output import print_json, say, table
from tui.cli.run import Run
from tui.cli.ticket_text import text_of_interaction
from tui.display import one_line
from tui.gate_text import hanging_of, stopped_nodes
from tui.outline_rows import OutlineRow, outline_rows
from tui.signs import CHOSEN, failed_check_mark, sibling_mark, stale_mark, status_mark

_LABEL_CELLS = 60


@click.command(short_help="Show the tree of your conversation on a ticket.")
@ticket_argument
@json_option
@pass_run
def tree(run: Run, ticket: str, as_json: bool) -> None:
    """Show the tree of your conversation on a ticket; the numbers are what --at takes."""
    with run.store() as store:
        conversation = store.conversation(run.agent, ticket)
        if as_json:
            nodes = store.nodes(conversation.id)
            texts = _texts(store, conversation.id, nodes)
            print_json(_document(conversation, store.selected(conversation.id), nodes, texts))
            return
        newest = store.ticket(ticket)
        shown = store.shown(conversation.id)
        stale = stale_in_tree(shown.nodes, newest, partial(store.ticket, ticket))
    say(f"{conversation.ticket_id}  {newest.subject}  ({conversation.agent})", bold=True)
    path = frozenset(entry.id for entry in shown.branch if entry.is_external)
    stopped = stopped_nodes(hanging_of((*shown.judged, *shown.branch)))
    rows = outline_rows(shown.nodes, path, {}, {}, stopped=stopped, stale=stale)
    say("\n".join(table(("NODE", "AUTHOR", "", "TEXT", ""), [_row(row) for row in rows], right=("NODE",))))


def _row(row: OutlineRow) -> tuple[str, ...]:
    node = row.node
    ended = " ".join(
        filter(
            None,
            (
                status_mark(node.status),
                failed_check_mark(row.stopped),
                stale_mark(row.stale),
                f"{CHOSEN} chosen" if row.chosen else "",
            ),
        )
    )
    return (str(node.id), node.author, sibling_mark(node), row.guides + one_line(row.label, _LABEL_CELLS), ended)


def _texts(store: Store, conversation_id: int, nodes: list[Node]) -> dict[int, str]:
    """Return the whole text of every node, reading each branch once."""
    inner = {node.parent_id for node in nodes}
    texts: dict[int, str] = {}
    for leaf in (node for node in nodes if node.id not in inner):
        texts |= {each.id: _text(each) for each in store.path(conversation_id, leaf.id) if each.id not in texts}
    return texts


def _text(interaction: Interaction) -> str:
    return "" if interaction.kind == ROOT.name else text_of_interaction(interaction)


def _document(conversation: Conversation, selected: int, nodes: list[Node], texts: dict[int, str]) -> JsonObject:
    return {
        "conversation": conversation.id,
        "agent": conversation.agent,
        "ticket": conversation.ticket_id,
        "selected": selected,
        "nodes": [
            {
                "id": node.id,
                "parent": node.parent_id,
                "kind": node.kind,
                "author": node.author,
                "n": node.n,
                "m": node.m,
                "status": node.status.value,
                "created_at": node.created_at,
                "text": texts[node.id],
                "replaces": node.replaces_id,
                "label": node.label or None,
            }
            for node in nodes
        ],
    }
