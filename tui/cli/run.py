"""One run of the program: what was chosen, and the record and the assistant that a command works with."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from storage.closed_means import UNCONFIGURED, ClosedMeans
from tui.cli.output import remark
from tui.errors import SetupError
from tui.options import DEFAULT, Options

if TYPE_CHECKING:
    from assistant.tokens.counters import CounterKind
    from storage.store import Store
    from tui.services import Services
    from tui.setup import Setup


class Absent(StrEnum):
    """What becomes of a record that is not there."""

    REFUSED = "refused"
    """The command says so: whoever mistyped a path is not shown an empty desk."""

    MADE = "made"
    PRETENDED = "pretended"
    """An empty one in memory takes its place."""


class Run:
    """Opens what a command needs when it needs it; every command of the group gets this value."""

    def __init__(self, options: Options, environ: Mapping[str, str]) -> None:
        self.options = options
        self.environ = environ

    @cached_property
    def setup(self) -> "Setup":
        """What this run uses."""
        from tui.setup import resolve

        return resolve(self.options, self.environ)

    @property
    def agent(self) -> str:
        """Whose conversations are read and written."""
        return self.setup.agent.value

    @property
    def has_record(self) -> bool:
        """Whether there is a record already."""
        return self.setup.database_file.exists()

    @contextmanager
    def store(self, *, tell: Callable[[str], None] = remark, absent: Absent = Absent.REFUSED) -> "Iterator[Store]":
        """Open the record; remarks about the configuration go to stderr.

        Erasures that are pending are finished first; `tell` is told about each.

        Raises:
            SetupError: there is no record and none is to be made, or not even the folder that was named for it.
        """
        from tui.erasure_text import finished

        for warning in self.setup.config.warnings:
            remark(warning)
        path = self._place(absent)
        with _record(path, self.setup.config.closed_means) as store:
            for erasure in store.finish_erasures():
                tell(finished(erasure))
            yield store

    def _place(self, absent: Absent) -> Path | None:
        """Where the record is, or is to be; None for one in memory."""
        path, source = self.setup.database_file, self.setup.database.source
        if path.exists():
            return path
        if absent is Absent.PRETENDED:
            return None
        if absent is Absent.REFUSED:
            raise SetupError(
                f"There is no record at {path} (from {source}). `ticketree import PATH` makes one; --db names another."
            )
        if source != DEFAULT and not path.parent.exists():
            raise SetupError(f"There is no folder {path.parent} (from {source}); make it first, or name another place.")
        return path

    @contextmanager
    def services(
        self,
        *,
        counter_kind: "CounterKind | None" = None,
        at_once: bool = True,
        absent: Absent = Absent.REFUSED,
    ) -> "Iterator[Services]":
        """Open the record and make what answers, for the app and the commands that plan or ask."""
        from storage.sqlite.files import filesystem_warning
        from tui.services import build_services

        notices: list[str] = []
        with self.store(tell=remark if at_once else notices.append, absent=absent) as store:
            if warning := filesystem_warning(self.setup.database_file):
                notices.append(warning)
            yield build_services(
                store,
                self.setup,
                counter_kind=counter_kind,
                at_once=at_once,
                notices=tuple(notices),
            )

    @contextmanager
    def demo_services(self) -> "Iterator[Services]":
        """Make a sample desk in a folder that is removed at the end."""
        from tui.demo import build_sample_desk

        with (
            tempfile.TemporaryDirectory(prefix="ticketree-demo-") as folder,
            _record(Path(folder) / "desk.db") as store,
        ):
            yield build_sample_desk(store)


@contextmanager
def _record(path: Path | None, closed_means: ClosedMeans = UNCONFIGURED) -> "Iterator[Store]":
    """Open a record, an empty one in memory without a path.

    Answers whose writer is gone are closed first, so that none seems to be still coming.
    """
    from storage.sqlite_store import memory_store, open_store

    opened = open_store(path, closed_means=closed_means) if path else memory_store(closed_means=closed_means)
    with closing(opened) as store:
        store.close_crashed()
        yield store
