"""Conversations as Markdown, to read, print and file.

The front matter, the title and a heading for each message are ours; every foreign word is quoted (`markdown_text`).
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from storage.attachments.attachment import AttachmentState, attachment_in
from storage.exporters.export import Export, Exporter, Rendered, Scope
from storage.exporters.front_matter import front_matter
from storage.exporters.markdown_text import inline, quoted
from storage.exporters.printable import printable, utc
from storage.exporters.words import EMPTY, ENDS
from storage.interactions import Interaction, Node
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, ATTACHMENT, ROOT
from storage.tickets import Ticket, TicketAttachment, TicketMessage
from storage.tree import path_ids

_ROLES: Final = {AGENT_MESSAGE.name: "agent", ASSISTANT_RESPONSE.name: "assistant"}


def render(export: Export) -> Rendered:
    """Return the export as Markdown, messages in the order in which they were added."""
    return Rendered(".md", _chunks(export))


EXPORTER: Final = Exporter("markdown", Scope.PATH, render)


def _chunks(export: Export) -> Iterator[str]:
    ticket = export.ticket
    messages = sum(node.kind != ROOT.name for node in export.nodes)
    yield front_matter(
        {
            "format": "ticketree-markdown",
            "version": 1,
            "ticket": ticket.id,
            "subject": ticket.subject,
            "customer": ticket.customer,
            "language": ticket.language,
            "status": ticket.status,
            "agent": export.conversation.agent,
            "scope": export.scope.value,
            "selected": export.selected_id,
            "messages": messages,
        }
    )
    yield f"\n\n# {inline(ticket.id)}: {inline(ticket.subject) or EMPTY}\n"
    # On a path every message follows the one above it and is shown.
    shown = frozenset(path_ids(export.nodes, export.selected_id)) if export.scope is Scope.TREE else frozenset()
    above: int | None = None
    for interaction in export.interactions:
        node = interaction.node
        if not interaction.is_external:
            yield from _attached(interaction)
            continue
        if node.kind != ROOT.name:
            yield f"\n## {_heading(interaction)}\n\n{_facts(node, above, shown)}\n"
            yield from _body(interaction)
        above = node.id


def _heading(interaction: Interaction) -> str:
    node, ticket = interaction.node, interaction.ticket
    if ticket is not None:
        return f"{node.id} · Ticket {inline(ticket.id)}, version {ticket.snapshot}"
    author = "" if node.erased else inline(node.author) or EMPTY
    return " · ".join(filter(None, (str(node.id), author, _ROLES.get(node.kind, node.kind))))


def _facts(node: Node, above: int | None, shown: Collection[int]) -> str:
    facts = [
        utc(node.created_at),
        f"{node.n} of {node.m}" if node.m > 1 else "",
        _follows(node, above),
        f"instead of {node.replaces_id}" if node.replaces_id is not None else "",
        ENDS.get(node.status, ""),
        "shown" if node.id in shown else "",
    ]
    return " · ".join(filter(None, facts))


def _follows(node: Node, above: int | None) -> str:
    if node.parent_id == above:
        return ""
    return f"follows {node.parent_id}" if node.depth > 1 else "starts anew"


def _body(interaction: Interaction) -> Iterator[str]:
    if interaction.ticket is not None:
        yield from _ticket(interaction.ticket)
        return
    yield _words(interaction.content)
    match interaction.node.detail.get("error"):
        case Mapping() as error:
            said = " ".join(filter(None, (_text(error.get("message")), _text(error.get("advice")))))
            if said:
                yield f"\nError: {inline(said, 1000)}\n"


def _ticket(ticket: Ticket) -> Iterator[str]:
    yield f"\nSubject: {inline(ticket.subject, 1000) or EMPTY}\n"
    for message in ticket.messages:
        yield f"\n### {_message_heading(message)}\n"
        yield _words(message.text)
        if message.attachments:
            yield "\n" + "".join(f"* {_attachment(file)}\n" for file in message.attachments)


def _attached(entry: Interaction) -> Iterator[str]:
    """Name a file that hangs on the message before, and what became of it; of what hangs unseen nothing is said."""
    attachment = attachment_in(entry) if entry.kind == ATTACHMENT.name else None
    if attachment is not None and attachment.state is not AttachmentState.PENDING:
        file = attachment.file
        described = _attachment(TicketAttachment(file.name, file.media_type, file.size_bytes))
        yield f"\n* Attached file: {described}, {attachment.state.value}\n"


def _message_heading(message: TicketMessage) -> str:
    facts = [
        inline(message.author) or EMPTY,
        message.role.value,
        "" if message.created_at is None else utc(message.created_at),
        "internal note" if message.internal else "",
    ]
    return " · ".join(filter(None, facts))


def _attachment(file: TicketAttachment) -> str:
    return f"{inline(file.name) or EMPTY} ({inline(file.media_type)}, {file.size_bytes:,} bytes)"


def _words(text: str) -> str:
    return f"\n{quoted(text)}\n" if printable(text).strip() else f"\n{EMPTY}\n"


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
