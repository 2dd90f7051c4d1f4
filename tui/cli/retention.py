"""`ticketree retention`: erase what has been closed for as long as the configuration says."""

from dataclasses import dataclass

import click

from storage.endings import Erasure, day_of
from storage.errors import StorageError
from storage.retention import DAY_US, Due, RetentionRules, due_tickets
from storage.sqlite_store import clock_us
from storage.store import Store
from storage.values import Json
from tui.cli.asking import confirmed
from tui.cli.erase import UNASKED, document, say_outside_reach, yes_option
from tui.cli.failures import ExitStatus
from tui.cli.options import json_option, pass_run
from tui.cli.output import print_json, remark, say
from tui.cli.run import Run
from tui.erasure_text import done
from tui.errors import SetupError


@dataclass(frozen=True, slots=True)
class Kept:
    """A ticket that is due and was not erased; a hold keeps it as it should, everything else failed."""

    ticket_id: str
    reason: str
    held: bool = False


@click.command(short_help="Erase tickets that have been closed for long enough.")
@click.option("--dry-run", is_flag=True, help="List what is due; erase nothing.")
@yes_option
@json_option
@click.pass_context
@pass_run
def retention(run: Run, context: click.Context, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Erase the tickets that have been closed for as long as [retention] in the configuration says.

    It asks first; without a terminal --yes is needed.
    """
    rules = run.setup.config.retention
    if rules is None:
        raise SetupError(
            "How long words are kept is not configured; "
            f"add [retention] with days_after_closing to {run.setup.config_file}."
        )
    with run.store() as store:
        due = due_tickets(store.lifecycles(), rules, clock_us())
        if not as_json:
            _say_due(due, dry_run=dry_run)
        free = [each for each in due if each.hold is None]
        erased: list[Erasure] = []
        kept = [
            Kept(each.ticket_id, f"a legal hold is on it ({each.hold.reason})", held=True) for each in due if each.hold
        ]
        if not dry_run and free:
            tickets = "1 ticket that is due" if len(free) == 1 else f"{len(free):,} tickets that are due"
            if not confirmed(f"Erase {tickets}, with all conversations, for good?", yes=yes, unasked=UNASKED):
                remark("Nothing was erased.")
                context.exit(ExitStatus.NOTHING.value)
            for each in free:
                _erase(store, run.agent, each, rules, erased, kept)
    if as_json:
        print_json(_document(due, erased, kept))
    elif not dry_run:
        _say_done(erased, kept)
    if not dry_run:
        context.exit(_status(erased, kept))


def _erase(store: Store, agent: str, due: Due, rules: RetentionRules, erased: list[Erasure], kept: list[Kept]) -> None:
    """Erase one ticket; what stops it does not stop the others."""
    reason = f"retention: closed on {day_of(due.closed_at)}, kept for {rules.days_after_closing} days"
    if rules.grace_days_for_reopening:
        reason += f" after {rules.grace_days_for_reopening} for reopening"
    try:
        erased.append(store.erase(due.ticket_id, agent, reason, is_own=True))
    except StorageError as error:
        kept.append(Kept(due.ticket_id, str(error)))


def _status(erased: list[Erasure], kept: list[Kept]) -> int:
    failed = any(not each.held for each in kept)
    if failed and not erased:
        return ExitStatus.STOPPED.value
    return (ExitStatus.PARTLY if failed or any(each.pending for each in erased) else ExitStatus.DONE).value


def _document(due: list[Due], erased: list[Erasure], kept: list[Kept]) -> Json:
    return {
        "due": [
            {
                "ticket": each.ticket_id,
                "closed_at": each.closed_at,
                "due_at": each.due_at,
                "held": each.hold is not None,
            }
            for each in due
        ],
        "erased": [document(each) for each in erased],
        "kept": [{"ticket": each.ticket_id, "reason": each.reason} for each in kept],
    }


def _say_due(due: list[Due], *, dry_run: bool) -> None:
    if not due:
        say("No ticket is due.")
        return
    say(f"{len(due):,} due{', none of them erased now' if dry_run else ''}:")
    for each in due:
        held = f", held: {each.hold.reason}" if each.hold else ""
        since = (each.due_at - each.closed_at) // DAY_US
        say(f"  {each.ticket_id}  closed on {day_of(each.closed_at)}, due after {since:,} days{held}")


def _say_done(erased: list[Erasure], kept: list[Kept]) -> None:
    for each in erased:
        say(done(each), colour="yellow" if each.pending else None)
    for left in kept:
        say(f"{left.ticket_id} is kept: {left.reason}", colour="yellow")
    if erased:
        say_outside_reach()
