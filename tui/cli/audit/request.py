"""`ticketree audit request`: the exact bytes sent for an answer, and where each part of them came from."""

import sys
from typing import TYPE_CHECKING

import click

from tui.cli.audit.record import record_as_it_is
from tui.cli.failures import ExitStatus
from tui.cli.options import json_option, pass_run
from tui.cli.output import print_json, say
from tui.cli.run import Run

if TYPE_CHECKING:
    from assistant.audit.origins import Evidence


@click.command
@click.argument("node", type=click.IntRange(min=1))
@click.option("--attempt", metavar="N", type=click.IntRange(min=1), help="One of several attempts.")
@click.option("--body", is_flag=True, help="Print the body of the last attempt byte for byte, and no more.")
@click.option("--response", is_flag=True, help="Print the raw response in the same way.")
@json_option
@click.pass_context
@pass_run
def request(
    run: Run, context: click.Context, node: int, attempt: int | None, body: bool, response: bool, as_json: bool
) -> None:
    """Show what was sent for an answer of yours: bytes, digest, parts with their origins, response, and what was cut.

    NODE is the number of an answer, as `ticketree tree` shows it. The exit status is 3 when the bytes do not give their
    digest, or a part is not what the record says.
    """
    if body + response + as_json > 1:
        raise click.UsageError("--body, --response and --json each print one thing and no more; choose one of them.")
    from assistant.audit.known_texts import system_messages, tasks_here
    from assistant.audit.tracing import trace_answer

    with record_as_it_is(run) as store:
        conversation = store.locate(run.agent, node)
        tasks = tasks_here(run.setup.task_folders)
        found = trace_answer(store, conversation.id, node, system_messages(tasks, store))
    if attempt is not None:
        found = [evidence for evidence in found if evidence.request.attempt == attempt]
    if not found:
        what = f"node {node}" if attempt is None else f"attempt {attempt} of node {node}"
        raise click.UsageError(f"Nothing was sent for {what}. Choose an answer that a model was asked for.")
    if body or response:
        last = ([evidence for evidence in found if evidence.is_for_answer] or found)[-1]
        _write(last.request.body if body else last.request.response)
    elif as_json:
        print_json(
            {
                "node": node,
                "conversation": conversation.id,
                "agent": conversation.agent,
                "ticket": conversation.ticket_id,
                "attempts": [evidence.as_json() for evidence in found],
            }
        )
    else:
        for evidence in found:
            _say(evidence)
    context.exit(ExitStatus.STOPPED if any(evidence.problems for evidence in found) else ExitStatus.DONE)


def _write(data: bytes | None) -> None:
    if data is None:
        raise click.UsageError("There are no such bytes: none came, or they were erased.")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _say(evidence: "Evidence") -> None:
    from tui import audit_text

    for name, value in audit_text.summary(evidence):
        say(f"{name:<11} {value}", bold=name == "attempt")
    for problem in evidence.problems:
        say(f"✗ {problem}", colour="red")
    for part in evidence.parts:
        say()
        say(audit_text.part_head(part), bold=True)
        say(part.content)
    say()
    say("The body as sent", bold=True)
    say(audit_text.as_text(evidence.request.body, missing="(erased)"))
    say()
    say("The response as received", bold=True)
    say(audit_text.as_text(evidence.request.response, missing="(none)"))
    say()
