from collections.abc import Callable
from pathlib import Path

import pytest

from storage.importers.importing import import_paths
from storage.importers.mail_thread import derived_id
from storage.importers.report import ImportReport
from storage.sqlite_store import SqliteStore
from storage.tickets import Role

Importing = Callable[..., ImportReport]


def mail(
    name: str,
    *,
    refs: str = "",
    sender: str = "Ana <ana@home.example>",
    to: str = "service@shop.example",
    subject: str = "Hello",
    day: int = 1,
    body: str = "",
) -> str:
    return (
        f"From: {sender}\nTo: {to}\nSubject: {subject}\nDate: {day} Mar 2026 10:00:00 +0000\n"
        f"Message-ID: <{name}>\n{f'References: {refs}' if refs else 'X-None: 1'}\n\n{body or f'Text of {name}.'}\n"
    )


def test_thread_is_ordered_by_what_answers_what_and_says_who_is_who(store: SqliteStore, files: Path) -> None:
    report = import_paths(store, [files / "thread"])
    assert (report.found, report.imported, report.skipped) == (1, 1, ())
    (summary,) = store.tickets("camille")
    ticket = store.ticket(summary.id)
    assert ticket.id == derived_id("<lamp-1@home.example>", lambda _: True)
    assert [(m.source_id, m.role, m.internal) for m in ticket.messages] == [
        ("<lamp-1@home.example>", Role.CUSTOMER, False),
        ("<lamp-2@shop.example>", Role.AGENT, False),
        ("<lamp-note@shop.example>", Role.AGENT, True),
        ("<lamp-3@home.example>", Role.CUSTOMER, False),
    ]
    assert (ticket.customer, ticket.subject, ticket.language) == ("Emil", "Lamp flickers", "en")


def test_importing_again_changes_nothing(store: SqliteStore, files: Path) -> None:
    import_paths(store, [files / "thread"])
    again = import_paths(store, [files / "thread"])
    assert (again.found, again.imported, again.unchanged, again.exit_status) == (1, 0, 1, 0)
    assert [ticket.snapshots for ticket in store.tickets("camille")] == [1]


@pytest.mark.parametrize("first", ["01-note", "02-reply", "03-answer", "04-first"])
def test_whatever_arrives_first_the_rest_joins_the_same_ticket(store: SqliteStore, files: Path, first: str) -> None:
    import_paths(store, [files / "thread" / f"{first}.eml"])
    report = import_paths(store, [files / "thread"])
    (summary,) = store.tickets("camille")
    assert (report.imported, summary.snapshots) == (1, 2)
    assert len(store.ticket(summary.id).messages) == 4
    assert import_paths(store, [files / "thread"]).unchanged == 1


def test_reply_to_a_stored_mail_makes_a_snapshot_with_the_earlier_words_first(
    store: SqliteStore, import_text: Importing
) -> None:
    import_text(mail("a@x", subject="Chair [T-9]"), "first")
    import_text(mail("b@x", refs="<a@x>", subject="Re: something else", day=2), "second")
    ticket = store.ticket("T-9")
    assert (ticket.snapshot, ticket.subject) == (2, "Chair [T-9]")
    assert [message.text for message in ticket.messages] == ["Text of a@x.", "Text of b@x."]
    assert store.ticket("T-9", 1).messages == ticket.messages[:1]


def test_subject_tag_joins_mails_of_the_same_people(store: SqliteStore, import_text: Importing) -> None:
    import_text(mail("a@x", subject="Chair [#80005]"), "first")
    import_text(
        mail("b@x", sender="Camille <camille@shop.example>", to="ana@home.example", subject="Re: [Ticket#80005]"),
        "second",
    )
    assert [message.role for message in store.ticket("80005").messages] == [Role.CUSTOMER, Role.AGENT]


@pytest.mark.parametrize("together", [True, False])
def test_a_stranger_who_names_a_ticket_does_not_get_into_it(store: SqliteStore, tmp_path: Path, together: bool) -> None:
    paths = [tmp_path / "first", tmp_path / "second"]
    paths[0].write_text(mail("a@x", subject="Chair [#80005]"))
    paths[1].write_text(mail("b@x", sender="Bert <bert@other.example>", subject="My order [#80005]"))
    reports = [import_paths(store, paths)] if together else [import_paths(store, [path]) for path in paths]
    assert len(store.ticket("80005").messages) == 1
    assert len(store.tickets("camille")) == 2
    assert "of other people; kept apart" in reports[-1].repaired[0].what


