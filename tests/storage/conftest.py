"""Stores of both kinds: on a file and in memory."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from desks import Clock, Desk, a_desk

from storage.sqlite_store import memory_store, open_store
from storage.store import Store


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "desk" / "record.db"


@pytest.fixture(params=["file", "memory"])
def store(request: pytest.FixtureRequest, database: Path) -> Iterator[Store]:
    made = open_store(database, clock=Clock()) if request.param == "file" else memory_store(clock=Clock())
    with closing(made):
        yield made


@pytest.fixture
def desk(store: Store) -> Desk:
    return a_desk(store)


@pytest.fixture
def file_store(database: Path) -> Iterator[Store]:
    with closing(open_store(database, clock=Clock())) as made:
        yield made


@pytest.fixture
def file_desk(file_store: Store) -> Desk:
    return a_desk(file_store)
