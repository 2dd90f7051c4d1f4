"""What `ticketree doctor` looks at; each check is one function that changes nothing."""

import importlib.metadata
import os
import platform
import stat
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final

from assistant.errors import AssistantError
from assistant.tasks.registry import DRAFT_REPLY, BrokenTask, Tasks
from storage.errors import StorageError
from tui import locations
from tui.cli.check import Check, State
from tui.cli.handbook_check import handbook
from tui.cli.size_checks import sizes
from tui.clipboard import Route, first_route
from tui.errors import SetupError
from tui.options import Options
from tui.setup import Setup, resolve

SAFE_SQLITE: Final = (3, 51, 3)
"""The first SQLite without the WAL-reset bug."""


def every_check(options: Options, environ: Mapping[str, str]) -> Iterator[Check]:
    """Look at everything; what depends on a broken configuration is left out."""
    yield from versions()
    try:
        setup = resolve(options, environ)
    except SetupError as error:
        yield Check("configuration", State.PROBLEM, str(error), "Correct it; until then nothing else works.")
    else:
        yield from configuration(setup)
        yield agent(setup)
        yield from database(setup)
        yield model(setup)
        yield from sizes(setup)
        yield from tasks(setup)
        yield replies(setup)
        yield from handbook(setup)
        yield prices(setup)
    yield clipboard(environ)
    yield from terminal(environ)


def versions() -> Iterator[Check]:
    """Check Ticketree, Python, Textual and the SQLite library in use."""
    ours = importlib.metadata.version("ticketree")
    textual = importlib.metadata.version("textual")
    yield Check("versions", State.OK, f"Ticketree {ours}, Python {platform.python_version()}, Textual {textual}")
    yield sqlite_library()


def sqlite_library() -> Check:
    """Check which SQLite library is used, and whether it can damage a file that several processes write."""
    from storage.sqlite.driver import sqlite3

    found = f"SQLite {sqlite3.sqlite_version} (module {sqlite3.__name__})"
    if sqlite3.sqlite_version_info >= SAFE_SQLITE:
        return Check("sqlite", State.OK, found)
    return Check(
        "sqlite",
        State.WARNING,
        f"{found} has the WAL-reset bug, which Ticketree's own lock file keeps away",
        "Write the database with Ticketree alone; where it has wheels, `pip install pysqlite3` brings a newer one.",
    )


def configuration(setup: Setup) -> Iterator[Check]:
    """Check the configuration file."""
    path = setup.config.path
    found = str(path) if path else f"none (looked for {locations.config_file()}); defaults are used"
    yield Check("configuration", State.OK, found)
    for warning in setup.config.warnings:
        yield Check("configuration", State.WARNING, warning, "Correct the key or remove it.")


def agent(setup: Setup) -> Check:
    """Check who the agent is."""
    return Check("agent", State.OK, f"{setup.agent.value} (from {setup.agent.source})")


def database(setup: Setup) -> Iterator[Check]:
    """Check the record: where it is, who may read it, and whether it opens."""
    from storage.sqlite.files import filesystem_warning
    from storage.sqlite_store import open_store

    path = setup.database_file
    where = f"{path} (from {setup.database.source})"
    if warning := filesystem_warning(path):
        yield Check(
            "database", State.WARNING, warning, "Name another place with --db, TICKETREE_DB or the configuration."
        )
    if not path.exists():
        yield _new_database(path, where)
        return
    try:
        with closing(open_store(path)) as store:
            count = len(store.tickets(setup.agent.value))
            pending = [erasure.ticket_id for erasure in store.erasures() if erasure.pending]
    except StorageError as error:
        yield Check("database", State.PROBLEM, str(error))
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    tickets = "1 ticket" if count == 1 else f"{count:,} tickets"
    found = f"{where}, mode {mode:o}, schema up to date, {tickets}"
    if mode & 0o077:
        yield Check("database", State.WARNING, found, f"Others can read it; `chmod 600 {path}` keeps it yours.")
    else:
        yield Check("database", State.OK, found)
    if pending:
        yield Check(
            "erasure",
            State.WARNING,
            f"pending for {', '.join(pending)}: the words are gone from the record, but its files may hold traces",
            "Close every other window on this database, then start `ticketree`, which finishes it.",
        )


