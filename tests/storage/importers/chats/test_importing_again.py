"""What a second import does: later exports, changed texts, other agents, other tickets, checks, erasure."""

from pathlib import Path

import pytest
from chat_exports import SHAPES, ChatDesk, Said, a_chatgpt_chain, a_chatgpt_message, source_of, text_content
from desks import a_ticket

from storage.chats import IncomingChat
from storage.importers.importing import import_paths
from storage.sqlite_store import SqliteStore
from storage.values import Json

FORK = [
    Said("q", None, True, "Q"),
    Said("a1", 0, False, "A one"),
    Said("a2", 0, False, "A two"),
    Said("more", 2, True, "more"),
]

NO_CURRENT = "it names no current message; the newest end of a branch is shown"


def first_part(count: int, shape: str = "ChatGPT") -> Json:
    """Return an export of the first messages of the fork, the last of them current."""
    return SHAPES[shape](FORK[:count], count - 1)


def changed(text: str) -> Json:
    """Return the chain of question, answer and follow-up with another answer."""
    return SHAPES["ChatGPT"]([FORK[0], Said("a1", 0, False, text), Said("more", 1, True, f"after {text}")], 2)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_later_export_of_any_program_adds_only_what_is_new(shape: str, desk: ChatDesk) -> None:
    desk.bring(first_part(2, shape))
    before = desk.nodes()

    report = desk.bring(first_part(4, shape))

    assert (report.imported, report.unchanged) == (1, 0)
    assert [node.id for node in desk.nodes()[:2]] == [node.id for node in before]
    assert [node.preview for node in desk.nodes()] == ["Q", "A one", "A two", "more"]
    assert desk.bring(first_part(2, shape)).unchanged == 1


def test_the_view_follows_where_the_chat_went_on_and_stays_where_it_forked(desk: ChatDesk) -> None:
    desk.bring(first_part(1))
    desk.bring(first_part(2))
    assert desk.shown() == ["Q", "A one"]

    desk.bring(first_part(4))

    assert desk.shown() == ["Q", "A one"]


def test_the_view_stays_where_the_agent_went_on(desk: ChatDesk) -> None:
    desk.bring(first_part(2))
    found = desk.conversation()
    desk.store.add_message(found.id, desk.nodes()[-1].id, "camille", "my own")

    desk.bring(SHAPES["ChatGPT"]([*FORK[:2], Said("more", 1, True, "theirs")], 2))

    assert desk.shown() == ["Q", "A one", "my own"]


def test_a_changed_text_becomes_a_sibling_with_a_warning_and_what_follows_stands_below_it(desk: ChatDesk) -> None:
    desk.bring(changed("A one"))
    before = desk.tree()

    report = desk.bring(changed("A better one"))

    assert [line.what for line in report.repaired] == [
        "'a1', 'more' have another text than when it was imported; the new one stands beside it as a sibling"
    ]
    assert desk.tree()[:3] == before
    assert [node.preview for node in desk.nodes()[3:]] == ["A better one", "after A better one"]
    _, old, _, new, below = desk.nodes()
    assert (new.replaces_id, new.n, new.m, below.parent_id, below.replaces_id) == (old.id, 2, 2, new.id, None)


def test_every_text_that_was_ever_imported_is_known(desk: ChatDesk) -> None:
    for text in ("one", "two", "three"):
        desk.bring(changed(text))
    before = desk.tree()

    for text in ("two", "one", "three"):
        report = desk.bring(changed(text))
        assert (report.unchanged, report.repaired) == (1, ())

    assert desk.tree() == before


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("check", [False, True])
def test_a_message_that_moved_or_has_another_writer_is_left_and_told(shape: str, check: bool, desk: ChatDesk) -> None:
    question, first, second, more = FORK
    desk.bring(SHAPES[shape](FORK, 3))
    before = desk.tree()

    moved = Said("more", 1, True, more.text)
    turned = Said("a2", 0, True, second.text)
    report = desk.bring(SHAPES[shape]([question, first, turned, moved], 3), check=check)

    assert (report.imported, report.unchanged) == (0, 1)
    assert {line.what for line in report.repaired} - {NO_CURRENT} == {
        "'a2' has another writer than when it was imported; the old one was left",
        "'more' has another place than when it was imported; it was left where it stands",
    }
    assert desk.tree() == before


