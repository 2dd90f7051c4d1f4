import stat
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path

import pyperclip
import pytest

from tui import clipboard
from tui.clipboard import LONGEST_OSC52, CopyError, CopyRoute, Route, copy_text

DESKTOP = {"DISPLAY": ":0", "TERM": "xterm-256color"}
SSH = {"SSH_CONNECTION": "10.0.0.1 22", "DISPLAY": ":10", "TERM": "xterm-256color"}


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What reached the desktop's clipboard."""
    texts: list[str] = []
    monkeypatch.setattr(pyperclip, "copy", texts.append)
    return texts


@pytest.fixture
def no_clipboard(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> None:
        raise pyperclip.PyperclipException("no copy/paste mechanism")

    monkeypatch.setattr(pyperclip, "copy", refuse)


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[CopyRoute, str]]:
    monkeypatch.setattr(clipboard, "_is_mac", lambda: False)

    def run(text: str, environ: dict[str, str]) -> tuple[CopyRoute, str]:
        written: list[str] = []
        route = copy_text(text, environ=environ, write_terminal=written.append, folder=tmp_path / "copies")
        return route, "".join(written)

    return run


def test_a_local_desktop_gets_it_on_its_clipboard(
    copied: list[str], copy: Callable[..., tuple[CopyRoute, str]]
) -> None:
    route, written = copy("Bonjour", DESKTOP)
    assert (route.route, route.words, written) == (Route.CLIPBOARD, "Copied to the clipboard.", "")
    assert copied == ["Bonjour"]


def test_over_ssh_it_goes_through_the_terminal(copied: list[str], copy: Callable[..., tuple[CopyRoute, str]]) -> None:
    route, written = copy("Größe\n日本", SSH)
    assert route.route is Route.TERMINAL
    assert written.startswith("\x1b]52;c;")
    assert written.endswith("\x07")
    assert b64decode(written[7:-1]).decode() == "Größe\n日本"
    assert copied == []


def test_inside_tmux_it_says_what_that_depends_on(copy: Callable[..., tuple[CopyRoute, str]]) -> None:
    route, _ = copy("x", SSH | {"TMUX": "/run/tmux"})
    assert "set-clipboard" in route.words


def test_inside_screen_the_sequence_is_passed_through(copy: Callable[..., tuple[CopyRoute, str]]) -> None:
    _, written = copy("x", SSH | {"STY": "1.pts"})
    assert written.startswith("\x1bP\x1b]52;c;")
    assert written.endswith("\x1b\\")


@pytest.mark.usefixtures("no_clipboard")
def test_a_desktop_without_a_clipboard_tool_falls_back_to_the_terminal(
    copy: Callable[..., tuple[CopyRoute, str]],
) -> None:
    route, _ = copy("x", DESKTOP)
    assert route.route is Route.TERMINAL


@pytest.mark.parametrize(("text", "environ"), [("x" * LONGEST_OSC52, SSH), ("x", {"TERM": "dumb"}), ("x", {})])
def test_what_the_terminal_cannot_take_goes_into_a_file_for_this_user_only(
    text: str, environ: dict[str, str], copy: Callable[..., tuple[CopyRoute, str]]
) -> None:
    route, written = copy(text, environ)
    assert route.route is Route.FILE
    assert written == ""
    assert route.path is not None
    assert str(route.path) in route.words
    assert route.path.read_text("utf-8") == text
    assert stat.S_IMODE(route.path.stat().st_mode) == 0o600


def test_a_second_file_does_not_overwrite_the_first(copy: Callable[..., tuple[CopyRoute, str]]) -> None:
    first, second = copy("one", {})[0].path, copy("two", {})[0].path
    assert first is not None
    assert second is not None
    assert (first.read_text("utf-8"), second.read_text("utf-8")) == ("one", "two")


def test_when_nothing_works_the_error_says_so(tmp_path: Path, copy: Callable[..., tuple[CopyRoute, str]]) -> None:
    blocked = tmp_path / "copies"
    blocked.write_text("in the way")
    with pytest.raises(CopyError, match="cannot be written"):
        copy("x", {})