def _new_database(path: Path, where: str) -> Check:
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if folder.is_dir() and os.access(folder, os.W_OK):
        return Check("database", State.OK, f"{where} does not exist yet; it is made at the first use")
    return Check("database", State.PROBLEM, f"{where} cannot be made in {folder}", "Name another place with --db.")


def model(setup: Setup) -> Check:
    """Check what would answer; nothing is sent."""
    from assistant.provider.openai_provider import OpenAIProvider

    settings = setup.model_settings
    if not settings.names_a_model:
        return Check(
            "model",
            State.OK,
            "none is configured, so the built-in assistant answers from saved replies",
            "To ask a language model, set OPENAI_API_KEY, or give --base-url and --model.",
        )
    where = OpenAIProvider(settings).base_url
    source = f" (from {setup.base_url.source})" if setup.base_url.value else ""
    key = "a key is set" if settings.api_key else "no key is set"
    found = f"{settings.model} at {where}{source}, {key}"
    if not settings.api_key and not setup.base_url.value:
        return Check("model", State.WARNING, found, "Set OPENAI_API_KEY, or name another server with --base-url.")
    return Check("model", State.OK, found)


def tasks(setup: Setup) -> Iterator[Check]:
    """Check the files of tasks: the one that every conversation begins with, and those that cannot be used."""
    for found in Tasks(setup.task_folders).all():
        match found:
            case BrokenTask():
                yield Check("task", State.PROBLEM if found.name == DRAFT_REPLY else State.WARNING, found.why)
            case _ if found.name == DRAFT_REPLY:
                yield Check("task", State.OK, f"{found.title}, version {found.version} ({found.source})")


def replies(setup: Setup) -> Check:
    """Check the saved replies of the built-in assistant."""
    from assistant.builtin.saved_replies import load_replies

    folder = setup.replies_folder
    try:
        found = load_replies(folder)
    except AssistantError as error:
        return Check("replies", State.PROBLEM, str(error))
    own = f" with those of {folder}" if folder else f" (your own would be read from {locations.replies_folder()})"
    return Check("replies", State.OK, f"{len(found.by_key)} in {', '.join(found.languages)}{own}")


def prices(setup: Setup) -> Check:
    """Check the prices of models: which file, and how old its figures are."""
    from assistant.money.price_file import load_prices
    from tui.usage_text import price_age, price_source

    own = setup.prices_file
    try:
        found = load_prices(own)
    except AssistantError as error:
        return Check("prices", State.PROBLEM, str(error), "Correct it, or take it away to use those of Ticketree.")
    where = price_source(found) + ("" if found.path else f" Your own would be read from {own}.")
    if warning := price_age(found, datetime.now().astimezone().date()):
        advice = "Bring it up to date." if found.path else "Update Ticketree, or write prices of your own there."
        return Check("prices", State.WARNING, f"{where} {warning}", advice)
    return Check("prices", State.OK, where)


def clipboard(environ: Mapping[str, str]) -> Check:
    """Check where a copied text would go."""
    match first_route(environ):
        case Route.CLIPBOARD:
            return Check("clipboard", State.OK, "the desktop's clipboard")
        case Route.TERMINAL:
            return Check("clipboard", State.OK, "through the terminal (OSC 52), where its settings allow that")
        case Route.FILE:
            return Check("clipboard", State.OK, f"a file in {locations.copies_folder()}")


def terminal(environ: Mapping[str, str]) -> Iterator[Check]:
    """Check what the terminal says about itself."""
    name = environ.get("TERM", "")
    colours = (
        "no colours (NO_COLOR is set)"
        if environ.get("NO_COLOR")
        else environ.get("COLORTERM") or "256 colours or fewer"
    )
    if name in ("", "dumb"):
        yield Check(
            "terminal",
            State.WARNING,
            f"TERM is {name or 'not set'}",
            "The app needs a terminal that can move its cursor.",
        )
    else:
        yield Check("terminal", State.OK, f"{name}, {colours}")
    if environ.get("TMUX"):
        yield Check(
            "terminal",
            State.OK,
            "inside tmux",
            "For copying over ssh, tmux needs `set -g set-clipboard on`; for full colours, COLORTERM=truecolor.",
        )
