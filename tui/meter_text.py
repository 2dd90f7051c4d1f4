"""The words and the bar of the budget meter, from one plan and nothing else."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from textual.content import Content
from textual.style import Style

from assistant.plan.files import FileForm
from assistant.plan.plan import Fate, Plan, Verdict
from tui.room_text import full_window, room_levels
from tui.signs import CUT, FILE
from tui.summary_text import standing
from tui.tones import ACCENT, FAINT, GOOD, LEAD, MUTED, WARNING
from tui.warning_text import warnings


class Remedy(StrEnum):
    """What an agent can do about a plan that may not be sent as it is; the value is what people read."""

    KEEP_TICKET = "keep the ticket"
    RAISE_BUDGET = "raise the budget"
    SUMMARISE = "summarise"
    LEAVE_OUT = "leave them out"
    SHORTEN = "shorten"
    SEND_WITHOUT = "send without it"


DEFAULT_KEYS: Final[Mapping[Remedy, str]] = MappingProxyType(
    {
        Remedy.KEEP_TICKET: "k",
        Remedy.RAISE_BUDGET: "b",
        Remedy.SUMMARISE: "m",
        Remedy.LEAVE_OUT: "k",
        Remedy.SHORTEN: "s",
        Remedy.SEND_WITHOUT: "w",
    }
)

REMEDY_META: Final = "remedy"
"""Name of the style's meta value that says which remedy a click is on."""

_PARTS: Final = (
    ("system", "▒", FAINT),
    ("ticket", "█", ACCENT),
    ("summary", "▞", "$text-secondary"),
    ("turns", "▓", LEAD),
    ("question", "▚", GOOD),
    ("overhead", "░", MUTED),
    ("free", "·", FAINT),
)
"""The parts in the order of the request: name in `Counts`, the pattern that tells it apart, its colour."""

_SHORT_NAMES: Final = MappingProxyType(
    {"system": "sys", "ticket": "tkt", "summary": "sum", "turns": "trn", "question": "qst", "overhead": "ovh"}
)
_LARGE_OVERHEAD: Final = 20
"""With the tools of a task the overhead is more than the chat format's few tokens, and is named like the rest."""

_BAR_BESIDE_FIGURES: Final = 24
"""A bar narrower than this stands on a line of its own."""


def meter_lines(
    plan: Plan,
    width: int,
    keys: Mapping[Remedy, str] = DEFAULT_KEYS,
    *,
    cached: float | None = None,
    is_once: bool = False,
    refusal: str = "",
) -> list[Content]:
    """Return the one to three lines that show a plan, each at most `width` cells.

    Where the plan may not be sent, a warning takes the meter's place, with the remedies and their keys. `cached` is the
    share of the branch's last request that the provider had in its cache. `is_once` says that the plan's strategy was
    chosen for this request only, `refusal` why the summary that it needs would not be used.
    """
    if width <= 0:
        return []
    once = _once(plan, width) if is_once else Content("")
    room = width - once.cell_length
    if not plan.may_send:
        warning, choices = _warning(plan, width, refusal), _choices(remedies(plan), width, keys)
        figured = replace(plan, to_summarise=None) if refusal else plan
        if len(choices) < 2:
            return [warning, *choices, _figures(figured, room, cached) + once]
        return [warning, *choices[:-1], choices[-1].truncate(room, ellipsis=True) + once]
    figures = _figures(plan, width, cached)
    beside = width - figures.cell_length - 2
    legend = _legend(plan, room) + once
    if beside >= _BAR_BESIDE_FIGURES:
        return [Content.assemble(_bar(plan, beside), "  ", figures), legend]
    return [_bar(plan, width), figures, legend]


def nothing_more(width: int) -> Content:
    """Say in the meter's place that nothing can be sent any more, as the words of the ticket were erased."""
    why = "the words of this ticket were erased"
    forms = (f"Nothing can be sent from here any more: {why}.", f"Nothing can be sent: {why}.", "Nothing can be sent.")
    return Content.styled(_first_fitting(forms, width), MUTED)


