"""Whole screens, compared with pictures that a person has looked at."""

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from app_driver import TICKET, AppDriver, RecordingApp, a_store, services, with_branches
from attached_files import add_states
from desks import Clock, a_ticket
from fixed_tasks import FixedTasks
from gated import judge
from hostile import EVERY
from long_talk import talk
from scripted_provider import Pause, ScriptedProvider, words
from textual.pilot import Pilot

from assistant.errors import Fault, ProviderError
from assistant.plan.plan import PlanSettings
from assistant.provider.provider import TextChunk
from assistant.tasks.task import Task
from storage.attachments.attachment import AttachmentState
from storage.sqlite_store import memory_store
from storage.store import Store
from storage.values import JsonObject
from tui.services import Services

Steps = Callable[[AppDriver], Awaitable[object]]
Look = Callable[..., bool]


@pytest.fixture
def look(snap_compare: Callable[..., bool], monkeypatch: pytest.MonkeyPatch) -> Iterator[Look]:
    """Compare the app with its picture after some steps."""
    for name in ("NO_COLOR", "TEXTUAL_ANIMATIONS"):
        monkeypatch.delenv(name, raising=False)
    apps: list[RecordingApp] = []

    def compare(
        with_services: Services,
        steps: Steps | None = None,
        *,
        ticket: str | None = TICKET,
        size: tuple[int, int] = (120, 36),
    ) -> bool:
        app = RecordingApp(with_services, ticket)
        apps.append(app)

        async def run_before(pilot: Pilot[Any]) -> None:
            driver = AppDriver(app, pilot)
            await driver.ready()
            driver.screen.composer.cursor_blink = False
            if steps is not None:
                await steps(driver)

        return snap_compare(app, terminal_size=size, run_before=run_before)

    yield compare
    for app in apps:
        assert app.desk_screen is not None
        app.desk_screen.desk.close()


def prepared(**chosen: Any) -> Services:
    store = a_store()
    with_branches(store)
    return services(store, **chosen)


def test_a_conversation_at_120_by_36(look: Look) -> None:
    """The usual size: both columns, a branch, the meter and who answers."""
    assert look(prepared())


def test_a_conversation_at_80_by_24(look: Look) -> None:
    """The smallest usual terminal: one column, nothing cut off."""
    assert look(prepared(), size=(80, 24))


def test_the_side_panel_at_80_by_24(look: Look) -> None:
    """The left column beside a narrow chat."""
    assert look(prepared(), lambda desk: desk.press("ctrl+o"), size=(80, 24))


def test_the_light_theme(look: Look) -> None:
    """Every colour has a light counterpart."""
    assert look(prepared(theme="ticketree-light"))


def test_the_ticket_is_outside_the_budget(look: Look) -> None:
    """The warning stands in the meter's place, with its keys; cut turns are marked."""

    async def outside(desk: AppDriver) -> None:
        await desk.type("And now the same in English, please.")
        assert desk.sheet.plan is not None
        desk.screen.desk.choose("budget", desk.sheet.plan.total - 1)
        await desk.rest()

    assert look(prepared(), outside)


def test_the_ticket_is_kept_and_a_turn_is_cut(look: Look) -> None:
    """Strategy select: the ticket is sent, the turn after it is not."""

    async def keep(desk: AppDriver) -> None:
        await desk.type("And now the same in English, please.")
        assert desk.sheet.plan is not None
        desk.screen.desk.choose("budget", desk.sheet.plan.total - 1)
        await desk.press("f2")

    assert look(prepared(), keep)


def test_another_branch_is_chosen(look: Look) -> None:
    """Siblings are numbered in the outline, the chat and the title; the cursor is in the outline."""

    async def branch(desk: AppDriver) -> None:
        await desk.press("escape", "h", "K")

    assert look(prepared(), branch)


def test_a_message_is_edited(look: Look) -> None:
    """The composer says which message it stands beside."""

    async def edit(desk: AppDriver) -> None:
        await desk.press("escape", "E")
        await desk.type(", please")

    assert look(prepared(), edit)


def test_an_answer_is_written(look: Look) -> None:
    """The half that has come, the composer that waits, the sign in the list of tickets."""
    provider = ScriptedProvider([TextChunk("Bonjour Sophie,\n\nvotre **hamac** est"), Pause.FOR_EVER])

    async def half(desk: AppDriver) -> None:
        await desk.press("f9")
        await desk.until(lambda: bool(desk.shown) and desk.shown[-1].endswith("est"))
        await desk.until(lambda: not desk.screen.composer.read_only)
        await desk.screen.desk.list_tickets()
        desk.screen.chat.flush()

    assert look(services(a_store(), provider), half)


