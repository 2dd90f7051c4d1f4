"""One message of the chat as lines: its header, its words, and what is the matter with it."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from textual.content import Content

from assistant.plan.plan import Fate
from storage.interactions import Status
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, TICKET
from storage.tickets import Role, Ticket, TicketAttachment, TicketMessage
from tui.answers import contract_field, is_internal, task_title
from tui.chat_items import ChatItem, Failure
from tui.contract_view import contract_blocks
from tui.display import display_safe, hidden_count, local_time, one_line
from tui.flow import Block, flow
from tui.markdown import markdown_blocks
from tui.signs import fate_mark, label_mark, sibling_mark, stale_mark, status_mark
from tui.tones import ACCENT, FAINT, LEAD, MUTED, WARNING

_NAMES: Final = 28
"""Cells that a name may take in a header."""

_NEW: Final = "new; goes along with what you send"

_GIVES_WAY: Final = (4, 7, 2)
"""Places in a header that are left out where it is too narrow: tokens, time, task. What is the matter always stands."""

_ENDED_BADLY: Final = {
    Status.LENGTH: Failure("The answer ended at the model's length limit.", "Ask it to continue, or to be shorter."),
    Status.CRASHED: Failure(
        "The app ended while this answer was being written; what was shown is kept.", "Ask again for a whole one."
    ),
    Status.ERROR: Failure("The answer failed.", "Ask again."),
}
"""What to say where the record keeps no words of its own."""


def message_lines(
    item: ChatItem, width: int, now: datetime, *, body: Sequence[Content] | None = None, note: str = ""
) -> list[Content]:
    """Return the lines of one message, each at most `width` cells; dimmed where the plan leaves it out.

    `body` are the lines of the words where they are known already; `note` says what a running answer waits for.
    """
    header, rest = _header(item, width, now), body_lines(item, width, now) if body is None else list(body)
    rest.extend(_endnotes(item, width, note))
    if item.fate in (Fate.CUT, Fate.SUMMARISED):
        rest = [line.stylize(MUTED) for line in rest]
    return [header, *rest, Content()]


def body_lines(item: ChatItem, width: int, now: datetime) -> list[Content]:
    """The words of a message: a ticket in its parts, an answer as Markdown, what the agent wrote as it is."""
    if item.ticket is not None:
        return flow(_ticket_blocks(item.ticket, now, notes_sent=item.notes_sent), width)
    if item.node.kind == ASSISTANT_RESPONSE.name:
        return flow(answer_blocks(item), width)
    return flow(_text_blocks(item.text), width)


def answer_blocks(item: ChatItem) -> list[Block]:
    """The words of an answer: its fields where its task has a contract that it keeps, else Markdown."""
    reply_field = contract_field(item.node)
    if reply_field is None:
        return markdown_blocks(item.text)
    if item.breaks_contract:
        return [Block(Content(display_safe(item.text)))]
    return contract_blocks(item.text, reply_field, is_whole=not item.streaming)


def divider(width: int) -> list[Content]:
    """What stands between the last message that is left out and the first that is sent."""
    words = " sent from here on "
    if width < len(words) + 4:
        return [Content.styled(words.strip()[:width], LEAD), Content()]
    left = (width - len(words)) // 2
    right = width - len(words) - left
    return [Content.assemble(("═" * left, FAINT), (words, LEAD), ("═" * right, FAINT)), Content()]


def _header(item: ChatItem, width: int, now: datetime) -> Content:
    """Author · label · tokens · sibling · time · what is the matter; dots fill the line of one that is left out."""
    node = item.node
    siblings = sibling_mark(node)
    parts = [
        Content.styled(_author(item), f"bold {LEAD}" if node.kind == AGENT_MESSAGE.name else "bold"),
        Content.styled(label_mark(node), ACCENT),
        Content.styled(one_line(task_title(node), _NAMES), MUTED),
        Content.styled("internal" if is_internal(node) else "", ACCENT),
        Content.styled(f"{item.tokens:,} tokens" if item.tokens is not None else "", MUTED),
        Content.styled(f"‹{siblings}›" if siblings else "", ACCENT),
        Content.styled("edited" if node.replaces_id and node.kind == AGENT_MESSAGE.name else "", MUTED),
        Content.styled(local_time(node.created_at, now) if item.is_recorded else _NEW, MUTED),
        Content.styled(status_mark(node.status), WARNING),
        Content.styled(stale_mark(item.stale), WARNING),
        Content.styled(fate_mark(item.fate), WARNING),
    ]
    header = _joined(parts)
    for place in _GIVES_WAY:
        if header.cell_length <= width:
            break
        parts[place] = Content()
        header = _joined(parts)
    room = width - header.cell_length - 1
    if item.fate in (Fate.CUT, Fate.SUMMARISED) and room > 0:
        header = Content.assemble(header, " ", ("┄" * room, FAINT))
    return header.truncate(width, ellipsis=True)


def _joined(parts: Sequence[Content]) -> Content:
    return Content.styled(" · ", FAINT).join(part for part in parts if part)


def _author(item: ChatItem) -> str:
    if item.node.kind == TICKET.name and item.ticket is not None:
        version = f" version {item.ticket.snapshot}" if item.ticket.snapshot > 1 else ""
        return f"ticket {one_line(item.ticket.id, _NAMES)}{version}"
    sign = "› " if item.node.kind == AGENT_MESSAGE.name else ""
    return (sign + one_line(item.node.author, _NAMES)).rstrip()


def _text_blocks(text: str) -> Iterable[Block]:
    yield Block(Content(display_safe(text)))
    yield from _hidden(hidden_count(text))


def _hidden(count: int) -> Iterable[Block]:
    if count:
        yield Block(Content.styled(f"⚠ {count:,} hidden character{'' if count == 1 else 's'}", WARNING))


def _ticket_blocks(ticket: Ticket, now: datetime, *, notes_sent: bool) -> Iterable[Block]:
    yield Block(Content.styled(display_safe(ticket.subject, newlines=False), "bold"))
    yield from _hidden(hidden_count(ticket.subject))
    for message in () if ticket.erased else ticket.messages:
        yield from _ticket_message_blocks(message, now, notes_sent=notes_sent)


def _ticket_message_blocks(message: TicketMessage, now: datetime, *, notes_sent: bool) -> Iterable[Block]:
    bar = "▎ " if message.internal else ""
    words = [one_line(message.author, _NAMES) or message.role.value]
    if message.role is not Role.CUSTOMER:
        words.append("colleague" if message.role is Role.AGENT else "system")
    if message.created_at is not None:
        words.append(local_time(message.created_at, now))
    label = f"internal note · {'sent too' if notes_sent else 'not sent'}" if message.internal else ""
    head = Content.assemble((" · ".join(words), MUTED), (" · " if label else "", FAINT), (label, WARNING))
    yield Block(head, bar, bar, gap="")
    yield Block(Content(display_safe(message.text).strip("\n")), bar, bar)
    for attachment in message.attachments:
        yield Block(Content.styled(_attachment(attachment), MUTED), f"{bar}↳ ", f"{bar}  ")
    for block in _hidden(hidden_count(message.text) + hidden_count(message.author) + message.hidden_count):
        yield Block(block.body, bar, bar)


def _attachment(attachment: TicketAttachment) -> str:
    name = one_line(attachment.name, 60) or "attachment without a name"
    kind = one_line(attachment.media_type, 30)
    return f"{name} ({', '.join(part for part in (kind, _size(attachment.size_bytes)) if part)})"


def _size(size_bytes: int) -> str:
    if size_bytes < 1_000:
        return f"{size_bytes} bytes"
    if size_bytes < 1_000_000:
        return f"{size_bytes / 1_000:.0f} kB"
    return f"{size_bytes / 1_000_000:.1f} MB"


def _endnotes(item: ChatItem, width: int, note: str) -> list[Content]:
    """How many hidden characters an answer holds, what it waits for, and why it ended badly."""
    blocks: list[Block] = []
    if item.node.kind == ASSISTANT_RESPONSE.name:
        blocks.extend(_hidden(hidden_count(item.text)))
    if note:
        blocks.append(Block(Content.styled(display_safe(note), WARNING), "… ", "  "))
    elif item.streaming and not item.text:
        blocks.append(Block(Content.styled("waiting for the first words", MUTED), "… ", "  "))
    failure = item.failure or _ENDED_BADLY.get(item.node.status)
    if failure is not None:
        blocks.append(Block(Content.styled(display_safe(failure.message), f"bold {WARNING}"), "┃ ", "┃ ", gap=""))
        if failure.advice:
            blocks.append(Block(Content(display_safe(failure.advice)), "┃ ", "┃ "))
    lines = flow(blocks, width)
    return [Content(), *lines] if failure is not None and item.text.strip() else lines
