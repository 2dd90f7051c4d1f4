from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from painted import painted, painted_text
from sample_views import a_summary
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from storage.tickets import TicketSummary
from tui.widgets.ticket_list import TicketList

TICKETS = [
    a_summary("T-80005", "Hammock has not arrived", nodes=7),
    replace(a_summary("T-64704", "Kettle smells", customer="Jürgen"), language="de", running=True),
    replace(a_summary("T-10001", "Wrong colour", customer="Ana"), status="solved", closed=True, language="es"),
]


class TicketsApp(App[None]):
    def __init__(self, tickets: list[TicketSummary] = TICKETS) -> None:
        super().__init__()
        self.some = tickets
        self.highlighted: list[str] = []
        self.chosen: list[str] = []

    def compose(self) -> ComposeResult:
        yield TicketList()

    def on_mount(self) -> None:
        self.tickets.show(self.some, "T-64704")
        self.tickets.focus()

    def on_ticket_list_highlighted(self, message: TicketList.Highlighted) -> None:
        self.highlighted.append(message.ticket_id)

    def on_ticket_list_chosen(self, message: TicketList.Chosen) -> None:
        self.chosen.append(message.ticket_id)

    @property
    def tickets(self) -> TicketList:
        return self.query_one(TicketList)


@pytest.fixture
async def pilot() -> AsyncIterator[Pilot[None]]:
    async with TicketsApp().run_test(size=(40, 8)) as pilot:
        await pilot.pause()
        yield pilot


def app_of(pilot: Pilot[None]) -> TicketsApp:
    assert isinstance(pilot.app, TicketsApp)
    return pilot.app


async def test_rows_say_which_is_open_closed_or_running(pilot: Pilot[None]) -> None:
    lines = [line.strip(" ▌") for line in painted(app_of(pilot))[:3]]
    assert lines[0].startswith("T-80005 Hammock")
    assert lines[0].endswith("fr   7")
    assert lines[1].startswith("● T-64704 Kettle smells")
    assert lines[1].split()[-2:] == ["…", "de"]
    assert lines[2].startswith("✓ T-10001")


async def test_the_cursor_starts_on_the_open_ticket_and_enter_chooses(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    assert app.tickets.cursor_id == "T-64704"
    await pilot.press("down", "enter")
    assert app.chosen == ["T-10001"]
    assert app.highlighted == ["T-10001"]


async def test_a_click_chooses(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    await pilot.click(TicketList, offset=(3, 0))
    assert app.chosen == ["T-80005"]
    await pilot.click(TicketList, offset=(3, 6))
    assert app.chosen == ["T-80005"]


async def test_the_cursor_stays_on_its_ticket_when_the_list_changes(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    app.tickets.cursor_to("T-10001")
    app.tickets.show([a_summary("T-99999"), *TICKETS], "T-64704")
    assert app.tickets.cursor_id == "T-10001"
    app.tickets.show([a_summary("T-99999"), *TICKETS], "T-80005")
    assert app.tickets.cursor_id == "T-80005"


async def test_a_thousand_tickets_paint_only_what_is_in_view() -> None:
    app = TicketsApp([a_summary(f"T-{number}", "日本語の件名がとても長い場合") for number in range(1_000)])
    async with app.run_test(size=(40, 8)) as pilot:
        app.tickets.cursor_to("T-777")
        await pilot.pause()
        assert "T-777" in painted_text(app)
        assert {strip.cell_length for strip in app.screen._compositor.render_strips()} == {40}
