"""`ticketree attach`: attach files to a conversation."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from storage.errors import AttachmentError
from storage.interactions import Conversation
from storage.store import Store
from tui.attachment_text import repeated, state_line
from tui.cli.failures import ExitStatus
from tui.cli.options import at_option, json_option, pass_run, ticket_argument
from tui.cli.output import print_json, remark, say
from tui.cli.run import Run

if TYPE_CHECKING:
    from storage.attachments.attachment import Attachment


@click.command(short_help="Attach files to your conversation on a ticket.")
@ticket_argument
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@at_option
@json_option
@click.pass_context
@pass_run
def attach(
    run: Run, context: click.Context, ticket: str, files: tuple[Path, ...], at: int | None, as_json: bool
) -> None:
    """Attach files to your conversation on a ticket; every branch through the node sends them from then on.

    Text, Markdown, HTML, CSV, PDF, mails (.eml) and Word documents (.docx) are read. Their text is kept, the files
    themselves are not.
    """
    with run.store() as store:
        conversation = store.open_conversation(run.agent, ticket)
        node_id = store.node(conversation.id, at or store.selected(conversation.id)).id
        attached: list[Attachment] = []
        refused: list[str] = []
        for file in files:
            try:
                attached.append(_attach(store, conversation, node_id, file, as_json=as_json))
            except AttachmentError as error:
                refused.append(str(error))
                remark(str(error))
    if as_json:
        print_json(
            {"node": node_id, "attachments": [attachment.as_json() for attachment in attached], "refused": refused}
        )
    failed = sum(bool(attachment.reason) for attachment in attached) + len(refused)
    context.exit(ExitStatus.DONE if not failed else ExitStatus.PARTLY if failed < len(files) else ExitStatus.NOTHING)


def _attach(store: Store, conversation: Conversation, node_id: int, file: Path, *, as_json: bool) -> "Attachment":
    """Attach a file and say how that went, or return what is attached of the same content already."""
    from storage.attachments.attaching import Attaching, open_file
    from storage.attachments.states import attached_already

    opened = open_file(file)
    if known := attached_already(store, conversation, node_id, opened.file):
        remark(repeated(opened.file, known))
        return known
    attached = Attaching(store, conversation, node_id, opened).finish()
    if not as_json:
        say(state_line(attached), colour="yellow" if attached.reason else None)
    return attached
