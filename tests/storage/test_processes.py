"""Several stores on one file, in one process and in several: nothing is lost, and the dead are told from the living."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from subprocess import Popen

import pytest
from desks import Clock, Desk, a_desk, a_ticket
from raw_record import broken_links, raw
from record_worker import worker

from storage.errors import LockedError, StorageError, TurnRunningError
from storage.interactions import Status
from storage.sqlite.lock import FileLock
from storage.sqlite_store import open_store
from storage.store import Store


def line_of(process: "Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_two_processes_append_at_once_and_nothing_is_lost(file_desk: Desk, database: Path) -> None:
    with worker("append", database, "noah", 40) as noah, worker("append", database, "zoe", 40) as zoe:
        mine = file_desk.ticket_node
        for number in range(40):
            mine = file_desk.say(mine, f"camille {number}").id
        assert [line_of(noah), line_of(zoe)] == ["done", "done"]

    store = file_desk.store
    for agent in ("camille", "noah", "zoe"):
        conversation = store.conversation(agent, "T-80005")
        path = store.path(conversation.id, store.selected(conversation.id))
        assert [step.content for step in path[2:]] == [f"{agent} {number}" for number in range(40)]
        with raw(database) as connection:
            assert broken_links(connection, conversation.id) == []


def test_many_first_starts_at_once_make_one_record(database: Path) -> None:
    with ExitStack() as stack:
        workers = [stack.enter_context(worker("first_start", database)) for _ in range(3)]
        assert [line_of(process) for process in workers] == ["ready"] * 3
        for process in workers:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        assert [line_of(process) for process in workers] == ["0"] * 3


def test_a_killed_answer_keeps_its_text_and_is_closed_at_the_next_start(database: Path, file_desk: Desk) -> None:
    store = file_desk.store
    with worker("stream", database, "camille") as process:
        assert line_of(process) == "shown"
        assert store.close_crashed() == [], "its writer is alive"
        with pytest.raises(TurnRunningError):
            file_desk.say(file_desk.ticket_node)
        process.kill()
        process.wait()

    (closed,) = store.close_crashed()

    assert (closed.status, closed.kind) == (Status.CRASHED, "assistant_response")
    assert file_desk.path(closed.id)[-1].content == "Dear Sophie, \0your hammock"
    assert store.close_crashed() == []
    assert file_desk.say(closed.id).parent_id == closed.id
    assert list(database.parent.glob("*.writer-*")) == []
    with raw(database) as connection:
        assert broken_links(connection, file_desk.id) == []


def test_a_message_blocked_by_a_dead_writer_closes_its_answer_itself(database: Path, file_desk: Desk) -> None:
    with worker("stream", database, "camille") as process:
        assert line_of(process) == "shown"
        process.kill()
        process.wait()

    message = file_desk.say(file_desk.ticket_node)

    assert message.n == 2
    assert file_desk.store.nodes(file_desk.id)[2].status is Status.CRASHED


def test_a_store_that_was_closed_during_its_answer_leaves_a_crashed_one(database: Path) -> None:
    with closing(open_store(database, clock=Clock())) as store:
        desk = a_desk(store)
        answer = desk.begin(desk.ticket_node)
        store.add_text(desk.id, answer.id, "Dear")
        assert len(list(database.parent.glob("*.writer-*"))) == 1
    assert list(database.parent.glob("*.writer-*")) == []

    with closing(open_store(database)) as store:
        assert [node.preview for node in store.close_crashed()] == ["Dear"]


def test_two_stores_in_one_process_see_and_respect_each_other(file_desk: Desk, database: Path) -> None:
    with closing(open_store(database, clock=Clock())) as second:
        answer = file_desk.begin(file_desk.ticket_node)
        other = Desk(second, file_desk.conversation)

        assert second.close_crashed() == []
        with pytest.raises(TurnRunningError):
            other.say(other.ticket_node)
        file_desk.store.finish(file_desk.id, answer.id, Status.COMPLETE, {})
        message = other.say(answer.id)
        assert other.begin(message.id).parent_id == message.id
        assert file_desk.store.head(file_desk.id) == 5
    assert file_desk.store.close_crashed()[0].status is Status.CRASHED


def test_threads_share_a_store(file_store: Store) -> None:
    file_store.save_ticket(a_ticket())

    def work(agent: str) -> int:
        desk = a_desk(file_store, agent=agent)
        at = desk.ticket_node
        for _ in range(10):
            at = desk.ask(at).id
            assert desk.path(at)[-1].id == at
        return len(file_store.nodes(desk.id))

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, [f"agent {number}" for number in range(8)])) == [22] * 8


def test_a_writer_that_waits_too_long_gives_up_and_writes_nothing_later(database: Path) -> None:
    with closing(open_store(database, wait_seconds=0.2, clock=Clock())) as store:
        desk = a_desk(store)
        with worker("hold", database) as process:
            assert line_of(process) == "held"
            with pytest.raises(LockedError, match="busy"):
                desk.say(desk.ticket_node, "too late")
            assert store.head(desk.id) == 2, "reading goes on"
            with pytest.raises(LockedError):
                open_store(database, wait_seconds=0.1)
        desk.say(desk.ticket_node, "in time")

        assert [node.preview for node in store.nodes(desk.id)[2:]] == ["in time"]


def test_a_busy_record_does_not_keep_a_store_from_closing(database: Path) -> None:
    store = open_store(database, wait_seconds=0.1)
    with worker("hold", database) as process:
        assert line_of(process) == "held"
        store.close()
        with pytest.raises(StorageError, match="closed"):
            store.tickets("camille")


def test_a_lock_file_that_was_deleted_is_made_again(file_desk: Desk, database: Path) -> None:
    path = database.with_name("record.db.lock")
    path.unlink()

    file_desk.say(file_desk.ticket_node)

    lock = FileLock(path)
    assert lock.acquire_within(10)
    lock.close()
    assert file_desk.store.head(file_desk.id) == 3
