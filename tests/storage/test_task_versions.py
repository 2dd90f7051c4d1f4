"""What any store promises about the versions of tasks that answers were made with."""

from contextlib import closing
from pathlib import Path

import pytest
from desks import Clock, a_desk
from sqlite_utils.migrations import Migrations

from storage.audit.verification import verify
from storage.sqlite.schema import versions
from storage.sqlite_store import open_store
from storage.store import Store
from storage.task_versions import TaskVersion

FIRST = TaskVersion("draft-reply", "0123456789ab", "Draft replies.", "---\nname: draft-reply\n---\nDraft replies.")
SECOND = TaskVersion("draft-reply", "ba9876543210", "Draft short replies.", "Draft short replies.")


def test_a_version_is_kept_as_it_was_and_the_first_text_of_it_stays(store: Store) -> None:
    store.keep_task(FIRST)
    store.keep_task(SECOND)
    store.keep_task(TaskVersion(FIRST.name, FIRST.version, "Something else.", ""))

    assert store.task_version(FIRST.name, FIRST.version) == FIRST
    assert store.task_version(SECOND.name, SECOND.version) == SECOND


def test_a_version_that_no_answer_was_made_with_is_not_there(store: Store) -> None:
    store.keep_task(FIRST)

    assert store.task_version(FIRST.name, SECOND.version) is None
    assert store.task_version("shorten", FIRST.version) is None


def test_an_erasure_leaves_the_teams_own_words(store: Store) -> None:
    a_desk(store)
    store.keep_task(FIRST)

    store.erase("T-80005", "camille", "asked for")

    assert store.task_version(FIRST.name, FIRST.version) == FIRST
    assert verify(store).holds


def test_a_record_from_before_takes_them_in(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        before.setattr(versions, "VERSIONS", versions.VERSIONS[: versions.VERSIONS.index(versions.m008_tasks)])
        before.setattr(versions, "migrations", Migrations("ticketree"))
        for version in versions.VERSIONS:
            versions.migrations()(version)
        open_store(database).close()

    with closing(open_store(database, clock=Clock())) as store:
        store.keep_task(FIRST)
        assert store.task_version(FIRST.name, FIRST.version) == FIRST
        assert verify(store).holds, "the schema is that of a new record"
