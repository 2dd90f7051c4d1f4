"""Attached files in summaries: a summary hangs so low that every branch that has it has its files too."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_paths import a_path, a_task, of_tokens, ticket_of_tokens, with_hanging, with_status

from assistant.plan.plan import Coverage, Fate, Plan, PlanSettings, StrategyName, Verdict
from assistant.plan.planner import make_plan, prepare
from assistant.plan.repeated import tried_again
from assistant.tokens.counters import EstimateCounter
from storage.attachments.attachment import AttachedFile, Attachment, AttachmentState
from storage.interactions import Interaction, Status
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, ATTACHMENT, COMPACTION, TICKET, InteractionKind

TASK = a_task("You draft replies.")
COUNTER = EstimateCounter()
SUMMARISE = PlanSettings(StrategyName.SUMMARISE, budget=3_000)


def attached(path: list[Interaction], node_id: int, text: str = of_tokens(60)) -> list[Interaction]:
    """The path with a file that was read on this node, after what hangs there already."""
    file = AttachedFile("a.txt", "text/plain", len(text), "0" * 64)
    read = Attachment(f"f{len(path)}", node_id, 0, AttachmentState.PROCESSED, file, text=text)
    at = next(place for place, entry in enumerate(path) if entry.id == node_id)
    return with_hanging(path, at, ATTACHMENT, text, read.meta)


def with_failed_answer() -> list[Interaction]:
    """Nodes 1 to 8: root, ticket, two questions with their answers, a third with an answer that failed wordless."""
    said = [(AGENT_MESSAGE, of_tokens(100)), (ASSISTANT_RESPONSE, of_tokens(100))]
    *path, failed = a_path(
        (TICKET, ticket_of_tokens(60)), *said, *said, (AGENT_MESSAGE, "shorter"), (ASSISTANT_RESPONSE, "")
    )
    return [*path, with_status(failed, Status.ERROR)]


def coverage_of(path: list[Interaction], last_turn: int) -> Coverage:
    coverage = prepare(path, TASK, SUMMARISE, COUNTER).to_summarise(last_turn)
    assert coverage is not None
    return coverage


@pytest.mark.parametrize("node_id", [1, 2, 3, 6, 7, 8])
def test_a_summary_hangs_on_the_lowest_node_that_it_covers_whatever_that_holds(node_id: int) -> None:
    coverage = coverage_of(attached(with_failed_answer(), node_id), last_turn=4 if node_id == 1 else 3)

    assert ATTACHMENT.name in [item.kind for item in coverage.items]
    assert coverage.last_node_id == max(7, node_id)
    assert coverage.first_node_id == min(3, node_id)


said = st.sampled_from(
    [(AGENT_MESSAGE, of_tokens(60)), (ASSISTANT_RESPONSE, of_tokens(60)), (ASSISTANT_RESPONSE, ""), (AGENT_MESSAGE, "")]
)
sizes = st.sampled_from([2, 60])


@given(st.lists(said, min_size=2, max_size=9), st.lists(st.tuples(st.integers(0, 10), sizes), max_size=4))
@settings(max_examples=100, deadline=None)
def test_every_summary_stands_for_what_it_was_made_of_and_for_nothing_below(
    steps: list[tuple[InteractionKind, str]], files: list[tuple[int, int]]
) -> None:
    path = a_path((TICKET, ticket_of_tokens(40)), *steps)
    nodes = [entry.id for entry in path]
    for at, tokens in files:
        path = attached(path, nodes[at % len(nodes)], of_tokens(tokens))
    prepared = prepare(path, TASK, SUMMARISE, COUNTER)
    hangs_on = {entry.id: entry.id if entry.is_external else entry.node.parent_id for entry in path}
    for turn in range(len(steps) + 2):
        coverage = prepared.to_summarise(turn)
        if coverage is None:
            continue
        assert coverage.last_node_id is not None
        covered = {item.id for item in coverage.items}
        assert {hangs_on[item_id or 0] or 0 for item_id in covered} <= set(range(coverage.last_node_id + 1))
        at = nodes.index(coverage.last_node_id)
        place = next(place for place, entry in enumerate(path) if entry.id == nodes[at])
        after = plan_of(with_hanging(path, place, COMPACTION, "They greeted."), "now")
        assert {item.id for item in after.items if item.fate is Fate.SUMMARISED} >= covered - {2}
        assert after.summarised_turns == coverage.turns


def plan_of(path: list[Interaction], question: str | None) -> Plan:
    return make_plan(path, question, TASK, SUMMARISE, COUNTER)


def test_files_that_came_after_a_summary_on_their_question_all_stay_outside_it() -> None:
    path = with_hanging(with_failed_answer()[:7], 6, COMPACTION, "They greeted.")
    plan = plan_of(attached(attached(path, 7), 7), "now")

    assert [item.fate for item in plan.items if item.kind == ATTACHMENT.name] == [Fate.SENT, Fate.SENT]
    assert [item.id for item in plan.items if item.fate is Fate.SUMMARISED] == [3, 4, 5, 6, 7]


@pytest.mark.parametrize("asked", [7, 2], ids=["a question", "the ticket"])
def test_the_files_of_what_is_asked_again_are_never_summarised_for_it(asked: int) -> None:
    path = with_failed_answer()[:asked]
    for _ in range(8):
        path = attached(path, asked, of_tokens(500))
    plan = make_plan(path, None, TASK, replace(SUMMARISE, budget=700), COUNTER)

    assert plan.verdict is Verdict.CUT
    assert plan.to_summarise is None


def test_the_same_words_below_a_file_on_a_failed_answer_ask_something_new() -> None:
    path = with_failed_answer()

    again = tried_again(path, "shorter")
    assert again is not None
    assert again.id == 8
    assert tried_again(attached(path, 8), "shorter") is None
