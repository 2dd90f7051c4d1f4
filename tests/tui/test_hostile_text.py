"""Every hostile string, in every place of every widget that shows foreign text, as it is painted."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hostile import EVERY
from painted import harmful_in, painted_text
from sample_views import a_customer_message, a_node, a_summary, a_ticket, a_ticket_item, an_item
from textual import events
from textual.app import App, ComposeResult

from storage.interactions import Status
from storage.kinds import AGENT_MESSAGE, ROOT
from storage.tickets import TicketAttachment
from tui.chat_items import Failure
from tui.widgets.chat import Chat
from tui.widgets.composer import Composer
from tui.widgets.outline import Outline
from tui.widgets.ticket_list import TicketList


class EveryWidget(App[None]):
    """No filter stands before the terminal here: what the widgets paint must be harmless by itself."""

    CSS = "TicketList { height: 3; } Outline { height: 5; }"

    def compose(self) -> ComposeResult:
        yield TicketList()
        yield Outline()
        yield Chat(now=lambda: datetime(2024, 5, 3, tzinfo=UTC))
        yield Composer(placeholder="Ask")

    def show(self, text: str) -> None:
        summary = replace(a_summary(text, text, customer=text), language=text, status=text)
        self.query_one(TicketList).show([summary, summary], text)
        root, question = a_node(1, ROOT), a_node(2, AGENT_MESSAGE, 1, depth=1, text=text, author=text)
        answer = a_node(3, parent_id=2, depth=2, text=text, author=text, status=Status.ERROR)
        self.query_one(Outline).show([root, question, answer], (1, 2, 3), {}, {})
        message = replace(
            a_customer_message(text, author=text), attachments=(TicketAttachment(text, text, 1),), hidden_count=1
        )
        chat = self.query_one(Chat)
        chat.show(
            [
                a_ticket_item(a_ticket(message, replace(message, internal=True), subject=text, ticket_id=text)),
                an_item(3, text, AGENT_MESSAGE, author=text),
                replace(an_item(4, text, author=text, status=Status.ERROR), failure=Failure(text, text)),
                an_item(5, text, author=text, status=Status.STREAMING),
            ]
        )
        chat.grow(5, text)
        chat.flush()
        composer = self.query_one(Composer)
        composer.load(text)
        composer.mode = text
        composer.block(text)
        composer.unblock()


@pytest.mark.parametrize("size", [(80, 90), (24, 40)], ids=["wide", "narrow"])
async def test_no_control_reaches_the_screen_from_any_text_in_any_widget(size: tuple[int, int]) -> None:
    app = EveryWidget()
    async with app.run_test(size=size) as pilot:
        for case in EVERY:
            app.show(case.text)
            app.query_one(Composer).post_message(events.Paste(case.text))
            await pilot.pause()
            assert harmful_in(app) == [], case.id
            assert {strip.cell_length for strip in app.screen._compositor.render_strips()} == {size[0]}, case.id


async def test_markup_is_painted_as_it_is_written() -> None:
    app = EveryWidget()
    async with app.run_test(size=(80, 60)) as pilot:
        for case in EVERY:
            if case.cls == "markup":
                app.show(case.text)
                await pilot.pause()
                assert painted_text(app).count(case.text) >= 6, case.id
