"""The record that audits look at."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from audited_record import Audited, make


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    """Made once and closed, so that its file can be copied."""
    return make(tmp_path_factory.mktemp("desk") / "record.db")


@pytest.fixture
def record(made: Audited, tmp_path: Path) -> Audited:
    return replace(made, database=Path(shutil.copy(made.database, tmp_path / "record.db")))
