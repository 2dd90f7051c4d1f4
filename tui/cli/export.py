"""`ticketree export`: a conversation as JSON, Markdown or Mermaid."""

from pathlib import Path

import click

from storage.exporters.export import Export, Rendered, Scope, one_path, whole_tree
from storage.exporters.file_names import file_name
from storage.exporters.registry import EXPORTERS
from storage.store import Store
from tui.cli.options import at_option, pass_run
from tui.cli.output import remark
from tui.cli.output_file import write_new, write_over
from tui.cli.run import Run
from tui.errors import OutputError


@click.command
@click.argument("ticket")
@click.option("--to", "to", type=click.Choice(list(EXPORTERS)), required=True, help="The format.")
@click.option("--all", "whole", is_flag=True, help="The whole tree [default, but for markdown].")
@at_option
@click.option(
    "-o",
    "target",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write into a new file, or into a folder under a name made of the ticket's [standard output].",
)
@click.option("--force", is_flag=True, help="Replace FILE where it exists.")
@pass_run
def export(run: Run, ticket: str, to: str, whole: bool, at: int | None, target: Path | None, force: bool) -> None:
    """Take your conversation on a ticket out: the whole tree, or the path to one node.

    JSON is complete and can be read back; Markdown is to read, print and file; Mermaid draws the tree with the chosen
    path marked.
    """
    if whole and at is not None:
        raise click.UsageError("Choose one: the whole tree (--all), or the path to a node (--at).")
    exporter = EXPORTERS[to]
    with run.store() as store:
        scope = Scope.TREE if whole else Scope.PATH if at is not None else exporter.scope
        rendered = exporter.render(_export(store, run.agent, ticket, scope, at))
        if target is None or str(target) == "-":
            _print(rendered)
        else:
            _write(run, rendered, target / file_name(ticket, rendered.suffix) if target.is_dir() else target, force)
    for sentence in rendered.remarks:
        remark(sentence)


def _export(store: Store, agent: str, ticket: str, scope: Scope, at: int | None) -> Export:
    conversation = store.conversation(agent, ticket)
    return whole_tree(store, conversation) if scope is Scope.TREE else one_path(store, conversation, at)


def _print(rendered: Rendered) -> None:
    """Print in UTF-8, whatever the locale; the formats themselves keep out what could drive a terminal."""
    for chunk in rendered.chunks:
        click.echo(chunk.encode("utf-8", "replace"), nl=False)


def _write(run: Run, rendered: Rendered, path: Path, force: bool) -> None:
    if _is_part_of(path, run.setup.database_file):
        raise OutputError(f"{path} belongs to the record itself; name another file with -o.")
    if force:
        write_over(path, rendered.chunks)
    else:
        write_new(path, rendered.chunks)
    remark(f"Written to {path}.")


def _is_part_of(path: Path, database: Path) -> bool:
    """Whether a file is the database or one that SQLite or we keep beside it, by whatever way the path goes."""
    for suffix in ("", "-wal", "-shm", "-journal", ".lock"):
        part = database.with_name(database.name + suffix)
        if path.resolve() == part.resolve() or (path.exists() and part.exists() and path.samefile(part)):
            return True
    return False