def test_an_answer_failed(look: Look) -> None:
    """The card says what happened and what to do; the question is in the composer again."""
    trouble = ProviderError(
        Fault.AUTH, "api.example refused the key (401).", "Check OPENAI_API_KEY, then ask again.", status_code=401
    )

    async def fail(desk: AppDriver) -> None:
        await desk.type("Where is it?")
        await desk.press("enter")
        await desk.answered()

    assert look(services(a_store(), ScriptedProvider([trouble])), fail)


def test_an_empty_desk(look: Look) -> None:
    """Whoever has no tickets learns how to get some."""
    assert look(services(memory_store()), ticket=None)


def test_no_ticket_is_open(look: Look) -> None:
    """The list, with a closed ticket, and how to begin."""
    assert look(services(a_store()), ticket=None)


def test_the_help(look: Look) -> None:
    """All commands with their keys, by section."""
    assert look(prepared(), lambda desk: desk.press("f1"))


def hostile_store() -> Store:
    text = "\n".join(case.text for case in EVERY if case.cls == "tty")
    store = memory_store(clock=Clock())
    markup = "[/b] [red]Total[/red] \x1b[31m\u202e99 EUR"
    store.save_ticket(
        a_ticket(TICKET, text, subject=markup, customer="[@click=app.quit]\x1b]52;c;eA==\x07", language="\x07")
    )
    return store


def test_a_hostile_ticket(look: Look) -> None:
    """Control characters, markup and bidi tricks in every field are harmless text."""
    provider = ScriptedProvider(words("\x1b]0;owned\x07[/red] \u202eevil", "[link=x]"))

    async def answer(desk: AppDriver) -> None:
        await desk.press("f9")
        await desk.answered()

    assert look(services(hostile_store(), provider), answer)


def test_the_files_of_a_branch(look: Look) -> None:
    """What is attached, in which form it is sent, what failed, and a line for the next path."""
    store = a_store()
    with_branches(store)
    page = store.open_conversation("camille", TICKET)
    leaf = store.selected(page.id)
    read = (AttachmentState.PENDING, AttachmentState.PROCESSED)
    add_states(store, page, leaf, "Order W2378156, 49.90 EUR, paid. " * 30, read, name="invoice.pdf")
    add_states(store, page, leaf, "Call the carrier first. " * 3_000, read, name="handbook.md")
    add_states(store, page, leaf, "", (AttachmentState.PENDING, AttachmentState.FAILED), name="scan.pdf")
    add_states(store, page, leaf, "", (AttachmentState.PENDING,), name="mail.eml")

    async def open_them(driver: AppDriver) -> None:
        driver.screen.outline.focus()
        await driver.press("A")

    assert look(services(store), open_them)


def test_the_tasks_to_choose_from(look: Look) -> None:
    """What the assistant can do, for whom, and which task is on."""
    assert look(prepared(), lambda desk: desk.press("ctrl+g"))


def test_the_strategies_side_by_side(look: Look) -> None:
    """The table at the bottom, the chat above it with the marks of the strategy under the cursor."""
    store = a_store()
    talk(store, 20)
    chosen = services(store, settings=PlanSettings(budget=1_500))

    async def compare(desk: AppDriver) -> None:
        await desk.type("And now the same in English, please.")
        await desk.press("ctrl+s", "4")

    assert look(chosen, compare, ticket="T-1")


def test_an_answer_in_fields(look: Look) -> None:
    """The reply first, the fields beside it, and the task in the header, the composer and the title."""
    text = '{"reply": "Bonjour Sophie,\\n\\nvotre hamac part demain.", "team": "shipping", "missing": ["date"]}'
    contract: JsonObject = {"type": "object", "properties": {"reply": {"type": "string"}}}
    task = Task("draft-reply", "Reply with facts", "1", "In fields.", "own", contract=contract, reply_field="reply")

    async def answer(desk: AppDriver) -> None:
        await desk.press("f9")
        await desk.answered()

    assert look(services(a_store(), ScriptedProvider(words(text[:40], text[40:])), tasks=FixedTasks(task)), answer)


def test_an_answer_that_failed_checks(look: Look) -> None:
    """What failed and by which words, the rest in one line, the sign in the outline, and what to do."""
    said = (
        "Bonjour Sophie,\n\nvotre hamac de la commande W2378165 partira demain. "
        "Suivez-le sur https://suivi.example/W2378165."
    )

    async def answer(desk: AppDriver) -> None:
        await desk.press("f9")
        await desk.answered()
        await desk.press("escape", "f")

    assert look(services(a_store(), ScriptedProvider(words(said[:30], said[30:]))), answer)


def test_the_reason_for_using_an_answer_that_failed(look: Look) -> None:
    """What failed, and one line for the reason."""

    async def override(desk: AppDriver) -> None:
        judge(desk.store, desk.sheet.page.path[-1].node)
        await desk.screen.desk.look_around()
        await desk.press("escape", "O")
        await desk.type("The warehouse has confirmed the number.")

    assert look(prepared(), override, size=(100, 30))
