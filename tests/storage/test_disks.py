"""Real disks that are full or read-only, in a mount namespace of the test's own, where the system allows that."""

import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from desks import a_desk

from storage.sqlite_store import open_store

WORKER = Path(__file__).parents[1] / "support" / "disk_worker.py"


def mounted(*commands: str, worker: tuple[str, ...]) -> list[str]:
    """Run mount commands and then the worker where nobody else sees them; returns what the worker printed."""
    unshare = shutil.which("unshare")
    trial = subprocess.run([unshare, "-rm", "true"], capture_output=True, check=False) if unshare else None
    if unshare is None or trial is None or trial.returncode:
        pytest.skip("the system lets nobody mount here")
    script = " && ".join((*commands, 'exec "$@"'))
    done = subprocess.run(
        [unshare, "-rm", "sh", "-c", script, "sh", sys.executable, "-W", "error", str(WORKER), *worker],
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_full_disk_loses_nothing_acknowledged_and_once_there_is_room_all_goes_on(tmp_path: Path) -> None:
    lines = mounted(f"mount -t tmpfs -o size=2m none {tmp_path}", worker=("fill", str(tmp_path / "record.db")))

    sentence = (
        f"UnwritableError: The disk is full, so nothing more can be kept in {tmp_path}/record.db; free some space."
    )
    assert lines[0] == sentence
    assert lines[1:2] == ["kept holds"]
    assert lines[2] == "True while it is full"
    assert lines[3].startswith("True ")
    assert lines[4] == "kept holds"
    assert lines[5].endswith("['']")
    assert lines[6] == "kept holds"


def test_a_disk_without_a_byte_of_room_is_full_and_not_broken(tmp_path: Path) -> None:
    lines = mounted(f"mount -t tmpfs -o size=1m none {tmp_path}", worker=("stuff", str(tmp_path / "record.db")))

    assert lines == [
        f"UnwritableError: The disk is full, so nothing more can be kept in {tmp_path}/record.db; free some space.",
        "read Hammock has not arrived",
        "",
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "desk"
    with closing(open_store(folder / "record.db")) as store:
        a_desk(store)
    return folder


def test_a_read_only_folder_is_one_clear_sentence(folder: Path) -> None:
    lines = mounted(
        f"mount --bind {folder} {folder}",
        f"mount -o remount,ro,bind {folder}",
        worker=("look", str(folder / "record.db")),
    )

    assert lines == [
        f"UnwritableError: {folder}/record.db.lock cannot be written; make the folder writable or choose another one."
    ]


def test_a_read_only_file_is_read_and_not_written(folder: Path) -> None:
    database = folder / "record.db"
    lines = mounted(
        f"mount --bind {database} {database}",
        f"mount -o remount,ro,bind {database}",
        worker=("look", str(database)),
    )

    assert lines == [
        "read Hammock has not arrived",
        f"UnwritableError: {database} is read-only; make the file and its folder writable.",
    ]