def _once(plan: Plan, width: int) -> Content:
    """Say that the strategy holds for this request only; to stand at the end of a line, which it leaves half of."""
    strategy = plan.strategy.value
    forms = (f"{strategy} for this request only", f"{strategy}, this once", "once")
    return Content.styled(f"  {_first_fitting(forms, width // 2 - 2)}", f"bold {ACCENT}")


def remedies(plan: Plan) -> tuple[Remedy, ...]:
    """Return what helps against the plan's verdict; nothing where it may be sent, no budget beyond the window."""
    helps: tuple[Remedy, ...] = ()
    match plan.verdict:
        case Verdict.TICKET_OUTSIDE:
            helps = (Remedy.KEEP_TICKET, Remedy.RAISE_BUDGET, Remedy.SUMMARISE, Remedy.SEND_WITHOUT)
        case Verdict.NEEDS_SUMMARY:
            helps = (Remedy.LEAVE_OUT, Remedy.RAISE_BUDGET)
        case Verdict.NEWEST_TOO_LARGE:
            helps = (Remedy.SHORTEN, Remedy.RAISE_BUDGET)
        case Verdict.FIXED_TOO_LARGE:
            helps = (Remedy.RAISE_BUDGET,)
        case _:
            pass
    return tuple(remedy for remedy in helps if remedy is not Remedy.RAISE_BUDGET or not plan.is_at_window)


def _warning(plan: Plan, width: int, refusal: str) -> Content:
    text = _first_fitting((f"⚠ {text}" for text in warnings(plan, refusal)), width)
    return Content(text).stylize(f"bold {WARNING}")


def _choices(choices: Sequence[Remedy], width: int, keys: Mapping[Remedy, str]) -> list[Content]:
    """The remedies with their keys, on one line or two; the brackets go where there is no room for them."""
    half = (len(choices) + 1) // 2
    lines: list[Content] = []
    one, two = (choices,), (choices[:half], choices[half:])
    for groups, form in ((one, "[{}] "), (two, "[{}] "), (two, "{} ")):
        lines = [_joined(_choice(remedy, keys.get(remedy, ""), form) for remedy in group) for group in groups if group]
        if all(line.cell_length <= width for line in lines):
            return lines
    return [line.truncate(width, ellipsis=True) for line in lines]


def _choice(remedy: Remedy, key: str, form: str) -> Content:
    shown = Content.assemble((form.format(key) if key else "", f"bold {WARNING}"), remedy.value)
    return shown.stylize(Style.from_meta({REMEDY_META: remedy.value}))


def _joined(parts: Iterable[Content]) -> Content:
    return Content.styled(" · ", MUTED).join(parts)


def _figures(plan: Plan, width: int, cached: float | None = None) -> Content:
    """How much of the budget is taken, what is cut and what is not sent whole, then the room, as many words as fit.

    Where a summary is made first, they are what is expected once it stands.
    """
    first = plan.to_summarise
    tokens, cut = (plan.total, plan.cut_turns) if first is None else (first.expected_request, 0)
    files = _files_not_whole(plan)
    turns = f"{cut} turn{'' if cut == 1 else 's'} cut"
    described = f" · {FILE} {files} file{'' if files == 1 else 's'} not whole" if files else ""
    total, budget = f"{'' if first is None else '≈ '}{tokens:,}", f"{plan.budget:,}"
    accuracy, how = f" ({plan.accuracy})", f" · {plan.strategy.value} · {plan.counter}"
    if plan.calibrated_on:
        how += f" by {plan.calibrated_on} answers"
    share = f" · {round(100 * tokens / plan.budget)} %" if plan.budget > 0 else ""
    taken = f"{total} of {budget} tokens{accuracy}"
    whole, brief, sign = standing(plan)
    left = whole + (f" · {CUT} {turns} ({plan.cut_tokens:,} tokens)" if cut else "") + described
    briefly = brief + (f" · {CUT} {turns} ({plan.cut_tokens:,})" if cut else "") + described
    left, briefly = left + full_window(plan), briefly + full_window(plan)
    shown_files = [f"{FILE} {files}"] if files else []
    few, fewest = ([f"{CUT} {turns}"] if cut else []) + shown_files, ([f"{CUT} {cut}"] if cut else []) + shown_files
    room, *rooms = room_levels(plan, cached) if not plan.is_window_full else ("",)
    levels = (
        (taken + share, left, room + how),
        (taken, left, room + how),
        (taken + share, left, room),
        (taken, left, room),
        *((f"{total} of {budget}{accuracy}", briefly, rest) for rest in (room, *rooms)),
        (taken, left, ""),
        (f"{total} of {budget}{accuracy}", briefly, ""),
        (f"{total} of {budget}", brief + "".join(f" · {part}" for part in few), ""),
        (f"{total}/{budget}", sign + "".join(f" {part}" for part in fewest), ""),
    )
    for taken, left_out, rest in levels:
        if len(taken) + len(left_out) + len(rest) <= width:
            break
    line = Content.assemble((taken, "bold"), (left_out, WARNING), (rest, MUTED))
    return line.truncate(width, ellipsis=True)


