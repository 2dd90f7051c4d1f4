"""The record's files: who may read them, which are refused, and what happens when they go away."""

import errno
import os
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from desks import Desk, a_desk, a_ticket
from raw_record import raw

from storage.errors import NewerSchemaError, ReplacedFileError, StorageError, UnreadableError, UnwritableError
from storage.interactions import Status
from storage.sqlite.connection import connect
from storage.sqlite.driver import sqlite3
from storage.sqlite.engine import FileEngine
from storage.sqlite.files import filesystem_of, filesystem_warning
from storage.sqlite_store import SqliteStore, clock_us, memory_store, open_store
from storage.store import Store


def test_every_file_and_the_folder_are_the_owners_alone(file_desk: Desk, database: Path) -> None:
    file_desk.begin(file_desk.ticket_node)

    files = {path.name.split("-")[0]: stat.S_IMODE(path.stat().st_mode) for path in database.parent.iterdir()}
    assert files == {"record.db": 0o600, "record.db.lock": 0o600, "record.db.writer": 0o600}
    assert {path.name for path in database.parent.iterdir()} >= {"record.db-wal", "record.db-shm"}
    assert stat.S_IMODE(database.parent.stat().st_mode) == 0o700


def test_a_closed_record_is_one_file_beside_its_lock(database: Path) -> None:
    with closing(open_store(database)) as store:
        a_desk(store)
        store.close()

    assert sorted(path.name for path in database.parent.iterdir()) == ["record.db", "record.db.lock"]
    with closing(open_store(database)) as store:
        assert store.tickets("camille")[0].nodes == 1
    with pytest.raises(StorageError, match="closed"):
        store.save_ticket(a_ticket())


def test_what_an_interrupted_first_start_left_is_swept_away(tmp_path: Path) -> None:
    for name in ("record.db.new", "record.db.new-wal", "record.db.new-shm"):
        (tmp_path / name).write_bytes(b"half" * 1_000)

    with closing(open_store(tmp_path / "record.db")) as store:
        assert store.tickets("camille") == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["record.db", "record.db.lock"]


def test_a_link_to_the_record_shares_its_lock(file_desk: Desk, database: Path, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere.db"
    link.symlink_to(database)

    with closing(open_store(link)) as store:
        assert store.tickets("camille")[0].nodes == 1
    assert not (tmp_path / "elsewhere.db.lock").exists()


@pytest.mark.parametrize("name", ["50%? #1 é.db", "[a]*.db"])
def test_any_file_name_will_do(tmp_path: Path, name: str) -> None:
    with closing(open_store(tmp_path / name)) as store:
        desk = a_desk(store)
        desk.begin(desk.ticket_node)
        assert store.close_crashed() == []

    assert {path.name for path in tmp_path.iterdir()} == {name, f"{name}.lock"}


def test_the_connection_keeps_the_promises_that_pragmas_make(file_desk: Desk, database: Path) -> None:
    with closing(connect(database)) as db:
        values = {
            name: db.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "recursive_triggers", "trusted_schema",
                         "secure_delete", "temp_store", "busy_timeout")
        }  # fmt: skip

    assert values == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "recursive_triggers": 1,
        "trusted_schema": 0,
        "secure_delete": 1,
        "temp_store": 2,
        "busy_timeout": 5000,
    }


def test_it_works_with_pythons_own_sqlite() -> None:
    script = """
import sys
sys.modules["pysqlite3"] = None
from desks import a_desk
from storage.sqlite.driver import sqlite3
desk = a_desk()
desk.ask(desk.ticket_node)
print(sqlite3.__name__, desk.store.head(desk.id))
"""
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "support")}
    done = subprocess.run([sys.executable, "-c", script], env=here, capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["sqlite3", "4"]


def test_an_empty_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    path.touch()

    with pytest.raises(UnreadableError, match="is empty"):
        open_store(path)
    assert path.stat().st_size == 0


@pytest.mark.parametrize("content", [b"x", b"Dear Sophie,\n" * 400, b"SQLite format 3\0" + b"\xff" * 4_000])
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(content)

    with pytest.raises(UnreadableError, match=r"letter\.txt"):
        open_store(path)
    assert path.read_bytes() == content


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="no file"):
        open_store(tmp_path)


def test_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "places.sqlite"
    with raw(path) as connection:
        connection.execute("CREATE TABLE bookmark (url)")

    with pytest.raises(UnreadableError, match="another program"):
        open_store(path)
    with raw(path) as connection:
        assert connection.execute("SELECT name FROM sqlite_schema").fetchall() == [("bookmark",)]


def test_a_newer_schema_is_refused_by_name(database: Path) -> None:
    open_store(database).close()
    with raw(database) as connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('ticketree', 'm900_voices', '')"
        )

    with pytest.raises(NewerSchemaError, match="m900_voices"):
        open_store(database)


def test_a_record_whose_first_migration_is_missing_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    with raw(path) as connection:
        connection.execute(f"PRAGMA application_id = {0x54726565}")
        connection.execute("CREATE TABLE _sqlite_migrations (id INTEGER PRIMARY KEY, migration_set, name, applied_at)")

    with closing(open_store(path)) as store:
        assert a_desk(store).id == 1


