"""Conversations that Ticketree exported come in through the same door."""

from pathlib import Path

import pytest
from chat_exports import ChatDesk
from desks import Desk, a_desk, a_ticket

from storage.exporters.export import one_path, whole_tree
from storage.exporters.registry import EXPORTERS
from storage.sqlite_store import SqliteStore


@pytest.fixture
def original() -> Desk:
    """A conversation with two answers to one question, in another record."""
    desk = a_desk()
    question = desk.say(desk.ticket_node, "draft a reply")
    desk.answer(question.id, "first ", "draft")
    desk.answer(question.id, "second draft")
    return desk


def exported(desk: Desk) -> bytes:
    return "".join(EXPORTERS["json"].render(whole_tree(desk.store, desk.conversation)).chunks).encode()


def test_an_export_comes_in_once_with_its_ticket_and_its_chosen_leaf(original: Desk, desk: ChatDesk) -> None:
    first, again = desk.bring(exported(original)), desk.bring(exported(original))

    assert (first.found, first.imported, first.skipped) == (1, 1, ())
    assert (again.imported, again.unchanged) == (0, 1)
    assert desk.store.ticket("T-80005").subject == "Hammock has not arrived"
    assert desk.shown() == ["draft a reply", "second draft"]
    assert [node.preview for node in desk.nodes()] == ["draft a reply", "first draft", "second draft"]


def test_a_later_export_adds_what_was_said_meanwhile(original: Desk, desk: ChatDesk) -> None:
    desk.bring(exported(original))
    original.say(original.store.selected(original.id), "shorter")

    report = desk.bring(exported(original))

    assert report.imported == 1
    assert desk.shown() == ["draft a reply", "second draft", "shorter"]


def test_a_path_and_the_whole_tree_are_one_conversation(original: Desk, desk: ChatDesk) -> None:
    path = "".join(EXPORTERS["json"].render(one_path(original.store, original.conversation)).chunks)
    desk.bring(path.encode(), "path.json")

    desk.bring(exported(original), "tree.json")

    assert [node.preview for node in desk.nodes()] == ["draft a reply", "second draft", "first draft"]


def test_what_is_here_already_is_not_doubled(original: Desk, tmp_path: Path) -> None:
    assert isinstance(original.store, SqliteStore)
    desk = ChatDesk(original.store, tmp_path)
    before = original.store.nodes(original.id)

    report = desk.bring(exported(original))

    assert (report.imported, report.unchanged) == (0, 1)
    assert original.store.nodes(original.id) == before


def test_a_check_of_an_export_writes_nothing(original: Desk, desk: ChatDesk) -> None:
    assert desk.bring(exported(original), check=True).imported == 1
    assert desk.store.tickets("camille") == []
    desk.bring(exported(original))
    assert desk.bring(exported(original), check=True).unchanged == 1


def test_an_export_on_other_words_or_for_another_ticket_is_skipped(original: Desk, desk: ChatDesk) -> None:
    desk.store.save_ticket(a_ticket("T-80005", "of another customer"))
    desk.store.save_ticket(a_ticket("T-1"))

    for ticket_id, said in (("T-80005", "with other words"), ("T-1", "can be added to no other")):
        report = desk.bring(exported(original), ticket_id=ticket_id)
        assert said in report.skipped[0].reason
        assert report.exit_status == 2


def test_a_damaged_export_is_skipped_with_the_place(desk: ChatDesk) -> None:
    report = desk.bring(b'{"format": "ticketree", "version": 1, "tickets": 5}')

    assert report.skipped[0].reason == "The export cannot be read: 'tickets' of the document is not a list."
