"""What the built-in assistant answers: a saved reply filled with the ticket's facts, or what it cannot do."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from assistant.builtin import reply_text
from assistant.builtin.extracting import extract
from assistant.builtin.followups import Request, Wish, read_request
from assistant.builtin.handed_ticket import HandedTicket, find_ticket, is_data
from assistant.builtin.reply_index import Match, rank
from assistant.builtin.saved_replies import Replies, SavedReply
from assistant.builtin.wish_words import LANGUAGE_NAMES, fold
from assistant.facts.facts import find_facts
from assistant.plan.messages import Message
from assistant.plan.rendering import read_history
from storage.importers.languages import guess_language

CONFIGURE: Final = (
    "For anything else, set up a language model: put its key into OPENAI_API_KEY, "
    "or start Ticketree with --base-url and the address of a server."
)
HELP: Final = (
    "What I can do with this ticket:\n\n"
    "- draft a reply\n"
    "- shorter, longer, friendlier, more formal\n"
    "- in English, auf Deutsch, en français, en español: the saved reply of that language\n"
    "- another saved reply, when you name its title\n\n"
    f"{CONFIGURE}"
)
_NEAREST: Final = 3
_WORDS_NAMED: Final = 6


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered.

    Attributes:
        text: ready to copy where `reply_id` is set; else a plain sentence to the agent.
        reply_id, language, variant: the saved reply that was used, "" where none was.
        at_once: nobody reads along, so it need not come at a human pace.
    """

    text: str
    reply_id: str = ""
    language: str = ""
    variant: str = ""
    at_once: bool = False


def answer(chain: Sequence[Message], replies: Replies, *, said_before: str = "") -> Answer:
    """Answer a chain; the same chain and replies always give the same answer.

    `said_before` is a follow-up that counts as said right before the last message.
    """
    history = read_history(chain[-1].content) if chain else None
    if history is not None:
        most_words, said = history
        return Answer(extract(said, most_words), at_once=True)
    ticket = find_ticket(chain)
    if ticket is None:
        return Answer(
            "I cannot see the ticket: it is not part of what was sent to me, and I work from nothing else.\n\n"
            "Keep the ticket in the request (strategy “select”) or raise the budget, then ask again."
        )
    questions = [message.content for message in chain if message.role == "user" and not is_data(message)]
    if said_before:
        questions.insert(max(0, len(questions) - 1), said_before)
    request = _read(questions, replies)
    if not request.understood:
        return _not_understood(request.unknown)
    draft = _Drawer(ticket, replies).draft(request.wish)
    if draft.reply_id and not request.asks_draft and draft.text == _last_answer(chain):
        title = _title(replies, draft)
        return Answer(
            f"The draft above is already that; the saved reply “{title}” has no other version for it.\n\n{HELP}"
        )
    return draft


def _read(questions: Sequence[str], replies: Replies) -> Request:
    """The last question, read against what the understood ones before it asked for; none asks for a draft."""
    titles = {fold(name): reply.id for reply in replies.by_key.values() for name in (reply.title, reply.id)}
    request = Request(Wish(), asks_draft=True, unknown=())
    wish = request.wish
    for question in questions:
        wish = request.wish if request.understood else wish
        request = read_request(question, wish, titles)
    return request


def _last_answer(chain: Sequence[Message]) -> str:
    return next((message.content.strip() for message in reversed(chain) if message.role == "assistant"), "")


class _Drawer:
    """The saved replies for one ticket, with the ticket's facts."""

    def __init__(self, ticket: HandedTicket, replies: Replies) -> None:
        self._replies = replies
        self._gist = ticket.gist
        self._language = ticket.language or guess_language(ticket.gist) or self._matches[0].reply.language
        self._facts = find_facts(
            ticket=ticket.id,
            customer=ticket.customer,
            subject=ticket.subject,
            texts=ticket.texts,
            language=self._language,
        )

    @cached_property
    def _matches(self) -> list[Match]:
        return rank(list(self._replies.by_key.values()), self._gist)

    def draft(self, wish: Wish) -> Answer:
        """The reply that is wanted, or in a sentence why there is none."""
        language = wish.language or self._language
        languages = self._replies.languages
        if language not in languages:
            which = f"“{language}”" if language else "a language that I cannot tell"
            return Answer(
                f"The ticket is in {which}, and there are saved replies in {_language_list(languages)} only.\n\n"
                f"Name one of these, for example “draft a reply in {_language_name(languages[0])}”. {CONFIGURE}"
            )
        reply_id = wish.reply_id
        if not reply_id:
            read_in = self._language if self._language in languages else language
            matches = [match for match in self._matches if match.reply.language == read_in]
            if not matches[0].fits:
                return _nothing_fits(matches)
            reply_id = matches[0].reply.id
        reply = self._replies.get(reply_id, language)
        return self._fill(reply, wish) if reply else self._not_in_language(reply_id, language)

    def _fill(self, reply: SavedReply, wish: Wish) -> Answer:
        variant = next(name for name in _nearest_variants(wish) if name in reply.texts)
        phrases = self._replies.phrases[reply.language]
        values = dict(self._facts.values(reply.language))
        for name in ("greeting", "closing"):
            phrase = phrases.get(f"{name} {wish.tone}".strip(), phrases[name])
            values[name] = reply_text.fill(phrase, self._facts.values(reply.language))
        return Answer(reply_text.fill(reply.texts[variant], values), reply.id, reply.language, wish.variant)

    def _not_in_language(self, reply_id: str, language: str) -> Answer:
        others = [reply for reply in self._replies.by_key.values() if reply.id == reply_id]
        return Answer(
            f"There is no saved reply “{others[0].title}” in {_language_name(language)}; it exists in "
            f"{_language_list([reply.language for reply in others])}. I cannot translate.\n\n{CONFIGURE}"
        )


def _nearest_variants(wish: Wish) -> tuple[str, ...]:
    """The sections to look for; the last one is in every reply."""
    return (wish.variant, "short", "") if wish.short else (wish.variant, "")


def _nothing_fits(matches: Sequence[Match]) -> Answer:
    nearest = "\n".join(f"- {match.reply.title}" for match in matches[:_NEAREST])
    return Answer(
        "No saved reply fits this ticket well enough, so I hand out none. The nearest are:\n\n"
        f"{nearest}\n\nTo have one of them all the same, ask for it by its title. {CONFIGURE}"
    )


def _not_understood(unknown: Sequence[str]) -> Answer:
    words = ", ".join(f"“{word}”" for word in unknown[:_WORDS_NAMED] if word)
    named = f" I did not understand {words}." if words else ""
    return Answer(f"I am the built-in assistant, not a language model: I only hand out saved replies.{named}\n\n{HELP}")


def _title(replies: Replies, draft: Answer) -> str:
    reply = replies.get(draft.reply_id, draft.language)
    return reply.title if reply else draft.reply_id


def _language_name(language: str) -> str:
    return LANGUAGE_NAMES.get(language, f"“{language}”")


def _language_list(languages: Sequence[str]) -> str:
    return ", ".join(map(_language_name, languages))
