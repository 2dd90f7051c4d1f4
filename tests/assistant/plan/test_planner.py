from dataclasses import replace

import pytest
from sample_paths import a_path, a_task, a_ticket, of_tokens, ticket_of_tokens, with_status, worked_example

from assistant.plan.plan import Fate, Plan, PlanSettings, StrategyName, Verdict
from assistant.plan.planner import make_plan
from assistant.tokens.counters import EstimateCounter, TiktokenCounter
from storage.interactions import Interaction, Status
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, TICKET
from storage.tickets import Role, TicketMessage

CUT, SELECT, WINDOW = StrategyName.CUT, StrategyName.SELECT, StrategyName.WINDOW
TASK = a_task(of_tokens(1_724))
QUESTION = of_tokens(19)


def plan(
    path: list[Interaction],
    question: str | None = QUESTION,
    strategy: StrategyName = CUT,
    budget: int = 3_000,
    *,
    window_turns: int = 6,
    include_notes: bool = False,
) -> Plan:
    settings = PlanSettings(strategy, budget, window_turns, include_notes)
    return make_plan(path, question, TASK, settings, EstimateCounter())


def sent_ids(plan: Plan) -> list[int | None]:
    return [item.id for item in plan.items if item.fate is Fate.SENT]


@pytest.mark.parametrize(
    ("strategy", "budget", "verdict", "total", "sent", "cut_turns", "cut_tokens", "ticket_sent"),
    [
        (CUT, 3_000, Verdict.FITS, 1_960, 5, 0, 0, True),
        (CUT, 1_960, Verdict.FITS, 1_960, 5, 0, 0, True),
        (CUT, 1_959, Verdict.TICKET_OUTSIDE, 1_829, 3, 1, 131, False),
        (CUT, 1_900, Verdict.TICKET_OUTSIDE, 1_829, 3, 1, 131, False),
        (CUT, 1_829, Verdict.TICKET_OUTSIDE, 1_829, 3, 1, 131, False),
        (CUT, 1_828, Verdict.TICKET_OUTSIDE, 1_743, 1, 2, 217, False),
        (CUT, 1_800, Verdict.TICKET_OUTSIDE, 1_743, 1, 2, 217, False),
        (CUT, 1_743, Verdict.TICKET_OUTSIDE, 1_743, 1, 2, 217, False),
        (CUT, 1_742, Verdict.NEWEST_TOO_LARGE, 1_743, 1, 2, 217, False),
        (CUT, 1_724, Verdict.NEWEST_TOO_LARGE, 1_743, 1, 2, 217, False),
        (CUT, 1_723, Verdict.FIXED_TOO_LARGE, 1_743, 1, 2, 217, False),
        (CUT, 0, Verdict.FIXED_TOO_LARGE, 1_743, 1, 2, 217, False),
        (SELECT, 1_960, Verdict.FITS, 1_960, 5, 0, 0, True),
        (SELECT, 1_959, Verdict.CUT, 1_874, 4, 1, 86, True),
        (SELECT, 1_874, Verdict.CUT, 1_874, 4, 1, 86, True),
        (SELECT, 1_873, Verdict.CUT, 1_788, 2, 2, 172, True),
        (SELECT, 1_788, Verdict.CUT, 1_788, 2, 2, 172, True),
        (SELECT, 1_787, Verdict.NEWEST_TOO_LARGE, 1_788, 2, 2, 172, True),
        (SELECT, 1_769, Verdict.NEWEST_TOO_LARGE, 1_788, 2, 2, 172, True),
        (SELECT, 1_768, Verdict.FIXED_TOO_LARGE, 1_788, 2, 2, 172, True),
        (WINDOW, 1_960, Verdict.FITS, 1_960, 5, 0, 0, True),
        (WINDOW, 1_959, Verdict.TICKET_OUTSIDE, 1_829, 3, 1, 131, False),
    ],
)
def test_the_worked_example(
    strategy: StrategyName,
    budget: int,
    verdict: Verdict,
    total: int,
    sent: int,
    cut_turns: int,
    cut_tokens: int,
    ticket_sent: bool,
) -> None:
    planned = plan(worked_example(), strategy=strategy, budget=budget)
    assert planned.verdict is verdict
    assert planned.may_send == (verdict in (Verdict.FITS, Verdict.CUT))
    assert planned.total == total
    assert len(planned.chain) == 1 + sent
    assert (planned.cut_turns, planned.cut_tokens) == (cut_turns, cut_tokens)
    assert planned.ticket_sent == ticket_sent
    assert planned.counts.free == max(0, budget - total)


