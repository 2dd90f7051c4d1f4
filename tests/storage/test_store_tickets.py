"""What any store promises about tickets: snapshots never change, and the same again changes nothing."""

from dataclasses import replace

import pytest
from desks import NOON, Desk, a_desk, a_message, a_ticket

from storage.errors import NotFoundError
from storage.store import Store
from storage.tickets import IncomingTicket, RawSource, Role, SaveOutcome, TicketAttachment, TicketMessage

FULL = IncomingTicket(
    id="T-7\u202e",
    subject="Bouilloire\x1b[31m",
    customer="Zoé \0",
    messages=(
        TicketMessage("Zoé", Role.CUSTOMER, "Elle sent.\r\n\0", created_at=NOON, source_id="<1@x>", hidden_count=3),
        TicketMessage(
            "Noah",
            Role.AGENT,
            "Note",
            internal=True,
            attachments=(TicketAttachment("../é.pdf", "application/pdf", 12_345),),
        ),
    ),
    language="fr",
    status="pending",
    created_at=NOON,
    extra={"tags": ["kettle", {"x": None}], "priority": 1},
)


def test_a_ticket_comes_back_as_it_came_in(store: Store) -> None:
    assert store.save_ticket(FULL) is SaveOutcome.NEW

    stored = store.ticket(FULL.id)
    assert (stored.id, stored.subject, stored.customer, stored.language) == (FULL.id, FULL.subject, "Zoé \0", "fr")
    assert (stored.messages, stored.extra, stored.created_at) == (FULL.messages, FULL.extra, NOON)
    assert (stored.snapshot, stored.snapshots, stored.status) == (1, 1, "pending")
    assert len(stored.digest) == 64


def test_lone_surrogates_are_replaced_in_every_field(store: Store) -> None:
    bad = "a\ud800"
    store.save_ticket(
        IncomingTicket(bad, bad, bad, (TicketMessage(bad, Role.CUSTOMER, bad, source_id=bad),), extra={bad: [bad]})
    )

    stored = store.ticket("a\ufffd")
    assert {stored.subject, stored.customer, stored.messages[0].text, stored.messages[0].author} == {"a\ufffd"}
    assert stored.extra == {"a\ufffd": ["a\ufffd"]}


def test_the_same_ticket_again_changes_nothing(store: Store) -> None:
    store.save_ticket(FULL)

    assert store.save_ticket(FULL) is SaveOutcome.UNCHANGED
    assert store.ticket(FULL.id).snapshots == 1


def test_new_messages_make_a_snapshot_and_the_earlier_one_stays(store: Store) -> None:
    store.save_ticket(a_ticket("T-1", "one"))
    before = store.ticket("T-1")

    assert store.save_ticket(a_ticket("T-1", "one", "two")) is SaveOutcome.SNAPSHOT

    assert [message.text for message in store.ticket("T-1").messages] == ["one", "two"]
    assert store.ticket("T-1", 1) == replace(before, snapshots=2)
    assert store.ticket("T-1", 2).digest != before.digest
    with pytest.raises(NotFoundError):
        store.ticket("T-1", 3)
    with pytest.raises(NotFoundError):
        store.ticket("T-2")


def test_a_part_of_what_is_known_is_unchanged(store: Store) -> None:
    store.save_ticket(a_ticket("T-1", "one", "two", "three"))

    assert store.save_ticket(a_ticket("T-1", "two", subject="Re: hammock")) is SaveOutcome.UNCHANGED
    assert store.ticket("T-1").subject == "Hammock has not arrived"


def test_a_corrected_message_takes_its_place_and_the_older_export_is_known(store: Store) -> None:
    store.save_ticket(a_ticket("T-1", "one", "tow"))

    assert store.save_ticket(a_ticket("T-1", "one", "two")) is SaveOutcome.SNAPSHOT
    assert store.save_ticket(a_ticket("T-1", "one", "tow")) is SaveOutcome.UNCHANGED
    assert [message.text for message in store.ticket("T-1").messages] == ["one", "two"]


def test_a_changed_subject_makes_a_snapshot(store: Store) -> None:
    store.save_ticket(a_ticket("T-1"))

    assert store.save_ticket(a_ticket("T-1", subject="Hammock arrived")) is SaveOutcome.SNAPSHOT
    assert store.ticket("T-1").subject == "Hammock arrived"