def test_tag_of_a_ticket_from_elsewhere_joins_only_who_it_names(store: SqliteStore, import_text: Importing) -> None:
    import_text('{"id": "T-1", "customer": "Ana", "messages": [{"text": "Hi"}, {"author": "Camille", "text": "Yes?"}]}')
    import_text(mail("b@x", sender="Bert <bert@other.example>", subject="[T-1]"), "stranger")
    import_text(mail("c@x", sender="Ana Bell <ana@home.example>", subject="Re: [T-1]"), "customer")
    import_text(mail("d@x", sender="Camille <camille@shop.example>", subject="Re: [T-1]"), "agent")
    assert [(message.author, message.role) for message in store.ticket("T-1").messages] == [
        ("Ana", Role.CUSTOMER),
        ("Camille", Role.AGENT),
        ("Ana Bell", Role.CUSTOMER),
        ("Camille", Role.AGENT),
    ]


def test_two_mails_with_one_message_id_are_both_kept(store: SqliteStore, tmp_path: Path) -> None:
    for number, name in enumerate(("Ana", "Bert")):
        (tmp_path / f"{number}").write_text(mail("form@x", sender=f"{name} <{name}@home.example>", body=f"I am {name}"))
    report = import_paths(store, [tmp_path])
    assert {ticket.customer for ticket in store.tickets("camille")} == {"Ana", "Bert"}
    assert "same Message-ID" in report.repaired[0].what
    assert import_paths(store, [tmp_path]).unchanged == 2


def test_two_mails_with_one_message_id_in_one_thread_stay_two_messages(store: SqliteStore, tmp_path: Path) -> None:
    for name, day in (("1", 9), ("2", 2)):
        (tmp_path / name).write_text(mail("a@x", refs="<root@x>", day=day, body=f"Written on day {day}."))
    assert import_paths(store, [tmp_path]).imported == 1
    assert import_paths(store, [tmp_path]).unchanged == 1
    assert import_paths(store, [tmp_path / "2", tmp_path / "1"]).unchanged == 1
    (ticket,) = store.tickets("camille")
    assert [message.text for message in store.ticket(ticket.id).messages] == ["Written on day 2.", "Written on day 9."]


def test_the_same_mail_in_two_folders_is_one(store: SqliteStore, tmp_path: Path) -> None:
    for name in ("inbox", "archive"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1").write_text("Received: by " + name + "\n" + mail("a@x"))
    report = import_paths(store, [tmp_path])
    assert (report.found, report.imported, report.repaired) == (1, 1, ())


def test_mails_that_answer_each_other_still_make_one_ticket(store: SqliteStore, tmp_path: Path) -> None:
    (tmp_path / "1").write_text(mail("a@x", refs="<b@x>", day=2))
    (tmp_path / "2").write_text(mail("b@x", refs="<a@x>", day=1))
    report = import_paths(store, [tmp_path])
    assert (report.found, report.imported) == (1, 1)


def test_ticket_option_names_the_one_ticket_found_and_refuses_several(
    store: SqliteStore, files: Path, tmp_path: Path
) -> None:
    assert import_paths(store, [files / "thread"], ticket_id="T-500").imported == 1
    assert len(store.ticket("T-500").messages) == 4
    report = import_paths(store, [files / "three.mbox"], ticket_id="T-501")
    assert (report.imported, len(report.skipped), report.exit_status) == (0, 3, 2)
    assert "--ticket T-501 names one ticket, but 3 were found" in report.skipped[0].reason


def test_closed_ticket_stays_closed_when_a_mail_comes(store: SqliteStore, import_text: Importing) -> None:
    import_text('{"id": "T-1", "customer": "Ana", "status": "closed", "body": "Hi"}')
    import_text(mail("a@x", sender="Ana <ana@home.example>", subject="Re: [T-1]"), "mail")
    assert store.ticket("T-1").status == "closed"
    assert store.ticket("T-1").snapshots == 2