def test_the_parts_of_the_worked_example() -> None:
    counts = plan(worked_example()).counts
    assert (counts.system, counts.ticket, counts.turns, counts.question) == (1_724, 45, 86 + 9 + 77, 19)
    assert (counts.summary, counts.overhead, counts.free) == (0, 0, 3_000 - 1_960)


def test_the_overhead_of_the_request_is_a_part_and_that_of_a_message_belongs_to_it() -> None:
    counter = TiktokenCounter("o200k_base")
    planned = make_plan(worked_example(), "shorter", a_task("Draft it."), PlanSettings(), counter)
    assert planned.counts.overhead == 3
    assert planned.counts.question == counter.text("shorter") + 4
    assert planned.total == counter.chain(planned.chain)


def test_turns_are_numbered_and_the_question_opens_the_next() -> None:
    planned = plan(worked_example())
    assert [(item.kind, item.turn) for item in planned.items] == [
        ("system", -1),
        ("ticket", 0),
        ("assistant_response", 0),
        ("agent_message", 1),
        ("assistant_response", 1),
        ("question", 2),
    ]


def test_asking_again_makes_the_last_message_the_question_and_leaves_its_answer_off() -> None:
    path = worked_example()
    again = plan(path, None)
    assert [item.id for item in again.items] == [None, 2, 3, 4]
    assert again.items[-1].kind == "agent_message"
    assert again.counts.question == 9
    assert again == plan(path[:-1], None)


def test_asking_for_the_first_draft_makes_the_ticket_the_question() -> None:
    first = plan(worked_example()[:2], None)
    assert [item.kind for item in first.items] == ["system", "ticket"]
    assert (first.counts.ticket, first.counts.question, first.verdict) == (45, 0, Verdict.FITS)


@pytest.mark.parametrize("strategy", StrategyName)
def test_a_ticket_that_is_asked_and_too_large_is_the_newest_message(strategy: StrategyName) -> None:
    planned = plan(worked_example()[:2], None, strategy, budget=1_768)
    assert (planned.verdict, planned.ticket_sent) == (Verdict.NEWEST_TOO_LARGE, True)


def test_nothing_to_ask_again_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to ask again"):
        plan(a_path(), None)


def test_an_empty_composer_shows_what_is_there() -> None:
    assert plan(worked_example(), "").total == 1_960 - 19


def test_a_path_without_ticket_lacks_none() -> None:
    planned = plan(a_path((AGENT_MESSAGE, of_tokens(100)), (ASSISTANT_RESPONSE, of_tokens(100))), budget=1_800)
    assert (planned.verdict, planned.ticket_sent) == (Verdict.CUT, True)


def test_the_window_keeps_the_last_turns_before_the_question() -> None:
    path = worked_example(turns=(10,) * 7)
    planned = plan(path, strategy=WINDOW, window_turns=2)
    assert sent_ids(planned) == [None, 6, 7, 8, 9, None]
    assert planned.verdict is Verdict.TICKET_OUTSIDE


def test_a_window_that_holds_everything_cuts_only_what_does_not_fit() -> None:
    path = worked_example(turns=(10,) * 7)
    whole = plan(path, strategy=WINDOW, window_turns=4)
    assert whole.verdict is Verdict.FITS
    assert sent_ids(plan(path, strategy=WINDOW, window_turns=4, budget=whole.total - 1)) == [None, *range(4, 10), None]


