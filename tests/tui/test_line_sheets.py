"""What was typed into a sheet stays until it is kept, whatever stands in the way."""

from collections.abc import Callable
from pathlib import Path

import pytest
from app_driver import TICKET, AppDriver, a_store, running_app, services, with_branches
from desks import a_ticket
from gated import judge
from textual.widgets import Input

from storage.errors import LockedError
from tui.screens.erase import EraseScreen
from tui.screens.files import FilesScreen
from tui.screens.search import SearchScreen

BUSY = "Another window keeps the record busy; try again."


def line(desk: AppDriver) -> Input:
    return desk.app.screen.query_one(Input)


def sheet_of(desk: AppDriver) -> type[object] | None:
    """What lies over the desk."""
    return type(desk.app.screen) if desk.app.screen.is_modal else None


def failing_once(monkeypatch: pytest.MonkeyPatch, target: object, name: str) -> None:
    """Let the next call of a method fail as if another process held the record."""
    real: Callable[..., object] = getattr(target, name)

    def fail(*arguments: object, **more: object) -> object:
        monkeypatch.setattr(target, name, real)
        raise LockedError(BUSY)

    monkeypatch.setattr(target, name, fail)


async def test_a_reason_that_is_refused_stays_to_be_changed_and_nothing_else_is_lost() -> None:
    store = a_store()
    async with running_app(services(store)) as desk:
        await desk.press("w")
        await desk.type("half a thought")
        await desk.press("escape", "Z", "enter")
        assert "Say why; the reason stays in the record." in desk.seen
        await desk.type("Sophie asked by mail")
        await desk.press("enter")
        assert sheet_of(desk) is EraseScreen
        assert 'leave the customer\'s name out of it: "Sophie".' in " ".join(desk.seen.replace("│", " ").split())
        assert line(desk).value == "Sophie asked by mail"
        assert not store.ticket(TICKET).erased
        await desk.press("home", *["delete"] * len("Sophie "), "enter")
        assert sheet_of(desk) is None
    (erasure,) = store.erasures()
    assert erasure.reason == "asked by mail"


async def test_what_is_typed_last_before_a_refused_erasure_is_kept_as_a_draft() -> None:
    store = a_store()
    async with running_app(services(store)) as desk:
        desk.screen.desk.type(desk.sheet, "half a thought")
        await desk.press("escape", "Z")
        await desk.type("for Sophie")
        await desk.press("enter", "escape")
    assert store.draft("camille", TICKET).text == "half a thought"


async def test_a_label_that_cannot_be_kept_now_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    store = a_store()
    nodes = with_branches(store)
    async with running_app(services(store)) as desk:
        await desk.at(nodes.friendly_draft)
        await desk.press("m")
        await desk.type("refund version")
        failing_once(monkeypatch, store, "set_label")
        await desk.press("enter")
        assert (line(desk).value, BUSY in desk.seen) == ("refund version", True)
        await desk.press("enter")
        assert sheet_of(desk) is None
        assert store.node(desk.sheet.page.id, nodes.friendly_draft.id).label == "refund version"


async def test_a_reason_for_using_an_answer_that_cannot_be_kept_now_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    store = a_store()
    nodes = with_branches(store)
    judge(store, nodes.friendly_draft)
    async with running_app(services(store)) as desk:
        await desk.at(nodes.friendly_draft)
        await desk.press("O")
        await desk.type("The number is right")
        failing_once(monkeypatch, store, "add_internal")
        await desk.press("enter")
        assert (line(desk).value, BUSY in desk.seen) == ("The number is right", True)
        await desk.type("!")
        await desk.press("enter")
        assert "uses it all the same: The number is right!" in desk.seen


async def test_words_of_a_search_that_was_left_stand_in_its_line_and_steps_follow_the_one_before() -> None:
    store = a_store()
    with_branches(store)
    async with running_app(services(store)) as desk:
        desk.screen.outline.focus()
        await desk.press("slash")
        await desk.type("hamac")
        await desk.press("enter")
        desk.screen.outline.focus()
        await desk.press("slash")
        await desk.type("nowhere at all")
        await desk.press("escape")
        assert desk.screen.finding.query == "hamac"
        await desk.press("slash")
        assert sheet_of(desk) is SearchScreen
        assert line(desk).value == "nowhere at all"


async def test_a_path_stays_until_its_file_is_attached(tmp_path: Path) -> None:
    store = a_store()
    store.save_ticket(a_ticket("T-9"))
    (tmp_path / "notes.txt").write_text("a note")
    async with running_app(services(store)) as desk:
        await desk.press("escape", "A")
        await desk.type(str(tmp_path / "note"))
        await desk.press("escape", "A")
        assert sheet_of(desk) is FilesScreen
        assert line(desk).value == str(tmp_path / "note")
        await desk.press("end")
        await desk.type("s.txt")
        await desk.press("enter")
        await desk.until(lambda: sheet_of(desk) is None)
        await desk.press("A")
        assert line(desk).value == ""
