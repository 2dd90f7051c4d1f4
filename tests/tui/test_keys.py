"""The registry: what every command brings along, and which key asks for what."""

import pytest
from textual.binding import Binding, BindingsMap
from textual.widgets import TextArea

from tui.commands.command import Command, Section
from tui.commands.keys import FORBIDDEN, RESERVED, is_typed, key_name, make_key_map, shown_key
from tui.commands.registry import BY_ID, BY_RANK, COMMANDS
from tui.screens.help import help_content

EVERY = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)


@EVERY
def test_a_command_says_what_it_is_in_the_help_the_palette_and_the_key_bar(command: Command) -> None:
    assert command.title
    assert command.help.endswith(".")
    assert command.label
    assert len(command.label) <= 24
    assert isinstance(command.section, Section)
    assert "[" not in command.help, "the palette reads a help text as markup"


@EVERY
def test_a_command_has_a_key_without_modifier(command: Command) -> None:
    assert any("+" not in key_name(key) for key in command.keys) or command.id == "quit"


@EVERY
def test_no_command_has_a_key_that_terminals_do_not_deliver(command: Command) -> None:
    assert not FORBIDDEN & {key_name(key) for key in command.keys}


@pytest.mark.parametrize(
    "key", ["ctrl+h", "ctrl+i", "ctrl+m", "ctrl+[", "alt+1", "alt+[", "shift+enter", "ctrl+enter", "alt+enter"]
)
def test_these_keys_are_forbidden(key: str) -> None:
    assert key_name(key) in FORBIDDEN


def test_no_two_commands_have_the_same_key() -> None:
    keys = [key_name(key) for command in COMMANDS for key in command.keys]
    assert len(keys) == len(set(keys))


def test_no_two_commands_have_the_same_name() -> None:
    assert len(BY_ID) == len(COMMANDS) == len(BY_RANK)


def test_keys_that_work_in_the_composer_are_not_taken_by_the_editor() -> None:
    editor = BindingsMap(binding for binding in TextArea.BINDINGS if isinstance(binding, Binding)).key_to_bindings
    taken = {key for command in COMMANDS for key in map(key_name, command.keys) if not is_typed(key)} & editor.keys()
    assert taken == set()


def test_every_command_is_in_the_help_with_its_keys() -> None:
    text = help_content(make_key_map(COMMANDS, {}), 100).plain
    for command in COMMANDS:
        assert f"{command.title}." in text
        assert shown_key(key_name(command.keys[0])) in text


def test_the_help_fits_its_width() -> None:
    content = help_content(make_key_map(COMMANDS, {}), 60)
    assert max(line.cell_length for line in content.split("\n")) <= 60


def test_the_configuration_gives_a_command_other_keys_and_takes_them_from_the_rest() -> None:
    keys = make_key_map(COMMANDS, {"follow_up": "f R"})
    assert keys.keys["follow_up"] == ("f", "R")
    assert keys.keys["ask_again"] == ()
    assert keys.warnings == ()
    assert keys.first(BY_ID["follow_up"]) == "f"


def test_an_unknown_action_in_the_configuration_is_told() -> None:
    assert "unknown action folow_up" in make_key_map(COMMANDS, {"folow_up": "f"}).warnings[0]


@pytest.mark.parametrize("key", ["ctrl+h", "Alt+Enter", *sorted(RESERVED)])
def test_the_configuration_cannot_use_keys_that_do_not_arrive_or_are_needed(key: str) -> None:
    keys = make_key_map(COMMANDS, {"follow_up": key})
    assert keys.keys["follow_up"] == ("r",)
    assert "follow_up cannot use" in keys.warnings[0]


def test_a_key_given_to_two_actions_stays_with_the_first() -> None:
    keys = make_key_map(COMMANDS, {"follow_up": "f", "edit": "f"})
    assert keys.keys["follow_up"] == ("f",)
    assert keys.keys["edit"] == ("E",)
    assert "gives f to two actions" in keys.warnings[0]


@pytest.mark.parametrize(
    ("written", "name", "shown"),
    [
        ("?", "question_mark", "?"),
        ("J", "J", "J"),
        ("F2", "f2", "F2"),
        ("Ctrl+N", "ctrl+n", "Ctrl+N"),
        ("ctrl+[", "ctrl+left_square_bracket", "Ctrl+["),
        ("+", "plus", "+"),
        ("PageUp", "pageup", "PgUp"),
        ("space", "space", "space"),
    ],
)
def test_a_key_is_read_and_shown_as_people_write_it(written: str, name: str, shown: str) -> None:
    assert key_name(written) == name
    assert shown_key(name) == shown
