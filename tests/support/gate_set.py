"""The set on which the gates are measured: right replies, and the same replies with errors put in on purpose.

Right are the replies of `gate_set.toml`, and what the built-in assistant drafts for the sample desk; errors are put
where the file marks what a reply took over, so that nothing here depends on what the rules themselves find.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from assistant.builtin.drafting import answer
from assistant.builtin.saved_replies import Replies, load_replies
from assistant.gates.case import GateCase
from assistant.gates.deciding import decide
from assistant.gates.registry import FOR_REPLIES
from assistant.gates.results import GateResult, Outcome
from assistant.gates.rules import system_message, team
from assistant.plan.messages import Message
from assistant.plan.rendering import ticket_text
from assistant.tasks.task import RuleChoice
from storage.importers.importing import import_paths
from storage.sqlite_store import memory_store
from storage.tickets import Role, Ticket, TicketMessage
from tui.demo import SAMPLE

FOLDER = Path(__file__).parent
SYSTEM = (
    "You draft replies to customers for an agent of a help desk. State only facts that stand in the ticket or come "
    "from the agent. Never invent order numbers, names, dates, amounts, links, policies or causes. Sign only with a "
    "name that the agent gave."
)
TEAMS = ("customer care", "Kundendienst", "service client", "atención al cliente")
CHOICES = (*FOR_REPLIES, RuleChoice(team.RULE.name, {"allowed": list(TEAMS)}))
ASKED = ("draft a reply", "shorter", "friendlier", "more formal")

_MARK = re.compile(r"<([a-z]+)\|([^<>]*)>")
_HOLES = ("{{order}}", "[delivery date]", "[Name]", "{amount}", "[à compléter]", "XXX", "${tracking}", "____")
_STRANGERS = ("Bob", "Herr Schulze", "Madame Dupont", "Señora Torres", "Mr Smith", "Wanda Kowalska")


class TicketFields(TypedDict):
    """A ticket of the file."""

    id: str
    language: str
    customer: str
    subject: str
    text: str
    said: list[str]
    passages: list[str]
    replies: list[str]
    note: NotRequired[str]


@dataclass(frozen=True)
class Fact:
    """What a reply took over, and where it stands."""

    rule: str
    start: int
    end: int


@dataclass(frozen=True)
class Sample:
    """A reply with what it is held against.

    Attributes:
        facts: what it took over.
        error: the rule that must fail, "" for a reply that is right.
        kind: what was done to it.
        place: where the wrong words stand, None where all of the reply is meant.
    """

    case: GateCase
    language: str
    facts: tuple[Fact, ...] = ()
    error: str = ""
    kind: str = ""
    place: tuple[int, int] | None = None

    @property
    def is_caught(self) -> bool:
        """The rule fails that the error is against, or another one because of the wrong words."""
        (own,) = decide(self.case, [choice for choice in CHOICES if choice.name == self.error])
        return own.result is Outcome.FAIL or any(map(self._is_at_fault, self.results().values()))

    def _is_at_fault(self, result: GateResult) -> bool:
        if self.place is None or result.result is not Outcome.FAIL:
            return False
        start, end = self.place
        return any(words.start < end and start < words.end for words in result.words)

    def results(self) -> dict[str, GateResult]:
        """What the rules say, by name."""
        return {result.rule: result for result in decide(self.case, CHOICES)}


@dataclass(frozen=True)
class Figures:
    """How often the gates were right.

    Attributes:
        caught, errors: replies with an error, by what was done to them: those whose rule failed, and all.
        rejected, clean: replies that are right: those for which any rule failed, and all.
        misses, false_alarms: which ones, for people.
    """

    caught: Mapping[str, int]
    errors: Mapping[str, int]
    rejected: int
    clean: int
    misses: Sequence[str]
    false_alarms: Sequence[str]

    @property
    def catch_rate(self) -> float:
        """Of all errors, 0 to 1."""
        return sum(self.caught.values()) / sum(self.errors.values())

    @property
    def reject_rate(self) -> float:
        """Of all right replies, 0 to 1."""
        return self.rejected / self.clean


def measure() -> Figures:
    """Judge the whole set."""
    caught: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    misses = []
    for sample in with_errors():
        errors[sample.kind] += 1
        if sample.is_caught:
            caught[sample.kind] += 1
        else:
            result = sample.results()[sample.error]
            misses.append(f"{sample.kind}: {result.result.value}, {result.detail}\n{sample.case.reply}")
    alarms = []
    right = [*written(), *drafted(), *refusing()]
    for sample in right:
        failed = [result for result in sample.results().values() if result.result is Outcome.FAIL]
        if failed:
            alarms.append(f"{sample.case.tickets[-1].id}: {failed[0].rule}, {failed[0].detail}")
    return Figures(caught, errors, len(alarms), len(right), misses, alarms)


# replies that are right


@cache
def written() -> tuple[Sample, ...]:
    """The replies of the file."""
    tickets = cast(dict[str, list[TicketFields]], tomllib.loads((FOLDER / "gate_set.toml").read_text("utf-8")))
    return tuple(_written(fields, text) for fields in tickets["ticket"] for text in fields["replies"])


def drafted() -> Iterator[Sample]:
    """What the built-in assistant drafts for the sample desk: the best reply in four ways, and each reply by its id."""
    replies = load_replies(None)
    for ticket in _sample_tickets():
        for ask in (*ASKED, *sorted({reply_id for reply_id, _ in replies.by_key})):
            if (sample := _drafted(ticket, ask, replies)) is not None:
                yield sample


def refusing() -> Iterator[Sample]:
    """Replies with a sentence that sounds like a promise and is none."""
    for language, sentence in lines_of("gate_refusals.txt"):
        for sample in written():
            if sample.language == language:
                yield _with_sentence(sample, sentence)
                break


def _written(fields: TicketFields, marked: str) -> Sample:
    text, facts = _unmarked(marked.strip())
    messages = (TicketMessage(fields["customer"], Role.CUSTOMER, fields["text"].strip()),)
    ticket = _ticket(fields["id"], fields["subject"], fields["customer"], fields["language"], messages)
    said, passages = tuple(fields["said"]), tuple(fields["passages"])
    return Sample(GateCase(text, (ticket,), said, passages, system=SYSTEM), fields["language"], facts)


def _drafted(ticket: Ticket, ask: str, replies: Replies) -> Sample | None:
    draft = answer([Message("user", ticket_text(ticket)), Message("user", ask)], replies)
    if not draft.reply_id:
        return None
    return Sample(GateCase(draft.text, (ticket,), (ask,), system=SYSTEM), draft.language)


@cache
def _sample_tickets() -> tuple[Ticket, ...]:
    store = memory_store()
    import_paths(store, [SAMPLE / "tickets", SAMPLE / "mails"])
    return tuple(store.ticket(summary.id) for summary in store.tickets("camille"))


def _ticket(ticket_id: str, subject: str, customer: str, language: str, messages: tuple[TicketMessage, ...]) -> Ticket:
    return Ticket(ticket_id, 1, 1, subject, customer, language, "open", None, messages, digest="")


def _unmarked(marked: str) -> tuple[str, tuple[Fact, ...]]:
    text, facts, end = "", [], 0
    for mark in _MARK.finditer(marked):
        text += marked[end : mark.start()]
        facts.append(Fact(mark[1], len(text), len(text) + len(mark[2])))
        text += mark[2]
        end = mark.end()
    return text + marked[end:], tuple(facts)


# the same replies with an error


def with_errors() -> Iterator[Sample]:
    """Every error at every place of every reply where it can be made."""
    samples = written()
    for at, sample in enumerate(samples):
        others = [other for other in samples if other.case.tickets != sample.case.tickets]
        for fact in sample.facts:
            words = sample.case.reply[fact.start : fact.end]
            for kind, wrong in _wrong(fact.rule, words, others, at):
                if kind == "another currency" or not _is_right(wrong, sample):
                    yield _changed(sample, fact, wrong, fact.rule, kind)
            hole = _HOLES[(at + fact.start) % len(_HOLES)]
            yield _changed(sample, fact, hole, "placeholders", "placeholder left")
        yield from _wrong_as_a_whole(sample, others, at)


def _wrong(rule: str, words: str, others: Sequence[Sample], at: int) -> Iterator[tuple[str, str]]:
    """The wrong words that can stand in the place of right ones."""
    match rule:
        case "greeting":
            yield "another name", _STRANGERS[at % len(_STRANGERS)]
            yield "name misspelt", _misspelt(words)
            yield "another customer", next(other for other in (*others[at:], *others[:at])).case.tickets[0].customer
        case "dates":
            yield from _wrong_dates(words)
        case "emails":
            name, _, site = words.partition("@")
            yield "address of somebody else", f"{name}x@{site}"
            yield "another site", f"{name}@example.net"
        case "urls":
            yield "another page", f"{words.rstrip('/')}/2"
            yield "another site", words.replace(".example", "-help.example", 1)
            yield "another ending", words.replace(".example", ".com", 1)
        case "amounts":
            yield from _wrong_digits(words)
            yield "another currency", _another_currency(words)
            yield from _of_another(rule, words, others, at)
        case _:
            yield from _wrong_digits(words)
            yield from _of_another(rule, words, others, at)


def _wrong_digits(words: str) -> Iterator[tuple[str, str]]:
    """Each digit changed, the first two different neighbours swapped, one left out, one said twice."""
    places = [place for place, character in enumerate(words) if character.isdigit()]
    for place in places:
        yield "digit changed", f"{words[:place]}{(int(words[place]) + 1) % 10}{words[place + 1 :]}"
    for first, second in pairwise(places):
        if second == first + 1 and words[first] != words[second]:
            yield "digits swapped", f"{words[:first]}{words[second]}{words[first]}{words[second + 1 :]}"
            break
    middle = places[len(places) // 2]
    yield "digit left out", words[:middle] + words[middle + 1 :]
    yield "digit twice", words[: middle + 1] + words[middle] + words[middle + 1 :]


def _wrong_dates(words: str) -> Iterator[tuple[str, str]]:
    numbers = list(re.finditer(r"\d+", words))
    for number in numbers:
        other = str(int(number[0]) + 1).zfill(len(number[0]))
        yield "another date", words[: number.start()] + other + words[number.end() :]


def _another_currency(words: str) -> str:
    for one, other in (("£", "€"), ("€", "$"), ("$", "£"), ("GBP", "EUR"), ("USD", "EUR"), ("EUR", "USD")):
        if one in words:
            return words.replace(one, other)
    return re.sub(r"[Ee]uros?", "USD", words)


def _of_another(rule: str, words: str, others: Sequence[Sample], at: int) -> Iterator[tuple[str, str]]:
    """The same kind of fact from another customer's ticket."""
    for other in (*others[at:], *others[:at]):
        for fact in other.facts:
            if fact.rule == rule and other.language:
                yield "of another ticket", other.case.reply[fact.start : fact.end]
                return


