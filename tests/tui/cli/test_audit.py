"""`audit`: the record proved on the command line, for programs and for people."""

import errno
import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import CommandLine, sentence
from desks import A_REQUEST
from hostile import EVERY
from raw_record import raw
from sample_record import CUSTOMER_WORDS, Desk
from tampering import remove, tampered

from storage.interactions import Status
from storage.store import Store
from storage.values import Json


@pytest.fixture
def asked(desk: Desk) -> int:
    """An answer of the built-in assistant, asked for by camille on T-1."""
    answer = desk.cli.json("ask", "T-1", "make it friendlier", "--at", str(desk.answer))
    assert isinstance(answer, dict)
    node = answer["node"]
    assert isinstance(node, int)
    return node


def the(document: Json, *steps: str | int) -> Json:
    """What stands at a place in a document."""
    for step in steps:
        match document, step:
            case dict(), str():
                document = document[step]
            case list(), int():
                document = document[step]
            case _:
                raise AssertionError(f"there is no {step!r}")
    return document


def change_an_answer(desk: Desk) -> None:
    with tampered(desk.cli.db) as connection:
        connection.execute("UPDATE payload SET text = 'Il viendra.' WHERE interaction_id = ?", (desk.shorter_answer,))


# verify


def test_verify_of_a_whole_record_exits_0_and_says_what_it_cannot_prove(desk: Desk, asked: int) -> None:
    done = desk.cli.run("audit", "verify")
    assert done.exit_code == 0
    assert done.stdout.startswith(
        "✓ The record holds.\nChecked: 2 conversations, 13 interactions, 26 links, 1 request,"
    )
    assert "What this cannot prove:\n  Whoever can write the file can rewrite a whole conversation" in done.stdout
    document = desk.cli.json("audit", "verify")
    assert the(document, "holds") is True
    assert the(document, "checked", "requests") == 1


def test_verify_names_a_break_and_exits_3(desk: Desk) -> None:
    change_an_answer(desk)
    done = desk.cli.run("audit", "verify")
    assert done.exit_code == 3
    assert f"✗ T-1 · camille · node {desk.shorter_answer} · entry 6 · link 12 · from " in done.stdout
    assert "Its content, or how it ended, does not fit its commitment: it was changed." in done.stdout
    document = desk.cli.json("audit", "verify", status=3)
    assert the(document, "breaks", 0, "node") == desk.shorter_answer


def test_verify_leaves_an_answer_that_broke_off_as_it_is(desk: Desk) -> None:
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1")
        node = store.begin_answer(conversation.id, desk.answer, "model", meta={})
    for _ in range(2):
        done = desk.cli.run("audit", "verify")
        assert done.exit_code == 0
        assert f"… T-1 · camille · node {node.id}" in done.stdout
        assert "its writer is gone" in done.stdout


def test_verify_makes_no_record_where_there_is_none(cli: CommandLine) -> None:
    done = cli.run("audit", "verify")
    assert done.exit_code == 2
    assert sentence(done).startswith(f"There is no record at {cli.db} (from --db)")
    assert not cli.db.exists()


def test_a_record_that_cannot_be_written_can_be_examined_in_a_copy(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, flags: int, mode: int = 0o777) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr("storage.sqlite.lock.os.open", refuse)
    said = sentence(desk.cli.run("audit", "verify"))
    assert "cannot be written" in said
    assert said.endswith("into a folder of your own and name the copy with --db.")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("UPDATE sqlite_master SET sql = 'CREATE TABLE seal (' WHERE name = 'seal'", "malformed database schema"),
        ("DROP TABLE _sqlite_migrations", "already exists"),
    ],
    ids=["a table of the schema is no SQL", "what was migrated is forgotten"],
)
def test_verify_of_a_record_that_cannot_even_be_opened_exits_3(desk: Desk, damage: str, said: str) -> None:
    with raw(desk.cli.db) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(damage)
    done = desk.cli.run("audit", "verify")
    assert done.exit_code == 3
    assert done.stdout.startswith("✗ 1 break found.\n")
    assert f"{desk.cli.db} is damaged (" in done.stdout
    assert said in done.stdout
    assert the(desk.cli.json("audit", "verify", status=3), "complete") is False
    assert desk.cli.run("audit", "anchor").exit_code == 2


def test_verify_of_a_damaged_file_that_is_no_record_exits_2(desk: Desk) -> None:
    data = bytearray(desk.cli.db.read_bytes())
    data[68:72], data[100:112] = bytes(4), bytes(12)
    desk.cli.db.write_bytes(data)
    assert desk.cli.run("audit", "verify").exit_code == 2


# anchor


