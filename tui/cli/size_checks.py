"""What `ticketree doctor` tells about sizes: how tokens are counted, and how much the model takes."""

from collections.abc import Iterator
from contextlib import closing

from assistant.errors import AssistantError
from assistant.provider.openai_provider import OpenAIProvider
from assistant.tokens.calibration import MOST_ANSWERS
from assistant.tokens.counter import Counter
from assistant.tokens.counters import counter_for
from assistant.tokens.offset import offset
from assistant.tokens.sizing import Sizing, read_sizing
from assistant.tokens.windows import WindowSource
from storage.errors import StorageError
from storage.store import Store
from tui.cli.check import Check, State
from tui.setup import Setup


def sizes(setup: Setup) -> Iterator[Check]:
    """Check how tokens are counted, how close that is, and how much room the model's window leaves."""
    from storage.sqlite_store import memory_store

    settings = setup.model_settings
    base_url = OpenAIProvider(settings).base_url if settings.names_a_model else ""
    counter = counter_for(settings.model if base_url else "", kind=setup.config.counter or "exact")
    try:
        counter.text("Hello")
    except AssistantError as error:
        yield Check("counter", State.PROBLEM, str(error))
        return
    with closing(_record(setup) or memory_store()) as store:
        sizing = read_sizing(store, base_url, settings.model, counter, setup.limits)
        yield _counting(store, base_url, settings.model, counter, sizing)
    if base_url:
        yield _window(setup, sizing)


def _record(setup: Setup) -> Store | None:
    """The record where there is one that opens; what is wrong with another is told by the check of the database."""
    from storage.sqlite_store import open_store

    if not setup.database_file.exists():
        return None
    try:
        return open_store(setup.database_file)
    except StorageError:
        return None


def _counting(store: Store, base_url: str, model: str, counter: Counter, sizing: Sizing) -> Check:
    calibration = sizing.calibration
    if calibration is not None:
        found = f"{counter.name}, calibrated by {calibration.answers} answers (text by {calibration.ratio:g})"
        return Check("counter", State.OK, found)
    found = f"{counter.name}, {counter.accuracy}"
    answers, counts = store.prompt_counts(base_url, model, counter.name, MOST_ANSWERS)
    if counter.accuracy == "near" and base_url:
        return Check("counter", State.OK, f"{found} until a few more answers have come ({answers} so far)")
    differs = offset(counts) if counter.accuracy == "exact" else None
    if differs is None:
        return Check("counter", State.OK, found)
    more = "more" if differs.tokens > 0 else "fewer"
    return Check(
        "counter",
        State.WARNING,
        f"{found}; but the server counts about {abs(differs.tokens):,} tokens {more} than are sent, in the last "
        f"{differs.answers} answers",
        "A gateway may add a system message of its own, or ask another model than it names; ask whoever runs it.",
    )


def _window(setup: Setup, sizing: Sizing) -> Check:
    window, room, budget = sizing.window, sizing.answer_room, setup.settings.budget
    if window is None:
        return Check(
            "window",
            State.OK,
            f"not known, so the budget of {budget:,} tokens alone counts",
            "Where the server takes little, set window in the configuration to what it takes (or --window).",
        )
    found = f"{window.tokens:,} tokens ({window.reason}); {room:,} are kept for the answer, {sizing.most:,} left"
    if room >= window.tokens:
        return Check("window", State.PROBLEM, found, "Lower max_output_tokens, so that there is room for a question.")
    if setup.config.budget is not None and sizing.spendable(budget) < budget:
        advice = f"The configured budget of {budget:,} tokens is used up to {sizing.most:,}; lower it."
        return Check("window", State.WARNING, found, advice)
    if window.source is WindowSource.SERVER:
        return Check("window", State.OK, found, "It cuts longer requests without a word; this keeps them shorter.")
    return Check("window", State.OK, found)
