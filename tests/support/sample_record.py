"""A small record on which the commands are tried."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from command_line import CommandLine

from storage.interactions import Status
from storage.sqlite_store import open_store
from storage.store import Store
from storage.tickets import IncomingTicket, Role, TicketMessage

CUSTOMER_WORDS = "Bonjour, mon hamac n'est pas arrivé.\nCommande W1234567."


@dataclass(frozen=True)
class Desk:
    """A record with two tickets; camille has a conversation with a fork on the first, noah one without."""

    cli: CommandLine
    ticket: int
    question: int
    answer: int
    shorter: int
    shorter_answer: int
    friendlier: int
    friendlier_answer: int
    noahs_ticket: int

    @contextmanager
    def store(self) -> Iterator[Store]:
        with closing(open_store(self.cli.db)) as store:
            yield store

    def write_again(self, store: Store) -> None:
        """Let the customer of T-1 write a second message."""
        first = store.ticket("T-1")
        store.save_ticket(
            IncomingTicket(
                id="T-1",
                subject=first.subject,
                customer=first.customer,
                messages=(*first.messages, TicketMessage("Sophie", Role.CUSTOMER, "Et alors ?")),
                language=first.language,
            )
        )


def a_desk(cli: CommandLine) -> Desk:
    """Make the record in a file."""
    with closing(open_store(cli.db)) as store:
        store.save_ticket(_ticket("T-1", "Hammock has not arrived", "Sophie", CUSTOMER_WORDS, "fr", 2))
        store.save_ticket(_ticket("T-2", "Kettle smells", "Jonas", "It smells.", "en", 1, status="closed"))
        conversation = store.open_conversation("camille", "T-1").id
        ticket = store.selected(conversation)
        question, answer = _turn(store, conversation, ticket, "draft a reply", "Bonjour Sophie, votre hamac arrive.")
        shorter, shorter_answer = _turn(store, conversation, answer, "make it shorter", "Il arrive.")
        friendlier = store.add_message(conversation, answer, "camille", "friendlier", replaces_id=shorter).id
        friendlier_answer = _answer(store, conversation, friendlier, "Chère Sophie !", Status.INTERRUPTED)
        noahs_ticket = store.selected(store.open_conversation("noah", "T-1").id)
    return Desk(
        cli,
        ticket,
        question,
        answer,
        shorter,
        shorter_answer,
        friendlier,
        friendlier_answer,
        noahs_ticket,
    )


def _ticket(
    name: str, subject: str, customer: str, text: str, language: str, created_at: int, status: str = "open"
) -> IncomingTicket:
    message = TicketMessage(author=customer, role=Role.CUSTOMER, text=text)
    return IncomingTicket(
        id=name,
        subject=subject,
        customer=customer,
        messages=(message,),
        language=language,
        status=status,
        created_at=created_at,
    )


def _turn(store: Store, conversation: int, parent: int, text: str, answer: str) -> tuple[int, int]:
    question = store.add_message(conversation, parent, "camille", text).id
    return question, _answer(store, conversation, question, answer, Status.COMPLETE)


def _answer(store: Store, conversation: int, parent: int, text: str, status: Status) -> int:
    node = store.begin_answer(conversation, parent, "built-in", meta={})
    store.add_text(conversation, node.id, text)
    store.finish(conversation, node.id, status, {})
    return node.id
