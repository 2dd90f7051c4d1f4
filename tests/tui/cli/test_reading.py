"""`tickets`, `tree` and `show`: what they print for programs and for people."""

from pathlib import Path

import pytest
from command_line import CommandLine, sentence
from sample_record import CUSTOMER_WORDS, Desk


def test_tickets_are_a_list_of_exactly_the_promised_fields(desk: Desk) -> None:
    assert desk.cli.json("tickets") == [
        {
            "id": "T-1",
            "subject": "Hammock has not arrived",
            "customer": "Sophie",
            "status": "open",
            "language": "fr",
            "snapshots": 1,
            "nodes": 7,
        },
        {
            "id": "T-2",
            "subject": "Kettle smells",
            "customer": "Jonas",
            "status": "closed",
            "language": "en",
            "snapshots": 1,
            "nodes": 0,
        },
    ]


def test_tickets_can_be_narrowed_to_a_status(desk: Desk) -> None:
    listed = desk.cli.run("tickets", "--status", "closed").stdout

    assert "T-2" in listed
    assert "T-1" not in listed


def test_tickets_for_people_stand_in_columns(desk: Desk) -> None:
    assert desk.cli.run("tickets").stdout == (
        "TICKET  STATUS  LANG  NODES  CUSTOMER  SUBJECT\n"
        "T-1     open    fr        7  Sophie    Hammock has not arrived\n"
        "T-2     closed  en        0  Jonas     Kettle smells\n"
    )


@pytest.mark.parametrize(
    "command",
    [
        ("tickets",),
        ("tree", "T-1"),
        ("search", "hammock"),
        ("ask", "T-1", "shorter"),
        ("plan", "T-1"),
        ("close", "T-1"),
        ("erase", "T-1", "--reason", "x", "--yes"),
        ("usage",),
        ("reindex",),
        ("export", "T-1", "--to", "json"),
    ],
)
def test_a_record_that_is_not_there_is_no_empty_desk(cli: CommandLine, command: tuple[str, ...]) -> None:
    result = cli.run(*command)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence(result).startswith(
        f"There is no record at {cli.db} (from --db). `ticketree import PATH` makes one;"
    )
    assert not cli.db.exists()


def test_a_folder_that_is_not_there_is_not_made_for_a_path_that_was_named(cli: CommandLine, tmp_path: Path) -> None:
    mistyped, file = tmp_path / "dekstop" / "desk.db", tmp_path / "ticket.json"
    file.write_text('{"id": "T-1", "body": "Where is my hammock?"}')
    result = cli.run_bare("--db", str(mistyped), "import", str(file))
    assert result.exit_code == 2
    assert sentence(result).startswith(f"There is no folder {mistyped.parent} (from --db); make it first")
    assert not mistyped.parent.exists()


def test_an_empty_desk_says_how_to_fill_it(cli: CommandLine) -> None:
    cli.make()
    assert "`ticketree import PATH` brings some" in cli.run("tickets").stdout
    assert cli.json("tickets") == []


def test_a_tree_is_a_document_of_exactly_the_promised_fields(desk: Desk) -> None:
    document = desk.cli.json("tree", "T-1")

    assert isinstance(document, dict)
    nodes = document.pop("nodes")
    assert isinstance(nodes, list)
    assert document == {
        "conversation": document["conversation"],
        "agent": "camille",
        "ticket": "T-1",
        "selected": desk.friendlier_answer,
    }
    assert all(isinstance(node.pop("created_at"), int) for node in nodes)
    root = nodes.pop(0)
    assert (root["kind"], root["parent"], root["text"]) == ("root", None, "")

    def node(
        id_: int, parent: int, kind: str, author: str, text: str, *, n: int = 1, m: int = 1, status: str = "complete"
    ) -> dict[str, object]:
        replaces = desk.shorter if id_ == desk.friendlier else None
        return {
            "id": id_,
            "parent": parent,
            "kind": kind,
            "author": author,
            "n": n,
            "m": m,
            "status": status,
            "text": text,
            "replaces": replaces,
            "label": None,
        }

    answer, message = "assistant_response", "agent_message"
    assert nodes == [
        node(desk.ticket, root["id"], "ticket", "Sophie", CUSTOMER_WORDS),
        node(desk.question, desk.ticket, message, "camille", "draft a reply"),
        node(desk.answer, desk.question, answer, "built-in", "Bonjour Sophie, votre hamac arrive."),
        node(desk.shorter, desk.answer, message, "camille", "make it shorter", n=1, m=2),
        node(desk.shorter_answer, desk.shorter, answer, "built-in", "Il arrive."),
        node(desk.friendlier, desk.answer, message, "camille", "friendlier", n=2, m=2),
        node(desk.friendlier_answer, desk.friendlier, answer, "built-in", "Chère Sophie !", status="interrupted"),
    ]


def test_a_tree_for_people_is_an_outline_with_siblings_the_chosen_leaf_and_how_answers_ended(desk: Desk) -> None:
    head, columns, *rows = desk.cli.run("tree", "T-1").stdout.splitlines()

    assert head == "T-1  Hammock has not arrived  (camille)"
    assert columns.split() == ["NODE", "AUTHOR", "TEXT"]
    assert [row.split(maxsplit=1)[1] for row in rows] == [
        "Sophie         ticket",
        "camille        draft a reply",
        "built-in       Bonjour Sophie, votre hamac arrive.",
        "camille   1/2  ├ make it shorter",
        "built-in       │ Il arrive.",
        "camille   2/2  friendlier",
        "built-in       Chère Sophie !                       ■ stopped ← chosen",
    ]


def test_a_tree_shows_labels_to_people_and_to_programs(desk: Desk) -> None:
    with desk.store() as store:
        store.set_label(store.locate("camille", desk.answer).id, desk.answer, "refund\x1b version")

    assert "# refund␛ version · Bonjour Sophie, votre hamac arrive." in desk.cli.run("tree", "T-1").stdout
    document = desk.cli.json("tree", "T-1")
    assert isinstance(document, dict)
    nodes = document["nodes"]
    assert isinstance(nodes, list)
    assert [node["label"] for node in nodes if node["label"]] == ["refund\x1b version"]


def test_show_prints_the_chosen_path_and_no_other_branch(desk: Desk) -> None:
    shown = desk.cli.run("show", "T-1").stdout

    assert f"[{desk.ticket}] · T-1 Hammock has not arrived · Sophie" in shown
    assert CUSTOMER_WORDS in shown
    assert "friendlier" in shown
    assert "2/2" in shown
    assert "■ stopped" in shown
    assert "make it shorter" not in shown


def test_show_prints_the_path_to_any_node(desk: Desk) -> None:
    shown = desk.cli.run("show", "T-1", "--at", str(desk.shorter)).stdout

    assert "make it shorter" in shown
    assert "Il arrive." not in shown


def test_a_node_of_another_agent_is_not_found(desk: Desk) -> None:
    result = desk.cli.run("show", "T-1", "--at", str(desk.noahs_ticket))

    assert result.exit_code == 2
    assert str(desk.noahs_ticket) in sentence(result)


def test_reading_a_ticket_without_a_conversation_writes_none(desk: Desk) -> None:
    assert desk.cli.run("tree", "T-2").exit_code == 2
    assert desk.cli.run("plan", "T-2", "--counter", "estimate").exit_code == 0
    with desk.store() as store:
        assert [ticket.nodes for ticket in store.tickets("camille")] == [7, 0]
