from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from storage.importers.importing import import_paths
from storage.importers.report import ImportReport
from storage.sqlite_store import SqliteStore, memory_store

Importing = Callable[..., ImportReport]


@pytest.fixture
def files() -> Path:
    """The folder of synthetic mails and exports; everyone in it is invented."""
    return Path(__file__).parent / "files"


@pytest.fixture
def store() -> Iterator[SqliteStore]:
    store = memory_store()
    yield store
    store.close()


@pytest.fixture
def import_text(store: SqliteStore, tmp_path: Path) -> Importing:
    """Write a text or bytes to a file without any extension and import it."""

    def run(content: str | bytes, name: str = "given", **options: bool | str | dict[str, str]) -> ImportReport:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return import_paths(store, [path], **options)  # type: ignore[arg-type]

    return run
