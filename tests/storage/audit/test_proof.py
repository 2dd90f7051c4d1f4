"""The proof of a conversation is checked by a script that knows nothing but the proof."""

import hashlib
import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from audited_record import Audited, a_request
from desks import a_desk

from storage.audit.anchor import anchor_record
from storage.audit.proof import VERIFIER, proof
from storage.chain import canonical_json
from storage.errors import NotFoundError
from storage.exporters.export import one_path, whole_tree
from storage.exporters.json_export import render
from storage.sqlite_store import open_store
from storage.tickets import IncomingTicket, Role, TicketAttachment, TicketMessage
from storage.values import Json

Steps = tuple[str | int, ...]


@pytest.fixture
def files(record: Audited, tmp_path: Path) -> Path:
    """A folder with proof, export and anchor."""
    with closing(open_store(record.database)) as store:
        (tmp_path / "proof.json").write_text(json.dumps(proof(store, record.conversation)))
        export = render(whole_tree(store, store.conversation("camille", "T-1")))
        (tmp_path / "export.json").write_text("".join(export.chunks))
        (tmp_path / "anchor.json").write_text(json.dumps(anchor_record(store, 0).as_json()))
    return tmp_path


def run(files: Path, *options: str) -> tuple[int, str]:
    """Run the script by itself; returns its exit status and what it says."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(VERIFIER), "proof.json", *options],
        cwd=files,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def alter(file: Path, steps: Steps, *value: Json) -> None:
    """Set what stands at a place in a JSON file, or take it away where no value is given."""
    document = json.loads(file.read_text())
    *way, last = steps
    at = document
    for step in way:
        at = at[step]
    if value:
        at[last] = value[0]
    else:
        del at[last]
    file.write_text(json.dumps(document))


def test_the_script_is_short_and_needs_the_standard_library_only() -> None:
    lines = VERIFIER.read_text("utf-8").splitlines()
    assert len(lines) <= 150
    imported = {line.split()[1].partition(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names


def test_a_proof_holds_with_its_export_and_anchor(files: Path) -> None:
    assert run(files) == (0, "All of it holds. Links: 16, requests: 2.\n")
    assert run(files, "--export", "export.json", "--anchor", "anchor.json")[0] == 0


CHANGES: dict[str, tuple[Steps, tuple[Json, ...]]] = {
    "link 8, node 4: its words do not give the hash": (("links", 7, "content"), ("Dear Sophie",)),
    "link 5, node 3: its words do not give the hash": (("links", 4, "author"), ("noah",)),
    "link 8, node 4: its words are gone although the proof tells of no erasure": (("links", 7, "salt"), (None,)),
    "link 7: its fields do not give its hash": (("links", 6, "fields", "created_at"), (1,)),
    "link 7: it is numbered 8, so links are missing or moved": (("links", 6), ()),
    "link 7: it does not name the hash of the link before it": (("links", 6, "prev_hash"), ("ab",)),
    "link 9: node 5 cannot be reached from the root": (("links", 8, "fields", "parent_id"), (6,)),
    "link 9: its position is 4 where 5 comes next": (("links", 8, "fields", "seq"), (4,)),
    "link 8: it ends node 3, which has no beginning": (("links", 7, "fields", "interaction_id"), (3,)),
    "link 1: it names another agent": (("agent",), ("noah",)),
    "link 1: it names another agent, ticket or version": (("ticket",), ("T-2",)),
    "head: it was not made of these first 16 links": (("links", 15), ()),
    "head: it was not made of these first 0 links": (("head", "links"), (0,)),
    "version 1 of the ticket: its words do not give the hash": (("snapshots", 0, "words", "subject"), ("Kettle",)),
    "version 1 of the ticket: its words are gone": (("snapshots", 0, "words"), (None,)),
    "link 3: it names another agent, ticket or version of the ticket": (("snapshots",), ([],)),
    "request 1: its words do not give the hash": (("requests", 0, "body"), ("{}",)),
    "request 1: its words are gone although the proof tells of no erasure": (("requests", 0, "body"), (None,)),
    "request 1: its fields, and the requests before it, do not": (("requests", 0, "fields", "node_id"), (6,)),
    "request 2: its fields, and the requests before it, do not give its hash": (("requests", 0), ()),
    "request 1: no model is asked from node 1": (("requests", 0, "fields", "node_id"), (1,)),
    "head: it was not made of these first 2 requests": (("requests", 1), ()),
}


@pytest.mark.parametrize("said", CHANGES)
def test_what_is_changed_in_a_proof_is_found(files: Path, said: str) -> None:
    steps, value = CHANGES[said]
    alter(files / "proof.json", steps, *value)
    status, output = run(files)
    assert status == 1
    assert said in output


def test_an_export_that_says_something_else_is_found(files: Path) -> None:
    alter(files / "export.json", ("nodes", 3, "text"), "Dear Sophie")
    assert run(files, "--export", "export.json") == (1, "export: node 4 does not say what the proof says\n")


@pytest.mark.parametrize(
    ("steps", "value"), [(("messages", 1, "text"), "Where is my kettle?"), (("customer",), "Noah"), (("subject",), "")]
)
def test_an_export_of_another_ticket_is_found(files: Path, steps: Steps, value: str) -> None:
    alter(files / "export.json", ("tickets", 0, *steps), value)
    said = "export: version 1 of the ticket does not say what the proof says\n"
    assert run(files, "--export", "export.json") == (1, said)


@pytest.mark.parametrize("name", ["agent", "ticket"])
def test_an_export_that_names_another_conversation_is_found(files: Path, name: str) -> None:
    alter(files / "export.json", (name,), "another")
    assert run(files, "--export", "export.json") == (1, "export: it is another conversation\n")


def test_an_answer_that_is_left_out_of_an_export_of_the_whole_tree_is_found(files: Path) -> None:
    alter(files / "export.json", ("nodes", 3))
    status, output = run(files, "--export", "export.json")
    assert (status, output) == (1, "export: node 4 is not in it\n")
    alter(files / "export.json", ("scope",), "path")
    said = "export: its nodes are no path from the root to the one that is chosen\n"
    assert run(files, "--export", "export.json") == (1, said)


def test_an_export_of_one_path_is_compared_with_that_path(files: Path, record: Audited) -> None:
    with closing(open_store(record.database)) as store:
        path = render(one_path(store, store.conversation("camille", "T-1"), record.short_answer))
    (files / "path.json").write_text("".join(path.chunks))
    assert run(files, "--export", "path.json")[0] == 0
    (files / "cut.json").write_text((files / "path.json").read_text())
    alter(files / "cut.json", ("nodes", 2))
    assert "no path from the root" in run(files, "--export", "cut.json")[1]
    alter(files / "path.json", ("nodes", 3, "internal"))
    assert run(files, "--export", "path.json") == (1, "export: node 8 is not in it\n")


@pytest.mark.parametrize("name", ["text", "author", "meta", "detail", "parent", "replaces", "status", "kind", "erased"])
def test_a_field_that_is_left_out_of_an_export_is_found(files: Path, name: str) -> None:
    alter(files / "export.json", ("nodes", 6, name))
    status, output = run(files, "--export", "export.json")
    assert status == (2 if name == "parent" else 1)
    assert ("not in the form" if name == "parent" else "node 7 does not say what the proof says") in output


def test_what_hangs_on_a_node_is_no_node_of_an_export(files: Path) -> None:
    export = json.loads((files / "export.json").read_text())
    hanging = export["nodes"][3].pop("internal")[0]
    export["nodes"].append({**hanging, "parent": 4})
    (files / "export.json").write_text(json.dumps(export))
    assert run(files, "--export", "export.json") == (1, "export: node 8 does not say what the proof says\n")


def test_a_ticket_that_is_left_out_of_an_export_is_found(files: Path) -> None:
    alter(files / "export.json", ("tickets",), [])
    assert run(files, "--export", "export.json") == (1, "export: a version of the ticket is not in it\n")


@pytest.mark.parametrize("steps", [("nodes",), ("nodes", 3, "internal"), ("tickets",)])
def test_what_is_listed_twice_in_an_export_is_found(files: Path, steps: Steps) -> None:
    listed = json.loads((files / "export.json").read_text())
    for step in steps:
        listed = listed[step]
    alter(files / "export.json", steps, [*listed, listed[-1]])
    said = "export: a node, or a version of the ticket, is in it twice\n"
    assert run(files, "--export", "export.json") == (1, said)


def test_a_ticket_with_files_is_what_its_export_says(tmp_path: Path) -> None:
    file = TicketAttachment("invoice.pdf", "application/pdf", 7)
    message = TicketMessage("Sophie", Role.CUSTOMER, "See the invoice.", attachments=(file,))
    with closing(open_store(tmp_path / "desk.db")) as store:
        store.save_ticket(IncomingTicket("T-9", "Invoice", "Sophie", (message,)))
        conversation = store.open_conversation("camille", "T-9")
        (tmp_path / "proof.json").write_text(json.dumps(proof(store, conversation.id)))
        (tmp_path / "export.json").write_text("".join(render(whole_tree(store, conversation)).chunks))
    assert run(tmp_path, "--export", "export.json")[0] == 0
    alter(tmp_path / "export.json", ("tickets", 0, "messages", 0, "attachments", 0, "name"), "other.pdf")
    assert run(tmp_path, "--export", "export.json")[0] == 1


def test_what_is_not_shown_is_compared_too(files: Path) -> None:
    export = json.loads((files / "export.json").read_text())
    at, node = next((at, node) for at, node in enumerate(export["nodes"]) if "internal" in node)
    alter(files / "export.json", ("nodes", at, "internal", 0, "text"), "unseen")
    said = f"export: node {node['internal'][0]['id']} does not say what the proof says\n"
    assert run(files, "--export", "export.json") == (1, said)


def test_another_anchor_is_found(files: Path) -> None:
    changed = "anchor: its heads do not give its own hash\n"
    alter(files / "anchor.json", ("conversations", 0, "links"), 15)
    said = f"{changed}anchor: it was not made of these first 15 links\n"
    assert run(files, "--anchor", "anchor.json") == (1, said)
    alter(files / "anchor.json", ("conversations", 0))
    said = f"{changed}anchor: it does not hold this conversation\n"
    assert run(files, "--anchor", "anchor.json") == (1, said)
    alter(files / "anchor.json", ("version",), 1)
    assert run(files, "--anchor", "anchor.json")[0] == 2


@pytest.mark.parametrize("change", ["the last is dropped", "the first is given to another node"])
def test_requests_that_were_changed_with_their_hashes_and_head_are_found_by_the_anchor(
    files: Path, change: str
) -> None:
    document = json.loads((files / "proof.json").read_text())
    requests = document["requests"]
    if change == "the last is dropped":
        del requests[-1]
    else:
        requests[0]["fields"]["node_id"] = 6
    before = "00" * 32
    for request in requests:
        before = hashlib.sha256(canonical_json([before, "request", request["fields"]]).encode()).hexdigest()
        request["hash"] = before
    document["head"] |= {"requests": len(requests), "requests_hash": before}
    (files / "proof.json").write_text(json.dumps(document))
    assert run(files)[0] == 0
    said = "anchor: it was not made of these first 2 requests\n"
    assert run(files, "--anchor", "anchor.json") == (1, said)


def test_a_file_that_is_no_proof_is_refused(files: Path) -> None:
    (files / "proof.json").write_text("[]")
    status, output = run(files)
    assert status == 2
    assert output == "A file is not there, or not in the form that this script checks.\n"
    assert run(files, "--anchor", "none.json")[0] == 2


AN_ERASURE: Json = {"agent": "zoe", "erased_at": 0, "reason": "x", "notice": "[erased on 1970-01-01 by zoe: x]"}


@pytest.mark.parametrize(
    "erasure", [True, {}, {"notice": "[erased]"}, AN_ERASURE], ids=["yes", "none", "half", "whole"]
)
@pytest.mark.parametrize(
    "taken", [[("links", 7, "content"), ("links", 7, "salt")], [("requests", 0, "body")]], ids=["content", "body"]
)
def test_words_that_are_taken_out_under_the_name_of_an_erasure_are_found(
    files: Path, erasure: Json, taken: list[Steps]
) -> None:
    alter(files / "proof.json", ("erasure",), erasure)
    for steps in taken:
        alter(files / "proof.json", steps, None)
    for options in ((), ("--export", "export.json")):
        status, output = run(files, *options)
        assert status in (1, 2)
        assert "holds" not in output
        assert "Error" not in output


def test_the_proof_of_an_erased_conversation_holds_without_its_words(record: Audited, tmp_path: Path) -> None:
    with closing(open_store(record.database)) as store:
        store.erase("T-1", "camille", "asked for it")
        document = proof(store, record.conversation)
        (tmp_path / "export.json").write_text(
            "".join(render(whole_tree(store, store.conversation("camille", "T-1"))).chunks)
        )
    (tmp_path / "proof.json").write_text(json.dumps(document))
    assert "hammock" not in json.dumps(document)
    match document["erasure"]:
        case {"agent": "camille", "reason": "asked for it", "erased_at": int(), "notice": str(notice)}:
            pass
        case other:
            raise AssertionError(f"no erasure: {other}")
    said = f'What is left of it holds. Links: 16, requests: 2. All their words are gone: "{notice}".\n'
    assert run(tmp_path, "--export", "export.json") == (0, said)
    alter(tmp_path / "proof.json", ("erasure",), None)
    status, output = run(tmp_path)
    assert (status, output.count("words are gone although the proof tells of no erasure")) == (1, 16 + 2 + 1)


@pytest.mark.parametrize("steps", [("nodes", 3, "text"), ("nodes", 1, "author"), ("tickets", 0, "subject")])
def test_an_export_cannot_bring_erased_words_back(record: Audited, tmp_path: Path, steps: Steps) -> None:
    with closing(open_store(record.database)) as store:
        store.erase("T-1", "camille", "asked for it")
        (tmp_path / "proof.json").write_text(json.dumps(proof(store, record.conversation)))
        (tmp_path / "export.json").write_text(
            "".join(render(whole_tree(store, store.conversation("camille", "T-1"))).chunks)
        )
    alter(tmp_path / "export.json", steps, "Sophie")
    status, output = run(tmp_path, "--export", "export.json")
    assert status == 1
    assert "does not say what the proof says" in output


def test_bytes_that_are_no_text_give_their_digest(tmp_path: Path) -> None:
    with closing(open_store(tmp_path / "desk.db")) as store:
        desk = a_desk(store)
        a_request(store, desk, desk.answer(desk.ticket_node), body=b"\xff\xed\xa0\x80\0")
        (tmp_path / "proof.json").write_text(json.dumps(proof(store, desk.id)))
    assert run(tmp_path)[0] == 0


def test_a_proof_holds_no_word_of_another_conversation(record: Audited) -> None:
    with closing(open_store(record.database)) as store:
        assert "noah" not in json.dumps(proof(store, record.conversation))
        with pytest.raises(NotFoundError):
            proof(store, 99)
