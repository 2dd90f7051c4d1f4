"""The proof of a conversation is checked by a script that knows nothing but the proof."""

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from audited_record import Audited

from storage.audit.anchor import anchor_record
from storage.audit.proof import VERIFIER, proof
from storage.errors import NotFoundError
from storage.exporters.export import whole_tree
from storage.exporters.json_export import render
from storage.sqlite_store import open_store
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
    "link 8: the words of node 4 are not those": (("links", 7, "content"), ("Dear Sophie",)),
    "link 5: the words of node 3 are not those": (("links", 4, "author"), ("noah",)),
    "link 8: the words of node 4 are gone": (("links", 7, "salt"), (None,)),
    "link 7: its fields do not give its hash": (("links", 6, "fields", "created_at"), (1,)),
    "link 7: it is numbered 8, so links are missing or moved": (("links", 6), ()),
    "link 7: it does not name the hash of the link before it": (("links", 6, "prev_hash"), ("ab",)),
    "link 9: node 5 cannot be reached from the root": (("links", 8, "fields", "parent_id"), (6,)),
    "link 9: its position is 4 where 5 comes next": (("links", 8, "fields", "seq"), (4,)),
    "link 8: it ends node 3, which has no beginning": (("links", 7, "fields", "interaction_id"), (3,)),
    "link 1: the conversation was opened by another agent": (("agent",), ("noah",)),
    "link 1: the conversation was opened by another agent, or on another ticket": (("ticket",), ("T-2",)),
    "head: it is not that of the last link": (("links", 15), ()),
    "version 1 of the ticket: its words do not give its digest": (("snapshots", 0, "words", "subject"), ("Kettle",)),
    "node 2: the ticket that it took in is not version 1": (("snapshots",), ([],)),
    "request 1: its body does not give its digest": (("requests", 0, "body"), ("e30=",)),
    "request 1: its body is gone": (("requests", 0, "body"), (None,)),
    "head: it is not that of the requests": (("requests", 1), ()),
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
    assert run(files, "--export", "export.json") == (1, "export: it is of another conversation\n")


def test_an_answer_that_is_left_out_of_an_export_of_the_whole_tree_is_found(files: Path) -> None:
    alter(files / "export.json", ("nodes", 3))
    status, output = run(files, "--export", "export.json")
    assert (status, output.splitlines()[0]) == (1, "export: node 4 is not in it")
    alter(files / "export.json", ("scope",), "path")
    assert run(files, "--export", "export.json")[0] == 0


def test_what_is_not_shown_is_compared_too(files: Path) -> None:
    export = json.loads((files / "export.json").read_text())
    at, node = next((at, node) for at, node in enumerate(export["nodes"]) if "internal" in node)
    alter(files / "export.json", ("nodes", at, "internal", 0, "text"), "unseen")
    said = f"export: node {node['internal'][0]['id']} does not say what the proof says\n"
    assert run(files, "--export", "export.json") == (1, said)


def test_another_anchor_is_found(files: Path) -> None:
    alter(files / "anchor.json", ("conversations", 0, "links"), 15)
    assert run(files, "--anchor", "anchor.json") == (1, "anchor: link 15 is not the one that was anchored\n")
    alter(files / "anchor.json", ("conversations", 0))
    assert run(files, "--anchor", "anchor.json") == (1, "anchor: it does not hold this conversation\n")


def test_a_file_that_is_no_proof_is_refused(files: Path) -> None:
    (files / "proof.json").write_text("[]")
    status, output = run(files)
    assert status == 2
    assert output.startswith("A file is not there or not in the form of a proof")


def test_the_proof_of_an_erased_conversation_holds_without_its_words(record: Audited, tmp_path: Path) -> None:
    with closing(open_store(record.database)) as store:
        store.erase("T-1", "camille", "asked for it")
        document = json.dumps(proof(store, record.conversation))
    assert "hammock" not in document
    (tmp_path / "proof.json").write_text(document)
    assert run(tmp_path) == (0, "All of it holds. Links: 16, requests: 2.\n")


def test_a_proof_holds_no_word_of_another_conversation(record: Audited) -> None:
    with closing(open_store(record.database)) as store:
        assert "noah" not in json.dumps(proof(store, record.conversation))
        with pytest.raises(NotFoundError):
            proof(store, 99)
