"""`ticketree audit proof`: a conversation with all its hashes, and the script that checks them anywhere."""

from pathlib import Path

import click

from tui.cli.audit.files import as_lines, now_us
from tui.cli.audit.record import record_as_it_is
from tui.cli.options import pass_run, ticket_argument
from tui.cli.output import remark
from tui.cli.output_file import write_new, write_over
from tui.cli.run import Run
from tui.errors import OutputError


@click.command
@ticket_argument
@click.option(
    "-o", "folder", metavar="DIR", type=click.Path(path_type=Path), required=True, help="A folder; made if need be."
)
@click.option("--force", is_flag=True, help="Replace files that exist.")
@pass_run
def proof(run: Run, ticket: str, folder: Path, force: bool) -> None:
    """Write a proof of your conversation on a ticket, its JSON export, its head, and a script that checks them.

    The script needs Python and nothing else: python3 verify_export.py ticket-T-80005.proof.json
    """
    from storage.audit.anchor import anchor_record
    from storage.audit.proof import VERIFIER
    from storage.audit.proof import proof as proof_of
    from storage.exporters.export import whole_tree
    from storage.exporters.file_names import file_name
    from storage.exporters.json_export import render

    with record_as_it_is(run) as store:
        conversation = store.conversation(run.agent, ticket)
        files = {
            file_name(ticket, ".json"): "".join(render(whole_tree(store, conversation)).chunks),
            file_name(ticket, ".proof.json"): as_lines(proof_of(store, conversation.id)),
            file_name(ticket, ".head.json"): as_lines(anchor_record(store, now_us(), conversation.id).as_json()),
            VERIFIER.name: VERIFIER.read_text("utf-8"),
        }
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder} cannot be made ({error.strerror}); name another folder with -o.") from error
    for name, text in files.items():
        (write_over if force or name == VERIFIER.name else write_new)(folder / name, [text])
    proof_name = file_name(ticket, ".proof.json")
    remark(f"Written to {folder}; check it there with: python3 {VERIFIER.name} {proof_name}")
