"""The program `ticketree`: its global options, and where each command is found."""

import os
from pathlib import Path
from typing import Final

import click

from tui import __version__
from tui.cli.lazy import LazyGroup

COMMANDS: Final = {
    "open": "tui.cli.app:open_ticket",
    "demo": "tui.cli.app:demo",
    "import": "tui.cli.importing:import_",
    "tickets": "tui.cli.tickets:tickets",
    "ask": "tui.cli.ask:ask",
    "attach": "tui.cli.attach:attach",
    "attachments": "tui.cli.attachments:attachments",
    "plan": "tui.cli.plan:plan",
    "summarise": "tui.cli.summarise:summarise",
    "tree": "tui.cli.tree:tree",
    "show": "tui.cli.show:show",
    "search": "tui.cli.search:search",
    "reindex": "tui.cli.reindex:reindex",
    "handbook": "tui.cli.handbook:handbook",
    "export": "tui.cli.export:export",
    "audit": "tui.cli.audit.group:audit",
    "close": "tui.cli.close:close",
    "reopen": "tui.cli.close:reopen",
    "hold": "tui.cli.hold:hold",
    "erase": "tui.cli.erase:erase",
    "retention": "tui.cli.retention:retention",
    "usage": "tui.cli.usage:usage",
    "report": "tui.cli.report:report",
    "prices": "tui.cli.prices:prices",
    "tasks": "tui.cli.tasks.group:tasks",
    "doctor": "tui.cli.doctor:doctor",
}
"""Command → where it is; a new command is one module and one line here."""


@click.group(
    cls=LazyGroup,
    lazy_commands=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--db", metavar="PATH", type=click.Path(path_type=Path), help="The database [env: TICKETREE_DB].")
@click.option("--agent", metavar="NAME", help="Who you are [env: TICKETREE_AGENT; else your login name].")
@click.option("--config", metavar="PATH", type=click.Path(path_type=Path), help="The configuration file.")
@click.option("--model", metavar="NAME", help="The language model to ask.")
@click.option("--base-url", metavar="URL", help="Any OpenAI-compatible server [env: OPENAI_BASE_URL].")
@click.option("--window", metavar="N", type=click.IntRange(min=128), help="The tokens that the model takes.")
@click.option("--handbook", metavar="PATH", type=click.Path(path_type=Path), help="The folder of your handbook.")
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def ticketree(
    context: click.Context,
    db: Path | None,
    agent: str | None,
    config: Path | None,
    model: str | None,
    base_url: str | None,
    window: int | None,
    handbook: Path | None,
) -> None:
    """Draft answers to tickets with an assistant, and see what will be cut before it is sent.

    Without a command, the full-screen app opens.
    """
    from tui.cli.run import Run
    from tui.options import Options

    options = Options(
        db=db, agent=agent, config=config, model=model, base_url=base_url, window=window, handbook=handbook
    )
    context.obj = Run(options, os.environ)
    if context.invoked_subcommand is None:
        from tui.cli.app import start_app

        start_app(context.obj, ticket_id=None)
