"""What was sent for an answer, as pages to read; every word on them is safe to show."""

from collections.abc import Mapping
from enum import StrEnum

from textual.content import Content

from assistant.audit.origins import Evidence, OriginKind, Part
from assistant.money.prices import PriceList
from tui.audit_text import as_text, part_head, summary
from tui.display import display_safe, hidden_count
from tui.tones import GOOD, LEAD, MUTED, WARNING

_NAME_CELLS = 12


class SentPage(StrEnum):
    """One way to look at a request; its value is what stands on its tab."""

    SUMMARY = "summary"
    PARTS = "parts"
    BODY = "body"
    RESPONSE = "response"


def sent_pages(evidence: Evidence, prices: PriceList | None = None) -> Mapping[SentPage, Content]:
    """Lay out one request."""
    return {
        SentPage.SUMMARY: _summary(evidence, prices),
        SentPage.PARTS: _parts(evidence),
        SentPage.BODY: _raw(evidence.request.body, "The bytes were erased with the words of the ticket."),
        SentPage.RESPONSE: _raw(evidence.request.response, "No response is there: none came, or it was erased."),
    }


def tabs(shown: SentPage) -> Content:
    """The pages with their keys; the shown one stands out by brackets too, not by colour alone."""
    words = [
        Content.styled(f"[{number} {page}]", f"bold {LEAD}")
        if page is shown
        else Content.styled(f" {number} {page} ", MUTED)
        for number, page in enumerate(SentPage, 1)
    ]
    return Content("  ").join(words)


def _summary(evidence: Evidence, prices: PriceList | None) -> Content:
    lines = [
        Content.assemble((f"{name:<{_NAME_CELLS}}", MUTED), display_safe(value, newlines=False), "\n")
        for name, value in summary(evidence, prices)
    ]
    problems = [Content.styled(f"✗ {display_safe(problem)}\n", WARNING) for problem in evidence.problems]
    if not problems and not evidence.is_erased:
        problems = [Content.styled("✓ Every part is what the record says, and the bytes give their digest.\n", GOOD)]
    return Content("").join([*lines, Content("\n"), *problems])


def _parts(evidence: Evidence) -> Content:
    if not evidence.parts:
        return Content.styled("There are no parts to show; the body tells what is there.", MUTED)
    return Content("\n\n").join(map(_part, evidence.parts))


def _part(part: Part) -> Content:
    head = display_safe(part_head(part), newlines=False)
    hidden = hidden_count(part.content)
    note = f" · {hidden:,} hidden characters" if hidden else ""
    style = WARNING if part.origin.kind is OriginKind.UNKNOWN else LEAD
    return Content.assemble((head + note, f"bold {style}"), "\n", display_safe(part.content))


def _raw(data: bytes | None, missing: str) -> Content:
    if data is None:
        return Content.styled(missing, MUTED)
    return Content(display_safe(as_text(data, missing="")))
