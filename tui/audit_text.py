"""What audits find, as sentences; the same in the app and on the command line."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from assistant.audit.origins import Evidence, Part, Planned
from assistant.money.prices import PriceList, Unpriced
from assistant.money.spending import day_of
from storage.audit.findings import Finding, Place
from storage.audit.verification import Verification
from storage.interactions import SentRequest
from storage.usage import usage_of
from storage.values import JsonObject
from tui.signs import fate_mark
from tui.usage_text import NO_PRICE, money, usage_words

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(microseconds: int | None) -> str:
    """A time to the second with its zone, "" where none is known."""
    if microseconds is None:
        return ""
    try:
        return (_EPOCH + timedelta(microseconds=microseconds)).astimezone().isoformat(" ", "seconds")
    except (OverflowError, ValueError):
        return ""


def place(where: Place) -> str:
    """Where something was found, "T-1 · camille · node 4 · entry 4 · link 8"."""
    parts = [
        where.ticket,
        where.agent,
        f"conversation {where.conversation_id}" if where.conversation_id and not where.agent else None,
        f"node {where.node_id}" if where.node_id else None,
        f"request {where.request_id}" if where.request_id else None,
        f"entry {where.seq}" if where.seq else None,
        f"link {where.link}" if where.link else None,
    ]
    return " · ".join(part for part in parts if part) or "the record"


def finding(found: Finding) -> str:
    """One finding: where and since when, and below it what."""
    since = f" · from {moment(found.since)}" if moment(found.since) else ""
    more = f" ({counted(found.more, 'further finding')} in this conversation)" if found.more else ""
    return f"{place(found.place)}{since}\n    {found.what}{more}"


def counted(count: int, noun: str) -> str:
    """A count with its noun, "1 link" or "2 links"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def checked(verification: Verification) -> str:
    """How much was looked at."""
    counts = {
        "conversation": verification.conversations,
        "interaction": verification.interactions,
        "link": verification.links,
        "request": verification.requests,
        "ticket version": verification.snapshots,
    }
    return ", ".join(counted(count, noun) for noun, count in counts.items())


def anchored(verification: Verification) -> str:
    """How the record stands to its anchor, "" where none was given."""
    found = verification.anchored
    if found is None:
        return ""
    kept = "Everything in it is still there" if verification.holds else "Not all of it is still there"
    return (
        f"Anchor of {moment(found.made_at)}: {counted(found.conversations, 'conversation')}, "
        f"{counted(found.links, 'link')}. {kept}; {counted(found.added, 'link')} added since."
    )


def summary(evidence: Evidence, prices: PriceList | None = None) -> Iterator[tuple[str, str]]:
    """What there is to say of one request, as names and values; what it cost where prices are given."""
    request = evidence.request
    yield "attempt", str(request.attempt)
    yield "sent", moment(request.sent_at)
    yield "to", f"{request.model} at {request.base_url or request.provider}"
    yield "task", f"{request.task}, version {request.task_version}"
    settings = {name: value for name, value in evidence.settings.items() if name != "model"}
    yield "parameters", ", ".join(f"{name} {value}" for name, value in settings.items()) or "none"
    yield "SHA-256", request.body_sha256
    yield "bytes", _bytes(evidence)
    yield "answered", _answered(evidence)
    if request.usage:
        yield "usage", _usage(request.usage)
    if prices is not None and (cost := _cost(request, prices)):
        yield "cost", cost
    if budget := _budget(request.plan):
        yield "budget", budget
    yield "left out", "; ".join(map(left_out, evidence.left_out)) or "nothing"


def _usage(said: JsonObject) -> str:
    """The figures as they are counted; as the server said them where none is known."""
    usage = usage_of(said)
    return usage_words(usage) if usage else ", ".join(f"{name} {value}" for name, value in said.items())


def _cost(request: SentRequest, prices: PriceList) -> str:
    usage = usage_of(request.usage)
    price = prices.price(request.model, request.base_url, day_of(request.sent_at, UTC))
    if isinstance(price, Unpriced):
        return NO_PRICE[price] if usage else ""
    return money(price.rates_for(usage.prompt).cost(usage), prices.currency) if usage else ""


def left_out(item: Planned) -> str:
    """One interaction that was not sent as it is, "node 3 (ticket, 45 tokens) ✂ cut"."""
    return f"node {item.node_id} ({item.kind.replace('_', ' ')}, {item.tokens:,} tokens) {fate_mark(item.fate)}"


def part_head(part: Part) -> str:
    """What stands above the words of a part."""
    tokens = f" · {part.tokens:,} tokens" if part.tokens is not None else ""
    return f"{part.number} · {part.role or 'no message'}{tokens} · {part.origin.detail}"


def as_text(data: bytes | None, *, missing: str) -> str:
    """Bytes to look at; those that are no UTF-8 are shown by their numbers."""
    return missing if data is None else data.decode("utf-8", "backslashreplace")


def _budget(plan: JsonObject) -> str:
    match plan:
        case {"total": int(total), "budget": int(budget), "strategy": str(strategy), "accuracy": str(accuracy)}:
            return f"{total:,} of {budget:,} tokens ({accuracy}), strategy {strategy}"
        case _:
            return ""


def _bytes(evidence: Evidence) -> str:
    if evidence.is_erased:
        return "erased with the words of the ticket; the digest stays"
    held = "they give this SHA-256" if evidence.digest_holds else "they do not give this SHA-256"
    return f"{len(evidence.request.body or b''):,}, {held}"


def _answered(evidence: Evidence) -> str:
    request = evidence.request
    if request.latency_ms is None:
        return "erased" if evidence.is_erased else "not yet, or never"
    status = f"status {request.status_code}, " if request.status_code is not None else ""
    size = f"{len(request.response):,} bytes, " if request.response is not None else ""
    return f"{status}{size}{request.latency_ms:,} ms" + (f". {request.error}" if request.error else "")