def test_what_moved_to_the_top_or_from_it_is_told(desk: ChatDesk) -> None:
    top = Said("b", None, True, "B")
    desk.bring(SHAPES["Claude"]([FORK[0], FORK[1], top], 1))

    report = desk.bring(SHAPES["Claude"]([FORK[0], Said("a1", None, False, "A one"), Said("b", 0, True, "B")], 1))

    assert [line.what for line in report.repaired] == [
        "'b', 'a1' have another place than when it was imported; it was left where it stands"
    ]


def test_a_changed_text_that_moved_is_told_once_and_then_known_at_both_places(desk: ChatDesk) -> None:
    desk.bring(SHAPES["ChatGPT"](FORK, 3))
    elsewhere = SHAPES["ChatGPT"]([*FORK[:3], Said("more", 1, True, "else")], 3)

    report, again = desk.bring(elsewhere), desk.bring(elsewhere)

    assert [line.what for line in report.repaired] == [
        "'more' has another text than when it was imported; the new one stands beside it as a sibling"
    ]
    assert (again.unchanged, again.repaired) == (1, ())
    assert desk.bring(SHAPES["ChatGPT"](FORK, 3)).repaired == ()


@pytest.mark.parametrize("check", [False, True])
def test_another_title_is_left_and_told(check: bool, desk: ChatDesk) -> None:
    question = a_chatgpt_message("q", "user", text_content("Q"))
    desk.bring(a_chatgpt_chain(question, title="old\nname"))

    assert desk.bring(a_chatgpt_chain(question, title=" old name"), check=check).repaired == ()
    report = desk.bring(a_chatgpt_chain(question, title="new name"), check=check)

    assert (report.unchanged, [line.what for line in report.repaired]) == (
        1, ["its title is 'new name' by now; the one that it was imported with, 'old name', was left"]
    )  # fmt: skip
    assert desk.store.tickets("camille")[0].subject == "old name"


def test_the_title_of_a_ticket_that_a_chat_was_added_to_is_its_own(desk: ChatDesk) -> None:
    desk.store.save_ticket(a_ticket("T-1"))

    assert desk.bring(first_part(2), ticket_id="T-1").repaired == ()
    assert desk.bring(first_part(2), ticket_id="T-1").repaired == ()


def test_what_is_hidden_is_known_by_its_id_alone(desk: ChatDesk) -> None:
    def chat(result: str) -> Json:
        tool = a_chatgpt_message("t", "tool", text_content(result))
        return a_chatgpt_chain(a_chatgpt_message("q", "user", text_content("Q")), tool)

    desk.bring(chat("1"))

    assert desk.bring(chat("2")).unchanged == 1
    assert len(desk.hidden()) == 1


def test_the_bytes_of_every_export_that_brought_something_are_kept_once(desk: ChatDesk) -> None:
    for count in (1, 1, 2, 2, 1):
        desk.bring(first_part(count), f"export-{count}.json")

    sources = desk.store.sources(desk.conversation().ticket_id)
    assert [Path(name).name for name, _, _ in sources] == ["export-1.json#1", "export-2.json#1"]


def test_a_chat_that_comes_twice_in_one_import_is_one_and_both_count(desk: ChatDesk) -> None:
    files = [desk.folder / "1.json", desk.folder / "2.json"]
    for file, count in zip(files, (2, 4), strict=True):
        desk.bring(first_part(count), file.name, check=True)

    report = desk.bring_files(*files)

    assert (report.found, report.imported, report.unchanged, len(desk.nodes())) == (2, 2, 0, 4)
    assert [line.what for line in report.repaired] == [
        "a chat with the same id came before it; the two are one, and what is new of this one was added"
    ]


def test_two_agents_share_the_ticket_and_each_have_a_conversation(desk: ChatDesk, store: SqliteStore) -> None:
    other = ChatDesk(store, desk.folder, "noah")
    desk.bring(first_part(2))

    report = other.bring(first_part(4))

    assert (report.imported, len(store.tickets("noah"))) == (1, 1)
    assert (len(desk.nodes()), len(other.nodes())) == (2, 4)
    assert {node.author for node in other.nodes() if node.kind == "agent_message"} == {"noah"}


