"""Conversations as JSON: flat, versioned, and complete enough to make an equal tree of it again.

::

    {"format": "ticketree", "version": 2, "scope": "tree" | "path",
     "conversation": 7, "agent": "camille", "ticket": "T-80005", "selected": 42,
     "source_status": "open",
     "nodes": [{"id", "origin", "seq", "parent", "depth", "n", "m", "kind", "author", "created_at", "status", "erased",
                "replaces", "text", "detail", "meta", "label",
                "internal": [{"id", "origin", "seq", "kind", "author", "created_at", "status", "text", "detail",
                              "meta"}, …]}, …],
     "tickets": [{"id", "snapshot", "snapshots", "subject", "customer", "language", "status", "erased", "created_at",
                  "digest", "extra", "messages": [{"author", "role", "text", "created_at", "internal", "hidden_count",
                                                   "source_id",
                                                   "attachments": [{"name", "media_type", "size_bytes"}]}]}, …]}

Nodes stand in insertion order, the root first. An id is the record's that the export left; an origin
(`storage.origins`) is the same in every export from any record that the node reached, and version 1 had none. A ticket
node's words are those of the snapshot that its `meta` names. In the place of erased words stands when, by whom and why.
A ticket's `status` is the one now, whoever set it; `source_status` is what a source said last, "" where none did, and
may be left out. Times are whole microseconds since 1970 UTC. A label may be left out, and so may `internal`: what hangs
on a node and is not shown, such as the traffic with tools, hidden messages of imported chats and choices of a task.
Readers leave out what they do not know; a change that an older reader would misread raises the version.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from storage.exporters.export import Export, Exporter, Rendered, Scope
from storage.interactions import Interaction
from storage.origins import Origin
from storage.tickets import Ticket, TicketMessage
from storage.values import Json, JsonObject

FORMAT: Final = "ticketree"
VERSION: Final = 2


def render(export: Export) -> Rendered:
    """Return the export as JSON, one node or ticket a line."""
    return Rendered(".json", _chunks(export))


EXPORTER: Final = Exporter("json", Scope.TREE, render)


def _chunks(export: Export) -> Iterator[str]:
    head: JsonObject = {
        "format": FORMAT,
        "version": VERSION,
        "scope": export.scope.value,
        "conversation": export.conversation.id,
        "agent": export.conversation.agent,
        "ticket": export.conversation.ticket_id,
        "selected": export.selected_id,
        "source_status": export.source_status,
    }
    yield "{\n" + "".join(f"{_json(name)}: {_json(value)},\n" for name, value in head.items())
    tickets = {export.ticket.snapshot: export.ticket}
    before = '"nodes": [\n'
    for interaction, hanging in _with_hanging(export.interactions):
        if interaction.ticket is not None:
            tickets[interaction.ticket.snapshot] = interaction.ticket
        yield before + _json(_node(interaction, hanging, export.origins))
        before = ",\n"
    lines = (_json(_ticket(tickets[number])) for number in sorted(tickets))
    yield '\n],\n"tickets": [\n' + ",\n".join(lines) + "\n]\n}\n"


def _with_hanging(interactions: Iterable[Interaction]) -> Iterator[tuple[Interaction, Sequence[Interaction]]]:
    """Yield each node with what hangs on it, of which nothing is left where the words were erased."""
    node: Interaction | None = None
    hanging: list[Interaction] = []
    for each in interactions:
        if not each.is_external:
            if not each.node.erased:
                hanging.append(each)
            continue
        if node is not None:
            yield node, hanging
        node, hanging = each, []
    if node is not None:
        yield node, hanging


def _node(interaction: Interaction, hanging: Sequence[Interaction], origins: Mapping[int, Origin]) -> JsonObject:
    node = interaction.node
    fields: JsonObject = {
        "id": node.id,
        "origin": origins[node.id].text,
        "seq": node.seq,
        "parent": node.parent_id,
        "depth": node.depth,
        "n": node.n,
        "m": node.m,
        "kind": node.kind,
        "author": node.author,
        "created_at": node.created_at,
        "status": node.status.value,
        "erased": node.erased,
        "replaces": node.replaces_id,
        "text": interaction.content,
        "detail": node.detail,
        "meta": node.meta,
        "label": node.label,
    }
    return {**fields, "internal": [_internal(each, origins) for each in hanging]} if hanging else fields


def _internal(interaction: Interaction, origins: Mapping[int, Origin]) -> JsonObject:
    node = interaction.node
    return {
        "id": node.id,
        "origin": origins[node.id].text,
        "seq": node.seq,
        "kind": node.kind,
        "author": node.author,
        "created_at": node.created_at,
        "status": node.status.value,
        "text": interaction.content,
        "detail": node.detail,
        "meta": node.meta,
    }


def _ticket(ticket: Ticket) -> JsonObject:
    return {
        "id": ticket.id,
        "snapshot": ticket.snapshot,
        "snapshots": ticket.snapshots,
        "subject": ticket.subject,
        "customer": ticket.customer,
        "language": ticket.language,
        "status": ticket.status,
        "erased": ticket.erased,
        "created_at": ticket.created_at,
        "digest": ticket.digest,
        "extra": ticket.extra,
        "messages": [_message(message) for message in ticket.messages],
    }


def _message(message: TicketMessage) -> JsonObject:
    return {
        "author": message.author,
        "role": message.role.value,
        "text": message.text,
        "created_at": message.created_at,
        "internal": message.internal,
        "hidden_count": message.hidden_count,
        "source_id": message.source_id,
        "attachments": [
            {"name": file.name, "media_type": file.media_type, "size_bytes": file.size_bytes}
            for file in message.attachments
        ],
    }


def _json(value: Json) -> str:
    """Write a value in ASCII without controls: DEL, which JSON lets stand, can only be inside a string."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False).replace("\x7f", "\\u007f")
