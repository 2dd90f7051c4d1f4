"""A file becomes states of an attachment on its node, and whatever happens, it does not stay pending."""

import os
import threading
from contextlib import closing
from pathlib import Path

import pytest
from attached_files import CSV, pdf
from desks import Clock, Desk
from record_worker import worker

from storage.attachments import attaching
from storage.attachments.attaching import Attaching, open_file
from storage.attachments.attachment import Attachment, AttachmentState, attachment_named, attachments_of
from storage.attachments.conversion import CANCELLED, Conversion
from storage.attachments.media import MediaType
from storage.attachments.states import INTERRUPTED, attached_already, end_abandoned, withdraw
from storage.audit.verification import verify
from storage.errors import AttachmentError, ErasedError, ReadingError
from storage.kinds import ATTACHMENT
from storage.sqlite_store import open_store
from storage.values import Json


def attach(desk: Desk, node_id: int, file: Path) -> Attachment:
    return Attaching(desk.store, desk.conversation, node_id, open_file(file)).finish()


def on_branch(desk: Desk, node_id: int) -> tuple[Attachment, ...]:
    return attachments_of(desk.store.branch(desk.id, node_id))


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    file = tmp_path / "orders.csv"
    file.write_bytes(CSV)
    return file


def test_a_file_is_pending_at_once_and_then_processed(desk: Desk, orders: Path) -> None:
    begun = Attaching(desk.store, desk.conversation, desk.ticket_node, open_file(orders))
    (pending,) = on_branch(desk, desk.ticket_node)
    done = begun.finish()
    (processed,) = on_branch(desk, desk.ticket_node)

    assert pending == begun.pending
    assert (pending.state, pending.text, pending.file.size_bytes) == (AttachmentState.PENDING, "", len(CSV))
    assert processed == done
    assert (processed.id, processed.state, processed.text) == (
        pending.id,
        AttachmentState.PROCESSED,
        CSV.decode().strip(),
    )
    assert processed.file == pending.file
    assert verify(desk.store).holds


def test_only_the_last_part_of_the_path_is_kept(desk: Desk, orders: Path) -> None:
    done = attach(desk, desk.ticket_node, orders)

    assert done.file.name == "orders.csv"
    assert all(str(orders.parent) not in str(entry) for entry in desk.store.branch(desk.id, desk.ticket_node))


def test_only_branches_through_the_node_have_it(desk: Desk, orders: Path) -> None:
    left, right = desk.ask(desk.ticket_node, "left"), desk.ask(desk.ticket_node, "right")
    before = desk.store.branch(desk.id, right.id)
    attach(desk, left.id, orders)
    below = desk.say(left.id)

    assert [each.file.name for each in on_branch(desk, below.id)] == ["orders.csv"]
    assert desk.store.branch(desk.id, right.id) == before
    assert desk.store.selected(desk.id) == below.id, "attaching chooses nothing"


def test_what_is_withdrawn_stays_with_the_branches_that_do_not_pass_the_leaf(desk: Desk, orders: Path) -> None:
    done = attach(desk, desk.ticket_node, orders)
    left, right = desk.ask(desk.ticket_node, "left"), desk.ask(desk.ticket_node, "right")

    withdraw(desk.store, desk.conversation, left.id, done)

    assert [each.state for each in on_branch(desk, left.id)] == [AttachmentState.WITHDRAWN]
    assert on_branch(desk, right.id) == (done,)
    with pytest.raises(AttachmentError, match="not sent anyway"):
        withdraw(desk.store, desk.conversation, left.id, attachment_named(on_branch(desk, left.id), done.id))
    with pytest.raises(AttachmentError, match="no attachment"):
        attachment_named(on_branch(desk, left.id), "other")


