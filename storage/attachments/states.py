"""Adding states of attachments: what ends them, and what takes them out of further requests."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from storage.attachments.attachment import AttachedFile, Attachment, AttachmentState, attachments_of
from storage.errors import AttachmentError
from storage.interactions import Conversation, Interaction
from storage.kinds import ATTACHMENT
from storage.store import Store

INTERRUPTED: Final = "reading was interrupted; attach it again"


def add_state(store: Store, conversation: Conversation, state: Attachment) -> Attachment:
    """Add a state of an attachment to its node; returns it with the interaction that holds it."""
    entry_id = store.add_internal(
        conversation.id, state.node_id, ATTACHMENT, conversation.agent, text=state.text, meta=state.meta
    )
    return replace(state, entry_id=entry_id)


def failed(attachment: Attachment, reason: str) -> Attachment:
    """Return the state of an attachment that could not be read."""
    return replace(attachment, state=AttachmentState.FAILED, reader="", reason=reason)


def withdraw(store: Store, conversation: Conversation, leaf_id: int, attachment: Attachment) -> Attachment:
    """Take an attachment out of further requests, on the branches through this leaf.

    Raises:
        AttachmentError: nothing of it would be sent.
    """
    if not attachment.is_sent:
        raise AttachmentError(f"{attachment.file.name} is not sent anyway ({attachment.state.value}).")
    left = replace(attachment, node_id=leaf_id, state=AttachmentState.WITHDRAWN, reader="", text="", words=0, notes=())
    add_state(store, conversation, left)
    return replace(attachment, state=AttachmentState.WITHDRAWN)


def attached_already(store: Store, conversation: Conversation, node_id: int, file: AttachedFile) -> Attachment | None:
    """Return what the branch through a node sends of the same bytes already, under whatever name."""
    branch = store.branch(conversation.id, node_id)
    if end_abandoned(store, conversation, branch):
        branch = store.branch(conversation.id, node_id)
    same = (known for known in attachments_of(branch) if known.is_sent and known.file.sha256 == file.sha256 != "")
    return next(same, None)


def end_abandoned(store: Store, conversation: Conversation, branch: Iterable[Interaction]) -> bool:
    """Let what nobody reads any more, because its process is gone, be failed; tells whether there was any."""
    gone = [
        attachment
        for attachment in attachments_of(branch)
        if attachment.state is AttachmentState.PENDING and not store.lives(attachment.reader)
    ]
    for attachment in gone:
        add_state(store, conversation, failed(attachment, INTERRUPTED))
    return bool(gone)