def test_chats_are_added_to_a_ticket_that_is_there_and_found_there_again(desk: ChatDesk) -> None:
    desk.store.save_ticket(a_ticket("T-1"))

    report = desk.bring(first_part(2), ticket_id="T-1")
    later = desk.bring(first_part(4))

    assert (report.imported, later.imported) == (1, 1)
    assert [ticket.id for ticket in desk.store.tickets("camille")] == ["T-1"]
    root, ticket, *chat = desk.store.nodes(desk.conversation("T-1").id)
    assert (ticket.parent_id, chat[0].parent_id, (chat[0].n, chat[0].m)) == (root.id, root.id, (2, 2))
    assert len(chat) == 4
    assert desk.shown("T-1") == ["Q", "A one"]
    assert len(desk.store.sources("T-1")) == 2


def test_a_chat_may_stand_on_two_tickets_if_that_is_asked_for(desk: ChatDesk) -> None:
    desk.store.save_ticket(a_ticket("T-1"))
    desk.bring(first_part(2))

    assert desk.bring(first_part(2), ticket_id="T-1").imported == 1
    assert desk.bring(first_part(2), ticket_id="T-1").unchanged == 1
    assert len(desk.store.tickets("camille")) == 2


def test_a_ticket_that_is_not_there_takes_no_chat(desk: ChatDesk) -> None:
    report = desk.bring(first_part(2), ticket_id="T-9")

    assert [line.reason for line in report.skipped] == [
        "there is no ticket T-9 to add it to; import that first, or leave --ticket out"
    ]
    assert (report.exit_status, desk.store.tickets("camille")) == (2, [])


def test_without_an_agent_there_is_nobody_to_give_a_chat_to(desk: ChatDesk) -> None:
    file = desk.folder / "export.json"
    desk.bring(first_part(2), file.name, check=True)

    report = import_paths(desk.store, [file])

    assert "no agent is named" in report.skipped[0].reason
    assert desk.store.tickets("camille") == []


def test_a_check_counts_and_writes_nothing(desk: ChatDesk) -> None:
    assert desk.bring(first_part(2), check=True).imported == 1
    assert desk.store.tickets("camille") == []

    desk.bring(first_part(2))
    before = desk.tree()

    assert desk.bring(first_part(2), check=True).unchanged == 1
    assert desk.bring(first_part(4), check=True).imported == 1
    assert desk.bring(changed("other"), check=True).repaired != ()
    assert desk.tree() == before


def test_an_answer_that_is_being_written_is_not_interrupted(desk: ChatDesk) -> None:
    desk.bring(first_part(2))
    found = desk.conversation()
    desk.store.begin_answer(found.id, desk.nodes()[0].id, "model", meta={})

    report = desk.bring(first_part(4))

    assert [line.reason for line in report.skipped] == [
        "An answer is still being written in this conversation; wait for its end or stop it."
    ]
    assert len(desk.nodes()) == 3


def test_an_erased_chat_does_not_come_back(desk: ChatDesk) -> None:
    desk.bring(first_part(2))
    ticket_id = desk.conversation().ticket_id
    desk.store.erase(ticket_id, "camille", "asked for")

    for check in (True, False):
        report = desk.bring(first_part(4), check=check)
        assert f"Ticket {ticket_id} takes nothing new" in report.skipped[0].reason
        assert report.exit_status == 2
    assert len(desk.nodes()) == 2


def test_an_id_that_another_ticket_has_already_is_not_given_again(desk: ChatDesk) -> None:
    taken, longer, _ = IncomingChat("ChatGPT", "c", ()).ticket_ids()
    desk.store.save_ticket(a_ticket(taken))

    desk.bring(first_part(2))
    desk.bring(first_part(4))

    assert {ticket.id: ticket.nodes for ticket in desk.store.tickets("camille")} == {taken: 0, longer: 5}


def test_names_of_the_program_stand_beside_the_nodes(desk: ChatDesk) -> None:
    desk.bring(first_part(2, "Claude"))

    assert [source_of(node)["program"] for node in desk.nodes()] == ["Claude", "Claude"]
