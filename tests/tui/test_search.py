"""Searching in the app: what is found while it is typed, and where Enter, Esc, `n` and `N` lead."""

import asyncio
from collections.abc import Callable, Sequence
from threading import Event

import pytest
from app_driver import OTHER, TICKET, AppDriver, RecordingApp, a_store, running_app, services, with_branches
from desks import NOON, Desk, a_ticket
from hostile import EVERY
from textual.content import Content
from textual.pilot import Pilot

from storage.search.hit import Hit
from tui.screens.search import SearchScreen
from tui.widgets.hit_list import MATCH, HitList, marked


def search_screen(desk: AppDriver) -> SearchScreen:
    assert isinstance(desk.app.screen, SearchScreen)
    return desk.app.screen


async def search(desk: AppDriver, query: str) -> SearchScreen:
    """Open the search from the outline, type, and wait for what is found."""
    desk.screen.outline.focus()
    await desk.press("slash")
    screen = search_screen(desk)
    await desk.type(query)
    await desk.until(lambda: screen.searched == query)
    await desk.rest()
    return screen


def rows(screen: SearchScreen) -> list[str]:
    return [screen.hits.row_content(at, 100).plain.rstrip() for at in range(screen.hits.row_count())]


async def test_what_is_typed_is_found_with_ticket_author_and_context_the_open_ticket_first() -> None:
    store = a_store()
    with_branches(store)
    store.save_ticket(a_ticket("T-9", "The hamac is too small.", subject="Too small", customer="Zoe"))
    async with running_app(services(store)) as desk:
        screen = await search(desk, "hama")

        assert [" ".join(row.split()) for row in rows(screen)] == [
            "● T-80005 built-in Chère Sophie, votre hamac est en route. 15:06",
            "● T-80005 Sophie Bonjour, mon hamac n'est pas arrivé (commande W2378156). Sophie 15:06",
            "T-9 Zoe The hamac is too small. 15:06",
        ]
        assert "3 listed" in desk.seen
        await desk.press("down", "down")
        assert "T-9 · message 1 of the ticket · Zoe" in desk.seen


async def test_a_match_is_told_by_style_and_underline() -> None:
    hit = Hit(1, "T-1", 7, None, None, "agent_message", "camille", None, "no Hämmock here", ((3, 10),))

    (span,) = (span for span in marked(hit).spans if span.style)

    assert marked(hit).plain[span.start : span.end] == "Hämmock"
    assert span.style == MATCH
    assert "underline" in MATCH


async def test_a_narrow_row_still_shows_the_match() -> None:
    snippet = "…" + "before " * 8 + "needle after"
    start = snippet.index("needle")
    hit = Hit(1, "T-1", 7, None, None, "agent_message", "camille", None, snippet, ((start, start + 6),))
    hits = HitList(None, now=lambda: None)  # type: ignore[arg-type, return-value]  # a narrow row tells no time
    hits._hits = [hit]

    assert "needle" in hits.row_content(0, 40).plain


async def test_enter_opens_the_branch_through_what_was_found() -> None:
    store = a_store()
    branches = with_branches(store)
    async with running_app(services(store)) as desk:
        assert "Il est en route." not in desk.shown
        await search(desk, "shorter")
        await desk.press("enter")

        assert desk.app.screen is desk.screen
        assert desk.screen.outline.cursor_id == branches.shorter.id
        assert desk.shown[1:] == ["make it shorter", "Il est en route."]
        assert store.selected(desk.sheet.page.id) == branches.short_draft.id
        assert desk.screen.focused is desk.screen.outline


async def test_a_message_is_listed_once_by_its_label_with_its_sign_and_enter_opens_it() -> None:
    store = a_store()
    branches = with_branches(store)
    store.set_label(branches.shorter.conversation_id, branches.shorter.id, "short version")
    async with running_app(services(store)) as desk:
        screen = await search(desk, "shor")

        assert [" ".join(row.split()) for row in rows(screen)] == ["● T-80005 camille # short version 15:06"]
        assert f"label of node {branches.shorter.id} · camille" in desk.seen
        await desk.press("enter")
        assert desk.screen.outline.cursor_id == branches.shorter.id


