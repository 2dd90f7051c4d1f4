"""The installed command in a real pseudo-terminal, from the first paint to the exit."""

import os
import re

import pytest
from sample_record import Desk
from terminal import Terminal

from storage.store import Store
from storage.tickets import IncomingTicket, Role, TicketMessage

pytestmark = pytest.mark.terminal

CTRL_Q = "\x11"
ENTER = "\r"
F2 = "\x1bOQ"


def write(terminal: Terminal, text: str, *, planned: str = "of 3,000") -> None:
    """Write once a ticket is open and its plan is shown; the key bar tells that keys go to the composer."""
    terminal.wait_for(planned)
    terminal.wait_for("F1 keys")
    terminal.press(text)
    terminal.wait_for(text)


def test_the_demo_warns_that_the_ticket_is_cut_and_answers_once_it_is_kept() -> None:
    with Terminal("demo", environ=os.environ) as terminal:
        write(terminal, "make it shorter", planned="The ticket is outside the budget")
        terminal.press(ENTER + F2)
        terminal.wait_for(" question ")
        terminal.press(ENTER)
        terminal.wait_for("Bonjour Sophie Marchand")
        terminal.press(CTRL_Q)
        assert terminal.exit_status() == 0


def test_what_is_asked_in_the_app_is_there_for_the_commands(desk: Desk) -> None:
    with Terminal("--db", str(desk.cli.db), "--agent", "camille", "open", "T-1", environ=os.environ) as terminal:
        write(terminal, "shorter, please")
        terminal.press(ENTER)
        terminal.wait_for("désolés")
        terminal.press(CTRL_Q)
        assert terminal.exit_status() == 0

    shown = desk.cli.run("show", "T-1").stdout
    assert "shorter, please" in shown


def test_no_control_sequence_of_a_ticket_reaches_the_terminal(desk: Desk) -> None:
    with desk.store() as store:
        save_hostile(store)

    with Terminal("--db", str(desk.cli.db), "--agent", "camille", "open", "T-3", environ=os.environ) as terminal:
        terminal.wait_for("the end of it")
        terminal.press(CTRL_Q)
        assert terminal.exit_status() == 0

    assert b"\x1b]52" not in terminal.raw
    assert b"\x1b]0;" not in terminal.raw
    assert b"\x1b[6n" not in terminal.raw
    assert not re.search(rb"\x1b\[2J\x1b\[H owned", terminal.raw)
    assert "\u202e".encode() not in terminal.raw


def save_hostile(store: Store) -> None:
    text = "\x1b]52;c;aGk=\x07 \x1b]0;title\x07 \x1b[6n \x1b[2J\x1b[H owned \x9b31m \u202e the end of it"
    message = TicketMessage(author=text, role=Role.CUSTOMER, text=text)
    store.save_ticket(IncomingTicket(id="T-3", subject=text, customer=text, messages=(message,)))