def test_an_anchor_shows_what_a_rewritten_record_hides(desk: Desk, tmp_path: Path) -> None:
    kept = tmp_path / "anchor.json"
    written = desk.cli.run("audit", "anchor", "-o", str(kept))
    assert written.exit_code == 0
    assert "2 conversations, 20 links; the hash of it all is " in written.stderr
    assert desk.cli.run("audit", "verify", "--anchor", str(kept)).exit_code == 0
    document = json.loads(kept.read_text())
    document["conversations"][0]["links"] += 2
    kept.write_text(json.dumps(document))
    assert "The anchor was changed" in sentence(desk.cli.run("audit", "verify", "--anchor", str(kept)))
    again = desk.cli.run("audit", "anchor", "-o", str(kept))
    assert again.exit_code == 2
    assert "exists already" in sentence(again)
    assert desk.cli.run("audit", "anchor", "-o", str(kept), "--force").exit_code == 0
    with tampered(desk.cli.db) as connection:
        remove(connection, desk.friendlier_answer)
    assert desk.cli.run("audit", "verify").exit_code == 0
    found = desk.cli.run("audit", "verify", "--anchor", str(kept))
    assert found.exit_code == 3
    assert "has fewer now: its end was cut off" in found.stdout


def test_a_file_that_is_no_anchor_is_refused(desk: Desk, tmp_path: Path) -> None:
    assert "cannot be read" in sentence(desk.cli.run("audit", "verify", "--anchor", str(tmp_path / "none")))
    (tmp_path / "x").write_text("[")
    assert "This is no anchor" in sentence(desk.cli.run("audit", "verify", "--anchor", str(tmp_path / "x")))


# request


def test_request_shows_bytes_digest_parts_and_response(desk: Desk, asked: int) -> None:
    done = desk.cli.run("audit", "request", str(asked))
    assert done.exit_code == 0
    for shown in (
        "task        draft-reply, version ",
        "they give this SHA-256",
        " · ticket T-1, version 1, messages 1 (node 2)\n",
        f" · node {asked - 1} (agent message by camille)\nmake it friendlier\n",
        'The body as sent\n{"model":"saved-replies","messages":[{"role":"system",',
        'The response as received\n{"saved_reply":',
        "left out    nothing",
    ):
        assert shown in done.stdout


def test_request_as_json_holds_everything_and_its_body_gives_its_digest(desk: Desk, asked: int) -> None:
    document = desk.cli.json("audit", "request", str(asked))
    assert the(document, "ticket") == "T-1"
    attempt = the(document, "attempts", 0)
    body = the(attempt, "body")
    assert isinstance(body, str)
    assert hashlib.sha256(body.encode()).hexdigest() == the(attempt, "sha256")
    assert the(attempt, "digest_holds") is True
    assert the(attempt, "problems") == []
    assert [the(attempt, "parts", part, "origin", "kind") for part in range(5)] == [
        "task",
        "ticket",
        "interaction",
        "interaction",
        "interaction",
    ]


def test_the_body_can_be_piped_on_byte_for_byte(desk: Desk, asked: int) -> None:
    with desk.store() as store:
        (sent,) = store.requests(store.conversation("camille", "T-1").id, asked)
    assert desk.cli.run("audit", "request", str(asked), "--body").stdout_bytes == sent.body
    assert desk.cli.run("audit", "request", str(asked), "--response").stdout_bytes == sent.response


@pytest.mark.parametrize("two", [("--body", "--response"), ("--response", "--json"), ("--body", "--json")])
def test_of_several_ways_to_print_a_request_none_is_left_out_silently(
    desk: Desk, asked: int, two: tuple[str, str]
) -> None:
    for options in (two, two[::-1]):
        done = desk.cli.run("audit", "request", str(asked), *options)
        assert (done.exit_code, "choose one of them" in sentence(done)) == (2, True)


@pytest.mark.parametrize(
    "command", [("audit", "anchor"), ("export", "T-1", "--to", "json"), ("export", "T-1", "--to", "json", "-o", "-")]
)
def test_force_without_a_file_is_refused(desk: Desk, command: tuple[str, ...]) -> None:
    done = desk.cli.run(*command, "--force")
    assert (done.exit_code, "name it with -o" in sentence(done)) == (2, True)


def test_a_body_that_was_altered_exits_3(desk: Desk, asked: int) -> None:
    with tampered(desk.cli.db) as connection:
        connection.execute("UPDATE wire SET data = x'7b7d' WHERE direction = 'sent'")
    done = desk.cli.run("audit", "request", str(asked))
    assert done.exit_code == 3
    assert "✗ The bytes do not give the SHA-256 that was recorded." in done.stdout


@pytest.mark.parametrize("extra", [(), ("--attempt", "2")])
def test_request_of_what_was_never_sent_is_refused(desk: Desk, asked: int, extra: tuple[str, ...]) -> None:
    node = str(asked) if extra else str(desk.answer)
    done = desk.cli.run("audit", "request", node, *extra)
    assert done.exit_code == 2
    assert sentence(done).startswith("Nothing was sent for ")