async def test_enter_opens_another_ticket_and_its_message() -> None:
    async with running_app(services(a_store())) as desk:
        await search(desk, "plastic")
        await desk.press("enter")

        assert desk.sheet.page.ticket.id == OTHER
        assert desk.screen.tickets.cursor_id == OTHER
        assert desk.screen.cursor_node is not None
        assert desk.screen.cursor_node.kind == "ticket"


async def test_enter_before_the_pause_waits_for_what_is_found() -> None:
    store = a_store()
    branches = with_branches(store)
    async with running_app(services(store)) as desk:
        desk.screen.outline.focus()
        await desk.press("slash", *"shorter", "enter")
        await desk.until(lambda: desk.app.screen is desk.screen)
        await desk.rest()

        assert desk.screen.outline.cursor_id == branches.shorter.id


async def test_enter_opens_what_was_typed_before_it_also_with_letters_right_behind_it() -> None:
    store = a_store()
    branches = with_branches(store)
    async with running_app(services(store)) as desk:
        desk.screen.outline.focus()
        await desk.press("slash")
        await desk.burst([*"shorter", "enter", *"xyz"])
        await desk.until(lambda: desk.app.screen is desk.screen)
        await desk.rest()

        assert desk.screen.outline.cursor_id == branches.shorter.id
        assert desk.screen.finding.query == "shorter"


async def test_letters_behind_an_enter_that_finds_nothing_go_on_with_the_query() -> None:
    async with running_app(services(a_store())) as desk:
        desk.screen.outline.focus()
        await desk.press("slash")
        screen = search_screen(desk)
        await desk.burst([*"plastix", "enter", "backspace", "c"])
        await desk.until(lambda: screen.searched == "plastic")
        await desk.rest()

        assert (desk.app.screen, screen.hits.row_count()) == (screen, 1)


async def test_esc_leaves_everything_as_it_was() -> None:
    store = a_store()
    with_branches(store)
    async with running_app(services(store)) as desk:
        await desk.type("half a draft")
        before = desk.seen
        await desk.press("ctrl+f")
        await desk.type("shorter")
        await desk.until(lambda: search_screen(desk).hits.row_count() > 0)
        assert desk.seen != before
        await desk.press("escape")

        assert desk.seen == before
        assert desk.screen.focused is desk.screen.composer
        assert desk.screen.composer.text == "half a draft"
        assert store.selected(desk.sheet.page.id) == desk.sheet.page.path[-1].id


async def test_n_and_capital_n_go_through_the_matches_of_the_open_conversation_round_its_end() -> None:
    store = a_store()
    branches = with_branches(store)
    store.save_ticket(a_ticket("T-9", "route", subject="route"))
    async with running_app(services(store)) as desk:
        desk.screen.outline.focus()
        await desk.press("n")
        assert desk.told[-1] == "Search for something first, with /."

        await search(desk, "rout")
        await desk.press("enter")
        places = [desk.screen.outline.cursor_id]
        for key in ("n", "n", "N"):
            await desk.press(key)
            places.append(desk.screen.outline.cursor_id)

        draft, short = branches.draft.id, branches.short_draft.id
        assert places == [short, draft, short, draft]
        assert desk.shown[-1] == "Il est en route."


async def test_n_says_so_where_the_open_conversation_holds_nothing_of_it() -> None:
    store = a_store()
    with_branches(store)
    async with running_app(services(store)) as desk:
        await search(desk, "friendlier")
        await desk.press("enter")
        desk.screen.open_ticket(OTHER)
        await desk.rest()
        await desk.press("n")

        assert desk.told[-1] == "“friendlier” is nowhere in this conversation."