def _misspelt(name: str) -> str:
    """Another letter in the middle of the last name."""
    middle = len(name) - len(name.split()[-1]) // 2 - 1
    return f"{name[:middle]}{'x' if name[middle] != 'x' else 'y'}{name[middle + 1 :]}"


def _is_right(wrong: str, sample: Sample) -> bool:
    """The words are another fact of the same ticket after all, or another way to write the same: £42.5 for £42.50."""
    digits = _bare(wrong)
    ticket = sample.case.tickets[-1]
    texts = (ticket.customer, ticket.subject, *(message.text for message in ticket.messages), *sample.case.said)
    return any(digits == _bare(word) for text in texts for word in text.split() if word)


def _bare(words: str) -> str:
    """Letters and digits alone, without what a fraction does not need."""
    return re.sub(r"[\W_]", "", re.sub(r"[.,]0?0?$", "", words.strip("€$£ .,;()"))).casefold().removesuffix("00")


def _wrong_as_a_whole(sample: Sample, others: Sequence[Sample], at: int) -> Iterator[Sample]:
    foreign = [other for other in others if other.language != sample.language]
    for other in (foreign[at % len(foreign)], foreign[(at + 7) % len(foreign)]):
        case = replace(sample.case, reply=other.case.reply)
        yield replace(sample, case=case, error="language", kind="another language")
    promises = [sentence for language, sentence in lines_of("gate_promises.txt") if language == sample.language]
    for sentence in promises:
        yield replace(_with_sentence(sample, sentence), error="promises", kind="promise added")
    for piece in SYSTEM.split(". "):
        if len(piece.split()) >= 8:
            yield replace(_with_sentence(sample, f"{piece}."), error=system_message.RULE.name, kind="system message")
    routed = replace(sample.case, data={"team": f"Refund Ninjas {at}"})
    yield replace(sample, case=routed, error=team.RULE.name, kind="another team")
    longer = "\n".join([sample.case.reply] * 60)
    yield replace(sample, case=replace(sample.case, reply=longer), error="length", kind="too long")
    yield replace(sample, case=replace(sample.case, reply=" \n"), error="length", kind="empty")


def _changed(sample: Sample, fact: Fact, wrong: str, rule: str, kind: str) -> Sample:
    reply = sample.case.reply[: fact.start] + wrong + sample.case.reply[fact.end :]
    place = (fact.start, fact.start + len(wrong))
    return replace(sample, case=replace(sample.case, reply=reply), error=rule, kind=kind, place=place)


def _with_sentence(sample: Sample, sentence: str) -> Sample:
    """The reply with a sentence before its closing."""
    body, _, closing = sample.case.reply.rpartition("\n\n")
    return replace(sample, case=replace(sample.case, reply=f"{body}\n\n{sentence}\n\n{closing}"))


def lines_of(name: str) -> Iterator[tuple[str, str]]:
    """The sentences of a file, each with its language."""
    for line in (FOLDER / name).read_text("utf-8").splitlines():
        language, _, sentence = line.partition(" ")
        yield language, sentence
