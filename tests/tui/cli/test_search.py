"""`search`: what it prints for programs and for people, and its exit status."""

import re

import pytest
from command_line import CommandLine, sentence
from hostile import EVERY
from raw_record import raw
from sample_record import CUSTOMER_WORDS, Desk

from storage.errors import QueryError


def test_a_hit_is_a_document_of_exactly_the_promised_fields(desk: Desk) -> None:
    hits = desk.cli.json("search", "votre HÂMAC")

    assert isinstance(hits, list)
    (hit,) = hits
    assert isinstance(hit.pop("created_at"), int)
    assert isinstance(hit.pop("id"), int)
    assert hit == {
        "ticket": "T-1",
        "node": desk.answer,
        "snapshot": None,
        "message": None,
        "kind": "assistant_response",
        "is_label": False,
        "author": "built-in",
        "snippet": "Bonjour Sophie, votre hamac arrive.",
        "matches": [[16, 21], [22, 27]],
    }


def test_an_index_that_was_emptied_is_made_anew(desk: Desk) -> None:
    before = desk.cli.json("search", "hamac")
    with raw(desk.cli.db) as connection:
        connection.execute("INSERT INTO search (search) VALUES ('delete-all')")
    assert desk.cli.json("search", "hamac") == []

    made = desk.cli.json("reindex")
    assert isinstance(made, dict)
    assert desk.cli.run("reindex").stdout == f"The index of the search is written anew: {made['entries']} entries.\n"
    assert desk.cli.json("search", "hamac") == before != []


def test_entries_that_were_lost_are_made_anew_and_counted(desk: Desk) -> None:
    before = desk.cli.json("search", "hamac")
    with raw(desk.cli.db) as connection:
        connection.execute("DROP TRIGGER search_entry_no_delete")
        gone = connection.execute("DELETE FROM search_entry").rowcount
        connection.execute("DELETE FROM search_config")

    said = desk.cli.run("reindex").stdout
    assert said == f"The index of the search is written anew: {gone} entries, {gone} of them added.\n"
    assert desk.cli.json("reindex") == {"entries": gone, "added": 0}
    assert desk.cli.json("search", "hamac") == before != []


def test_a_ticket_is_found_by_its_messages_and_by_its_subject(desk: Desk) -> None:
    hits = desk.cli.json("search", "W1234567")
    heads = desk.cli.json("search", "kettle")

    assert isinstance(hits, list)
    assert isinstance(heads, list)
    assert [(hit["ticket"], hit["node"], hit["message"], hit["snippet"]) for hit in hits] == [
        ("T-1", None, 1, CUSTOMER_WORDS)
    ]
    assert [(hit["ticket"], hit["node"], hit["message"]) for hit in heads] == [("T-2", None, None)]


def test_hits_for_people_name_the_place_and_show_the_words_around_it(desk: Desk) -> None:
    lines = desk.cli.run("search", "il arrive").stdout.splitlines()
    ticket = desk.cli.run("search", "commande").stdout.splitlines()

    assert re.fullmatch(rf"T-1 · node {desk.shorter_answer} · built-in · \d\d:\d\d", lines[0])
    assert lines[1:] == ["    Il arrive."]
    assert ticket == [
        "T-1 · message 1 of the ticket · Sophie",
        "    Bonjour, mon hamac n'est pas arrivé. Commande W1234567.",
    ]


def test_a_label_is_found_and_said_to_be_one_also_where_the_words_match_too(desk: Desk) -> None:
    with desk.store() as store:
        store.set_label(store.conversation("camille", "T-1").id, desk.answer, "votre version")

    hits = desk.cli.json("search", "votre")
    lines = desk.cli.run("search", "votre").stdout.splitlines()

    assert isinstance(hits, list)
    assert [(hit["node"], hit["is_label"], hit["snippet"]) for hit in hits] == [(desk.answer, True, "votre version")]
    assert lines[0].startswith(f"T-1 · label of node {desk.answer} · built-in · ")
    assert lines[1:] == ["    votre version"]


def test_a_match_is_bold_and_underlined_on_a_terminal(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from tui.cli.program import ticketree

    arguments = ["--db", str(desk.cli.db), "--agent", "camille", "search", "friendlier"]

    assert "\x1b[1m\x1b[4mfriendlier\x1b[0m" in CliRunner().invoke(ticketree, arguments, color=True).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in CliRunner().invoke(ticketree, arguments, color=True).stdout


def test_another_agent_finds_the_tickets_and_nothing_of_the_conversation(desk: Desk) -> None:
    noah = CommandLine(desk.cli.db, agent="noah")

    assert noah.json("search", "friendlier") == []
    hits = noah.json("search", "bonjour")
    assert isinstance(hits, list)
    assert [hit["node"] for hit in hits] == [None]


def test_finding_nothing_is_said_and_no_failure(desk: Desk) -> None:
    result = desk.cli.run("search", "nowhere", "to", "be", "\x1b[31mfound")

    assert (result.exit_code, result.stdout) == (0, "Nothing was found for nowhere to be ␛[31mfound.\n")
    assert desk.cli.json("search", "nowhere") == []


def test_a_limit_that_is_reached_says_that_there_may_be_more(desk: Desk) -> None:
    result = desk.cli.run("search", "bonjour", "--limit", "1").stdout

    assert result.count("T-1 · ") == 1
    assert "There may be more; --limit lists more than 1." in result


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["?!"], "no word or number"),
        ([""], "Type a word"),
        (["--fts", "(hamac"], "cannot be read"),
        (["word " * 1_000], "at most"),
        ([], "Missing argument"),
        (["x", "--limit", "0"], "--limit"),
    ],
)
def test_a_query_that_asks_for_nothing_is_one_sentence(desk: Desk, arguments: list[str], says: str) -> None:
    result = desk.cli.run("search", *arguments)

    assert result.exit_code == 2
    assert says in sentence(result)


def test_an_expression_is_one_only_on_request(desk: Desk) -> None:
    hits = desk.cli.json("search", "--fts", "hama* NOT votre")

    assert isinstance(hits, list)
    assert [hit["message"] for hit in hits] == [1]
    assert desk.cli.json("search", "hama* NOT votre") == []


def test_hostile_text_is_found_and_shown_safe(desk: Desk) -> None:
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1").id
        for hostile in EVERY:
            store.add_message(conversation, desk.ticket, "camille", f"needle {hostile.text}")
        with pytest.raises(QueryError):
            store.search("camille", "\u202e")

    shown = desk.cli.run("search", "needle", "--limit", "1000").stdout

    assert shown.count("needle") >= len(EVERY)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b]", shown)
