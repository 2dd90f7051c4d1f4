from collections.abc import AsyncIterator

import pytest
from painted import painted
from textual import events
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from tui.widgets.composer import Composer


class ComposerApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []
        self.escapes = 0
        self.changes: list[str] = []

    def compose(self) -> ComposeResult:
        yield Composer(placeholder="Ask for a draft")

    def on_composer_submitted(self, message: Composer.Submitted) -> None:
        self.sent.append(message.text)

    def on_composer_escaped(self) -> None:
        self.escapes += 1

    def on_text_area_changed(self, message: Composer.Changed) -> None:
        self.changes.append(message.text_area.text)

    @property
    def composer(self) -> Composer:
        return self.query_one(Composer)

    async def paste(self, pilot: Pilot[None], text: str) -> None:
        self.composer.post_message(events.Paste(text))
        await pilot.pause()


@pytest.fixture
async def pilot() -> AsyncIterator[Pilot[None]]:
    app = ComposerApp()
    async with app.run_test(size=(60, 20)) as pilot:
        app.composer.focus()
        await pilot.pause()
        yield pilot


def app_of(pilot: Pilot[None]) -> ComposerApp:
    assert isinstance(pilot.app, ComposerApp)
    return pilot.app


async def test_enter_sends_the_text_and_leaves_it_standing(pilot: Pilot[None]) -> None:
    await pilot.press(*"shorter", "enter")
    app = app_of(pilot)
    assert app.sent == ["shorter"]
    assert app.composer.text == "shorter"


@pytest.mark.parametrize("keys", [(), ("space", "space"), ("ctrl+j", "space", "ctrl+j")])
async def test_enter_never_sends_a_blank_text(pilot: Pilot[None], keys: tuple[str, ...]) -> None:
    await pilot.press(*keys, "enter")
    assert app_of(pilot).sent == []


async def test_ctrl_j_makes_a_new_line(pilot: Pilot[None]) -> None:
    await pilot.press("a", "ctrl+j", "b", "enter")
    assert app_of(pilot).sent == ["a\nb"]


async def test_a_trailing_backslash_and_enter_make_a_new_line(pilot: Pilot[None]) -> None:
    await pilot.press("a", "backslash", "enter", "b", "enter")
    assert app_of(pilot).sent == ["a\nb"]


async def test_a_backslash_elsewhere_does_not_keep_enter_from_sending(pilot: Pilot[None]) -> None:
    await pilot.press("a", "backslash", "b", "enter")
    assert app_of(pilot).sent == ["a\\b"]


@pytest.mark.parametrize("text", ["one\ntwo\n", "one\r\ntwo\r\n", "one\rtwo\r"])
async def test_a_paste_of_several_lines_never_sends(pilot: Pilot[None], text: str) -> None:
    app = app_of(pilot)
    await app.paste(pilot, text)
    assert app.sent == []
    assert app.composer.text == "one\ntwo\n"


async def test_a_paste_replaces_the_selection_and_leaves_the_cursor_behind_it(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    await pilot.press(*"abc", "shift+left", "shift+left")
    await app.paste(pilot, "XYZ")
    await pilot.press("!")
    assert app.composer.text == "aXYZ!"


async def test_a_paste_brings_no_control_characters(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    await app.paste(pilot, "a\x1b]52;c;ZXZpbA==\x07\u202eb\tc")
    assert app.composer.text == "a]52;c;ZXZpbA==b\tc"


async def test_escape_is_posted_and_keeps_the_text(pilot: Pilot[None]) -> None:
    await pilot.press("a", "escape")
    app = app_of(pilot)
    assert app.escapes == 1
    assert app.composer.text == "a"


async def test_changes_are_posted_as_the_agent_types(pilot: Pilot[None]) -> None:
    await pilot.press("a", "b")
    await pilot.pause()
    assert app_of(pilot).changes[-1] == "ab"


async def test_ctrl_z_undoes_a_paste(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    await pilot.press("a")
    await app.paste(pilot, "much\ntext")
    await pilot.press("ctrl+z")
    assert app.composer.text == "a"


async def test_a_blocked_composer_takes_nothing_but_escape_and_says_why(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    app.composer.load("draft")
    app.composer.block("The answer is being written; Esc stops it.")
    await pilot.press("x", "enter", "ctrl+j", "escape")
    await app.paste(pilot, "pasted")
    assert (app.composer.text, app.sent, app.escapes) == ("draft", [], 1)
    assert "Esc stops it" in str(app.composer.border_subtitle)
    app.composer.block("")
    await pilot.press("x", "enter")
    assert app.sent == ["draftx"]


async def test_a_composer_that_waits_takes_text_but_does_not_send_it(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    app.composer.block("The answer is being written; Esc stops it.", takes_text=True)
    await pilot.press("x", "enter", "y", "escape")
    assert (app.composer.text, app.sent, app.escapes) == ("xy", [], 1)
    assert "Esc stops it" in str(app.composer.border_subtitle)
    app.composer.block("")
    await pilot.press("enter")
    assert app.sent == ["xy"]


async def test_the_mode_is_shown_as_text_not_as_markup(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    app.composer.mode = "edit [/b] 2/3"
    await pilot.pause()
    assert "edit [/b] 2/3" in painted(app)[0]


async def test_it_grows_with_its_lines_up_to_eight(pilot: Pilot[None]) -> None:
    composer = app_of(pilot).composer
    heights = []
    for lines in (1, 3, 8, 20):
        composer.load("\n".join("x" * lines))
        await pilot.pause()
        heights.append(composer.content_size.height)
    assert heights == [1, 3, 8, 8]


async def test_a_persian_joiner_can_be_typed(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    await pilot.press("م")
    app.composer.post_message(events.Key("zwnj", "\u200c"))
    await pilot.pause()
    assert app.composer.text == "م\u200c"


async def test_keys_count_in_the_order_in_which_they_were_pressed_however_fast(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    for key in ("a", "b", "left", "x", "backspace", "y"):
        app.post_message(events.Key(key, key if len(key) == 1 else None))
    await pilot.pause()
    assert app.composer.text == "ayb"
