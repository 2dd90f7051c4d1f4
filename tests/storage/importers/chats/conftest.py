from pathlib import Path

import pytest
from chat_exports import ChatDesk

from storage.sqlite_store import SqliteStore


@pytest.fixture
def cases() -> Path:
    """The folder of exports; where they come from stands in its README."""
    return Path(__file__).parent / "files"


@pytest.fixture
def desk(store: SqliteStore, tmp_path: Path) -> ChatDesk:
    return ChatDesk(store, tmp_path)
