import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from painted import painted, painted_text
from sample_views import an_item
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from assistant.plan.plan import Fate
from storage.interactions import Status
from storage.kinds import AGENT_MESSAGE
from tui.chat_items import ChatItem
from tui.message_lines import message_lines
from tui.message_view import MessageView
from tui.notes.note import Note
from tui.widgets.chat import WINDOW, Chat

NOW = datetime(2024, 5, 3, 18, tzinfo=UTC)


class ChatApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Chat(now=lambda: NOW)

    def on_mount(self) -> None:
        self.chat.focus()

    @property
    def chat(self) -> Chat:
        return self.query_one(Chat)

    @property
    def top_line(self) -> str:
        return painted(self)[0].strip()


@pytest.fixture
async def pilot() -> AsyncIterator[Pilot[None]]:
    async with ChatApp().run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        yield pilot


def app_of(pilot: Pilot[None]) -> ChatApp:
    assert isinstance(pilot.app, ChatApp)
    return pilot.app


def many(count: int, lines: int = 3) -> list[ChatItem]:
    return [
        an_item(
            number,
            "\n".join([f"message {number}", *(f"line {line} of {number}" for line in range(1, lines))]),
            AGENT_MESSAGE,
        )
        for number in range(2, count + 2)
    ]


async def show(pilot: Pilot[None], items: Sequence[ChatItem]) -> Chat:
    chat = app_of(pilot).chat
    chat.show(items)
    await pilot.pause()
    return chat


async def test_a_path_opens_at_its_end_with_few_messages_laid_out(pilot: Pilot[None]) -> None:
    chat = await show(pilot, many(10_000))
    assert chat.at_end
    assert "message 10001" in painted_text(app_of(pilot))
    assert len(chat.laid_out) < 20
    assert len(chat.items) == 10_000