async def test_the_words_of_the_last_search_are_there_again_and_replaced_by_typing() -> None:
    async with running_app(services(a_store())) as desk:
        await search(desk, "plastic")
        await desk.press("enter")
        await desk.press("slash")
        screen = search_screen(desk)
        await desk.until(lambda: screen.hits.row_count() == 1)
        await desk.press("d", "a", "n", "k", "e")
        await desk.until(lambda: screen.searched == "danke")
        await desk.rest()

        assert ["T-50001" in row for row in rows(screen)] == [True, True]


async def test_nothing_found_and_nothing_asked_for_are_told_in_the_panel() -> None:
    async with running_app(services(a_store())) as desk:
        screen = await search(desk, "nowhere")
        assert "Nothing was found for nowhere." in desk.seen
        await desk.press("enter")
        assert desk.app.screen is screen, "there is nothing to open"
        screen.line.value = "?!"
        await desk.until(lambda: screen.searched == "?!")
        assert "no word or number" in desk.seen
        screen.line.value = ""
        await desk.until(lambda: screen.searched == "")
        assert "All words must occur" in desk.seen


async def test_another_agent_s_conversation_is_never_listed() -> None:
    store = a_store()
    with_branches(store, agent="noah")
    async with running_app(services(store)) as desk:
        screen = await search(desk, "hamac")
        assert [" ".join(row.split()[1:3]) for row in rows(screen)] == ["T-80005 Sophie"]
        screen.line.value = "friendlier"
        await desk.until(lambda: screen.searched == "friendlier")
        assert rows(screen) == []


async def test_hostile_text_is_listed_safe() -> None:
    store = a_store()
    desk_of = Desk(store, store.open_conversation("camille", TICKET))
    at = desk_of.ticket_node
    for hostile in EVERY[:40]:
        at = desk_of.say(at, f"needle {hostile.text}").id
    async with running_app(services(store)) as desk:
        screen = await search(desk, "needle")
        await desk.press("pagedown", "pageup", "pagedown")
        assert screen.hits.row_count() == 40
        assert all(isinstance(screen.hits.row_content(at, 60), Content) for at in range(40))
        assert "\x1b" not in desk.seen
        assert "needle" in desk.seen


async def test_only_what_stands_in_the_line_last_is_shown_however_late_the_rest_comes() -> None:
    async with running_app(services(a_store())) as desk:
        late, asked = Event(), list[str]()

        def find(query: str) -> Sequence[Hit]:
            asked.append(query)
            if query == "slow":
                late.wait(10)
            return [Hit(1, f"T-{query}", None, 1, 1, "ticket", "Ann", None, query, ())]

        screen = SearchScreen(find, spawn=desk.screen.spawn, query="slow", opened=None, now=desk.screen.now)
        desk.app.push_screen(screen)
        await desk.until(lambda: asked == ["slow"])
        await desk.pilot.press(*"fast")
        await desk.until(lambda: screen.searched == "fast")
        late.set()
        await asyncio.sleep(0)
        await desk.rest()

        assert ["T-fast" in row for row in rows(screen)] == [True]


def test_the_search_at_120_by_36(snap_compare: Callable[..., bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """Hits of the open ticket first, their matches underlined, and more of the one under the cursor below."""
    for name in ("NO_COLOR", "TEXTUAL_ANIMATIONS"):
        monkeypatch.delenv(name, raising=False)
    store = a_store()
    with_branches(store)
    long = "Guten Tag, " + "ich warte schon lange. " * 8 + "Wo ist der Hamac, den ich bestellt habe? " * 3
    store.save_ticket(a_ticket("T-9", long, subject="Hamac", customer="Zoé", created_at=NOON))
    app = RecordingApp(services(store), TICKET)

    async def run_before(pilot: Pilot[None]) -> None:
        desk = AppDriver(app, pilot)
        await desk.ready()
        screen = await search(desk, "hama")
        screen.line.cursor_blink = False
        await desk.press("down", "down")

    assert snap_compare(app, terminal_size=(120, 36), run_before=run_before)
    assert app.desk_screen is not None
    app.desk_screen.desk.close()
