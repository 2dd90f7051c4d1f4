"""Gate 2 after a turn: what is judged, what is kept of it, and what stops an answer."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from gated import FAILED, PASSED, judge
from scripted_provider import ScriptedProvider, words
from turn_desk import TASK, TurnDesk, a_desk, collected, ended

from assistant.gates.gating import BusinessRules, rules_of
from assistant.gates.record import record_override, results_on, stopped_by
from assistant.gates.repair import own_words, repair_message
from assistant.gates.results import GateResult, Outcome
from assistant.tasks.task import Audience, RuleChoice, Task
from storage.interactions import Interaction, Node
from storage.kinds import GATE
from storage.sqlite_store import memory_store
from storage.store import Store


@pytest.fixture
def store() -> Iterator[Store]:
    record = memory_store()
    yield record
    record.close()


def gated_desk(store: Store, *answers: str, finish_reason: str = "stop", task: Task = TASK) -> TurnDesk:
    scripts = [words(answer, finish_reason=finish_reason) for answer in answers]
    return a_desk(store, ScriptedProvider(*scripts), after=[BusinessRules()], task=task)


def hanging(store: Store, answer: Node) -> list[Interaction]:
    branch = store.branch(answer.conversation_id, answer.id)
    return [entry for entry in branch if not entry.is_external and entry.node.parent_id == answer.id]


def by_rule(store: Store, answer: Node) -> dict[str, GateResult]:
    return {result.rule: result for result in results_on(hanging(store, answer))}


async def test_a_complete_answer_is_judged_and_the_results_hang_on_it(store: Store) -> None:
    desk = gated_desk(store, "Bonjour Sophie, votre colis W999 est en route.")
    answer = await desk.asked(desk.opened(), "une réponse")

    results = by_rule(store, answer)
    assert results["numbers"].result is Outcome.FAIL
    assert [word.text for word in results["numbers"].words] == ["W999"]
    assert results["greeting"].result is Outcome.PASS
    assert [result.rule for result in stopped_by(hanging(store, answer))] == ["numbers"]


async def test_the_words_are_the_entrys_text_and_its_meta_holds_none(store: Store) -> None:
    desk = gated_desk(store, "Bonjour Sophie, votre colis W999 est en route.")
    answer = await desk.asked(desk.opened(), "une réponse")

    (entry,) = [entry for entry in hanging(store, answer) if entry.kind == GATE.name]
    assert "W999" in entry.content
    assert "W999" not in str(entry.node.meta)
    assert {"task": "draft-reply", "task_version": TASK.version, "gate": "rules"}.items() <= entry.node.meta.items()


async def test_the_agent_grants_a_number_by_naming_it(store: Store) -> None:
    desk = gated_desk(store, "Bonjour Sophie, votre colis W999 est en route.")
    answer = await desk.asked(desk.opened(), "le colis a le numéro W999")
    assert stopped_by(hanging(store, answer)) == ()


async def test_what_a_repair_names_is_not_granted_by_that(store: Store) -> None:
    desk = gated_desk(store, "Bonjour Sophie, votre colis W999 est en route.")
    conversation = desk.opened()
    answer = await desk.asked(conversation, repair_message("une réponse", [FAILED]))
    assert by_rule(store, answer)["numbers"].result is Outcome.FAIL


async def test_what_stands_on_another_branch_counts_for_nothing(store: Store) -> None:
    desk = gated_desk(store, "Bonjour Sophie.", "Bonjour Sophie, votre colis W999 est en route.")
    conversation = desk.opened()
    ticket_id = store.selected(conversation.id)
    await collected(desk.send(conversation, "le numéro W999"))
    answer = ended(await collected(desk.send(conversation, "une réponse", at_id=ticket_id))).answer
    assert by_rule(store, answer)["numbers"].result is Outcome.FAIL


@pytest.mark.parametrize("finish_reason", ["length", "no_reply"])
async def test_what_is_no_whole_reply_is_not_judged(store: Store, finish_reason: str) -> None:
    desk = gated_desk(store, "Votre colis W999", finish_reason=finish_reason)
    answer = await desk.asked(desk.opened(), "une réponse")
    assert hanging(store, answer) == []


def test_a_task_is_held_against_its_own_rules_else_the_usual_ones_for_a_customer() -> None:
    own = (RuleChoice("length", {"max_words": 3}),)
    assert rules_of(replace(TASK, rules=own)) == own
    assert rules_of(replace(TASK, audience=Audience.INTERNAL)) == ()
    assert {choice.name for choice in rules_of(TASK)} > {"numbers", "language", "promises"}


def test_an_override_counts_for_what_was_decided_before_it(store: Store) -> None:
    desk = gated_desk(store, "x")
    conversation = desk.opened()
    answer = store.begin_answer(conversation.id, store.selected(conversation.id), "x", meta={})
    judge(store, answer)
    record_override(store, conversation.id, answer.id, "camille", "It is right.")
    assert stopped_by(hanging(store, answer)) == ()
    judge(store, answer)
    assert stopped_by(hanging(store, answer)) == (FAILED,)
    judge(store, answer, PASSED)
    assert stopped_by(hanging(store, answer)) == ()


def test_results_are_read_back_as_they_were(store: Store) -> None:
    desk = gated_desk(store, "x")
    conversation = desk.opened()
    answer = store.begin_answer(conversation.id, store.selected(conversation.id), "x", meta={})
    judge(store, answer, FAILED, PASSED)
    assert results_on(hanging(store, answer)) == (FAILED, PASSED)


async def test_an_erasure_takes_the_words_of_results_and_reasons(store: Store) -> None:
    desk = gated_desk(store, "Bonjour Sophie, votre colis W999 est en route.")
    conversation = desk.opened()
    answer = await desk.asked(conversation, "une réponse")
    record_override(store, conversation.id, answer.id, "camille", "Vu avec l'entrepôt.")
    store.erase("T-1", "camille", "asked by mail")
    assert results_on(hanging(store, answer)) == ()
    assert not any("W999" in entry.content or "entrepôt" in entry.content for entry in hanging(store, answer))


def test_the_agents_own_words_end_where_a_repair_begins() -> None:
    message = repair_message("shorter, please", [FAILED])
    assert own_words(message) == "shorter, please"
    assert own_words(repair_message(message, [FAILED])) == "shorter, please"
    assert message.count("An earlier draft") == repair_message(message, [FAILED]).count("An earlier draft") == 1
    assert own_words(repair_message("", [FAILED])) == ""