def test_the_parts_of_a_mail_thread_join_in_the_order_they_came(store: Store) -> None:
    def mail(*ids: str) -> IncomingTicket:
        return a_ticket("T-1", messages=[a_message(f"mail {key}", source_id=f"<{key}@x>") for key in ids])

    assert store.save_ticket(mail("2")) is SaveOutcome.NEW
    assert store.save_ticket(mail("1")) is SaveOutcome.SNAPSHOT
    assert store.save_ticket(mail("1", "2", "3")) is SaveOutcome.SNAPSHOT
    for again in (mail("1"), mail("2"), mail("3", "1"), mail("1", "2", "3")):
        assert store.save_ticket(again) is SaveOutcome.UNCHANGED

    assert [message.text for message in store.ticket("T-1").messages] == ["mail 2", "mail 1", "mail 3"]
    assert [message.text for message in store.ticket("T-1", 2).messages] == ["mail 2", "mail 1"]


def test_a_known_mail_read_differently_is_not_news(store: Store) -> None:
    store.save_ticket(a_ticket("T-1", messages=[a_message("caf\ufffd", source_id="<1@x>")]))

    again = a_ticket("T-1", messages=[a_message("café", source_id="<1@x>")])

    assert store.save_ticket(again) is SaveOutcome.UNCHANGED
    assert store.ticket("T-1").messages[0].text == "caf\ufffd"


def test_two_equal_messages_are_two_messages(store: Store) -> None:
    store.save_ticket(a_ticket("T-1", "Hello?", "Hello?"))

    assert [message.text for message in store.ticket("T-1").messages] == ["Hello?", "Hello?"]


def test_a_changed_status_alone_makes_no_snapshot(store: Store) -> None:
    store.save_ticket(a_ticket("T-1", status="open"))

    assert store.save_ticket(a_ticket("T-1", status="closed")) is SaveOutcome.STATUS
    assert store.save_ticket(a_ticket("T-1", status="closed")) is SaveOutcome.UNCHANGED
    assert (store.ticket("T-1").status, store.ticket("T-1").snapshots) == ("closed", 1)


def test_raw_sources_are_kept_once(store: Store) -> None:
    one, two = RawSource("a.eml", "eml", b"\xff\x00one"), RawSource("b.eml", "eml", b"two")
    store.save_ticket(a_ticket("T-1", "one", sources=(one,)))
    store.save_ticket(a_ticket("T-1", "one", "two", sources=(one, two)))
    store.save_ticket(a_ticket("T-2", "one", sources=(two,)))

    assert store.sources("T-1") == [("a.eml", "eml", b"\xff\x00one"), ("b.eml", "eml", b"two")]
    assert store.sources("T-2") == [("b.eml", "eml", b"two")]
    with pytest.raises(NotFoundError):
        store.sources("T-3")


def test_the_list_is_newest_first_and_by_id_where_times_agree(store: Store) -> None:
    for ticket_id, created_at in (("T-2", NOON), ("T-9", NOON + 1), ("T-1", NOON), ("T-5", None)):
        store.save_ticket(a_ticket(ticket_id, created_at=created_at))

    assert [row.id for row in store.tickets("camille")] == ["T-5", "T-9", "T-1", "T-2"]


def test_the_list_shows_each_agent_their_own_conversations(desk: Desk) -> None:
    desk.store.save_ticket(a_ticket("T-2", status="closed", created_at=NOON - 1))
    desk.ask(desk.ticket_node)
    other = a_desk(desk.store, agent="noah")
    other.begin(other.ticket_node)

    hammock, closed = desk.store.tickets("camille")
    assert (hammock.nodes, hammock.running, hammock.snapshots, hammock.language) == (3, False, 1, "en")
    assert (closed.nodes, closed.status) == (0, "closed")
    assert desk.store.tickets("noah")[0].running
    assert [(row.nodes, row.running) for row in desk.store.tickets("nobody")] == [(0, False), (0, False)]
    assert [row.id for row in desk.store.tickets("camille", status="closed")] == ["T-2"]
    assert desk.store.tickets("camille", status="spam") == []
