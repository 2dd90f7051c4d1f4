"""The usage screen in words and blocks, laid out for a width; every word on it is safe to show."""

from collections.abc import Iterator, Sequence
from datetime import date
from enum import StrEnum
from typing import Final

from rich.cells import cell_len
from textual.content import Content

from assistant.money.prices import PriceList
from assistant.money.spending import Spending
from tui.bars import bar, columns
from tui.display import one_line
from tui.tones import ACCENT, LEAD, MUTED
from tui.usage_report import Period, Report
from tui.usage_text import cost_words, money, remarks, share, short_count

_HEADS: Final = ("calls", "in", "cached", "out", "reasoning", "mean", "cost")
_NAME_CELLS: Final = 24
_LEAST_NAME_CELLS: Final = 12
_NARROW: Final = 88
_TASKS: Final = 6


class Measure(StrEnum):
    """What the plots show."""

    TOKENS = "tokens"
    MONEY = "money"


def tabs(shown: Period, periods: Sequence[Period]) -> Content:
    """The periods with their keys; the shown one stands out by brackets too, not by colour alone."""
    words = [
        Content.styled(f"[{number} {period}]", f"bold {LEAD}")
        if period is shown
        else Content.styled(f" {number} {period} ", MUTED)
        for number, period in enumerate(periods, 1)
    ]
    return Content(" ").join(words)


def page(report: Report, measure: Measure, width: int, *, plot_lines: int, today: date) -> Content:
    """The whole page.

    Args:
        report: what to show.
        measure: of the plots; tokens where nothing has a price.
        width: cells of each line.
        plot_lines: lines of the columns of the plot.
        today: how old the prices are depends on it.
    """
    if not report.total.calls:
        return Content.assemble(
            ("Nothing was asked in this time.\n\n" if report.period is not Period.CONVERSATION else
             "Nothing was asked in this conversation yet.\n\n", "bold"),
            ("What an answer takes is counted as soon as it has ended, in tokens as the server tells them.", MUTED),
        )  # fmt: skip
    if not report.total.usage:
        return _without_tokens(report)
    if not report.total.has_price:
        measure = Measure.TOKENS
    lines = [*_summary(report, width), Content(""), *_course(report, measure, width, plot_lines), Content("")]
    if len(report.tasks) > 1:
        lines += [*_tasks(report, measure, width), Content("")]
    lines += [*_table(report, width), Content("")]
    lines += [Content.styled(remark, MUTED) for remark in remarks(report.total, report.prices, today)]
    return Content("\n").join(lines)


def _without_tokens(report: Report) -> Content:
    calls = f"{_counted(report.total.calls, 'answer')} asked for, no tokens told.\n\n"
    told = "\n".join(remarks(report.total, report.prices, report.prices.dated or date.min))
    return Content.assemble((calls, "bold"), (told or "The built-in assistant takes none.", MUTED))


def _summary(report: Report, width: int) -> Iterator[Content]:
    total, usage = report.total, report.total.usage
    cached, thought = share(usage.cached, usage.prompt), share(usage.reasoning, usage.completion)
    line = ""
    for count in (lambda tokens: f"{tokens:,}", short_count):
        facts = [
            _counted(total.calls, "call"),
            f"{count(usage.prompt)} tokens in" + (f" ({cached} cached)" if cached else ""),
            f"{count(usage.completion)} out" + (f" ({thought} reasoning)" if thought else ""),
        ]
        line = " · ".join(facts)
        if len(line) <= width:
            break
    yield Content(line)
    failed = f" · {total.failed:,} failed" if total.failed else ""
    yield Content.assemble((cost_words(total, report.prices), f"bold {ACCENT}"), (failed, MUTED))


def _course(report: Report, measure: Measure, width: int, height: int) -> Iterator[Content]:
    steps = report.course.steps
    amounts = [_amount(spending, measure) for _, spending in steps]
    top = _figure(max(steps, key=lambda step: _amount(step[1], measure))[1], measure, report.prices)
    yield _heading(f"{measure.value} by {report.course.by}", f"highest {top}")
    yield from columns(amounts, [label for label, _ in steps], _short(top), width, height)


def _tasks(report: Report, measure: Measure, width: int) -> Iterator[Content]:
    yield _heading(f"{measure.value} by task", "")
    tasks = sorted(report.tasks, key=lambda task: -_amount(task[1], measure))[:_TASKS]
    most = _amount(tasks[0][1], measure)
    figures = [_figure(spending, measure, report.prices) for _, spending in tasks]
    widest = max(map(len, figures))
    room = max(8, width - _NAME_CELLS - widest - 2)
    for (name, spending), figure in zip(tasks, figures, strict=True):
        shown = one_line(name, _NAME_CELLS - 1)
        blank = " " * (_NAME_CELLS - cell_len(shown))
        yield Content.assemble(
            shown, blank, bar(_amount(spending, measure), most, min(room, 60)), "  ", f"{figure:>{widest}}"
        )
    if len(report.tasks) > _TASKS:
        yield Content.styled(f"and {_counted(len(report.tasks) - _TASKS, 'more task')}", MUTED)


def _table(report: Report, width: int) -> Iterator[Content]:
    """Model and task with their figures, as many columns as fit; the names take what room is left."""
    is_narrow = width < _NARROW
    rows = [_figures(spending, report.prices, is_narrow=is_narrow) for *_, spending in report.parts]
    head = _HEADS[:-3] + _HEADS[-1:] if is_narrow else _HEADS
    sizes = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    room = max(_LEAST_NAME_CELLS, width - sum(sizes) - 2 * len(sizes))

    def line(name: str, figures: Sequence[str]) -> str:
        shown = one_line(name, room)
        aligned = (f"{figure:>{size}}" for figure, size in zip(figures, sizes, strict=True))
        return "  ".join((shown + " " * (room - cell_len(shown)), *aligned))

    yield Content.styled(line("model · task", head), MUTED)
    for (model, task, _), figures in zip(report.parts, rows, strict=True):
        yield Content(line(f"{model} · {task}", figures))


def _figures(spending: Spending, prices: PriceList, *, is_narrow: bool) -> list[str]:
    usage = spending.usage
    shown = [
        short_count(spending.calls),
        short_count(usage.prompt),
        share(usage.cached, usage.prompt),
        short_count(usage.completion),
    ]
    if not is_narrow:
        shown.append(short_count(usage.reasoning) if usage.reasoning else "")
        shown.append(f"{spending.latency_ms / 1000 / spending.calls:.1f} s")
    return [*shown, cost_words(spending, prices)]


def _amount(spending: Spending, measure: Measure) -> float:
    return float(spending.cost) if measure is Measure.MONEY else spending.usage.total


def _figure(spending: Spending, measure: Measure, prices: PriceList) -> str:
    return money(spending.cost, prices.currency) if measure is Measure.MONEY else short_count(spending.usage.total)


def _short(figure: str) -> str:
    """A figure without what stands around its digits."""
    return figure.removeprefix("≈ ").partition(" ")[0]


def _heading(what: str, more: str) -> Content:
    return Content.assemble((what.capitalize(), f"bold {LEAD}"), (f"  {more}" if more else "", MUTED))


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
