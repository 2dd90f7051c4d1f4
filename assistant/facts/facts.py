"""What a ticket says plainly: names, numbers, dates, amounts; read by patterns, never guessed.

A field is only filled where the ticket leaves no choice: with two order numbers in it, no order number is used.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from assistant.builtin.products import find_products
from assistant.facts.amounts import Amount, find_amounts
from assistant.facts.dates import MentionedDate, find_dates
from assistant.facts.people import Person, person, signature
from assistant.facts.reference_numbers import find_invoices, find_orders, find_trackings

_LONGEST: Final = 50_000
"""Characters of a ticket that are read, the newest ones: an answer must not wait for a whole log file in a mail."""

_LONGEST_LINE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Facts:
    """What one ticket says, each in the order of its first mention, without repeats."""

    language: str
    ticket: str
    person: Person | None
    orders: tuple[str, ...] = ()
    invoices: tuple[str, ...] = ()
    trackings: tuple[str, ...] = ()
    dates: tuple[MentionedDate, ...] = ()
    amounts: tuple[Amount, ...] = ()
    products: tuple[str, ...] = ()

    def values(self, language: str) -> Mapping[str, str]:
        """The fields of a saved reply in this language; a field is missing where nothing or several things were found.

        A product is a word of the ticket's language, so that a reply in another language goes without it.
        """
        values = {
            "ticket": self.ticket,
            "customer": self.person.name if self.person else "",
            "first_name": self.person.first_name if self.person else "",
            "order": _only(self.orders),
            "invoice": _only(self.invoices),
            "tracking": _only(self.trackings),
            "date": _only([date.written(language) for date in self.dates]),
            "amount": _only([amount.written(language) for amount in self.amounts]),
            "product": _only(self.products) if language == self.language else "",
        }
        return {name: value for name, value in values.items() if value}


def find_facts(*, ticket: str, customer: str, subject: str, texts: Sequence[str], language: str) -> Facts:
    """Read the facts of one ticket.

    Args:
        ticket: the ticket's id; other text fields never name it as an order.
        customer: the customer field, which may be a name, an address or anything else.
        subject: the subject line.
        texts: what the customer wrote, oldest first, quoted mail left out.
        language: the ticket's, for the reading of dates and products.
    """
    words = unicodedata.normalize("NFC", "\n".join(texts)[-_LONGEST:])
    subject = unicodedata.normalize("NFC", subject[:_LONGEST_LINE])
    everything = f"{subject}\n{words}"
    invoices = find_invoices(everything)
    trackings = find_trackings(everything)
    taken = {ticket.upper(), *invoices, *trackings}
    return Facts(
        language,
        _plain_id(ticket),
        person(customer[:_LONGEST_LINE]) or signature(words),
        tuple(number for number in find_orders(everything) if number not in taken),
        tuple(invoices),
        tuple(trackings),
        tuple(find_dates(everything, language)),
        tuple(find_amounts(everything)),
        tuple(find_products(subject, words, language)),
    )


def _only(values: Sequence[str]) -> str:
    return values[0] if len(set(values)) == 1 else ""


def _plain_id(ticket: str) -> str:
    return ticket if re.fullmatch(r"[\w./#-]{1,40}", ticket) else ""