def test_a_newer_snapshot_stands_for_the_ticket() -> None:
    newer = ticket_of_tokens(60)
    path = a_path(
        (TICKET, ticket_of_tokens(45)),
        (ASSISTANT_RESPONSE, of_tokens(80)),
        (TICKET, newer),
        (ASSISTANT_RESPONSE, of_tokens(20)),
    )
    planned = plan(path, budget=1_724 + 60 + 20 + 19)
    assert (sent_ids(planned), planned.ticket_sent) == ([None, 4, 5, None], True)
    assert planned.verdict is Verdict.CUT


def test_select_pins_the_newest_snapshot_only() -> None:
    path = a_path(
        (TICKET, ticket_of_tokens(45)),
        (ASSISTANT_RESPONSE, of_tokens(80)),
        (TICKET, ticket_of_tokens(60)),
        (ASSISTANT_RESPONSE, of_tokens(20)),
        (AGENT_MESSAGE, of_tokens(5)),
    )
    planned = plan(path, strategy=SELECT, budget=1_724 + 60 + 5 + 19)
    assert (sent_ids(planned), planned.verdict) == ([None, 4, 6, None], Verdict.CUT)
    assert plan(path, strategy=SELECT, budget=1_724 + 59).verdict is Verdict.FIXED_TOO_LARGE


@pytest.mark.parametrize("status", [Status.ERROR, Status.CRASHED, Status.INTERRUPTED])
def test_an_answer_without_a_word_is_not_in_the_plan(status: Status) -> None:
    path = a_path((TICKET, a_ticket("Bonjour")), (ASSISTANT_RESPONSE, ""), (AGENT_MESSAGE, "again, please"))
    path[2] = with_status(path[2], status)
    assert [item.id for item in plan(path).items] == [None, 2, 4, None]


def test_an_answer_that_was_interrupted_is_sent_as_far_as_it_came() -> None:
    path = a_path((TICKET, a_ticket("Bonjour")), (ASSISTANT_RESPONSE, "Dear So"))
    path[2] = with_status(path[2], Status.INTERRUPTED)
    assert plan(path).chain[2].content == "Dear So"


def test_internal_notes_are_planned_only_when_ticked() -> None:
    ticket = a_ticket("Bonjour")
    note = TicketMessage("Camille", Role.AGENT, "She called twice.", internal=True)
    path = a_path((TICKET, replace(ticket, messages=(*ticket.messages, note))))
    without, ticked = plan(path), plan(path, include_notes=True)
    assert "called twice" not in without.chain[1].content
    assert "called twice" in ticked.chain[1].content
    assert without.counts.ticket < ticked.counts.ticket


def test_what_is_not_in_the_record_yet_has_no_id() -> None:
    begun = worked_example()[:2]
    unrecorded = [interaction._replace(node=interaction.node._replace(id=0)) for interaction in begun]
    assert [item.id for item in plan(unrecorded).items] == [None, None, None]


def test_a_lone_surrogate_in_the_draft_is_planned_as_the_record_will_keep_it() -> None:
    assert plan(worked_example(), "a\ud800b").chain[-1].content == "a\ufffdb"


def test_the_json_of_a_plan_holds_its_figures_and_no_text() -> None:
    assert plan(worked_example(), budget=1_900).as_json() == {
        "strategy": "cut",
        "budget": 1_900,
        "chosen_budget": 1_900,
        "window": None,
        "answer_room": 0,
        "counter": "estimate",
        "accuracy": "estimate",
        "calibrated_on": 0,
        "verdict": "ticket_outside",
        "total": 1_829,
        "ticket_sent": False,
        "counts": {
            "system": 1_724,
            "ticket": 0,
            "summary": 0,
            "turns": 86,
            "question": 19,
            "overhead": 0,
            "free": 71,
        },
        "to_summarise": None,
        "interactions": [
            {"id": None, "kind": "system", "tokens": 1_724, "fate": "sent"},
            {"id": 2, "kind": "ticket", "tokens": 45, "fate": "cut"},
            {"id": 3, "kind": "assistant_response", "tokens": 86, "fate": "cut"},
            {"id": 4, "kind": "agent_message", "tokens": 9, "fate": "sent"},
            {"id": 5, "kind": "assistant_response", "tokens": 77, "fate": "sent"},
            {"id": None, "kind": "question", "tokens": 19, "fate": "sent"},
        ],
    }
