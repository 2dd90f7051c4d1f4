"""Choosing a task in the app, what it changes on the screen, and answers that are no replies."""

import base64
import json

import pytest
from app_driver import TICKET, AppDriver, a_store, running_app, services, with_branches
from fixed_tasks import FixedTasks
from scripted_provider import Pause, ScriptedProvider, words
from textual.content import Content

from assistant.gates.record import record_results
from assistant.gates.results import Gate, GateResult, Outcome
from assistant.provider.provider import TextChunk
from assistant.tasks.choice import choose_task
from assistant.tasks.registry import BrokenTask
from assistant.tasks.task import Task
from storage.interactions import Interaction, Node, Status
from storage.kinds import ASSISTANT_RESPONSE
from storage.values import JsonObject
from tui.answers import reply_preview, task_title
from tui.chat_items import chat_items
from tui.contract_view import contract_blocks
from tui.flow import flow
from tui.message_lines import answer_blocks
from tui.notes.registry import notes_of
from tui.screens.desk_text import copied
from tui.screens.task import TaskScreen, task_about

CONTRACT: JsonObject = {"type": "object", "properties": {"reply": {"type": "string"}, "team": {"type": "string"}}}
FIELDS = Task("in-fields", "In fields [/b]", "1", "In fields.", "own", contract=CONTRACT, reply_field="reply")


@pytest.fixture(autouse=True)
def a_bare_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "TMUX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


async def choose(desk: AppDriver, digit: str, name: str) -> None:
    """Choose a task from wherever the focus is."""
    await desk.press("ctrl+g")
    await desk.until(lambda: isinstance(desk.app.screen, TaskScreen))
    await desk.press(digit)
    await desk.until(lambda: desk.sheet.task.name == name)


def copies(desk: AppDriver) -> list[str]:
    """What is sent to the clipboard of the terminal from now on."""
    sent: list[str] = []
    desk.screen.write_terminal = lambda text: sent.append(
        base64.b64decode(text.removeprefix("\x1b]52;c;").removesuffix("\x07")).decode()
    )
    return sent


async def test_a_chosen_task_is_on_in_the_composer_the_plan_and_what_is_sent() -> None:
    provider = ScriptedProvider(words("Dear colleague"))
    async with running_app(services(a_store(), provider)) as desk:
        await choose(desk, "5", "translate-for-colleague")
        assert desk.screen.composer.mode.startswith("Translate for a colleague (internal) · camille")
        assert "◇ From here on: Translate for a colleague" in desk.seen
        assert desk.sheet.plan is not None
        assert desk.sheet.plan.items[0].message.content == desk.sheet.task.system
        await desk.type("now in English for my colleague")
        await desk.press("enter")
        await desk.answered()
        assert provider.chains[0][0].content.startswith("You translate for colleagues")
        assert "Translate for a colleague · internal" in desk.seen


async def test_the_task_belongs_to_the_branch() -> None:
    store = a_store()
    branches = with_branches(store)
    async with running_app(services(store)) as desk:
        await choose(desk, "3", "shorten")
        await desk.at(branches.short_draft)
        await desk.until(lambda: desk.sheet.task.name == "draft-reply")
        await desk.at(branches.friendly_draft)
        await desk.until(lambda: desk.sheet.task.name == "shorten")


async def test_escape_leaves_the_task_and_the_cursor_starts_on_it() -> None:
    async with running_app(services(a_store())) as desk:
        await choose(desk, "3", "shorten")
        before = desk.store.head(desk.sheet.page.id)
        await desk.press("ctrl+g")
        assert isinstance(desk.app.screen, TaskScreen)
        assert desk.app.screen.list.cursor == 2
        await desk.press("j")
        assert "another tone" in desk.seen
        await desk.press("escape")
        assert desk.sheet.task.name == "shorten"
        assert desk.store.head(desk.sheet.page.id) == before


async def test_the_task_that_is_on_already_leaves_no_trace() -> None:
    async with running_app(services(a_store())) as desk:
        before = desk.store.head(desk.sheet.page.id)
        await desk.press("ctrl+g")
        await desk.press("enter")
        await desk.rest()
        assert desk.store.head(desk.sheet.page.id) == before


async def test_an_internal_answer_is_no_reply_and_is_copied_by_its_own_key() -> None:
    async with running_app(services(a_store(), ScriptedProvider(words("Dear colleague")))) as desk:
        await choose(desk, "5", "translate-for-colleague")
        await desk.press("f9")
        await desk.answered()
        sent = copies(desk)
        desk.screen.outline.focus()
        await desk.press("y")
        assert desk.told[-1] == (
            "This answer is internal (Translate for a colleague) and no reply; C copies it as internal text."
        )
        assert sent == []
        await desk.press("C")
        await desk.until(lambda: sent == ["Dear colleague"])


async def test_the_fields_of_an_answer_are_shown_as_they_come_and_its_reply_is_copied() -> None:
    script = [
        TextChunk('{"reply": "Bonjour Sophie,\\nmerci de vo'),
        Pause.UNTIL_TOLD,
        *words('tre message.", "team": "orders"}'),
    ]
    provider = ScriptedProvider(script)
    async with running_app(services(a_store(), provider, tasks=FixedTasks(FIELDS))) as desk:
        choose_task(desk.store, desk.sheet.page.id, desk.sheet.page.last.id, "camille", FIELDS)
        await desk.screen.desk.look_around()
        await desk.until(lambda: desk.sheet.task == FIELDS)
        await desk.press("f9")
        await desk.until(lambda: "merci de vo" in desk.seen)
        assert '{"reply"' not in desk.seen
        provider.go_on()
        await desk.answered()
        assert "▪ team           orders" in desk.seen
        sent = copies(desk)
        desk.screen.outline.focus()
        await desk.rest()
        await desk.press("y")
        await desk.until(lambda: sent == ["Bonjour Sophie,\nmerci de votre message."])


