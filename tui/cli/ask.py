"""`ticketree ask`: one turn, streamed to standard output; the same rules as in the app."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Sequence

import click

from assistant.gates.record import results_on
from assistant.gates.results import Gate, GateResult, Outcome
from assistant.plan.plan import Plan
from assistant.plan.prefix import requests_for
from assistant.plan.stopping import check_verdict
from assistant.tasks.choice import choose_task, task_of
from assistant.tasks.contracts import parsed
from assistant.turn.events import AnswerGrew, TurnEnded, TurnEvent, TurnPreparing, TurnRemark, TurnStep, TurnWaiting
from assistant.turn.turns import Turns
from storage.interactions import Conversation, Interaction, Node, Status
from storage.kinds import WARNING
from storage.store import Store
from storage.values import JsonObject
from tui.answers import contract_field
from tui.chat_items import failure_of
from tui.cli.failures import ExitStatus
from tui.cli.options import (
    TEXT,
    at_option,
    json_option,
    pass_run,
    text_of,
    ticket_argument,
)
from tui.cli.output import TextStream, print_json, remark
from tui.cli.plan_options import budget_option, strategy_option, task_option
from tui.cli.planning import Request, planned
from tui.cli.run import Run
from tui.errors import TuiError
from tui.services import Services
from tui.turning import turns_for


@click.command(short_help="Ask on a ticket; the answer is printed as it comes.")
@ticket_argument
@click.argument("text", type=TEXT)
@at_option
@task_option
@strategy_option
@budget_option
@click.option("--send-without-ticket", is_flag=True, help="Send although the ticket is outside the budget.")
@json_option
@click.pass_context
@pass_run
def ask(
    run: Run,
    context: click.Context,
    ticket: str,
    text: str,
    at: int | None,
    task: str | None,
    strategy: str | None,
    budget: int | None,
    send_without_ticket: bool,
    as_json: bool,
) -> None:
    """Ask on a ticket and print the answer as it comes; Ctrl+C stops it and keeps what came.

    TEXT is what you ask; "-" reads it from standard input.
    """
    words = text_of(text)
    if not words.strip():
        raise click.UsageError("The text is empty; say what you want.")
    at_once = as_json or not sys.stdout.isatty()
    with run.services(at_once=at_once) as services:
        request = planned(services, ticket, words, at=at, task=task, strategy=strategy, budget=budget)
        check_verdict(request.plan, on_purpose=send_without_ticket, summary_first=True)
        conversation = services.store.open_conversation(services.agent, ticket)
        leaf_id = _leaf_id(services.store, conversation, request)
        _choose(services, conversation, request, leaf_id)
        answer = asyncio.run(
            _turn(services, conversation, leaf_id, request, on_purpose=send_without_ticket, quiet=as_json)
        )
        hanging = _hanging(services.store, answer)
        gates, warnings = results_on(hanging), [entry for entry in hanging if entry.kind == WARNING.name]
        if as_json:
            print_json(_document(services.store, answer, request.plan, gates, warnings))
    for warning in warnings:
        remark(f"{warning.content} {warning.node.meta.get('advice', '')}".rstrip())
    context.exit(_end(answer, gates))


def _choose(services: Services, conversation: Conversation, request: Request, leaf_id: int) -> None:
    """Let the branch have the task that was asked for, where it has another."""
    if request.again is None and task_of(request.projection.path) != request.task.name:
        choose_task(services.store, conversation.id, leaf_id, services.agent, request.task)


def _leaf_id(store: Store, conversation: Conversation, request: Request) -> int:
    """What the question follows: a newer snapshot is taken in now, and a conversation may have just begun."""
    leaf_id = request.projection.leaf_id or store.selected(conversation.id)
    if request.projection.has_newer_ticket:
        leaf_id = store.add_snapshot(conversation.id, leaf_id, request.projection.ticket.snapshot).id
    return leaf_id


async def _turn(
    services: Services,
    conversation: Conversation,
    leaf_id: int,
    request: Request,
    *,
    on_purpose: bool,
    quiet: bool,
) -> Node:
    """Run the turn to its end, printing the answer unless `quiet`; Ctrl+C ends it early. Returns the answer."""
    turns = turns_for(services)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, turns.stop, conversation.id)
    answered = TextStream()
    try:
        async for event in _events(turns, conversation, leaf_id, request, on_purpose=on_purpose):
            match event:
                case AnswerGrew(text=piece) if not quiet:
                    answered.write(piece)
                case TurnWaiting():
                    remark(event.words)
                case TurnStep(what=remarked) | TurnPreparing(what=remarked) | TurnRemark(text=remarked):
                    remark(remarked)
                case TurnEnded(answer=answer):
                    return answer
        raise TuiError("The answer has ended without a result; `ticketree show` tells what was kept.")
    finally:
        await turns.aclose()
        await services.provider.aclose()
        answered.end()


def _events(
    turns: Turns, conversation: Conversation, leaf_id: int, request: Request, *, on_purpose: bool
) -> AsyncIterator[TurnEvent]:
    """Begin the turn: a question below the leaf, or another answer to the newest one."""
    plan, settings, task = request.plan, request.settings, request.task
    if request.again is not None:
        return turns.ask_again(conversation, request.again.id, plan, settings, task, on_purpose=on_purpose)
    return turns.send(conversation, leaf_id, request.text, plan, settings, task, on_purpose=on_purpose)


def _hanging(store: Store, answer: Node) -> list[Interaction]:
    """What hangs on the answer: what the gates decided, and what its reader must know, among other things."""
    branch = store.branch(answer.conversation_id, answer.id)
    return [entry for entry in branch if not entry.is_external and entry.node.parent_id == answer.id]


def _document(
    store: Store, answer: Node, plan: Plan, gates: Sequence[GateResult], warnings: Sequence[Interaction]
) -> JsonObject:
    """The answer as `ask --json` prints it; the plan is that of its last request, where one was sent."""
    requests = requests_for(store, answer)
    (*_, interaction) = store.path(answer.conversation_id, answer.id)
    keeps_contract = contract_field(answer) is not None and not any(
        result.gate is Gate.CONTRACT and result.result is Outcome.FAIL for result in gates
    )
    return {
        "node": answer.id,
        "status": answer.status.value,
        "text": interaction.content,
        "data": parsed(interaction.content) if keeps_contract else None,
        "gates": [result.as_json() for result in gates],
        "warnings": [{"text": warning.content, **warning.node.meta} for warning in warnings],
        "usage": requests[-1].usage if requests else {},
        "plan": requests[-1].plan if requests else plan.as_json(),
    }


def _end(answer: Node, gates: Sequence[GateResult]) -> ExitStatus:
    """Say what was not as it should be, and choose the exit status."""
    failed = [result for result in gates if result.result is Outcome.FAIL]
    for result in failed:
        remark(f"A check failed ({result.rule}): {result.detail}")
    match answer.status:
        case Status.COMPLETE if failed:
            return ExitStatus.STOPPED
        case Status.COMPLETE:
            return ExitStatus.DONE
        case Status.INTERRUPTED:
            remark(f"Stopped; what came is kept as node {answer.id}.")
            return ExitStatus.PARTLY
        case Status.LENGTH:
            remark(f"The answer (node {answer.id}) ended at the server's length limit.")
            return ExitStatus.PARTLY
        case _:
            failure = failure_of(answer)
            remark(f"{failure.message} {failure.advice}" if failure else "The answer failed.")
            return ExitStatus.PROVIDER
