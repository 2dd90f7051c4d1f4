"""An answer that failed a check: shown, not copied, used all the same or repaired."""

import hashlib

import pytest
from app_driver import ANSWER, AppDriver, Branches, a_store, running_app, services, with_branches
from gated import FAILED, PASSED, judge
from scripted_provider import ScriptedProvider, words

from assistant.gates.record import is_repaired, record_override, results_on
from assistant.gates.results import Outcome
from storage.interactions import Interaction, Node
from storage.kinds import COPY, OVERRIDE
from storage.store import Store

STOP = "A check of this answer failed (numbers), so it is not copied. O uses it all the same, with a reason."


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    return []


def hanging(store: Store, node: Node, kind: str = "") -> list[Interaction]:
    branch = store.branch(node.conversation_id, node.id)
    return [
        each for each in branch if each.node.parent_id == node.id and kind in ("", each.kind) and each.id != node.id
    ]


def failed_desk() -> tuple[Store, Branches]:
    store = a_store()
    nodes = with_branches(store)
    judge(store, nodes.friendly_draft)
    return store, nodes


async def reading(desk: AppDriver, sent: list[str]) -> None:
    desk.screen.write_terminal = sent.append
    desk.screen.outline.focus()
    await desk.rest()


async def test_what_failed_is_shown_with_its_words_and_the_rest_in_one_line(sent: list[str]) -> None:
    store, _ = failed_desk()
    async with running_app(services(store)) as desk:
        assert "✗ numbers: “W999” is not in the ticket or your messages." in desk.seen
        assert "✓ 1 check passed, 1 could not be decided" in desk.seen
        (row,) = [line[:40] for line in desk.seen.splitlines() if "✗" in line[:40]]
        assert "Chère Sophie" in row
        await reading(desk, sent)
        await desk.press("f")
        assert "dates: The reply names no date." in desk.seen
        assert "greeting, not decided: The reply greets nobody by name." in desk.seen


@pytest.mark.parametrize("key", ["y", "Y"])
async def test_a_failed_check_stops_the_copy_keys(key: str, sent: list[str]) -> None:
    store, nodes = failed_desk()
    async with running_app(services(store)) as desk:
        await reading(desk, sent)
        await desk.press(key)
        assert (desk.told[-1], sent) == (STOP, [])
    assert hanging(store, nodes.friendly_draft, COPY.name) == []


async def test_an_answer_on_another_branch_is_not_copied_either(sent: list[str]) -> None:
    store = a_store()
    nodes = with_branches(store)
    judge(store, nodes.short_draft)
    async with running_app(services(store)) as desk:
        await reading(desk, sent)
        desk.screen.outline.cursor_to(nodes.short_draft.id)
        await desk.press("y")
        assert (desk.told[-1], sent) == (STOP, [])


async def test_the_outline_marks_what_failed_on_another_branch_until_it_is_used_all_the_same() -> None:
    store = a_store()
    nodes = with_branches(store)
    judge(store, nodes.short_draft)
    async with running_app(services(store)) as desk:

        def marked() -> list[str]:
            return [line[:40] for line in desk.seen.splitlines() if "✗" in line[:40]]

        assert ["Il est en route." in row for row in marked()] == [True]
        record_override(store, nodes.short_draft.conversation_id, nodes.short_draft.id, "camille", "it is right")
        await desk.screen.desk.look_around()
        await desk.rest()
        assert marked() == []


async def test_with_a_reason_it_is_copied_and_both_are_kept(sent: list[str]) -> None:
    store, nodes = failed_desk()
    async with running_app(services(store)) as desk:
        await reading(desk, sent)
        await desk.press("O", "enter")
        assert "Say in a few words why this answer may be used." in desk.seen
        await desk.type("Confirmed by the warehouse.")
        await desk.press("enter", "y")
        assert len(sent) == 1
        for key in ("O", "F"):
            await desk.press(key)
            assert desk.told[-1].startswith("You use this answer although a check failed")
    (override,) = hanging(store, nodes.friendly_draft, OVERRIDE.name)
    (copy,) = hanging(store, nodes.friendly_draft, COPY.name)
    assert (override.content, override.node.author) == ("Confirmed by the warehouse.", "camille")
    digest = hashlib.sha256("Chère Sophie, quelle patience !".encode()).hexdigest()
    assert (copy.content, copy.node.meta) == ("", {"sha256": digest, "whole": True})


async def test_a_copy_of_the_path_or_of_a_question_is_no_copy_of_a_reply(sent: list[str]) -> None:
    store = a_store()
    nodes = with_branches(store)
    async with running_app(services(store)) as desk:
        await reading(desk, sent)
        await desk.press("Y", "h", "y")
        assert len(sent) == 2
    assert [hanging(store, node, COPY.name) for node in (nodes.friendlier, nodes.friendly_draft)] == [[], []]


async def test_a_repair_is_a_new_message_beside_the_question_that_says_what_failed(sent: list[str]) -> None:
    store, nodes = failed_desk()
    provider = ScriptedProvider(words(ANSWER))
    async with running_app(services(store, provider)) as desk:
        await reading(desk, sent)
        await desk.press("F")
        await desk.answered()
        question = desk.sheet.page.path[-2]
        assert (question.node.parent_id, question.node.replaces_id) == (nodes.draft.id, nodes.friendlier.id)
        assert f"- numbers: {FAILED.detail}" in question.content
        assert provider.chains[-1][-1].content == question.content
        results = results_on(hanging(store, desk.sheet.page.path[-1].node))
        assert {result.result for result in results} <= {Outcome.PASS, Outcome.UNKNOWN}
    assert is_repaired(hanging(store, nodes.friendly_draft))
    assert store.path(nodes.draft.conversation_id, nodes.friendly_draft.id)[-1].content.endswith("quelle patience !")


async def test_a_repair_of_a_draft_without_a_message_follows_the_ticket(sent: list[str]) -> None:
    store = a_store()
    nodes = with_branches(store)
    judge(store, nodes.draft)
    async with running_app(services(store)) as desk:
        await reading(desk, sent)
        await desk.at(nodes.draft)
        await desk.press("F")
        await desk.answered()
        question = desk.sheet.page.path[-2]
        assert (question.node.parent_id, question.node.replaces_id) == (nodes.ticket.id, None)
        assert question.content.startswith("An earlier draft did not pass these checks:")


async def test_an_answer_is_repaired_once_by_key(sent: list[str]) -> None:
    store, nodes = failed_desk()
    async with running_app(services(store)) as desk:
        await reading(desk, sent)
        await desk.press("F")
        await desk.answered()
        await desk.at(nodes.friendly_draft)
        nodes_before = len(store.nodes(nodes.draft.conversation_id))
        await desk.press("F")
        assert desk.told[-1].startswith("A repair of this answer was asked for already")
    assert len(store.nodes(nodes.draft.conversation_id)) == nodes_before


async def test_a_gate_that_passes_stops_nothing(sent: list[str]) -> None:
    store = a_store()
    nodes = with_branches(store)
    judge(store, nodes.friendly_draft, PASSED)
    async with running_app(services(store)) as desk:
        await reading(desk, sent)
        await desk.press("O")
        assert desk.told[-1] == "No check of this answer failed."
        await desk.press("y")
        assert len(sent) == 1