def refuse_opening(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    def fail(path: Path, flags: int, mode: int = 0o777) -> int:
        raise OSError(code, os.strerror(code), str(path))

    monkeypatch.setattr("storage.sqlite.lock.os.open", fail)


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS, errno.EPERM])
def test_a_folder_that_cannot_be_written_is_one_clear_sentence(
    database: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    refuse_opening(monkeypatch, code)

    with pytest.raises(UnwritableError, match=r"record\.db\.lock cannot be written; make the folder writable"):
        open_store(database)


def test_a_file_in_the_place_of_the_folder_is_one_clear_sentence(tmp_path: Path) -> None:
    (tmp_path / "desk").touch()

    with pytest.raises(UnwritableError, match="choose another place"):
        open_store(tmp_path / "desk" / "record.db")


def test_a_full_disk_stops_the_write_and_keeps_what_was_there(database: Path) -> None:
    engine = FileEngine(database, 5.0)
    with closing(SqliteStore(engine, clock_us)) as store:
        desk = a_desk(store)
        engine.write(lambda db: db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}"))

        with pytest.raises(UnwritableError, match="disk is full"):
            desk.say(desk.ticket_node, "x" * 1_000_000)
        assert store.head(desk.id) == 2
        engine.write(lambda db: db.execute("PRAGMA max_page_count = 1000000"))
        assert desk.say(desk.ticket_node, "x" * 1_000_000).seq == 3


def test_a_read_only_database_is_read_and_not_written(database: Path) -> None:
    engine = FileEngine(database, 5.0)
    with closing(SqliteStore(engine, clock_us)) as store:
        desk = a_desk(store)
        engine.write(lambda db: db.execute("PRAGMA query_only = ON"))

        with pytest.raises(UnwritableError, match="read-only"):
            desk.say(desk.ticket_node)
        assert len(store.nodes(desk.id)) == 2


@pytest.mark.parametrize("name", ["record.db", "record.db-wal"])
@pytest.mark.parametrize("act", ["moved", "deleted", "replaced"])
def test_writing_stops_when_a_file_is_no_longer_the_one_that_was_opened(database: Path, name: str, act: str) -> None:
    with closing(open_store(database)) as store:
        desk = a_desk(store)
        path = database.with_name(name)
        match act:
            case "moved":
                path.rename(path.with_name("moved"))
            case "deleted":
                path.unlink()
            case "replaced":
                other = path.with_name("other")
                other.write_bytes(b"")
                other.replace(path)

        for _ in range(2):
            with pytest.raises(ReplacedFileError, match="moved, deleted or replaced"):
                desk.say(desk.ticket_node)


def read_all(database: Path) -> None:
    with closing(open_store(database)) as store:
        store.path(1, store.selected(1))


def test_a_damaged_database_says_so(database: Path) -> None:
    with closing(open_store(database)) as store:
        desk = a_desk(store)
        for _ in range(100):
            desk.say(desk.ticket_node, "x" * 500)
    size = database.stat().st_size
    with database.open("r+b") as file:
        for page in range(8, size // 4096):
            file.seek(page * 4096)
            file.write(os.urandom(64))

    with pytest.raises(UnreadableError, match="damaged"):
        read_all(database)


def test_errors_of_a_work_do_not_stop_the_writer(file_store: Store) -> None:
    desk = a_desk(file_store)
    with pytest.raises(ValueError, match="JSON"):
        file_store.set_setting(desk.id, "budget", float("inf"))

    assert desk.answer(desk.ticket_node).status is Status.COMPLETE


def test_a_closed_record_in_memory_says_so() -> None:
    store = memory_store()
    store.close()
    store.close()

    with pytest.raises(StorageError, match="closed"):
        store.tickets("camille")


MOUNTS = r"""21 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 21 0:25 / /home rw shared:2 - nfs4 server:/home rw
31 30 0:26 / /home/me/local\040disk rw - ext4 /dev/sdb1 rw
32 30 0:27 / /home/me/cloud rw - fuse.rclone remote: rw
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/desk.db", "ext4"),
        ("/home/me/desk.db", "nfs4"),
        ("/homes/desk.db", "ext4"),
        ("/home/me/local disk/desk.db", "ext4"),
        ("/home/me/cloud/desk.db", "fuse.rclone"),
    ],
)
def test_the_file_system_is_that_of_the_nearest_mount(path: str, kind: str) -> None:
    assert filesystem_of(Path(path), MOUNTS) == kind


def test_a_file_system_over_a_network_is_warned_about_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = tmp_path / "mountinfo"
    monkeypatch.setattr("storage.sqlite.files._MOUNTS", mounts)
    assert filesystem_warning(tmp_path) == ""

    for kind in ("nfs4", "cifs", "9p", "fuse.sshfs"):
        mounts.write_text(f"21 1 254:0 / / rw - {kind} x rw\n")
        assert f"is on {kind}" in filesystem_warning(tmp_path / "record.db")
    mounts.write_text("21 1 254:0 / / rw - ext4 x rw\n")
    assert filesystem_warning(tmp_path / "record.db") == ""


def test_the_driver_is_recent_enough_for_several_writers_where_it_has_wheels() -> None:
    if sqlite3.__name__ == "pysqlite3":
        assert sqlite3.sqlite_version_info >= (3, 51, 3)
