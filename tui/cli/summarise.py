"""`ticketree summarise`: let a summary stand for the first turns of a path, by hand."""

import asyncio
import signal

import click

from assistant.errors import NoSummaryError
from assistant.plan.plan import Coverage, PlanSettings, StrategyName
from assistant.plan.planner import prepare
from assistant.turn.events import TurnEvent, TurnPreparing
from assistant.turn.foreseeing import turns_of
from assistant.turn.summarising import coverage_anew, coverage_by_hand
from storage.interactions import Conversation, Interaction
from tui.cli.failures import ExitStatus
from tui.cli.options import at_option, json_option, pass_run, ticket_argument
from tui.cli.output import print_json, remark, say
from tui.cli.planning import planned
from tui.cli.run import Run
from tui.display import display_safe
from tui.services import Services
from tui.turning import summariser_for


@click.command(short_help="Let a summary stand for the first turns.")
@ticket_argument
@at_option
@click.option("--redo", is_flag=True, help="Make the summary that stands anew.")
@json_option
@click.pass_context
@pass_run
def summarise(run: Run, context: click.Context, ticket: str, at: int | None, redo: bool, as_json: bool) -> None:
    """Have all turns up to NODE but the last one summarised, and print the summary.

    The turns stay as they are: with strategy "summarise" the summary is sent instead of them, on every branch that goes
    through the last of them. One call of the model is made, of a few where the turns do not fit into one. With --redo
    the turns that stand summarised already are summarised anew, from the originals.
    """
    with run.services() as services:
        request = planned(services, ticket, "", at=at, strategy=StrategyName.SUMMARISE.value, budget=None)
        conversation = request.projection.conversation
        if conversation is None:
            raise NoSummaryError("There is nothing to summarise yet: the conversation has not begun.")
        prepared = prepare(request.projection.path, request.task, request.settings, services.counter)
        coverage = coverage_anew(prepared) if redo else coverage_by_hand(prepared)
        if not redo and coverage.turns <= prepared.summarised_turns:
            raise NoSummaryError(f"{turns_of(coverage).capitalize()} stand summarised already; --redo makes it anew.")
        made = asyncio.run(_made(services, conversation, coverage, request.settings))
        if made is None:
            remark("Stopped; no summary was made.")
            context.exit(ExitStatus.PARTLY)
        summary = _summary(services, conversation, coverage, made)
    if as_json:
        meta = summary.node.meta
        print_json(
            {
                "id": made,
                "node": coverage.last_node_id,
                "covers": meta.get("covers"),
                "counts": meta.get("counts"),
                "model": meta.get("model"),
                "text": summary.content,
            }
        )
    else:
        say(display_safe(summary.content))


async def _made(
    services: Services, conversation: Conversation, coverage: Coverage, settings: PlanSettings
) -> int | None:
    """Make it and return its id; None where Ctrl+C stopped it."""
    making = asyncio.create_task(summariser_for(services).summarise(conversation, coverage, settings, _tell))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, making.cancel)
    try:
        return await making
    except asyncio.CancelledError:
        return None
    finally:
        await services.provider.aclose()


def _tell(event: TurnEvent) -> None:
    if isinstance(event, TurnPreparing):
        remark(event.what)


def _summary(services: Services, conversation: Conversation, coverage: Coverage, made: int) -> Interaction:
    assert coverage.last_node_id is not None
    branch = services.store.branch(conversation.id, coverage.last_node_id)
    return next(entry for entry in branch if entry.id == made)
