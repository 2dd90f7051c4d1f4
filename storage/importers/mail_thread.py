"""Mails joined to threads, and a thread as a ticket."""

import hashlib
import heapq
from base64 import b32encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from storage.importers.findings import FoundMail
from storage.importers.mail_summary import MailSummary

_LATE = 1 << 62


@dataclass(frozen=True, slots=True)
class Thread:
    """Mails of one exchange, oldest first, an answer never before what it answers."""

    mails: tuple[FoundMail, ...]

    @property
    def first(self) -> MailSummary:
        """The mail that opened it."""
        return self.mails[0].mail

    @property
    def root_id(self) -> str:
        """The id of the first mail of the exchange, also where that mail is not at hand."""
        return self.first.references[0] if self.first.references else self.first.id

    @property
    def named_ids(self) -> frozenset[str]:
        """All ids of its mails and of those they refer to."""
        return frozenset(name for found in self.mails for name in (found.mail.id, *found.mail.references))

    @property
    def people(self) -> frozenset[str]:
        """Everyone who wrote or was written to."""
        return frozenset().union(*(found.mail.people for found in self.mails))

    @property
    def tag(self) -> str:
        """The ticket that the subjects name, "" where they name none."""
        return next((found.mail.tag for found in self.mails if found.mail.tag), "")


def join_threads(mails: Sequence[FoundMail]) -> list[Thread]:
    """Put mails together that refer to one another or to the same earlier mail; in order of their first mail."""
    leader: dict[str, str] = {}

    def find(name: str) -> str:
        top = name
        while leader.setdefault(top, top) != top:
            top = leader[top]
        while leader[name] != top:
            leader[name], name = top, leader[name]
        return top

    for found in mails:
        for name in found.mail.references:
            leader[find(name)] = find(found.mail.id)
    groups: dict[str, list[FoundMail]] = {}
    for found in mails:
        groups.setdefault(find(found.mail.id), []).append(found)
    return [ordered(group) for group in groups.values()]


def ordered(mails: Sequence[FoundMail]) -> Thread:
    """Order a thread's mails: an answer after what it answers, else by time, else as they came."""
    position = {found.mail.id: index for index, found in enumerate(mails)}
    answers: dict[int, list[int]] = {}
    ready: list[tuple[int, int]] = []
    waiting: set[int] = set()
    for index, found in enumerate(mails):
        parent = next((position[name] for name in reversed(found.mail.references) if name in position), None)
        if parent is None:
            ready.append((_when(found), index))
        else:
            answers.setdefault(parent, []).append(index)
            waiting.add(index)
    heapq.heapify(ready)
    result: list[FoundMail] = []
    while ready or waiting:
        if not ready:
            # Mails that each claim to answer the other.
            index = min(waiting, key=lambda each: (_when(mails[each]), each))
            waiting.discard(index)
            ready.append((_when(mails[index]), index))
        when, index = heapq.heappop(ready)
        result.append(mails[index])
        for answer in answers.pop(index, ()):
            if answer in waiting:
                waiting.discard(answer)
                own = mails[answer].mail.sent_at
                heapq.heappush(ready, (when if own is None else max(own, when), answer))
    return Thread(tuple(result))


def _when(found: FoundMail) -> int:
    return _LATE if found.mail.sent_at is None else found.mail.sent_at


def derived_id(root_id: str, is_free: Callable[[str], bool]) -> str:
    """Return the id of a thread whose subject names none.

    It is "M-" and eight letters or digits that come from the thread's first Message-ID; more of them in the unlikely
    case that another thread has the same.
    """
    digits = b32encode(hashlib.sha256(root_id.encode()).digest()).decode().lower().rstrip("=")
    lengths = (8, 16, 32)
    return next((name for length in lengths if is_free(name := "M-" + digits[:length])), "M-" + digits)
