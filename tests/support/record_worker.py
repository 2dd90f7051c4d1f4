"""Another process on the same record: run as a script, it does one thing and reports on its standard output."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from subprocess import PIPE, Popen

from storage.sqlite_store import open_store


@contextmanager
def worker(*arguments: str | Path | int) -> Iterator["Popen[str]"]:
    """Run this file with these arguments."""
    command = [sys.executable, "-W", "error", __file__, *map(str, arguments)]
    with Popen(command, stdin=PIPE, stdout=PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def append(database: Path, agent: str, count: int) -> None:
    """Open a conversation and add messages one below the other, each as soon as the one before is durable."""
    with closing(open_store(database)) as store:
        conversation = store.open_conversation(agent, "T-80005")
        at = store.selected(conversation.id)
        for number in range(count):
            at = store.add_message(conversation.id, at, agent, f"{agent} {number}").id
    print("done", flush=True)


def append_aloud(database: Path, agent: str) -> None:
    """Add messages until killed, and say so each time one is durable."""
    with closing(open_store(database)) as store:
        conversation = store.open_conversation(agent, "T-80005")
        at, number = store.selected(conversation.id), 0
        while True:
            at = store.add_message(conversation.id, at, agent, f"{agent} {number}").id
            print("added", flush=True)
            number += 1


def stream(database: Path, agent: str) -> None:
    """Write a part of an answer, say that it is durable, and wait to be killed."""
    with closing(open_store(database)) as store:
        conversation = store.open_conversation(agent, "T-80005")
        answer = store.begin_answer(conversation.id, store.selected(conversation.id), "built-in", meta={})
        for piece in ("Dear ", "Sophie, \0", "your hammock"):
            store.add_text(conversation.id, answer.id, piece)
        print("shown", flush=True)
        sys.stdin.read()


def attach(database: Path, agent: str, file: Path) -> None:
    """Announce a file on the ticket, say that it is, and wait to be killed before it is read."""
    from storage.attachments.attaching import Attaching, open_file

    with closing(open_store(database)) as store:
        conversation = store.open_conversation(agent, "T-80005")
        Attaching(store, conversation, store.nodes(conversation.id)[1].id, open_file(file))
        print("announced", flush=True)
        sys.stdin.read()


def hold(database: Path) -> None:
    """Hold the lock file until the standard input ends."""
    from storage.sqlite.lock import FileLock

    lock = FileLock(database.with_name(f"{database.name}.lock"))
    lock.acquire()
    print("held", flush=True)
    sys.stdin.read()
    lock.release()


def read(database: Path) -> None:
    """Read one state of the record until the standard input ends."""
    from storage.sqlite.connection import connect

    db = connect(database)
    db.execute("BEGIN")
    db.execute("SELECT count(*) FROM interaction").fetchone()
    print("reading", flush=True)
    sys.stdin.read()
    db.execute("ROLLBACK")
    db.close()


def erase(database: Path, where: str) -> None:
    """Erase T-80005, and wait to be killed inside the transaction or right after it."""
    from sqlite_utils import Database

    from storage.sqlite import erasing
    from storage.sqlite.engine import FileEngine

    def wait(*arguments: object) -> bool:
        print("there", flush=True)
        return bool(sys.stdin.read())

    if where == "inside":
        real = erasing.erase

        def then_wait(db: Database, *arguments: str | int, **more: bool) -> None:
            real(db, *arguments, **more)  # type: ignore[arg-type]  # as they came
            wait()

        erasing.erase = then_wait  # type: ignore[assignment]  # the test's way into the transaction
    else:
        FileEngine.scrub = wait  # type: ignore[method-assign, assignment]  # the test's way in between
    with closing(open_store(database)) as store:
        store.erase("T-80005", "camille", "asked for")


def first_start(database: Path) -> None:
    """Open the record at the same time as others, when told to."""
    print("ready", flush=True)
    sys.stdin.readline()
    with closing(open_store(database)) as store:
        print(len(store.tickets("camille")), flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["append", path, name, number]:
            append(Path(path), name, int(number))
        case ["append_aloud", path, name]:
            append_aloud(Path(path), name)
        case ["stream", path, name]:
            stream(Path(path), name)
        case ["attach", path, name, file]:
            attach(Path(path), name, Path(file))
        case ["hold", path]:
            hold(Path(path))
        case ["read", path]:
            read(Path(path))
        case ["erase", path, where]:
            erase(Path(path), where)
        case ["first_start", path]:
            first_start(Path(path))