def test_the_same_bytes_are_known_on_every_branch_that_sends_them(desk: Desk, orders: Path) -> None:
    left, right = desk.ask(desk.ticket_node, "left"), desk.ask(desk.ticket_node, "right")
    done = attach(desk, left.id, orders)
    below = desk.say(left.id)
    copy = orders.rename(orders.with_name("copy.csv"))

    def known(node_id: int) -> Attachment | None:
        return attached_already(desk.store, desk.conversation, node_id, open_file(copy).file)

    assert (known(below.id), known(right.id)) == (done, None)
    copy.write_bytes(CSV + b"more")
    assert known(below.id) is None
    copy.write_bytes(CSV)
    withdraw(desk.store, desk.conversation, below.id, done)
    assert (known(below.id), known(left.id)) == (None, done), "what is sent no more can be attached again"


def test_files_that_are_too_large_to_be_read_are_not_taken_for_one(
    desk: Desk, orders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attaching, "MAX_FILE_BYTES", 1)
    attach(desk, desk.ticket_node, orders)

    assert attached_already(desk.store, desk.conversation, desk.ticket_node, open_file(orders).file) is None


def test_what_is_withdrawn_while_it_is_read_stays_so(desk: Desk, orders: Path) -> None:
    begun = Attaching(desk.store, desk.conversation, desk.ticket_node, open_file(orders))
    withdraw(desk.store, desk.conversation, desk.ticket_node, begun.pending)
    begun.finish()

    assert [each.state for each in on_branch(desk, desk.ticket_node)] == [AttachmentState.WITHDRAWN]


def test_a_name_is_foreign_text_and_loses_its_control_characters(desk: Desk, tmp_path: Path) -> None:
    file = Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\x1b]0;x\n\xff.txt"))
    file.write_text("words")

    assert attach(desk, desk.ticket_node, file).file.name == "a_]0;x_\N{REPLACEMENT CHARACTER}.txt"


@pytest.mark.parametrize("what", ["missing", "folder", "pipe", "unreadable", "nul"])
def test_what_is_no_file_is_refused_and_nothing_is_written(desk: Desk, tmp_path: Path, what: str) -> None:
    path = tmp_path / what
    match what:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "unreadable":
            path.symlink_to(path)
        case "nul":
            path = Path("a\0b")
    before = desk.store.head(desk.id)

    with pytest.raises(AttachmentError, match=r"cannot be opened|no file that can be attached") as refused:
        attach(desk, desk.ticket_node, path)
    assert str(tmp_path) not in str(refused.value)
    assert desk.store.head(desk.id) == before


def test_a_file_that_is_too_large_fails_without_being_read(
    desk: Desk, orders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attaching, "MAX_FILE_BYTES", 10)
    done = attach(desk, desk.ticket_node, orders)

    assert (done.state, done.text, done.file.sha256) == (AttachmentState.FAILED, "", "")
    assert "at most" in done.reason
    assert done.file.size_bytes == len(CSV)


