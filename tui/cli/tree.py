"""`ticketree tree`: a conversation as an outline, or whole as JSON."""

import click

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
from tui.signs import CHOSEN, failed_check_mark, sibling_mark, status_mark

_LABEL_CELLS = 60


@click.command(short_help="Show the tree of your conversation on a ticket.")
@ticket_argument
@json_option
@pass_run
def tree(run: Run, ticket: str, as_json: bool) -> None:
    """Show the tree of your conversation on a ticket; the numbers are what --at takes."""
    with run.store() as store:
        conversation = store.conversation(run.agent, ticket)
        nodes = store.nodes(conversation.id)
        selected = store.selected(conversation.id)
        if as_json:
            print_json(_document(conversation, selected, nodes, _texts(store, conversation.id, nodes)))
            return
        subject = store.ticket(ticket).subject
        stopped = stopped_nodes(hanging_of(store.branch(conversation.id, selected)))
    say(f"{conversation.ticket_id}  {subject}  ({conversation.agent})", bold=True)
    rows = outline_rows(nodes, _path_ids(nodes, selected), {}, {}, stopped=stopped)
    say("\n".join(table(("NODE", "AUTHOR", "", "TEXT", ""), [_row(row) for row in rows], right=("NODE",))))


def _row(row: OutlineRow) -> tuple[str, ...]:
    node = row.node
    ended = " ".join(
        filter(
            None, (status_mark(node.status), failed_check_mark(row.stopped), f"{CHOSEN} chosen" if row.chosen else "")
        )
    )
    return (str(node.id), node.author, sibling_mark(node), row.guides + one_line(row.label, _LABEL_CELLS), ended)


def _path_ids(nodes: list[Node], leaf: int) -> set[int]:
    parents = {node.id: node.parent_id for node in nodes}
    path: set[int] = set()
    node: int | None = leaf
    while node is not None:
        path.add(node)
        node = parents.get(node)
    return path


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