async def test_items_given_before_the_widget_has_a_size_appear(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    chat = Chat(now=lambda: NOW)
    chat.show(many(100))
    await app.chat.remove()
    await app.mount(chat)
    await pilot.pause()
    assert "message 101" in painted_text(app)


@pytest.mark.parametrize("step", [-9, 9])
async def test_scrolling_loads_what_comes_next_and_moves_exactly_as_far_as_asked(pilot: Pilot[None], step: int) -> None:
    items = many(100)
    whole = [line.plain.rstrip() for item in items for line in message_lines(item, 57, NOW)]
    chat = await show(pilot, items)
    if step > 0:
        chat.reveal(2)
        await pilot.pause()
    place, last = (0, len(whole) - 20) if step > 0 else (len(whole) - 20, 0)
    while place != last:
        place = min(place + step, last) if step > 0 else max(place + step, last)
        chat.scroll_to(y=chat.scroll_y + step, animate=False)
        await pilot.pause()
        assert [line[1:58].rstrip() for line in painted(app_of(pilot))] == whole[place : place + 20]
        assert len(chat.laid_out) <= WINDOW
    assert chat.at_end == (step > 0)


async def test_notes_of_a_message_longer_than_the_view_are_seen_once_they_are_opened(pilot: Pilot[None]) -> None:
    chat = app_of(pilot).chat
    noted = replace(many(1, lines=40)[0], notes=(Note("◦", "folded", details=("opened",)),))
    chat.show([noted, *many(9)[1:]])
    await pilot.pause()
    for _ in range(2):
        chat.toggle_notes(noted.id)
        await pilot.pause()
        assert "◦ folded" in painted_text(pilot.app)
    chat.toggle_notes(noted.id)
    await pilot.pause()
    assert "│ opened" in painted_text(pilot.app)


async def test_notes_that_are_opened_far_from_what_is_laid_out_are_seen(pilot: Pilot[None]) -> None:
    chat = app_of(pilot).chat
    noted = replace(many(1, lines=40)[0], notes=(Note("◦", "folded", details=("opened",)),))
    chat.show([noted, *many(500)[1:]])
    await pilot.pause()
    chat.toggle_notes(noted.id)
    await pilot.pause()
    assert "│ opened" in painted_text(pilot.app)


async def test_revealing_a_message_brings_it_to_the_top(pilot: Pilot[None]) -> None:
    chat = await show(pilot, many(200))
    chat.reveal(50)
    await pilot.pause()
    assert "message 50" in painted(app_of(pilot))[1]
    chat.reveal(52)
    await pilot.pause()
    assert "message 50" in painted(app_of(pilot))[1]
    chat.reveal(99_999)
    chat.follow()
    await pilot.pause()
    assert chat.at_end


async def test_a_growing_answer_is_followed_at_the_end(pilot: Pilot[None]) -> None:
    chat = await show(pilot, [*many(20), an_item(99, "", status=Status.STREAMING)])
    for number in range(30):
        chat.grow(99, f"line {number}\n\n")
    chat.flush()
    await pilot.pause()
    assert "line 29" in painted_text(app_of(pilot))
    assert chat.at_end
    assert chat.items[-1].text.startswith("line 0\n\nline 1")


async def test_a_growing_answer_is_not_followed_once_the_agent_scrolled_up(pilot: Pilot[None]) -> None:
    chat = await show(pilot, [*many(20), an_item(99, "", status=Status.STREAMING)])
    chat.scroll_to(y=chat.scroll_y - 5, animate=False)
    await pilot.pause()
    top = app_of(pilot).top_line
    chat.grow(99, "line\n\n" * 30)
    chat.flush()
    await pilot.pause()
    assert app_of(pilot).top_line == top
    chat.follow()
    chat.grow(99, "the end")
    chat.flush()
    await pilot.pause()
    assert "the end" in painted_text(app_of(pilot))


async def test_growing_is_painted_by_itself(pilot: Pilot[None]) -> None:
    chat = await show(pilot, [an_item(99, "", status=Status.STREAMING)])
    chat.grow(99, "Bonjour")
    async with asyncio.timeout(60):
        while "Bonjour" not in painted_text(app_of(pilot)):
            await pilot.pause()
    chat.grow(12345, "of another conversation")
    chat.flush()
    await pilot.pause()
    assert "of another conversation" not in painted_text(app_of(pilot))


async def test_an_answer_that_ends_replaces_what_grew(pilot: Pilot[None]) -> None:
    items = [*many(3), an_item(99, "", status=Status.STREAMING)]
    chat = await show(pilot, items)
    chat.note(99, "Server busy; again in 3 s.")
    await pilot.pause()
    assert "again in 3 s" in painted_text(app_of(pilot))
    chat.grow(99, "Dear **Sop")
    chat.flush()
    await pilot.pause()
    assert "… writing" in painted_text(app_of(pilot))
    assert "again in 3 s" not in painted_text(app_of(pilot))
    await show(pilot, [*items[:-1], an_item(99, "Dear **Sophie**")])
    text = painted_text(app_of(pilot))
    assert "Dear Sophie" in text
    assert "writing" not in text


async def test_the_divider_stands_where_sending_starts(pilot: Pilot[None]) -> None:
    chat = await show(pilot, many(4, lines=1))
    chat.mark({2: Fate.CUT, 3: Fate.CUT, 4: Fate.SENT, 5: Fate.SENT}, {2: 45})
    await pilot.pause()
    text = painted_text(app_of(pilot))
    assert "45 tokens" in text
    assert text.index("message 3") < text.index("sent from here on") < text.index("message 4")
    chat.mark(dict.fromkeys((2, 3, 4, 5), Fate.CUT))
    await pilot.pause()
    text = painted_text(app_of(pilot))
    assert text.index("message 5") < text.index("sent from here on")
    chat.mark({})
    await pilot.pause()
    assert "sent from here on" not in painted_text(app_of(pilot))


async def test_a_kept_ticket_before_cut_turns_is_no_place_for_the_divider(pilot: Pilot[None]) -> None:
    chat = await show(pilot, many(4, lines=1))
    chat.mark({2: Fate.SENT, 3: Fate.CUT, 4: Fate.SENT, 5: Fate.SENT})
    await pilot.pause()
    text = painted_text(app_of(pilot))
    assert text.count("sent from here on") == 1
    assert text.index("message 3") < text.index("sent from here on")


async def test_another_width_keeps_the_message_at_the_top(pilot: Pilot[None]) -> None:
    chat = await show(pilot, [replace(item, text=item.text + " word" * 30) for item in many(200, lines=1)])
    chat.reveal(50)
    await pilot.pause()
    await pilot.resize_terminal(40, 20)
    await pilot.pause()
    assert "message 50" in painted(app_of(pilot))[1]


async def test_a_branch_keeps_what_is_shared_and_another_conversation_starts_at_its_end(pilot: Pilot[None]) -> None:
    items = many(100)
    chat = await show(pilot, items)
    chat.reveal(50)
    await show(pilot, [*items[:60], an_item(777, "another branch")])
    assert "message 50" in painted(app_of(pilot))[1]
    await show(pilot, [replace(item, node=item.node._replace(id=item.id + 1_000)) for item in items])
    assert chat.at_end
    await show(pilot, [])
    assert chat.items == ()


def test_growing_piece_by_piece_gives_the_lines_of_the_whole() -> None:
    whole = "Dear **Sophie**,\n\n- one\n- two\n\n> quote\n\n```\ncode\n\nmore\n```\n\nlast *words*\n\n1. a\n2. b"
    view = MessageView(an_item(9, "", status=Status.STREAMING))
    for character in whole:
        view.grow(character)
        view.lines(40, NOW)
    expected = MessageView(an_item(9, whole, status=Status.STREAMING)).lines(40, NOW)
    assert [line.plain for line in view.lines(40, NOW)] == [line.plain for line in expected]
    ended = an_item(9, whole)
    view.update(ended)
    assert [line.plain for line in view.lines(40, NOW)] == [line.plain for line in MessageView(ended).lines(40, NOW)]


async def test_a_table_keeps_its_columns_when_the_terminal_is_resized_also_while_it_is_written(
    pilot: Pilot[None],
) -> None:
    table = "|Date|What follows|\n|-|-|\n|17 June|two working days by road, and the carrier has not confirmed"
    chat = await show(pilot, [an_item(2, table, status=Status.STREAMING)])
    await pilot.resize_terminal(44, 20)
    await pilot.pause()
    chat.grow(2, " it|\n|20 June|the hammock is there|\n")
    chat.flush()
    await pilot.pause()
    seen = [line.strip(" ▁▂▃▄▅▆▇█") for line in painted(app_of(pilot))]
    at = seen.index("17 June │ two working days by road, and")
    assert seen[at + 1 : at + 4] == [
        "│ the carrier has not confirmed",
        "│ it",
        "20 June │ the hammock is there",
    ]
