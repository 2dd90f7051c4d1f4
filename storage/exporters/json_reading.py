"""Reading what `json_export` wrote, into the same values that went out."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from storage.errors import ExportError
from storage.exporters.export import Scope
from storage.exporters.json_export import FORMAT, VERSION
from storage.exporters.json_fields import Fields
from storage.interactions import Interaction, Node, Status
from storage.kinds import ROOT, TICKET, InteractionKind, kind_named
from storage.origins import Origin, origin_in
from storage.text import LABEL_LENGTH, label_of, preview_of
from storage.ticket_digests import digest_of, snapshot_json
from storage.tickets import Role, Ticket, TicketAttachment, TicketMessage
from storage.values import Json

E = TypeVar("E", bound=StrEnum)

WITH_ORIGINS: Final = 2
"""The first version that tells origins."""


@dataclass(frozen=True, slots=True)
class ReadTree:
    """What an export holds.

    Attributes:
        selected_id: the leaf of the path that was shown.
        interactions: nodes in insertion order, the root first, each after its parent, and followed by the internal
            interactions that hang on it; ids are those of the record they left.
        tickets: snapshots by number, the newest and those that ticket nodes stand for.
        origins: where each interaction was added first, by its id; empty where the export is of version 1.
        source_status: what a source said last of the ticket's status, "" where none did, None where that is not told.
    """

    scope: Scope
    agent: str
    ticket_id: str
    selected_id: int
    interactions: tuple[Interaction, ...]
    tickets: tuple[Ticket, ...]
    origins: Mapping[int, Origin]
    source_status: str | None


def parse_export(text: str | bytes) -> ReadTree:
    """Read an export and check that it is one tree.

    Raises:
        ExportError: it is no export of a conversation, was written by a newer Ticketree, or is damaged.
    """
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ExportError(f"The export cannot be read: it is no JSON document ({error}).") from error
    document = Fields(value, "the document")
    if document.text("format") != FORMAT:
        raise ExportError("This is no conversation that Ticketree exported.")
    if (version := document.number("version")) > VERSION:
        raise ExportError(f"The export has version {version}, from a newer Ticketree; update Ticketree to read it.")
    tickets = tuple(_ticket(fields) for fields in document.objects("tickets"))
    tree = ReadTree(
        scope=_one_of(Scope, document, "scope"),
        agent=document.text("agent"),
        ticket_id=document.text("ticket"),
        selected_id=document.number("selected"),
        interactions=_interactions(document, {ticket.snapshot: ticket for ticket in tickets}),
        tickets=tickets,
        origins=_origins(document) if version >= WITH_ORIGINS else {},
        source_status=document.text_or_none("source_status"),
    )
    _check(tree)
    return tree


def _interactions(document: Fields, tickets: dict[int, Ticket]) -> tuple[Interaction, ...]:
    conversation_id = document.number("conversation")
    read: list[Interaction] = []
    known: dict[int, Node] = {}
    hanging: set[int] = set()
    for fields in document.objects("nodes"):
        node = _node(fields, conversation_id)
        if node.id in known or node.id in hanging:
            raise fields.wrong("id", "an id of its own")
        if (node.parent_id is None) != (not read) or (node.parent_id is not None and node.parent_id not in known):
            raise fields.wrong("parent", "an earlier node")
        replaced = known.get(node.replaces_id) if node.replaces_id is not None else None
        if replaced is not None and replaced.parent_id != node.parent_id:
            raise fields.wrong("replaces", "a sibling")
        ticket = None
        if node.kind == TICKET.name:
            number = node.meta.get("snapshot")
            ticket = tickets.get(number) if isinstance(number, int) else None
            if ticket is None:
                raise fields.wrong("meta", "the name of a snapshot in this export")
        text = fields.text("text")
        known[node.id] = node
        read.append(Interaction(node._replace(preview=preview_of(ticket.subject if ticket else text)), text, ticket))
        for entry in fields.objects_or_none("internal"):
            internal = _internal(entry, node)
            if internal.id in known or internal.id in hanging:
                raise entry.wrong("id", "an id of its own")
            hanging.add(internal.id)
            read.append(internal)
    return tuple(read)


def _internal(fields: Fields, on: Node) -> Interaction:
    """Read what hangs on a node."""
    kind = _kind(fields)
    status = _one_of(Status, fields, "status")
    if kind.external:
        raise fields.wrong("kind", "a kind that hangs on a node")
    if status is Status.STREAMING:
        raise fields.wrong("status", "how a content ended")
    text = fields.text("text")
    node = Node(
        id=fields.number("id"),
        conversation_id=on.conversation_id,
        seq=fields.number("seq"),
        kind=kind.name,
        parent_id=on.id,
        depth=on.depth + 1,
        n=1,
        m=1,
        author=fields.text("author"),
        created_at=fields.number("created_at"),
        status=status,
        preview=preview_of(text),
        detail=fields.object("detail"),
        meta=fields.object("meta"),
    )
    return Interaction(node, text)


def _origins(document: Fields) -> dict[int, Origin]:
    return {
        entry.number("id"): _origin(entry)
        for fields in document.objects("nodes")
        for entry in (fields, *fields.objects_or_none("internal"))
    }


def _origin(fields: Fields) -> Origin:
    found = origin_in(fields.text("origin"))
    if found is None:
        raise fields.wrong("origin", "the origin of a node")
    return found


def _kind(fields: Fields) -> InteractionKind:
    try:
        return kind_named(fields.text("kind"))
    except KeyError:
        raise fields.wrong("kind", "a kind of node that this Ticketree knows") from None


def _node(fields: Fields, conversation_id: int) -> Node:
    kind = _kind(fields)
    status = _one_of(Status, fields, "status")
    parent_id = fields.number_or_none("parent")
    if not kind.external or (kind is ROOT) != (parent_id is None):
        raise fields.wrong("kind", "a kind of node that may stand here")
    if status is Status.STREAMING:
        raise fields.wrong("status", "how a content ended")
    return Node(
        id=fields.number("id"),
        conversation_id=conversation_id,
        seq=fields.number("seq"),
        kind=kind.name,
        parent_id=parent_id,
        depth=fields.number("depth"),
        n=fields.number("n"),
        m=fields.number("m"),
        author=fields.text("author"),
        created_at=fields.number("created_at"),
        status=status,
        preview="",
        replaces_id=fields.number_or_none("replaces"),
        detail=fields.object("detail"),
        meta=fields.object("meta"),
        erased=fields.flag("erased"),
        label=label_of(fields.text_or_empty("label"))[:LABEL_LENGTH],
    )


def _ticket(fields: Fields) -> Ticket:
    ticket = Ticket(
        id=fields.text("id"),
        snapshot=fields.number("snapshot"),
        snapshots=fields.number("snapshots"),
        subject=fields.text("subject"),
        customer=fields.text("customer"),
        language=fields.text("language"),
        status=fields.text("status"),
        created_at=fields.number_or_none("created_at"),
        messages=tuple(_message(message) for message in fields.objects("messages")),
        digest=fields.text("digest"),
        extra=fields.object("extra"),
        erased=fields.flag("erased"),
    )
    words = snapshot_json(ticket.id, ticket.subject, ticket.customer, ticket.language, ticket.messages)
    if not ticket.erased and ticket.digest != digest_of(words):
        raise fields.wrong("digest", "the digest of its words; something was changed or cut")
    return ticket


def _message(fields: Fields) -> TicketMessage:
    return TicketMessage(
        author=fields.text("author"),
        role=_one_of(Role, fields, "role"),
        text=fields.text("text"),
        created_at=fields.number_or_none("created_at"),
        internal=fields.flag("internal"),
        attachments=tuple(
            TicketAttachment(file.text("name"), file.text("media_type"), file.number("size_bytes"))
            for file in fields.objects("attachments")
        ),
        hidden_count=fields.number("hidden_count"),
        source_id=fields.text("source_id"),
    )


def _one_of(names: type[E], fields: Fields, name: str) -> E:
    try:
        return names(fields.text(name))
    except ValueError:
        raise fields.wrong(name, f"one of {', '.join(names)}") from None


def _check(tree: ReadTree) -> None:
    if not tree.interactions:
        raise ExportError("The export cannot be read: it holds no nodes.")
    if any(ticket.id != tree.ticket_id for ticket in tree.tickets):
        raise ExportError(f"The export cannot be read: it holds another ticket than {tree.ticket_id}.")
    if not any(each.id == tree.selected_id and each.is_external for each in tree.interactions):
        raise ExportError("The export cannot be read: the chosen node is not among its nodes.")
