"""A record on a disk that is full, or that cannot be written; run as a script in a mount namespace of its own."""

import contextlib
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from desks import Desk, a_desk, a_ticket

from storage.audit.verification import verify
from storage.errors import StorageError
from storage.sqlite_store import open_store
from storage.store import Store


def told(step: Callable[[], object]) -> str:
    """Return what a step says when it fails."""
    try:
        step()
    except StorageError as error:
        return f"{type(error).__name__}: {error}"
    return ""


def fill(database: Path) -> None:
    """Write until the disk is full; what was acknowledged is there, and once there is room it all goes on."""
    filler = database.with_name("filler")
    filler.write_bytes(b"x" * 400_000)
    with closing(open_store(database)) as store:
        doomed = a_desk(store, ticket=a_ticket("T-2", "zqdoomedword"))
        desk = a_desk(store)
        kept: list[str] = []
        print(told(lambda: write_on(desk, kept)))
        prove(store, desk, kept)
        print(told(lambda: write_on(desk, kept)) != "", "while it is full")
        print(store.ticket("T-2").erased is bool(store.erasures()), told(lambda: erase(doomed)) != "")
        filler.unlink()
        kept.append(desk.say(store.selected(desk.id), "there is room again").preview)
        prove(store, desk, kept)
        if not store.ticket("T-2").erased:
            erase(doomed)
        print([each.pending for each in store.finish_erasures()], [each.pending for each in store.erasures()])
        prove(store, desk, kept)


def write_on(desk: Desk, kept: list[str]) -> None:
    """Add messages until one fails; `kept` are those that were acknowledged."""
    while True:
        text = f"letter {len(kept)} " * 200
        desk.say(desk.store.selected(desk.id), text)
        kept.append(text)


def erase(doomed: Desk) -> None:
    """Erase the other ticket."""
    doomed.store.erase("T-2", "camille", "asked for")


def prove(store: Store, desk: Desk, kept: list[str]) -> None:
    """Print whether exactly the acknowledged messages are there, and the record holds."""
    path = [step.content for step in store.path(desk.id, store.selected(desk.id))][2:]
    found = verify(store)
    print("kept" if path == kept else f"{len(path)} of {len(kept)}", "holds" if found.holds else str(found))


def stuff(database: Path) -> None:
    """Leave a record on a disk without a byte of room, and open it."""
    with closing(open_store(database)) as store:
        a_desk(store)
    with contextlib.suppress(OSError), database.with_name("filler").open("wb", buffering=0) as filler:
        while filler.write(b"x" * 4096):
            pass
    print(told(lambda: open_store(database).close()))
    database.with_name("filler").unlink()
    look(database)


def look(database: Path) -> None:
    """Open a record, read it and try to write."""

    def step() -> None:
        with closing(open_store(database)) as store:
            print("read", store.tickets("camille")[0].subject)
            store.close_ticket("T-80005", "camille")

    print(told(step))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["fill", path]:
            fill(Path(path))
        case ["stuff", path]:
            stuff(Path(path))
        case ["look", path]:
            look(Path(path))
