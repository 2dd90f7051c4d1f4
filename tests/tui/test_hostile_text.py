"""Every hostile string, in every place of every widget that shows foreign text, as it is painted."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count

import pytest
from hostile import EVERY, Hostile
from painted import harmful_in, painted_text
from sample_views import a_customer_message, a_node, a_summary, a_ticket, a_ticket_item, an_item
from textual import events
from textual.app import App, ComposeResult

from storage.interactions import Status
from storage.kinds import ROOT
from storage.tickets import TicketAttachment
from tui.chat_items import ChatItem, Failure
from tui.widgets.chat import Chat
from tui.widgets.composer import Composer
from tui.widgets.outline import Outline
from tui.widgets.ticket_list import TicketList

BATCHES = [EVERY[at : at + 15] for at in range(0, len(EVERY), 15)]


class EveryWidget(App[None]):
    """No filter stands before the terminal here: what the widgets paint must be harmless by itself."""

    CSS = "TicketList, Outline { height: 15; } Composer { max-height: 60; }"

    def compose(self) -> ComposeResult:
        yield TicketList()
        yield Outline()
        yield Chat(now=lambda: datetime(2024, 5, 3, tzinfo=UTC))
        yield Composer(placeholder="Ask")

    def show(self, texts: Sequence[str]) -> None:
        """Put each text wherever foreign text is shown."""
        self.query_one(TicketList).show(
            [replace(a_summary(text, text, customer=text), language=text, status=text) for text in texts]
        )
        nodes = [a_node(at, parent_id=1, depth=1, n=at, m=at, text=text) for at, text in enumerate(texts, 2)]
        self.query_one(Outline).show([a_node(1, ROOT), *nodes], (1, 2), {}, {})
        ids = count(2)
        chat = self.query_one(Chat)
        chat.show([item for text in texts for item in _messages(text, ids)])
        for item in chat.items:
            if item.streaming:
                chat.grow(item.id, item.node.preview)
        chat.flush()
        composer = self.query_one(Composer)
        composer.load("\n".join(texts))
        composer.mode = "".join(texts)
        composer.block("".join(texts))
        composer.block("")
        composer.post_message(events.Paste("\n".join(texts)))


def _messages(text: str, ids: "count[int]") -> list[ChatItem]:
    message = replace(
        a_customer_message(text, author=text), attachments=(TicketAttachment(text, text, 1),), hidden_count=1
    )
    return [
        a_ticket_item(
            a_ticket(message, replace(message, internal=True), subject=text, ticket_id=text), node_id=next(ids)
        ),
        replace(an_item(next(ids), text, author=text, status=Status.ERROR), failure=Failure(text, text)),
        an_item(next(ids), text, author=text, status=Status.STREAMING),
    ]


@pytest.mark.parametrize("batch", BATCHES, ids=lambda batch: batch[0].id)
async def test_no_control_reaches_the_screen_from_any_text_in_any_widget(batch: Sequence[Hostile]) -> None:
    app = EveryWidget()
    async with app.run_test(size=(70, 600)) as pilot:
        app.show([case.text for case in batch])
        await pilot.pause()
        assert harmful_in(app) == []
        assert {strip.cell_length for strip in app.screen._compositor.render_strips()} == {70}
        assert len(app.query_one(Chat).laid_out) > 2 * len(batch)


async def test_nor_where_there_is_hardly_any_room() -> None:
    app = EveryWidget()
    async with app.run_test(size=(17, 60)) as pilot:
        app.show([case.text for case in EVERY])
        await pilot.pause()
        assert harmful_in(app) == []
        assert {strip.cell_length for strip in app.screen._compositor.render_strips()} == {17}


async def test_markup_is_painted_as_it_is_written() -> None:
    app = EveryWidget()
    cases = [case for case in EVERY if case.cls == "markup"]
    async with app.run_test(size=(80, 450)) as pilot:
        app.show([case.text for case in cases])
        await pilot.pause()
        for case in cases:
            assert painted_text(app).count(case.text) >= 8, case.id
