"""A ticket as plain text, for the commands that print conversations."""

from storage.interactions import Interaction
from storage.tickets import Ticket, TicketMessage

NOTE = "internal note"


def text_of_ticket(ticket: Ticket) -> str:
    """Return all messages, each under who wrote it where there are several; internal notes are named as such."""
    if len(ticket.messages) == 1 and not ticket.messages[0].internal:
        return ticket.messages[0].text
    return "\n\n".join(_with_author(message) for message in ticket.messages)


def text_of_interaction(interaction: Interaction) -> str:
    """Return the text of a node: its content, or its ticket's messages."""
    return interaction.content if interaction.ticket is None else text_of_ticket(interaction.ticket)


def _with_author(message: TicketMessage) -> str:
    note = f" ({NOTE})" if message.internal else ""
    return f"{message.author}{note}:\n{message.text}"
