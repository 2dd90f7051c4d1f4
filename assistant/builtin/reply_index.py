"""Finds the saved reply that fits a ticket, by full-text search; the only SQL of the built-in assistant."""

import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Final

from sqlite_utils import Database

from assistant.builtin.saved_replies import SavedReply
from assistant.builtin.wish_words import fold

THRESHOLD: Final = 6.0
"""A reply that scores less does not fit: tickets that fit score 9 to 45, other texts up to 3 (starter set)."""

MAX_WORDS: Final = 400
"""Words of a ticket that are searched for; the first ones."""

_KEYWORD_WEIGHT: Final = 10.0
_TITLE_WEIGHT: Final = 4.0
_BODY_WEIGHT: Final = 0.5
_STEM_FROM: Final = 7
"""Words of so many letters are searched for without their last two: "deliveries" finds "delivery"."""

_COMMON_FROM: Final = 6
"""A word that is in so many replies of one language is not searched for."""

_WORD = re.compile(r"[^\W\d_]{4,}|[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class Match:
    """A saved reply with how well it fits; a larger score fits better."""

    reply: SavedReply
    score: float

    @property
    def fits(self) -> bool:
        """It is near enough to be handed out."""
        return self.score >= THRESHOLD


def rank(replies: Sequence[SavedReply], words: str) -> list[Match]:
    """Order replies by how well they fit a ticket's words: best first, ties by language and id.

    Give it the replies of all languages: what counts as a rare word depends on how many there are.
    """
    query = _query(words, _common(replies))
    scores = _scores(replies, query) if query and replies else {}
    matches = [Match(reply, scores.get(position, 0.0)) for position, reply in enumerate(replies)]
    return sorted(matches, key=lambda match: (-match.score, match.reply.language, match.reply.id))


def _query(words: str, common: Set[str]) -> str:
    found = dict.fromkeys(word.casefold() for word in _WORD.findall(words))
    telling = [word for word in found if not set(fold(word)) <= common][:MAX_WORDS]
    return " OR ".join(f'"{word[:-2]}"*' if len(word) >= _STEM_FROM else f'"{word}"' for word in telling)


def _common(replies: Sequence[SavedReply]) -> Set[str]:
    """Words that stand in so many replies of a language that they tell nothing apart: "the", "order"."""
    counts = Counter(
        (reply.language, word)
        for reply in replies
        for word in set(fold(" ".join([*reply.keywords, reply.title, reply.texts[""]])))
    )
    return {word for (_, word), count in counts.items() if count >= _COMMON_FROM}


def _scores(replies: Sequence[SavedReply], query: str) -> dict[int, float]:
    database = Database(memory=True)
    try:
        table = database.table("reply")
        table.insert_all(
            (
                {
                    "position": position,
                    "keywords": "\n".join(reply.keywords),
                    "title": reply.title,
                    "body": reply.texts[""],
                }
                for position, reply in enumerate(replies)
            ),
            pk="position",
        )
        table.enable_fts(["keywords", "title", "body"], tokenize="unicode61 remove_diacritics 2")
        rows = database.query(
            "SELECT rowid AS position, -bm25(reply_fts, ?, ?, ?) AS score FROM reply_fts WHERE reply_fts MATCH ?",
            [_KEYWORD_WEIGHT, _TITLE_WEIGHT, _BODY_WEIGHT, query],
        )
        return {row["position"]: row["score"] for row in rows}
    finally:
        database.close()
