"""`ticketree export`: a conversation as JSON, Markdown or Mermaid."""

from collections.abc import Iterable
from pathlib import Path

import click

from storage.exporters.export import Export, Rendered, Scope, one_path, whole_tree
from storage.exporters.file_names import file_name
from storage.exporters.json_export import EXPORTER as JSON_EXPORTER
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

    JSON is complete and can be read back. Beside its file the head of the conversation's hash chain is written, which
    `ticketree audit verify --anchor` compares with the record. Markdown is to read, print and file; Mermaid draws the
    tree with the chosen path marked.
    """
    if whole and at is not None:
        raise click.UsageError("Choose one: the whole tree (--all), or the path to a node (--at).")
    if force and (target is None or str(target) == "-"):
        raise click.UsageError("--force replaces a file; name it with -o, or leave --force out.")
    exporter = EXPORTERS[to]
    with run.store() as store:
        scope = Scope.TREE if whole else Scope.PATH if at is not None else exporter.scope
        outgoing = _export(store, run.agent, ticket, scope, at)
        rendered = exporter.render(outgoing)
        if target is None or str(target) == "-":
            _print(rendered)
        else:
            path = target / file_name(ticket, rendered.suffix) if target.is_dir() else target
            head = path.with_name(f"{path.stem}.head.json") if exporter is JSON_EXPORTER else None
            if head is not None and head.exists() and not force:
                raise OutputError(f"{head} exists already; name another file with -o, or replace both with --force.")
            _write(run, path, rendered.chunks, force)
            if head is not None:
                _write(run, head, [_head(store, outgoing)], force)
    for sentence in rendered.remarks:
        remark(sentence)


def _export(store: Store, agent: str, ticket: str, scope: Scope, at: int | None) -> Export:
    conversation = store.conversation(agent, ticket)
    return whole_tree(store, conversation) if scope is Scope.TREE else one_path(store, conversation, at)


def _print(rendered: Rendered) -> None:
    """Print in UTF-8, whatever the locale; the formats themselves keep out what could drive a terminal."""
    for chunk in rendered.chunks:
        click.echo(chunk.encode("utf-8", "replace"), nl=False)


def _head(store: Store, export: Export) -> str:
    """The anchor of the conversation that goes out."""
    from storage.audit.anchor import anchor_record
    from tui.cli.audit.files import as_lines, now_us

    return as_lines(anchor_record(store, now_us(), export.conversation.id).as_json())


def _write(run: Run, path: Path, chunks: Iterable[str], force: bool) -> None:
    if _is_part_of(path, run.setup.database_file):
        raise OutputError(f"{path} belongs to the record itself; name another file with -o.")
    if force:
        write_over(path, chunks)
    else:
        write_new(path, chunks)
    remark(f"Written to {path}.")


def _is_part_of(path: Path, database: Path) -> bool:
    """Whether a file is the database or one that SQLite or we keep beside it, by whatever way the path goes."""
    for suffix in ("", "-wal", "-shm", "-journal", ".lock"):
        part = database.with_name(database.name + suffix)
        if path.resolve() == part.resolve() or (path.exists() and part.exists() and path.samefile(part)):
            return True
    return False
