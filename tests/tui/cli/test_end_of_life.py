"""`close`, `reopen`, `hold`, `erase` and `retention`: what they do, print and refuse."""

import json
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from subprocess import Popen
from typing import TextIO

import pytest
from canaries import traces
from command_line import CommandLine, sentence
from record_worker import worker
from sample_record import Desk

from storage.sqlite_store import clock_us, open_store
from storage.tickets import IncomingTicket, Role, TicketMessage
from storage.values import Json

DAY_US = 86_400_000_000
WORDS = ["hamac", "Sophie", "draft a reply", "Chère", "arrived"]


def line_of(process: "Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def fields(document: Json) -> Mapping[str, Json]:
    assert isinstance(document, Mapping)
    return document


def erase(desk: Desk, *more: str) -> Mapping[str, Json]:
    return fields(desk.cli.json("erase", "T-1", "--reason", "asked by mail", "--yes", *more))


def test_closing_and_reopening_change_the_status_and_say_so(desk: Desk) -> None:
    assert desk.cli.run("close", "T-1").stdout == "T-1 is closed.\n"
    assert desk.cli.run("close", "T-1").stdout == "T-1 was closed already.\n"
    assert "T-1" in desk.cli.run("tickets", "--status", "closed").stdout
    assert desk.cli.run("reopen", "T-1").stdout == "T-1 is open again.\n"
    assert desk.cli.run("reopen", "T-1").stdout == "T-1 was not closed.\n"


@pytest.mark.parametrize("command", [("close",), ("reopen",), ("erase", "--reason", "x"), ("hold", "--reason", "x")])
def test_an_unknown_ticket_is_one_sentence(desk: Desk, command: tuple[str, ...]) -> None:
    result = desk.cli.run(command[0], "T-9", *command[1:])

    assert (result.exit_code, sentence(result)) == (2, "There is no ticket T-9.")


def test_erasing_takes_the_words_out_of_the_files_and_lists_what_it_cannot_reach(desk: Desk) -> None:
    assert traces(desk.cli.db, ["hamac", "sophie"])

    document = erase(desk)

    assert (document["ticket"], document["by"], document["reason"]) == ("T-1", "camille", "asked by mail")
    assert (document["pending"], document["shared_with"]) == (None, [])
    assert fields(document["erased"])["pieces of text"] == 6
    reach = json.dumps(document["outside_reach"])
    assert all(place in reach for place in ("backups", "scroll-back", "provider", "exported"))
    assert traces(desk.cli.db, [word.lower() for word in WORDS]) == set()


def test_erasing_for_people_says_what_was_taken(desk: Desk) -> None:
    result = desk.cli.run("erase", "T-1", "--reason", "asked by mail", "--yes")

    assert result.exit_code == 0
    assert result.stdout.startswith("The words of T-1 are erased, in the record and in its files.\n")
    assert "      6  pieces of text\n" in result.stdout
    assert "  * backups and other copies of the database\n" in result.stdout


def test_every_command_shows_the_notice_in_the_place_of_the_words(desk: Desk, tmp_path: Path) -> None:
    erase(desk)

    listed = desk.cli.json("tickets")
    assert isinstance(listed, list)
    erased = next(fields(each) for each in listed if fields(each)["id"] == "T-1")
    notice = erased["subject"]
    assert isinstance(notice, str)
    assert notice.startswith("[erased on 20")
    assert notice.endswith(" by camille: asked by mail]")
    assert (erased["status"], erased["customer"], erased["nodes"]) == ("erased", "", 7)
    nodes = fields(desk.cli.json("tree", "T-1"))["nodes"]
    assert isinstance(nodes, list)
    assert [fields(node)["text"] for node in nodes] == ["", *[notice] * 7]
    for command in ("tree", "show"):
        shown = desk.cli.run(command, "T-1").stdout
        assert "[erased on 20" in shown
        assert not any(word in shown for word in WORDS)
    for form in ("json", "markdown", "mermaid"):
        shown = desk.cli.run("export", "T-1", "--to", form).stdout
        assert "erased on 20" in shown
        assert not any(word in shown for word in WORDS)


@pytest.mark.parametrize("command", ["ask", "plan"])
def test_an_erased_ticket_takes_no_question(desk: Desk, command: str) -> None:
    erase(desk)

    result = desk.cli.run(command, "T-1", "shorter")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "Nothing can be asked on ticket T-1 any more: [erased on 20" in sentence(result)


def test_a_second_erasure_is_refused_with_the_first(desk: Desk) -> None:
    erase(desk)

    result = desk.cli.run("erase", "T-1", "--reason", "again")

    assert result.exit_code == 3
    assert "is erased already: [erased on 20" in sentence(result)


def test_a_reason_is_needed_and_may_not_name_the_customer(desk: Desk) -> None:
    assert "--reason" in sentence(desk.cli.run("erase", "T-1"))
    result = desk.cli.run("erase", "T-1", "--reason", "Sophie asked", "--yes")

    assert (result.exit_code, "name out" in sentence(result)) == (3, True)


def sitting_at(monkeypatch: pytest.MonkeyPatch, *terminals: str) -> None:
    """Let some streams of the commands be terminals and the others not."""
    monkeypatch.setattr("tui.cli.asking.sys", FakeSystem(frozenset(terminals)))


class FakeStream:
    """A standard stream of the process as it is then, that says whether it is a terminal."""

    def __init__(self, name: str, is_a_terminal: bool) -> None:
        self._name = name
        self._is_a_terminal = is_a_terminal

    def isatty(self) -> bool:
        return self._is_a_terminal

    def readline(self) -> str:
        stream: TextIO = getattr(sys, self._name)
        return stream.readline()


class FakeSystem:
    """What `asking` needs of `sys`."""

    def __init__(self, terminals: frozenset[str]) -> None:
        self.stdin, self.stdout, self.stderr = (
            FakeStream(name, name in terminals) for name in ("stdin", "stdout", "stderr")
        )


@pytest.mark.parametrize("answer", ["n\n", "\n", "", "yesterday\n"])
def test_at_a_terminal_it_asks_on_stderr_wherever_the_output_goes_and_only_yes_means_yes(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    sitting_at(monkeypatch, "stdin", "stderr")
    question = "Erase T-1 (Hammock has not arrived), with every agent's conversation on it, for good? [y/N]: "

    for options in ((), ("--json",)):
        result = desk.cli.run("erase", "T-1", "--reason", "asked by mail", *options, stdin=answer)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"{question}ticketree: Nothing was erased.\n"

    result = desk.cli.run("erase", "T-1", "--reason", "asked by mail", stdin="Y\n")
    assert (result.exit_code, result.stderr) == (0, question)
    assert result.stdout.startswith("The words of T-1 are erased")


@pytest.mark.parametrize("terminals", [(), ("stdin", "stdout"), ("stdout", "stderr")])
def test_where_nobody_can_be_asked_nothing_is_erased_without_yes(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, terminals: tuple[str, ...]
) -> None:
    sitting_at(monkeypatch, *terminals)

    result = desk.cli.run("erase", "T-1", "--reason", "asked by mail", stdin="y\n")

    assert (result.exit_code, "--yes" in sentence(result)) == (2, True)
    with desk.store() as store:
        assert store.erasures() == []
    assert desk.cli.run("erase", "T-1", "--reason", "asked by mail", "--yes").exit_code == 0


def test_retention_asks_or_needs_yes_too(retaining: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    forty_days_later(monkeypatch)

    result = retaining.run("retention")
    assert (result.exit_code, "--yes" in result.stderr) == (2, True)
    sitting_at(monkeypatch, "stdin", "stderr")
    result = retaining.run("retention", "--json", stdin="n\n")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Erase 1 ticket that is due, with all conversations, for good? [y/N]: ")

    with closing(open_store(retaining.db)) as store:
        assert store.erasures() == []
    assert retaining.run("retention", stdin="y\n").exit_code == 0


def test_a_pending_erasure_is_status_1_and_the_next_command_finishes_it_and_says_so(desk: Desk) -> None:
    with worker("read", desk.cli.db) as process:
        assert line_of(process) == "reading"
        result = desk.cli.run("erase", "T-1", "--reason", "asked by mail", "--yes")
        assert result.exit_code == 1
        assert result.stdout.startswith("Erasure pending: the words of T-1 are gone from the record.")
        told = desk.cli.run("doctor").stdout
        assert "pending for T-1" in told
        assert "Close every other window" in told
        assert "still pending" in desk.cli.run("tickets").stderr
        verified = desk.cli.json("audit", "verify")
        assert isinstance(verified, dict)
        assert (verified["holds"], verified["erasures_pending"]) == (True, ["T-1"])
        assert "The erasure of T-1 is pending: its words may still be in" in desk.cli.run("audit", "verify").stdout

    after = desk.cli.run("tickets")

    assert after.stderr == "ticketree: The erasure of T-1, which was pending, is complete.\n"
    assert "pending" not in desk.cli.run("audit", "verify").stdout
    assert "pending for" not in desk.cli.run("doctor").stdout
    assert desk.cli.run("tickets").stderr == ""
    assert traces(desk.cli.db, [word.lower() for word in WORDS]) == set()


def test_a_hold_stops_erasing_until_it_is_released(desk: Desk) -> None:
    assert desk.cli.run("hold").stdout == "There are no legal holds.\n"
    assert desk.cli.run("hold", "T-1", "--reason", "lawsuit").stdout == "T-1 is held; nothing of it is erased.\n"
    (held,) = desk.cli.json("hold")  # type: ignore[misc]  # a list of one
    assert (fields(held)["ticket"], fields(held)["by"], fields(held)["reason"]) == ("T-1", "camille", "lawsuit")
    assert "lawsuit" in desk.cli.run("hold").stdout

    result = desk.cli.run("erase", "T-1", "--reason", "asked by mail", "--yes")

    assert (result.exit_code, "legal hold" in sentence(result)) == (3, True)
    released = desk.cli.run("hold", "T-1", "--release", "--reason", "settled")
    assert released.stdout == "The hold on T-1 is released.\n"
    assert desk.cli.json("hold") == []
    erase(desk)


def test_a_hold_needs_a_ticket_and_a_reason(desk: Desk) -> None:
    assert "Say why" in sentence(desk.cli.run("hold", "T-1"))
    assert "Name the ticket" in sentence(desk.cli.run("hold", "--reason", "x"))


@pytest.fixture
def retaining(cli: CommandLine, tmp_path: Path) -> CommandLine:
    """A desk with a ticket closed 40 days ago, one held, one closed 10 days ago, and one open; kept for 30 days."""
    today = {"now": 1_750_000_000_000_000}
    with closing(open_store(cli.db, clock=lambda: today["now"])) as store:
        for name, status in (("T-old", "done"), ("T-held", "closed"), ("T-new", "open"), ("T-open", "open")):
            message = TicketMessage("Sophie", Role.CUSTOMER, f"words of {name}")
            store.save_ticket(IncomingTicket(name, "s", "Sophie", (message,), status=status))
        store.close_ticket("T-old", "noah")
        store.hold_ticket("T-held", "noah", "lawsuit")
        today["now"] += 30 * DAY_US
        store.close_ticket("T-new", "noah")
    (tmp_path / "config" / "ticketree").mkdir(parents=True)
    (tmp_path / "config" / "ticketree" / "config.toml").write_text("[retention]\ndays_after_closing = 30\n")
    return cli


def test_a_ticket_that_its_source_calls_solved_can_be_reopened_and_is_kept_then(
    cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "ret.toml"
    config.write_text('[retention]\ndays_after_closing = 30\nclosed_means = { json = ["solved"] }\n')
    tickets = tmp_path / "tickets.json"
    tickets.write_text('{"id": "R-4", "status": "solved", "body": "Where is it?"}')
    configured = ("--config", str(config))
    cli.run("import", str(tickets))
    forty_days_later(monkeypatch, since=clock_us())
    assert "R-4" in cli.run(*configured, "retention", "--dry-run").stdout
    assert cli.run(*configured, "close", "R-4").stdout == "R-4 was closed already.\n"
    assert "R-4" in cli.run(*configured, "tickets", "--status", "closed").stdout

    assert cli.run(*configured, "reopen", "R-4").stdout == "R-4 is open again.\n"

    again = {option: cli.json(*configured, "import", str(tickets), *option.split()) for option in ("--check", "")}
    assert again["--check"] == again[""]
    assert fields(again[""])["unchanged"] == 1
    assert cli.run(*configured, "retention", "--yes").stdout == "No ticket is due.\n"
    assert cli.run(*configured, "tickets").stdout.splitlines()[1].split()[:2] == ["R-4", "open"]


def forty_days_later(monkeypatch: pytest.MonkeyPatch, *, since: int = 1_750_000_000_000_000) -> None:
    monkeypatch.setattr("tui.cli.retention.clock_us", lambda: since + 40 * DAY_US)


def test_a_dry_run_lists_what_is_due_and_erases_nothing(
    retaining: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    forty_days_later(monkeypatch)

    shown = retaining.run("retention", "--dry-run")

    assert (shown.exit_code, shown.stdout) == (
        0,
        "2 due, none of them erased now:\n"
        "  T-held  closed on 2025-06-15, due after 30 days, held: lawsuit\n"
        "  T-old  closed on 2025-06-15, due after 30 days\n",
    )
    document = fields(retaining.json("retention", "--dry-run"))
    assert document["erased"] == []
    assert document["kept"] == [{"ticket": "T-held", "reason": "a legal hold is on it (lawsuit)"}]
    assert "erased" not in retaining.run("tickets").stdout


def test_what_is_due_is_erased_and_what_is_held_is_kept(
    retaining: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    forty_days_later(monkeypatch)

    result = retaining.run("retention", "--yes")

    assert result.exit_code == 0
    assert "The words of T-old are erased" in result.stdout
    assert "T-held is kept: a legal hold is on it (lawsuit)" in result.stdout
    with closing(open_store(retaining.db)) as store:
        (erasure,) = store.erasures()
        assert erasure.reason == "retention: closed on 2025-06-15, kept for 30 days"
        assert [each.id for each in store.tickets("camille") if not each.erased] == ["T-held", "T-new", "T-open"]
    assert retaining.run("retention").exit_code == 0


def test_what_stops_one_erasure_does_not_stop_the_others(
    retaining: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    forty_days_later(monkeypatch)
    with closing(open_store(retaining.db)) as store:
        store.release_ticket("T-held", "noah", "settled")
        conversation = store.open_conversation("noah", "T-held")
        store.begin_answer(conversation.id, store.selected(conversation.id), "built-in", meta={})

        result = retaining.run("retention", "--yes")

    assert result.exit_code == 1
    assert "T-held is kept: An answer is still being written" in result.stdout
    assert "The words of T-old are erased" in result.stdout


def test_without_a_rule_nothing_is_erased_and_the_file_for_it_is_named(desk: Desk, tmp_path: Path) -> None:
    result = desk.cli.run("retention")

    file = tmp_path / "config" / "ticketree" / "config.toml"
    assert result.exit_code == 2
    assert sentence(result) == (
        f"How long words are kept is not configured; add [retention] with days_after_closing to {file}."
    )
    named = tmp_path / "named.toml"
    named.write_text("")
    assert sentence(desk.cli.run("--config", str(named), "retention")).endswith(f" to {named}.")
