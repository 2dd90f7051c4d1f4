"""Attachments in exports: whole in JSON, which makes equal ones again, and by name in Markdown."""

from dataclasses import replace

from attached_files import add_states
from desks import Desk, a_desk
from exports import text_of

from storage.attachments.attachment import Attachment, AttachmentState, attachments_of
from storage.exporters.export import one_path, whole_tree
from storage.exporters.reading_back import read_export
from storage.sqlite_store import memory_store

PENDING, PROCESSED, FAILED, WITHDRAWN = AttachmentState


def with_files() -> tuple[Desk, int]:
    desk = a_desk()
    answer = desk.ask(desk.ticket_node)
    add_states(
        desk.store, desk.conversation, desk.ticket_node, "words\n# of a file", (PENDING, PROCESSED), name="a*.txt"
    )
    add_states(desk.store, desk.conversation, answer.id, "", (PENDING, FAILED), name="scan.pdf")
    add_states(desk.store, desk.conversation, answer.id, "more", (PENDING, PROCESSED, WITHDRAWN), name="b.txt")
    return desk, answer.id


def without_places(attachments: tuple[Attachment, ...]) -> list[Attachment]:
    return [replace(attachment, node_id=0, entry_id=0) for attachment in attachments]


def test_json_makes_equal_attachments_again() -> None:
    desk, leaf = with_files()
    other = memory_store()
    conversation, _ = read_export(text_of(whole_tree(desk.store, desk.conversation), "json"), other, "noah")

    before = attachments_of(desk.store.branch(desk.id, leaf))
    after = attachments_of(other.branch(conversation.id, other.nodes(conversation.id)[-1].id))
    assert [attachment.state for attachment in after] == [PROCESSED, FAILED, WITHDRAWN]
    assert without_places(after) == without_places(before)


def test_markdown_names_them_and_what_became_of_them() -> None:
    desk, leaf = with_files()
    text = text_of(one_path(desk.store, desk.conversation, leaf), "markdown")

    files = [line for line in text.splitlines() if line.startswith("* Attached file: ")]
    assert files == [
        "* Attached file: a\\*.txt (text/plain, 17 bytes), processed",
        "* Attached file: scan.pdf (text/plain, 0 bytes), failed",
        "* Attached file: b.txt (text/plain, 4 bytes), processed",
        "* Attached file: b.txt (text/plain, 4 bytes), withdrawn",
    ]
    assert "of a file" not in text
