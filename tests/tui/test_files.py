"""Attaching a file in the app: its path, what becomes of it on the screen and in the plan, and taking it out."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from app_driver import TICKET, AppDriver, a_store, running_app, services, with_branches
from attached_files import CSV, add_states
from desks import Desk
from hostile import EVERY, Hostile
from painted import HARMFUL

from assistant.plan.files import FileForm
from storage.attachments.attachment import AttachedFile, Attachment, AttachmentState, attachments_of
from storage.attachments.conversion import CANCELLED
from storage.attachments.states import attached_already
from storage.interactions import Conversation
from storage.kinds import ATTACHMENT
from storage.store import Store
from tui.file_paths import completed, path_of
from tui.notes.lines import note_lines
from tui.notes.registry import notes_of
from tui.screens.files import FilesScreen
from tui.widgets.file_list import FileList

READ = (AttachmentState.PENDING, AttachmentState.PROCESSED)


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    file = tmp_path / "orders.csv"
    file.write_bytes(CSV)
    return file


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    file = tmp_path / "newer" / "orders.csv"
    file.parent.mkdir()
    file.write_bytes(CSV + b"more")
    return file


@pytest.fixture
def never_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.attachments.conversion.COMMAND", ("-c", "import time; time.sleep(600)"))


def a_prepared_store() -> Store:
    store = a_store()
    with_branches(store)
    return store


def states(desk: AppDriver) -> list[AttachmentState]:
    page = desk.sheet.page
    return [each.state for each in attachments_of(desk.store.branch(page.id, page.last.id))]


def forms(desk: AppDriver) -> list[FileForm | None]:
    assert desk.sheet.plan is not None
    return [item.form for item in desk.sheet.plan.items if item.kind == ATTACHMENT.name]


async def attach(desk: AppDriver, path: str) -> None:
    desk.screen.outline.focus()
    await desk.press("A")
    await desk.type(path)
    await desk.press("enter")


async def at_the_desk(desk: AppDriver) -> None:
    await desk.until(lambda: desk.app.screen is desk.screen)
    await desk.rest()


async def test_a_file_is_attached_and_sent_as_its_text(orders: Path) -> None:
    async with running_app(services(a_prepared_store())) as desk:
        await attach(desk, str(orders))
        await at_the_desk(desk)

        assert states(desk) == [AttachmentState.PROCESSED]
        assert forms(desk) == [FileForm.TEXT]
        assert desk.told == ["orders.csv is attached: 3 words."]
        assert "▤ orders.csv · 33 B · 3 words · sent whole" in desk.seen


async def test_the_same_file_is_not_attached_twice_unless_its_content_differs(orders: Path, changed: Path) -> None:
    async with running_app(services(a_prepared_store())) as desk:
        for _ in range(2):
            await attach(desk, str(orders))
            await at_the_desk(desk)

        assert desk.told[1:] == ["orders.csv is attached here already, with the same content; nothing was added."]
        assert len(states(desk)) == 1
        await attach(desk, str(changed))
        await at_the_desk(desk)
        assert states(desk) == [AttachmentState.PROCESSED] * 2


async def test_enter_pressed_twice_at_once_attaches_it_once_and_says_so_once(orders: Path) -> None:
    async with running_app(services(a_prepared_store())) as desk:
        desk.screen.outline.focus()
        await desk.press("A")
        await desk.type(str(orders))
        await desk.burst(["enter", "enter"])
        await at_the_desk(desk)

        assert states(desk) == [AttachmentState.PROCESSED]
        assert desk.told == ["orders.csv is attached: 3 words."]


async def test_of_two_ways_in_at_once_only_one_attaches_the_same_file(
    orders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    both = threading.Event()

    def slowly(store: Store, conversation: Conversation, node_id: int, file: AttachedFile) -> Attachment | None:
        """Answer once both have asked, or once the other one evidently waits."""
        found = attached_already(store, conversation, node_id, file)
        asked.append(node_id)
        if len(asked) == 2:
            both.set()
        both.wait(0.2)
        return found

    monkeypatch.setattr("tui.desk.files.attached_already", slowly)
    async with running_app(services(a_prepared_store())) as desk:
        page = desk.sheet.page
        begun = [desk.screen.files.begin(page.conversation, page.last.id, str(orders)) for _ in range(2)]
        await desk.until(lambda: all(reading.ended.done() for reading in begun))
        await desk.rest()

        assert len(states(desk)) == 1
        assert sorted(desk.told) == [
            "orders.csv is attached here already, with the same content; nothing was added.",
            "orders.csv is attached: 3 words.",
        ]


async def test_what_grows_beside_a_file_turns_it_into_a_description_at_once() -> None:
    store = a_prepared_store()
    page = store.open_conversation("camille", TICKET)
    add_states(store, page, store.selected(page.id), "words " * 1_000, READ, name="long.txt")
    async with running_app(services(store)) as desk:
        assert forms(desk) == [FileForm.TEXT]
        await desk.type("long " * 1_300)

        assert forms(desk) == [FileForm.DESCRIPTION]
        assert "▤ long.txt · 6.0 kB · 1,000 words · sent as a description" in desk.seen
        assert "1 file not whole" in desk.seen


async def test_what_cannot_be_read_leaves_the_path_to_be_changed(tmp_path: Path, orders: Path) -> None:
    async with running_app(services(a_prepared_store())) as desk:
        await attach(desk, str(tmp_path / "none.csv"))
        await desk.until(lambda: bool(desk.told))
        screen = desk.app.screen
        assert isinstance(screen, FilesScreen)
        assert desk.told == ["none.csv cannot be opened: No such file or directory. Check the path."]
        await desk.until(lambda: not screen.line.disabled)
        screen.line.value = str(orders)
        await desk.press("enter")
        await at_the_desk(desk)

        assert states(desk) == [AttachmentState.PROCESSED]


@pytest.mark.usefixtures("never_read")
async def test_escape_stops_reading_and_the_conversation_can_be_sent(orders: Path) -> None:
    async with running_app(services(a_prepared_store())) as desk:
        await attach(desk, str(orders))
        await desk.until(lambda: states(desk) == [AttachmentState.PENDING])
        await desk.until(lambda: forms(desk) == [FileForm.PLACEHOLDER])
        await desk.press("escape")
        await desk.until(lambda: states(desk) == [AttachmentState.FAILED])
        await desk.until(lambda: bool(desk.told))
        assert desk.told == [f"orders.csv could not be read: {CANCELLED}."]
        await desk.press("escape")
        await at_the_desk(desk)

        assert forms(desk) == []
        assert desk.sheet.plan is not None
        assert desk.sheet.plan.may_send


@pytest.mark.usefixtures("never_read")
async def test_one_can_go_on_working_while_it_is_read_and_leaving_the_app_ends_it(orders: Path) -> None:
    store = a_prepared_store()
    async with running_app(services(store)) as desk:
        await attach(desk, str(orders))
        await desk.until(lambda: forms(desk) == [FileForm.PLACEHOLDER])
        await desk.press("enter")
        await at_the_desk(desk)
        assert "orders.csv · 33 B · being read · sent as a placeholder" in desk.seen
        page = desk.sheet.page
        await desk.press("A")
        assert "Reading orders.csv …" in desk.seen
        await desk.press("enter")
        await at_the_desk(desk)
        await desk.screen.files.stop_all()

        assert [each.reason for each in attachments_of(store.branch(page.id, page.last.id))] == [CANCELLED]


async def test_a_file_is_taken_out_again(orders: Path) -> None:
    async with running_app(services(a_prepared_store())) as desk:
        await attach(desk, str(orders))
        await at_the_desk(desk)
        await desk.press("A", "down", "w")
        await desk.until(lambda: states(desk) == [AttachmentState.WITHDRAWN])
        await desk.rest()
        assert "withdrawn, not sent any more" in desk.seen
        await desk.press("up", "escape")

        assert desk.app.screen is desk.screen
        assert forms(desk) == []


async def test_tab_completes_the_path(orders: Path) -> None:
    async with running_app(services(a_prepared_store())) as desk:
        desk.screen.outline.focus()
        await desk.rest()
        await desk.press("A")
        await desk.type(f"{orders.parent}/ord")
        screen = desk.app.screen
        assert isinstance(screen, FilesScreen)
        await desk.until(lambda: bool(screen.line._suggestion))
        await desk.press("tab")

        assert screen.line.value == str(orders)


async def test_tab_right_behind_what_was_typed_completes_it_and_enter_attaches_the_completed_path(orders: Path) -> None:
    async with running_app(services(a_prepared_store())) as desk:
        desk.screen.outline.focus()
        await desk.rest()
        await desk.press("A")
        screen = desk.app.screen
        assert isinstance(screen, FilesScreen)
        await desk.burst([*f"{orders.parent}/ord", "tab", "enter"])
        await at_the_desk(desk)

        assert desk.told == ["orders.csv is attached: 3 words."]


async def test_tab_leaves_a_path_that_nothing_completes_and_goes_on_behind_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "letters" / "first.txt"
    file.parent.mkdir()
    file.write_text("x")
    async with running_app(services(a_prepared_store())) as desk:
        desk.screen.outline.focus()
        await desk.rest()
        await desk.press("A")
        screen = desk.app.screen
        assert isinstance(screen, FilesScreen)
        await desk.burst([*f"{tmp_path}/lett", "tab", "tab"])
        assert screen.line.value == str(file)
        await desk.burst(["x", "y", "backspace", "home", "tab"])
        assert screen.line.value == f"{file}x"
        assert screen.line.cursor_position == len(screen.line.value)
        assert screen.line.has_focus


@pytest.mark.parametrize("text", EVERY, ids=lambda text: text.id)
def test_foreign_names_texts_and_reasons_are_harmless(text: Hostile) -> None:
    node = Desk(store := a_store(), store.open_conversation("camille", TICKET))
    add_states(store, node.conversation, node.ticket_node, text.text, READ, name=text.text)
    branch = store.branch(node.id, node.ticket_node)
    (attachment,) = attachments_of(branch)
    failed = replace(attachment, state=AttachmentState.FAILED, reason=text.text, notes=(text.text,))
    files = FileList()
    files.show([attachment, failed], {})

    lines = note_lines(notes_of(branch[2:]), 60, is_open=True)
    for line in (*lines, files.row_content(0, 60), files.row_content(1, 60)):
        assert not HARMFUL.search(line.plain)
        assert line.cell_length <= 60


def test_paths_are_understood_as_terminals_drop_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    file = tmp_path / "my file.txt"
    file.write_text("x")

    assert path_of(f" {file} ") == file
    assert path_of(f"'{file}'") == file
    assert path_of(str(file).replace(" ", "\\ ")) == file
    assert path_of(f"file://{str(file).replace(' ', '%20')}") == file
    assert path_of("~/my file.txt") == file
    assert path_of("~nobody-of-this-name/x") == Path("~nobody-of-this-name/x")
    assert path_of("it's") == Path("it's")
    assert path_of("a\0b") == Path("a\0b")


def test_a_path_is_completed_to_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in ("invoice.pdf", "inventory.csv", ".hidden", "in\x1b[2Jx"):
        (tmp_path / name).write_text("x")
    (tmp_path / "folder").mkdir()

    assert completed("inv") == "inventory.csv"
    assert completed("invo") == "invoice.pdf"
    assert completed("~/fo") == "~/folder/"
    assert completed(f"{tmp_path}/inv") == f"{tmp_path}/inventory.csv"
    assert completed(".h") == ".hidden"
    assert completed("in\x1b") is None
    assert completed("nothing") is None
    assert completed("none/at/all") is None
    assert completed("~nobody-of-this-name/x") is None
    assert completed("a\0b/c") is None
