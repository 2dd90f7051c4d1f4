"""Opening a record that is to be examined."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Final

from tui.cli.output import remark
from tui.cli.run import Run
from tui.errors import SetupError

if TYPE_CHECKING:
    from storage.store import Store


_COPY: Final = (
    "To examine a record that must not be written, copy it, with its -wal if there is one, into a folder of your own "
    "and name the copy with --db."
)


@contextmanager
def record_as_it_is(run: Run) -> "Iterator[Store]":
    """Open the record without bringing anything in it in order first; it must be there.

    Raises:
        SetupError: there is none, or it lies where nothing can be written.
    """
    from storage.errors import UnwritableError
    from storage.sqlite_store import open_store

    for warning in run.setup.config.warnings:
        remark(warning)
    path = run.setup.database_file
    if not path.exists():
        raise SetupError(f"There is no record at {path} (from {run.setup.database.source}); name it with --db.")
    try:
        opened = open_store(path)
    except UnwritableError as error:
        raise SetupError(f"{error} {_COPY}") from error
    with closing(opened) as store:
        yield store
