"""Where transactions run: on a file shared by threads and processes, or in memory."""

import contextlib
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Final, Protocol, TypeVar

from sqlite_utils import Database

from storage.errors import StorageError
from storage.sqlite.connection import connect, connect_memory, empty_log, rewrite
from storage.sqlite.files import FileIdentity, prepare
from storage.sqlite.lock import FileLock
from storage.sqlite.marks import WriterMark, is_alive, sweep
from storage.sqlite.refusals import busy, translated
from storage.sqlite.schema.versions import migrate

T = TypeVar("T")

_CLOSE_SECONDS: Final = 2.0


class Engine(Protocol):
    """Runs work on the database; each piece of work is one transaction."""

    def read(self, work: Callable[[Database], T]) -> T:
        """Run work that sees one state of the record and changes nothing."""

    def write(self, work: Callable[[Database], T]) -> T:
        """Run work whose changes are durable when this returns, or undone when it raises."""

    def scrub(self) -> bool:
        """Rewrite the files without what was deleted; tell whether nothing of it is left in them.

        Deleting overwrites a row where it stands, but not the copies that SQLite left in a page when it moved rows to
        another one; those go when the database is rewritten. False where someone still reads an older state.
        """

    def mark(self) -> str:
        """Return this store's mark as a living writer; only within `write`."""

    def is_alive(self, writer: str) -> bool:
        """Tell whether the writer of a mark still runs; only within `write`."""

    def lives(self, writer: str) -> bool:
        """Tell the same at any other time, also within `read`."""

    def close(self) -> None:
        """Release everything; calling it twice is harmless."""


def _transaction(db: Database, work: Callable[[Database], T], begin: str, end: str = "COMMIT") -> T:
    try:
        db.execute(begin)
        result = work(db)
        db.execute(end)
    except BaseException:
        if db.conn.in_transaction:
            db.execute("ROLLBACK")
        raise
    return result


class MemoryEngine:
    """A database in memory: one connection, used by one thread at a time."""

    def __init__(self) -> None:
        self._db = connect_memory()
        self._turn = threading.RLock()
        self._closed = False
        migrate(self._db)

    def read(self, work: Callable[[Database], T]) -> T:
        """Run work that sees one state of the record."""
        return self._run(work)

    def write(self, work: Callable[[Database], T]) -> T:
        """Run work whose changes are undone when it raises."""
        return self._run(work)

    def scrub(self) -> bool:
        """Rewrite the database."""
        with self._turn, translated(None):
            if self._closed:
                raise _closed()
            rewrite(self._db)
        return True

    def mark(self) -> str:
        """Return the one writer's mark."""
        return "memory"

    def is_alive(self, writer: str) -> bool:
        """Tell that the one writer lives as long as its record."""
        return writer == "memory"

    def lives(self, writer: str) -> bool:
        """Tell the same."""
        return self.is_alive(writer)

    def close(self) -> None:
        """Let the record go."""
        with self._turn:
            if not self._closed:
                self._closed = True
                self._db.close()

    def _run(self, work: Callable[[Database], T]) -> T:
        with self._turn, translated(None):
            if self._closed:
                raise _closed()
            return _transaction(self._db, work, "BEGIN")


class FileEngine:
    """A database file: readers each with a connection of their own, and one thread through which all writes go.

    The thread waits in turn for the lock file; whoever called `write` waits at most `wait_seconds` for the thread.
    """

    def __init__(self, path: Path, wait_seconds: float) -> None:
        self._path = path
        self._wait_seconds = wait_seconds
        self._close_seconds = min(wait_seconds, _CLOSE_SECONDS)
        with translated(path):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = FileLock(path.with_name(f"{path.name}.lock"))
        self._writing: Database | None = None
        self._mark: WriterMark | None = None
        self._idle: list[Database] = []
        self._guard = threading.Lock()
        self._closed = False
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="record writer", daemon=True)
        self._thread.start()
        try:
            self._writing = self._locked(lambda: prepare(path))
            self._identity = FileIdentity(path)
        except BaseException:
            self.close()
            raise

    def read(self, work: Callable[[Database], T]) -> T:
        """Run work on one state of the record, in the thread that asks."""
        with translated(self._path), self._reader() as db:
            # Where a damaged page was met, there is nothing to commit any more.
            return _transaction(db, work, "BEGIN", "ROLLBACK")

    def write(self, work: Callable[[Database], T]) -> T:
        """Run work in the writer's thread and wait until it is durable."""

        def step() -> T:
            assert self._writing is not None
            self._identity.check()
            result = _transaction(self._writing, work, "BEGIN IMMEDIATE")
            self._identity.check()
            return result

        return self._locked(step)

    def scrub(self) -> bool:
        """Rewrite the database and empty its log, in the writer's thread and under the lock file."""

        def step() -> bool:
            assert self._writing is not None
            self._identity.check()
            # Where a reader keeps the log from being emptied, rewriting the database would be in vain.
            done = empty_log(self._writing)
            if done:
                rewrite(self._writing)
                done = empty_log(self._writing)
            self._identity.check()
            return done

        return self._locked(step)

    def mark(self) -> str:
        """Return this store's mark, made when it is first needed."""
        if self._mark is None:
            sweep(self._path)
            self._mark = WriterMark(self._path)
        return self._mark.writer

    def is_alive(self, writer: str) -> bool:
        """Tell whether the writer of a mark still runs, here or in another process."""
        return is_alive(self._path, writer)

    def lives(self, writer: str) -> bool:
        """Tell the same, in turn with whoever makes and removes marks."""
        return self.write(lambda _: self.is_alive(writer))

    def close(self) -> None:
        """Finish the writes that wait, then release the file; a record that others keep busy delays that a little."""
        with self._guard:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        self._thread.join(2 * self._close_seconds)

    def _locked(self, step: Callable[[], T]) -> T:
        """Run a step in the writer's thread while it holds the lock file."""
        future: Future[T] = Future()
        with self._guard:
            if self._closed:
                raise _closed()
            self._jobs.put(lambda: self._run(step, future))
        try:
            return future.result(self._wait_seconds)
        except TimeoutError:
            if future.cancel():
                raise busy(str(self._path)) from None
            return future.result()

    def _run(self, step: Callable[[], T], future: Future[T]) -> None:
        self._lock.acquire()
        try:
            if not future.set_running_or_notify_cancel():
                return
            with translated(self._path):
                result = step()
            future.set_result(result)
        except BaseException as error:  # whatever it is, it belongs to the thread that waits
            future.set_exception(error)
        finally:
            self._lock.release()

    def _serve(self) -> None:
        while job := self._jobs.get():
            job()
        # The last connection that closes moves the log into the database: that too needs the lock.
        held = self._lock.acquire_within(self._close_seconds)
        try:
            if self._mark:
                self._mark.release()
            with self._guard:
                idle, self._idle = self._idle, []
            for db in (*idle, self._writing):
                if db:
                    db.close()
        finally:
            if held:
                self._lock.release()
            self._lock.close()

    @contextlib.contextmanager
    def _reader(self) -> Iterator[Database]:
        with self._guard:
            if self._closed:
                raise _closed()
            db = self._idle.pop() if self._idle else None
        if db is None:
            db = connect(self._path)
            db.execute("PRAGMA query_only = ON")
        try:
            yield db
        finally:
            with self._guard:
                keep = not self._closed
                if keep:
                    self._idle.append(db)
            if not keep:
                db.close()


def _closed() -> StorageError:
    return StorageError("The record has been closed; open it again to go on.")
