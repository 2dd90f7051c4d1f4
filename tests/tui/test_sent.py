"""The screen that shows what was sent for an answer."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from app_driver import TICKET, AppDriver, RecordingApp, a_store, running_app, services, with_branches
from desks import A_REQUEST
from hostile import EVERY
from textual.pilot import Pilot

from assistant.audit.origins import Evidence, Origin, OriginKind, Part, Planned
from assistant.builtin.assistant import BuiltinAssistant
from assistant.plan.plan import Fate
from storage.interactions import SentRequest
from storage.store import Store
from tui.screens.sent import SentScreen
from tui.sent_text import SentPage, sent_pages


async def opened(desk: AppDriver) -> SentScreen:
    """Ask again for the friendly draft, and show what was sent for the new answer."""
    desk.screen.outline.focus()
    await desk.press("R")
    await desk.answered()
    desk.screen.outline.focus()
    await desk.press("p")
    assert isinstance(desk.app.screen, SentScreen)
    return desk.app.screen


def record(store: Store, node_id: int, text: str, *, attempt: int) -> None:
    """One more attempt with whatever text."""
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": text}]}).encode()
    request = store.record_request(
        store.locate("camille", node_id).id,
        node_id,
        replace(A_REQUEST, attempt=attempt, base_url=text, model=text, body=body),
    )
    store.record_response(
        store.locate("camille", node_id).id,
        request,
        response=text.encode(errors="replace"),
        status_code=200,
        usage={"completion_tokens": 3},
        latency_ms=1,
        error=text,
    )


async def test_four_pages_show_the_request_and_its_response() -> None:
    store = a_store()
    with_branches(store)
    async with running_app(services(store, BuiltinAssistant(pace_s=0))) as desk:
        screen = await opened(desk)
        node = desk.store.selected(desk.store.conversation("camille", TICKET).id)
        (sent,) = desk.store.requests(desk.store.conversation("camille", TICKET).id, node)
        assert f"What was sent for node {node}" in desk.seen
        assert "[1 summary]" in desk.seen
        assert sent.body_sha256 in desk.seen
        assert "of 3,000 tokens (estimate), strategy cut" in desk.seen
        assert "✓ Every part is what the record says, and the bytes give their digest." in desk.seen
        await desk.press("2")
        assert "[2 parts]" in desk.seen
        assert "1 · system · 7 tokens · task draft-reply, version 0123456789ab" in desk.seen
        assert f"· ticket {TICKET}, version 1, messages 1 (node 2)" in desk.seen
        await desk.press("right")
        assert '{"model":"saved-replies","messages":[{"role":"system",' in desk.seen
        await desk.press("4")
        assert '{"saved_reply":' in desk.seen
        await desk.press("l")
        assert "[1 summary]" in desk.seen
        await desk.press("escape")
        assert desk.app.screen is not screen


async def test_attempts_are_walked_and_the_last_comes_first() -> None:
    store = a_store()
    nodes = with_branches(store)
    for attempt, text in enumerate(("first\n" * 99, "second", "third"), 1):
        record(store, nodes.friendly_draft.id, text, attempt=attempt)
    async with running_app(services(store)) as desk:
        await desk.at(nodes.friendly_draft)
        await desk.press("p")
        await desk.press("4")
        assert "attempt 3 of 3" in desk.seen
        assert "third" in desk.seen
        await desk.press("K")
        assert "attempt 2 of 3" in desk.seen
        await desk.press("K", "K")
        assert "attempt 1 of 3" in desk.seen
        top = desk.seen
        await desk.press("G")
        assert desk.seen != top
        await desk.press("g")
        assert desk.seen == top
        await desk.press("J")
        assert "second" in desk.seen


async def test_where_an_answer_has_no_price_a_sentence_says_why() -> None:
    store = a_store()
    nodes = with_branches(store)
    record(store, nodes.friendly_draft.id, "http://127.0.0.1:1/v1", attempt=1)
    async with running_app(services(store)) as desk:
        await desk.at(nodes.friendly_draft)
        await desk.press("p")
        assert "Your own server has no price." in desk.seen


@pytest.mark.parametrize("page", list(SentPage))
def test_hostile_text_is_safe_on_every_page(page: SentPage) -> None:
    for case in EVERY:
        text = case.text
        request = SentRequest(
            id=1,
            node_id=1,
            attempt=1,
            task=text,
            task_version=text,
            provider=text,
            base_url=text,
            model=text,
            params={},
            plan={},
            body=text.encode(errors="replace") + b"\xff",
            body_sha256="",
            sent_at=2**62,
            response=text.encode(errors="replace"),
            usage={text: text},
            latency_ms=1,
            error=text,
        )
        part = Part(1, text, text, None, Origin(OriginKind.UNKNOWN, text))
        left = Planned(None, text, 1, Fate.CUT)
        evidence = Evidence(request, False, False, (part,), (left,), {text: text})
        shown = sent_pages(evidence)[page].plain
        assert not [character for character in shown if ord(character) < 32 and character not in "\n\t"]
        assert not [
            character for character in shown if "\x7f" <= character <= "\x9f" or "\u202a" <= character <= "\u202e"
        ]


async def test_hostile_text_does_not_harm_the_app() -> None:
    store = a_store()
    nodes = with_branches(store)
    record(store, nodes.friendly_draft.id, "\n".join(case.text for case in EVERY), attempt=1)
    async with running_app(services(store)) as desk:
        await desk.at(nodes.friendly_draft)
        await desk.press("p")
        for page in "2341":
            await desk.press(page, "G")
        assert "[1 summary]" in desk.seen


async def test_after_an_erasure_the_digest_is_left() -> None:
    store = a_store()
    nodes = with_branches(store)
    record(store, nodes.friendly_draft.id, "Bonjour", attempt=1)
    store.erase(TICKET, "camille", "asked by mail")
    async with running_app(services(store)) as desk:
        await desk.at(nodes.friendly_draft)
        await desk.press("p")
        assert "erased with the words of the ticket; the digest stays" in desk.seen
        await desk.press("3")
        assert "The bytes were erased with the words of the ticket." in desk.seen


async def test_it_fits_into_a_narrow_terminal() -> None:
    store = a_store()
    nodes = with_branches(store)
    record(store, nodes.friendly_draft.id, "wörd " * 5_000, attempt=1)
    async with running_app(services(store), size=(80, 24)) as desk:
        await desk.at(nodes.friendly_draft)
        await desk.press("p")
        await desk.press("2", "G")
        assert "wörd" in desk.seen


def test_the_parts_of_a_request(snap_compare: Callable[..., bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part under its origin, the pages above; this is what an auditor looks at."""
    for name in ("NO_COLOR", "TEXTUAL_ANIMATIONS"):
        monkeypatch.delenv(name, raising=False)
    store = a_store()
    with_branches(store)
    app = RecordingApp(services(store, BuiltinAssistant(pace_s=0)), TICKET)

    async def run_before(pilot: Pilot[None]) -> None:
        driver = AppDriver(app, pilot)
        await driver.ready()
        await opened(driver)
        await driver.press("2")

    assert snap_compare(app, terminal_size=(120, 36), run_before=run_before)
    assert app.desk_screen is not None
    app.desk_screen.desk.close()


async def test_what_stopped_an_answer_is_a_sentence_of_its_own() -> None:
    store = a_store()
    branches = with_branches(store)
    record(store, branches.friendly_draft.id, "It was stopped before the answer ended.", attempt=1)
    async with running_app(services(store)) as desk:
        await desk.at(branches.friendly_draft)
        await desk.press("p")
        assert "bytes, 1 ms. It was stopped before the answer ended." in desk.seen
