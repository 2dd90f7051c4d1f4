"""A handbook: looked through for changes at each search, so that a page that was edited counts at once."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

from assistant.handbook.files import HandbookFile, Skipped, find_files, read_text
from assistant.handbook.index import HandbookIndex
from assistant.handbook.passages import Passage, passages
from storage.sqlite.driver import sqlite3

USUAL_LIMIT: Final = 5
"""How many passages a search gives."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a handbook holds.

    Attributes:
        files: how many are indexed.
        skipped: what is not, and why.
        cached: the index is kept, so that the next start need not read the files again.
    """

    files: int
    passages: int
    skipped: tuple[Skipped, ...]
    cached: bool


class Handbook:
    """The handbook in a folder; may be used from any thread. Nothing is read before it is first asked.

    Args:
        folder: of Markdown and text files, and folders of them.
        cache_folder: where its index is kept; None, or one that cannot be written, keeps it in memory.
    """

    def __init__(self, folder: Path, cache_folder: Path | None = None) -> None:
        self.folder = folder
        self._cache_folder = cache_folder
        self._index: HandbookIndex | None = None
        self._is_cached = False
        self._lock = Lock()

    def contents(self) -> Contents:
        """Look at what is there now.

        Raises:
            HandbookError: there is no such folder, or it cannot be read.
        """
        with self._lock:
            index, skipped = self._current()
            known = index.known()
            files = sum(1 for *_, reason in known.values() if not reason)
            return Contents(files, index.count(), tuple(skipped), self._is_cached)

    def search(self, query: str, limit: int = USUAL_LIMIT) -> list[Passage]:
        """Find the passages that fit a query best, best first; its words are taken literally.

        Raises:
            HandbookError: there is no such folder, or it cannot be read.
        """
        with self._lock:
            index, _ = self._current()
            return index.search(query, limit)

    def texts(self) -> Iterator[str]:
        """Yield the words of all passages.

        Raises:
            HandbookError: there is no such folder, or it cannot be read.
        """
        with self._lock:
            index, _ = self._current()
            yield from index.texts()

    def close(self) -> None:
        """Release the index."""
        with self._lock:
            if self._index is not None:
                self._index.close()
                self._index = None

    def _current(self) -> tuple[HandbookIndex, list[Skipped]]:
        """Bring the index to the state of the files, and name those that are skipped.

        An index that cannot be written any more, as on a full disk, is left, and one in memory taken instead.
        """
        found = list(find_files(self.folder))
        try:
            return self._refreshed(self._opened(), found)
        except sqlite3.Error:
            if self._index is not None:
                self._index.close()
            self._index, self._is_cached = HandbookIndex(None), False
            return self._refreshed(self._index, found)

    @staticmethod
    def _refreshed(
        index: HandbookIndex, found: Sequence[HandbookFile | Skipped]
    ) -> tuple[HandbookIndex, list[Skipped]]:
        files = {each.name: each for each in found if isinstance(each, HandbookFile)}
        skipped = [each for each in found if isinstance(each, Skipped)]
        known = index.known()
        changed = [file for name, file in files.items() if known.get(name, ())[:2] != _state(file)]
        gone = known.keys() - files.keys()
        if changed or gone:
            with index.changing():
                for name in gone:
                    index.remove(name)
                for file in changed:
                    _take(index, file, known[file.name][2] if file.name in known else "")
            known = index.known()
        skipped += [Skipped(name, reason) for name, (*_, reason) in known.items() if reason]
        return index, sorted(skipped, key=lambda each: each.name)

    def _opened(self) -> HandbookIndex:
        if self._index is None:
            self._index = self._in_cache() or HandbookIndex(None)
        return self._index

    def _in_cache(self) -> HandbookIndex | None:
        if self._cache_folder is None:
            return None
        name = hashlib.sha256(str(self.folder.resolve()).encode(errors="surrogateescape")).hexdigest()[:16]
        try:
            index = HandbookIndex(self._cache_folder / f"{name}.db")
        except (OSError, sqlite3.Error):
            return None
        self._is_cached = True
        return index


def _take(index: HandbookIndex, file: HandbookFile, known_digest: str) -> None:
    """Index a file; where only its date has changed, its passages stay."""
    text = read_text(file)
    if isinstance(text, Skipped):
        index.fill(file.name, ())
        index.put(file.name, *_state(file), "", text.reason)
        return
    digest = hashlib.sha256(text.encode()).hexdigest()
    if digest != known_digest:
        index.fill(file.name, list(passages(file.name, text)))
    index.put(file.name, *_state(file), digest, "")


def _state(file: HandbookFile) -> tuple[int, int]:
    return file.size_bytes, file.modified_ns