def _files_not_whole(plan: Plan) -> int:
    """How many attached files are sent otherwise than as their text."""
    return sum(item.form not in (None, FileForm.TEXT) and item.fate is Fate.SENT for item in plan.items)


def _legend(plan: Plan, width: int) -> Content:
    """What each pattern of the bar means, with its tokens, as many words as fit."""
    parts = [(name, sign, style, tokens) for name, sign, style, tokens in _counted(plan) if tokens or name == "free"]
    large = [part for part in parts if part[0] != "overhead" or part[3] >= _LARGE_OVERHEAD]
    taken = [part for part in large if part[0] != "free"]
    levels: tuple[tuple[Sequence[tuple[str, str, str, int]], Callable[[str, int], str]], ...] = (
        (parts, lambda name, tokens: f" {name} {tokens:,} ({_share(tokens, plan)} %)"),
        (parts, lambda name, tokens: f" {name} {tokens:,}"),
        (large, lambda name, tokens: f" {name} {tokens:,}"),
        (large, lambda name, tokens: f"{_SHORT_NAMES.get(name, name)} {tokens:,}"),
        (taken, lambda name, tokens: f"{_SHORT_NAMES.get(name, name)} {tokens:,}"),
        (taken, lambda name, tokens: _SHORT_NAMES.get(name, name)),
    )
    for named, form in levels:
        words = [form(name, tokens) for name, _, _, tokens in named]
        gap = "  " if words[0].startswith(" ") else " "
        if sum(1 + len(word) for word in words) + len(gap) * (len(words) - 1) <= width:
            break
    entries = (
        Content.assemble((sign, style), (word, MUTED)) for (_, sign, style, _), word in zip(named, words, strict=True)
    )
    return Content(gap).join(entries).truncate(width, ellipsis=True)


def _share(tokens: int, plan: Plan) -> int:
    return round(100 * tokens / plan.budget) if plan.budget > 0 else 0


def _bar(plan: Plan, width: int) -> Content:
    """The budget as one bar; parts get cells in proportion, and each that is not empty at least one."""
    parts = [part for part in _counted(plan) if part[3] > 0]
    cells = _cells([tokens for *_, tokens in parts], width)
    return Content.assemble(*((sign * size, style) for (_, sign, style, _), size in zip(parts, cells, strict=True)))


def _cells(amounts: Sequence[int], width: int) -> list[int]:
    """Divide `width` in proportion to positive amounts, at least one each while there is room."""
    whole = sum(amounts)
    if not whole:
        return []
    cells = [max(1, width * amount // whole) for amount in amounts]
    while (excess := sum(cells) - width) != 0:
        widest = max(range(len(cells)), key=lambda at: (cells[at], amounts[at]))
        step = -1 if excess > 0 else -excess
        cells[widest] += step
    return cells


def _counted(plan: Plan) -> list[tuple[str, str, str, int]]:
    amounts = plan.counts.by_part
    return [(name, sign, style, max(0, amounts[name])) for name, sign, style in _PARTS]


def _first_fitting(texts: Iterable[str], width: int) -> str:
    text = ""
    for text in texts:
        if len(text) <= width:
            return text
    return text[:width]