async def test_a_task_whose_file_is_gone_is_told_and_replies_are_drafted() -> None:
    async with running_app(services(a_store())) as desk:
        gone = Task("gone", "Gone", "1", "…", "own")
        choose_task(desk.store, desk.sheet.page.id, desk.sheet.page.last.id, "camille", gone)
        await desk.screen.desk.look_around()
        await desk.until(lambda: desk.sheet.task_trouble != "")
        assert desk.sheet.task.name == "draft-reply"
        assert desk.screen.composer.mode.startswith("⚠ the task chosen here cannot be used · Draft reply · camille")


def answer(text: str, *, status: Status = Status.COMPLETE, **meta: str) -> Interaction:
    node = Node(
        id=4, conversation_id=1, seq=4, kind=ASSISTANT_RESPONSE.name, parent_id=3, depth=3, n=1, m=1, author="m",
        created_at=0, status=status, preview=text[:200], meta=dict(meta),
    )  # fmt: skip
    return Interaction(node, text)


def lines(text: str, *, is_whole: bool = True) -> list[str]:
    return [line.plain for line in flow(contract_blocks(text, "reply", is_whole=is_whole), 60)]


def test_an_answer_in_fields_shows_its_reply_first() -> None:
    text = json.dumps({"team_name": "orders", "reply": "**Bonjour**", "missing": ["a", "b"], "none": [], "sure": True})
    assert lines(text) == [
        "Bonjour",
        "",
        "▪ team name      orders",
        "▪ missing        a; b",
        "▪ none           none",
        "▪ sure           yes",
    ]


def test_what_an_answer_in_fields_says_is_made_safe() -> None:
    text = json.dumps({"reply": "a\x1b[2J", "na\x1bme": ["\u202e[/b]"], "deep": {"x": "\x9b"}})
    shown = "\n".join(lines(text))
    assert not {"\x1b", "\x9b", "\u202e"} & set(shown)
    assert "[/b]" in shown


@pytest.mark.parametrize("text", ["Bonjour", '{"reply": "Bon', "", "[]"])
def test_what_is_no_document_is_shown_as_it_came(text: str) -> None:
    assert lines(text) == [text]


def test_an_answer_that_fails_gate_1_is_shown_as_it_came() -> None:
    text = '{"reply": "Bonjour"}'
    (whole,) = chat_items([answer(text, reply_field="reply")], None, {})
    assert [line.plain for line in flow(answer_blocks(whole), 80)] == ["Bonjour"]

    with_branches(store := a_store())
    conversation = store.conversation("camille", TICKET)
    leaf = store.selected(conversation.id)
    result = GateResult(Gate.CONTRACT, "contract", 1, Outcome.FAIL, "No team.")
    record_results(store, conversation.id, leaf, Gate.CONTRACT, FIELDS, [result])
    hanging = [entry for entry in store.branch(conversation.id, leaf) if not entry.is_external]
    (broken,) = chat_items([answer(text, reply_field="reply")], None, {4: hanging})
    assert [line.plain for line in flow(answer_blocks(broken), 80)] == [text]


def test_copying_takes_the_reply_of_an_answer_in_fields_and_marks_what_is_internal_on_a_path() -> None:
    fields = answer('{"reply": "Bonjour"}', reply_field="reply")
    internal = answer("Hello", audience="internal")
    assert copied([fields]) == "Bonjour"
    assert copied([answer("no document", reply_field="reply")]) == "no document"
    assert copied([fields, internal]) == 'm:\n{"reply": "Bonjour"}\n\nm (internal):\nHello'


def test_the_title_and_the_preview_of_an_answer() -> None:
    assert task_title(answer("x", task="draft-reply").node) == "Draft reply"
    assert task_title(answer("x", task="t", task_title="Own title").node) == "Own title"
    assert task_title(answer("x").node) == ""
    assert reply_preview(answer('{"reply": "Bonjour So', reply_field="reply").node) == "Bonjour So"
    assert reply_preview(answer("Bonjour", reply_field="reply").node) == "Bonjour"
    assert reply_preview(answer('{"reply": "x"}').node) == '{"reply": "x"}'


def test_the_last_of_several_choices_on_a_message_has_the_note() -> None:
    with_branches(store := a_store())
    conversation = store.conversation("camille", TICKET)
    leaf = store.selected(conversation.id)
    for task in (FIELDS, Task("other", "Other\x1b", "1", "…", "own")):
        choose_task(store, conversation.id, leaf, "camille", task)
    hanging = [entry for entry in store.branch(conversation.id, leaf) if not entry.is_external]
    (note,) = notes_of(hanging)
    assert note.text == "From here on: Other\x1b"


def test_what_the_chooser_says_of_a_task_is_safe() -> None:
    own = Task("t", "T", "v1", "…", "/own/t.md", about="Does [/b]\x1b it.", tools=("search",), model="gpt-9", label="7")
    shown = task_about(own)
    assert isinstance(shown, Content)
    assert shown.plain == "Does [/b]␛ it.\nfor the customer · may use search · asks gpt-9 · version 7 · your own"
    assert task_about(BrokenTask("t", "Line 3: \x1b")).plain == "Line 3: ␛"
