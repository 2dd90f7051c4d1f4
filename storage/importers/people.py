"""Who is who: customer and agents of a thread, and whether two tickets are one person's."""

import re
from dataclasses import dataclass

from storage.importers.mail_summary import MailSummary
from storage.tickets import IncomingTicket, Role, Ticket


@dataclass(frozen=True, slots=True)
class Cast:
    """Who is who in a thread: its first sender is the customer.

    Agents are whom the customer wrote to, and everyone of the same domain where it is not the customer's own.
    """

    customer: str
    agents: frozenset[str]
    agent_domains: frozenset[str]

    def role(self, address: str) -> Role:
        """Return the role of a sender."""
        if address != self.customer and (address in self.agents or _domain(address) in self.agent_domains):
            return Role.AGENT
        return Role.CUSTOMER

    def is_internal(self, mail: MailSummary) -> bool:
        """Whether an agent wrote to others than the customer: a note of the help desk."""
        recipients = {*mail.to, *mail.cc}
        return bool(recipients and self.customer) and (
            self.role(mail.sender) is Role.AGENT
            and not any(name == self.customer or self.role(name) is Role.CUSTOMER for name in recipients)
        )


def cast_of(first: MailSummary) -> Cast:
    """Tell customer and agents from the mail that opened a thread."""
    own = _domain(first.sender)
    return Cast(
        first.sender,
        frozenset((*first.to, *first.cc)) - {first.sender},
        frozenset(_domain(name) for name in first.to) - {own, ""},
    )


def _domain(address: str) -> str:
    return address.rpartition("@")[2]


def words_of(name: str) -> frozenset[str]:
    """Return the words of a person's name that can tell whether two names are one person's."""
    words = frozenset(re.findall(r"\w{2,}", name.casefold()))
    return words or frozenset({name.casefold().strip()}) - {""}


def is_another_customers(ticket: IncomingTicket, stored: Ticket) -> bool:
    """Whether a ticket only happens to have the id of a stored one: other customer, and not a message in common."""
    if not ticket.customer or not stored.customer or words_of(ticket.customer) & words_of(stored.customer):
        return False
    texts = {message.text for message in stored.messages}
    ids = {message.source_id for message in stored.messages} - {""}
    return not any(message.text in texts or message.source_id in ids for message in ticket.messages)
