"""`export`: what it prints, where it writes, and what it never overwrites."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result
from command_line import CommandLine, sentence
from hostile import EVERY, Hostile
from mermaid_reader import read_drawing, read_drawings
from sample_record import CUSTOMER_WORDS, Desk

from storage.exporters.json_reading import parse_export
from storage.interactions import IncomingNode
from storage.sqlite_store import open_store
from storage.tickets import IncomingTicket, Role, TicketMessage
from tui.cli import output_file
from tui.errors import OutputError


def export(desk: Desk, *arguments: str, ticket: str = "T-1") -> Result:
    return desk.cli.run("export", ticket, *arguments)


def printed(desk: Desk, *arguments: str) -> str:
    result = export(desk, *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_json_is_the_whole_tree_and_one_document(desk: Desk) -> None:
    text = printed(desk, "--to", "json")

    with desk.store() as store:
        conversation = store.conversation("camille", "T-1")
        assert list(parse_export(text).interactions) == list(store.contents(conversation.id))
    assert json.loads(text)["selected"] == desk.friendlier_answer
    assert printed(desk, "--to", "json", "--all") == text


def test_markdown_is_the_chosen_path_unless_the_whole_tree_is_asked_for(desk: Desk) -> None:
    path = printed(desk, "--to", "markdown")
    tree = printed(desk, "--to", "markdown", "--all")

    assert path.startswith('---\nformat: "ticketree-markdown"\n')
    assert CUSTOMER_WORDS.replace("\n", "\\\n> ") in path
    assert "> friendlier" in path
    assert "make it shorter" not in path
    assert "> make it shorter" in tree
    assert "> friendlier" in tree


def test_a_node_chooses_the_path_in_every_format(desk: Desk) -> None:
    at = ("--at", str(desk.shorter_answer))

    assert json.loads(printed(desk, "--to", "json", *at))["selected"] == desk.shorter_answer
    assert "Il arrive." in printed(desk, "--to", "markdown", *at)
    assert "friendlier" not in printed(desk, "--to", "markdown", *at)
    assert len(read_drawing(printed(desk, "--to", "mermaid", *at)).labels) == 6


def test_mermaid_draws_the_tree_with_the_chosen_path_and_the_edit(desk: Desk) -> None:
    drawing = read_drawing(printed(desk, "--to", "mermaid"))

    assert len(drawing.labels) == 8
    assert drawing.dotted == [("n7", "n5")]
    assert drawing.classes["shown"] == {"n1", "n2", "n3", "n4", "n7", "n8"}


def test_several_diagrams_are_told_on_stderr(desk: Desk) -> None:
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1").id
        store.add_branch(conversation, [IncomingNode("agent_message", None, "noah", "x") for _ in range(600)])

    result = export(desk, "--to", "mermaid")

    assert len(read_drawings(result.stdout)) == 2
    assert "drawn in 2 diagrams, in a Markdown file" in result.stderr


def test_a_file_is_made_for_its_owner_alone_and_holds_what_would_be_printed(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "out.md"

    result = export(desk, "--to", "markdown", "-o", str(file))

    assert (result.exit_code, result.stdout) == (0, "")
    assert str(file) in result.stderr
    assert file.read_bytes().decode() == printed(desk, "--to", "markdown")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_folder_gets_a_file_under_a_name_of_our_own(desk: Desk, tmp_path: Path) -> None:
    for to, name in (("json", "ticket-T-1.json"), ("markdown", "ticket-T-1.md"), ("mermaid", "ticket-T-1.mmd")):
        assert export(desk, "--to", to, "-o", str(tmp_path)).exit_code == 0
        assert (tmp_path / name).is_file()


@pytest.mark.parametrize("existing", ["file", "link", "dangling link"])
def test_nothing_is_overwritten_without_force(desk: Desk, tmp_path: Path, existing: str) -> None:
    precious, file = tmp_path / "precious", tmp_path / "out.json"
    if existing != "dangling link":
        precious.write_text("precious")
    file.symlink_to(precious) if "link" in existing else precious.rename(file)

    result = export(desk, "--to", "json", "-o", str(file))

    assert result.exit_code == 2
    assert sentence(result) == f"{file} exists already; name another file, or replace it with --force."
    assert precious.exists() == (existing == "link")
    assert existing == "dangling link" or file.read_text() == "precious"


def test_beside_a_json_file_stands_the_head_of_its_chain(desk: Desk, tmp_path: Path) -> None:
    file, head = tmp_path / "out.json", tmp_path / "out.head.json"
    assert export(desk, "--to", "json", "-o", str(file)).exit_code == 0

    assert desk.cli.run("audit", "verify", "--anchor", str(head)).exit_code == 0
    assert head.stat().st_mode & 0o777 == 0o600
    assert export(desk, "--to", "markdown", "-o", str(tmp_path / "out.md")).exit_code == 0
    assert {each.name for each in tmp_path.iterdir()} >= {"out.json", "out.head.json", "out.md"}
    assert not (tmp_path / "out.head.md").exists()
    file.unlink()
    refused = export(desk, "--to", "json", "-o", str(file))
    assert (refused.exit_code, file.exists()) == (2, False)
    assert f"{head} exists already" in refused.stderr.replace("\n", " ")
    assert export(desk, "--to", "json", "-o", str(file), "--force").exit_code == 0


def test_a_folder_of_exports_comes_in_whole_and_the_heads_in_it_are_no_failure(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "chats"
    folder.mkdir()
    assert export(desk, "--to", "json", "-o", str(folder)).exit_code == 0

    imported = CommandLine(tmp_path / "other.db").run("import", str(folder))

    assert imported.exit_code == 0
    assert "1 found, 1 imported, 0 unchanged, 1 skipped" in imported.stdout
    assert "ticket-T-1.head.json: it holds hashes and no words" in imported.stdout


def test_force_replaces_the_file_and_not_what_a_link_leads_to(desk: Desk, tmp_path: Path) -> None:
    file, link, precious = tmp_path / "out.json", tmp_path / "link.json", tmp_path / "precious"
    file.write_text("old")
    file.chmod(0o644)
    precious.write_text("precious")
    link.symlink_to(precious)

    for target in (file, link):
        assert export(desk, "--to", "json", "-o", str(target), "--force").exit_code == 0
        assert json.loads(target.read_text())["format"] == "ticketree"
        assert stat.S_IMODE(target.lstat().st_mode) == 0o600
    assert precious.read_text() == "precious"
    assert not list(tmp_path.glob(".*.part"))


@pytest.mark.parametrize("force", [False, True])
def test_a_failure_on_the_way_leaves_no_half_file_and_the_old_one_as_it_was(tmp_path: Path, force: bool) -> None:
    def chunks() -> Iterator[str]:
        yield "half"
        raise RuntimeError("the pen broke")

    file = tmp_path / "out.md"
    if force:
        file.write_text("old")
    with pytest.raises(RuntimeError):
        (output_file.write_over if force else output_file.write_new)(file, chunks())

    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == ([("out.md", "old")] if force else [])


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal", ".lock"])
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_the_record_itself_is_never_written_over(desk: Desk, suffix: str, force: list[str]) -> None:
    target = desk.cli.db.parent / ".." / desk.cli.db.parent.name / f"{desk.cli.db.name}{suffix}"

    result = export(desk, "--to", "json", "-o", str(target), *force)

    assert result.exit_code == 2
    assert "belongs to the record itself" in sentence(result)
    with closing(open_store(desk.cli.db)) as store:
        assert len(store.tickets("camille")) == 2


def test_what_is_no_ordinary_file_is_not_replaced(desk: Desk, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    result = export(desk, "--to", "json", "-o", str(pipe), "--force")

    assert result.exit_code == 2
    assert "no ordinary file" in sentence(result)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_place_that_cannot_be_written_is_one_sentence(desk: Desk, tmp_path: Path) -> None:
    for force in ([], ["--force"]):
        result = export(desk, "--to", "json", "-o", str(tmp_path / "nowhere" / "out.json"), *force)
        assert result.exit_code == 2
        assert "cannot be written" in sentence(result)
    with pytest.raises(OutputError):
        output_file.write_new(tmp_path, ["x"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["T-1"], "Missing option '--to'"),
        (["T-1", "--to", "csv"], "'csv' is not one of"),
        (["T-1", "--to", "json", "--all", "--at", "1"], "Choose one"),
        (["T-9", "--to", "json"], "There is no ticket T-9."),
        (["T-2", "--to", "json"], "camille has no conversation on ticket T-2."),
        (["T-1", "--to", "json", "--at", "999"], "There is no node 999 in this conversation."),
    ],
)
def test_wrong_use_is_one_sentence(desk: Desk, arguments: list[str], said: str) -> None:
    result = desk.cli.run("export", *arguments)

    assert result.exit_code == 2
    assert said in sentence(result)


def test_a_node_of_another_agent_is_not_found_as_if_it_did_not_exist(desk: Desk) -> None:
    result = export(desk, "--to", "json", "--at", str(desk.noahs_ticket))

    assert result.exit_code == 2
    assert sentence(result) == f"There is no node {desk.noahs_ticket} in this conversation."
    assert str(desk.noahs_ticket) not in [node["id"] for node in json.loads(printed(desk, "--to", "json"))["nodes"]]


def test_nothing_of_another_agents_conversation_goes_out(desk: Desk) -> None:
    with desk.store() as store:
        conversation = store.conversation("noah", "T-1").id
        store.add_message(conversation, store.selected(conversation), "noah", "CANARY")

    for to in ("json", "markdown", "mermaid"):
        assert "CANARY" not in printed(desk, "--to", to, "--all")


def test_a_running_answer_stops_the_export(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1").id
        store.begin_answer(conversation, desk.answer, "built-in", meta={})

        result = export(desk, "--to", "json", "-o", str(file))

        assert result.exit_code == 3
        assert "still being written" in sentence(result)
        assert not file.exists()
        assert export(desk, "--to", "json", "--at", str(desk.shorter_answer)).exit_code == 0


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_hostile_words_reach_neither_the_terminal_nor_a_path(desk: Desk, tmp_path: Path, case: Hostile) -> None:
    message = TicketMessage(case.text, Role.CUSTOMER, case.text)
    folder = tmp_path / "exports"
    folder.mkdir()
    with desk.store() as store:
        store.save_ticket(IncomingTicket(case.text, case.text, case.text, (message,)))
        ticket = next(each.id for each in store.tickets("camille") if each.id not in ("T-1", "T-2"))
        store.open_conversation("camille", ticket)

    for to in ("json", "markdown", "mermaid"):
        result = desk.cli.run("export", "--to", to, "-o", str(folder), "--", ticket)
        assert result.exit_code == 0, result.output
        shown = desk.cli.run("export", "--to", to, "--", ticket).stdout
        assert all(character.isprintable() or character in "\n\t\u200b\u200c\u200d\u00ad\u2060\u00a0\u3000"
                   for character in shown)  # fmt: skip
    names = [path.name for path in folder.iterdir()]
    assert len(names) == 4
    assert all(name.startswith("ticket-") and name.isascii() for name in names)


def test_a_closed_pipe_is_quiet(desk: Desk) -> None:
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1").id
        store.add_message(conversation, desk.answer, "camille", "long line\n" * 100_000)

    program = f"from tui.cli import main; import sys; sys.argv = ['ticketree', '--db', {str(desk.cli.db)!r}"
    shell = (
        f"{sys.executable} -c \"{program}, '--agent', 'camille', 'export', 'T-1', '--to', 'json']; main()\" | head -c 9"
    )
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=True)

    assert done.stdout == '{\n"format'[:9]
    assert done.stderr == ""