def test_what_cannot_be_read_fails_with_its_reason(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "scan.pdf"
    file.write_bytes(pdf([""]))
    done = attach(desk, desk.ticket_node, file)

    assert done.state is AttachmentState.FAILED
    assert "OCR" in done.reason
    assert on_branch(desk, desk.ticket_node) == (done,)


def test_reading_can_be_stopped_before_and_while_it_runs(desk: Desk, orders: Path) -> None:
    begun = Attaching(desk.store, desk.conversation, desk.ticket_node, open_file(orders))
    begun.cancel()

    assert begun.finish().reason == CANCELLED
    assert [each.state for each in on_branch(desk, desk.ticket_node)] == [AttachmentState.FAILED]


def test_a_reader_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/sh")
    monkeypatch.setattr("storage.attachments.conversion.COMMAND", ("-c", "exec sleep 600"))

    with pytest.raises(ReadingError, match="longer than 0 s"):
        Conversion(time_limit_s=0.01).run(CSV, MediaType.CSV)

    stuck = Conversion()
    reasons: list[str] = []

    def read() -> None:
        with pytest.raises(ReadingError) as stopped:
            stuck.run(CSV, MediaType.CSV)
        reasons.append(str(stopped.value))

    reading = threading.Thread(target=read)
    reading.start()
    stuck.cancel()
    reading.join()
    assert reasons == [CANCELLED]


def test_a_reader_that_dies_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/sh")
    monkeypatch.setattr("storage.attachments.conversion.COMMAND", ("-c", "kill -9 $$"))

    with pytest.raises(ReadingError, match="made the reader fail"):
        Conversion().run(CSV, MediaType.CSV)


def test_when_the_app_breaks_off_the_attachment_fails(
    desk: Desk, orders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    begun = Attaching(desk.store, desk.conversation, desk.ticket_node, open_file(orders))
    monkeypatch.setattr(Conversion, "run", interrupt)
    with pytest.raises(KeyboardInterrupt):
        begun.finish()

    assert [each.reason for each in on_branch(desk, desk.ticket_node)] == [INTERRUPTED]


def test_what_a_killed_process_was_reading_fails_once_it_is_looked_at(
    file_desk: Desk, database: Path, orders: Path
) -> None:
    with worker("attach", database, "camille", orders) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "announced\n"
        branch = file_desk.store.branch(file_desk.id, file_desk.ticket_node)
        assert not end_abandoned(file_desk.store, file_desk.conversation, branch), "it is still being read"
        process.kill()
        process.wait()

    assert end_abandoned(file_desk.store, file_desk.conversation, branch)
    (failed,) = on_branch(file_desk, file_desk.ticket_node)
    assert (failed.state, failed.reason) == (AttachmentState.FAILED, INTERRUPTED)
    branch = file_desk.store.branch(file_desk.id, file_desk.ticket_node)
    assert not end_abandoned(file_desk.store, file_desk.conversation, branch)


def test_an_erased_ticket_takes_no_file_and_keeps_none(desk: Desk, orders: Path) -> None:
    attach(desk, desk.ticket_node, orders)
    desk.store.erase("T-80005", "camille", "asked for it")

    assert on_branch(desk, desk.ticket_node) == ()
    with pytest.raises(ErasedError):
        attach(desk, desk.ticket_node, orders)


def test_a_ticket_erased_while_its_file_is_read_takes_no_text(desk: Desk, orders: Path) -> None:
    begun = Attaching(desk.store, desk.conversation, desk.ticket_node, open_file(orders))
    desk.store.erase("T-80005", "camille", "asked for it")

    with pytest.raises(ErasedError):
        begun.finish()
    assert on_branch(desk, desk.ticket_node) == ()


def test_what_is_read_from_elsewhere_and_is_no_attachment_is_passed_over(desk: Desk) -> None:
    desk.store.add_internal(
        desk.id, desk.ticket_node, ATTACHMENT, "x", text="x", meta={"state": "processed", "name": 7}
    )
    foreign: dict[str, Json] = {
        "attachment": "a",
        "state": "pending",
        "name": "a",
        "media_type": "b",
        "size_bytes": 1,
        "sha256": "",
    }
    desk.store.add_internal(desk.id, desk.ticket_node, ATTACHMENT, "x", text="", meta={**foreign, "reader": "nobody"})

    branch = desk.store.branch(desk.id, desk.ticket_node)
    assert [each.id for each in attachments_of(branch)] == ["a"]
    assert end_abandoned(desk.store, desk.conversation, branch)


def test_the_record_still_takes_messages_from_two_windows_while_a_file_is_read(
    file_desk: Desk, database: Path, orders: Path
) -> None:
    begun = Attaching(file_desk.store, file_desk.conversation, file_desk.ticket_node, open_file(orders))
    with closing(open_store(database, clock=Clock())) as other:
        other.add_message(file_desk.id, file_desk.ticket_node, "camille", "meanwhile")
    answer = file_desk.begin(file_desk.store.selected(file_desk.id))

    assert begun.finish().state is AttachmentState.PROCESSED, "an answer that is being written is no hindrance"
    assert on_branch(file_desk, answer.id)[0].text
