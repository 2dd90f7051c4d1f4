"""Attached files as items of a plan, and which of them are sent as their text.

A file is planned in the form that takes least, so that it pushes nothing out. Then, the newest first, each is sent as
its text where its turn is still sent and the ticket does not fall out for it; older turns give way to it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from assistant.plan.files import FileForm, file_message, forms_of
from assistant.plan.plan import Fate, PlannedItem
from assistant.tokens.counter import Counter
from storage.attachments.attachment import Attachment, AttachmentState, attachment_in, attachments_of
from storage.interactions import Interaction
from storage.kinds import ATTACHMENT

NO_TEXTS: Final[frozenset[int]] = frozenset()


def sent_files(path: Iterable[Interaction]) -> Mapping[int, Attachment]:
    """Return the attachments of a branch that are sent in some form, by the interaction that stands for each."""
    return {attachment.entry_id: attachment for attachment in attachments_of(path) if attachment.is_sent}


def withdrawals(path: Iterable[Interaction]) -> Mapping[int, int]:
    """Return the interaction that withdrew each attachment of a branch, by every other interaction of that one."""
    entries: dict[str, list[int]] = {}
    withdrawn: dict[str, int] = {}
    for entry in path:
        if entry.kind == ATTACHMENT.name and (state := attachment_in(entry)) is not None:
            if state.state is AttachmentState.WITHDRAWN:
                withdrawn.setdefault(state.id, entry.node.id)
            else:
                entries.setdefault(state.id, []).append(entry.node.id)
    return {entry_id: end for file_id, end in withdrawn.items() for entry_id in entries.get(file_id, ())}


def file_items(attachment: Attachment, turn: int, counter: Counter) -> tuple[PlannedItem, PlannedItem | None]:
    """Return the item that takes least, and where that is not its text, the item that is."""

    def item(form: FileForm) -> PlannedItem:
        message = file_message(attachment, form)
        return PlannedItem(
            attachment.entry_id, ATTACHMENT.name, turn, message, counter.message(message), Fate.SENT, form
        )

    fullest, *others = map(item, forms_of(attachment))
    least = min((*others, fullest), key=lambda each: each.tokens)
    return (fullest, None) if least.tokens == fullest.tokens else (least, fullest)


def texts_that_fit(places: Iterable[int], allows: Callable[[frozenset[int]], bool]) -> frozenset[int]:
    """Choose the files that are sent as their text.

    Args:
        places: of the files that could be, in any order.
        allows: whether the newest of these may be sent so, beside the others.
    """
    newest_first = sorted(places, reverse=True)
    if allows(frozenset(newest_first)):
        return frozenset(newest_first)
    chosen = NO_TEXTS
    for place in newest_first:
        if allows(chosen | {place}):
            chosen |= {place}
    return chosen