def test_the_request_of_another_agent_is_not_found(desk: Desk, asked: int) -> None:
    done = CommandLine(desk.cli.db, "noah").run("audit", "request", str(asked))
    assert done.exit_code == 2
    assert sentence(done) == f"noah has no conversation with a node {asked}."


def test_after_an_erasure_the_digest_stays_and_the_bytes_are_said_to_be_gone(desk: Desk, asked: int) -> None:
    assert desk.cli.run("erase", "T-1", "--reason", "asked for it", "--yes").exit_code == 0
    done = desk.cli.run("audit", "request", str(asked))
    assert done.exit_code == 0
    assert "erased with the words of the ticket; the digest stays" in done.stdout
    assert desk.cli.run("audit", "request", str(asked), "--body").exit_code == 2
    verified = desk.cli.run("audit", "verify")
    assert verified.exit_code == 0
    assert "Lawfully erased: the words of 26 links; their commitments stand." in verified.stdout


def test_hostile_text_in_a_request_is_shown_safe(desk: Desk) -> None:
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1")
        for case in EVERY:
            node = store.begin_answer(conversation.id, desk.answer, "model", meta={})
            _record(store, conversation.id, node.id, case.text)
            store.finish(conversation.id, node.id, Status.COMPLETE, {})
    for node_id in range(desk.noahs_ticket + 1, desk.noahs_ticket + 1 + len(EVERY)):
        shown = desk.cli.run("audit", "request", str(node_id)).stdout
        assert not [character for character in shown if ord(character) < 32 and character not in "\n\t"]
        assert "\x9b" not in shown
        assert "\u202e" not in shown


# isolation


def test_isolation_exits_0_when_nothing_crossed_and_3_when_something_did(desk: Desk, asked: int) -> None:
    done = desk.cli.run("audit", "isolation")
    assert done.exit_code == 0
    assert done.stdout == "✓ Nothing crossed.\nLooked through: 1 request, 5 parts.\n"
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1")
        _record(store, conversation.id, asked, CUSTOMER_WORDS, attempt=2)
    crossed = desk.cli.run("audit", "isolation", "--mine")
    assert crossed.exit_code == 3
    assert f"✗ T-1 · camille · node {asked} · attempt 2\n    Part 1 has no origin in the record" in crossed.stdout
    assert the(desk.cli.json("audit", "isolation", status=3), "leaks", 0, "node") == asked
    assert CommandLine(desk.cli.db, "noah").run("audit", "isolation", "--mine").exit_code == 0


# proof


def test_a_proof_is_checked_by_the_script_beside_it(desk: Desk, asked: int, tmp_path: Path) -> None:
    folder = tmp_path / "out" / "proof"
    done = desk.cli.run("audit", "proof", "T-1", "-o", str(folder))
    assert done.exit_code == 0
    assert sorted(file.name for file in folder.iterdir()) == [
        "ticket-T-1.head.json",
        "ticket-T-1.json",
        "ticket-T-1.proof.json",
        "verify_export.py",
    ]
    checked = subprocess.run(
        [sys.executable, "verify_export.py", "ticket-T-1.proof.json", "--export", "ticket-T-1.json", "--anchor",
         "ticket-T-1.head.json"],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert checked.stdout == "All of it holds. Links: 22, requests: 1.\n"
    assert desk.cli.run("audit", "verify", "--anchor", str(folder / "ticket-T-1.head.json")).exit_code == 0
    again = desk.cli.run("audit", "proof", "T-1", "-o", str(folder))
    assert again.exit_code == 2
    assert "exists already" in sentence(again)
    assert desk.cli.run("audit", "proof", "T-1", "-o", str(folder), "--force").exit_code == 0


def test_no_proof_of_a_conversation_that_is_not_the_agents(desk: Desk, tmp_path: Path) -> None:
    done = desk.cli.run("audit", "proof", "T-2", "-o", str(tmp_path / "out"))
    assert sentence(done) == "camille has no conversation on ticket T-2."
    assert not (tmp_path / "out").exists()


def _record(store: Store, conversation_id: int, node_id: int, text: str, *, attempt: int = 1) -> None:
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": text}]}, ensure_ascii=False)
    request = store.record_request(
        conversation_id,
        node_id,
        replace(
            A_REQUEST,
            attempt=attempt,
            provider=text,
            base_url=text,
            model=text,
            params={"stop": text},
            body=body.encode(errors="replace"),
        ),
    )
    store.record_response(
        conversation_id,
        request,
        response=text.encode(errors="replace"),
        status_code=200,
        usage={},
        latency_ms=1,
        error=text,
    )
