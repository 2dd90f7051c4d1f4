"""What is known of a summary before it is asked for, and how long that is true."""

from dataclasses import replace

from sample_paths import a_path, a_task, a_ticket, long_path, of_tokens
from scripted_provider import ScriptedProvider

from assistant.builtin.assistant import BuiltinAssistant
from assistant.plan.comparing import compare
from assistant.plan.plan import Coverage, PlanSettings, StrategyName
from assistant.plan.planner import PreparedPath, prepare
from assistant.provider.provider import Provider
from assistant.tokens.counters import EstimateCounter
from assistant.turn.foreseeing import Foreseen, first_calls, foresee
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, TICKET


def a_path_to_summarise() -> tuple[PreparedPath, Coverage]:
    """A path whose first turns have to be read in two calls, and what a summary of them would stand for."""
    steps = [(AGENT_MESSAGE, "Now shorter, please."), (ASSISTANT_RESPONSE, "Here it is now.")] * 60
    path = a_path((TICKET, a_ticket("Bonjour")), *steps, (AGENT_MESSAGE, "now"), (ASSISTANT_RESPONSE, of_tokens(20)))
    prepared = prepare(path, a_task(), PlanSettings(StrategyName.SUMMARISE, budget=500), EstimateCounter())
    coverage = prepared.plan("shorter").to_summarise
    assert coverage is not None
    return prepared, coverage


def foreseen(prepared: PreparedPath, coverage: Coverage, provider: Provider) -> Foreseen:
    return foresee(coverage, prepared.settings, a_task("Sum."), provider, prepared.counter)


def test_of_a_model_the_calls_are_known_and_of_the_extract_what_it_takes_too() -> None:
    prepared, coverage = a_path_to_summarise()

    of_model = foreseen(prepared, coverage, ScriptedProvider())
    of_extract = foreseen(prepared, coverage, BuiltinAssistant())

    assert (len(of_model.prompts), of_model.tokens, of_model.refusal(coverage)) == (2, None, "")
    assert of_extract.prompts == of_model.prompts
    assert of_extract.tokens is not None
    taken = of_extract.tokens
    assert of_extract.refusal(coverage) == f"The summary takes {taken} tokens, and {coverage.most} are left for it."
    assert "would save less than a tenth" in of_extract.refusal(replace(coverage, most=taken))
    assert of_extract.refusal(replace(coverage, most=taken, tokens=10 * taken)) == ""


def test_what_cannot_be_made_for_want_of_room_is_asked_about_again_where_there_is_more() -> None:
    prepared, coverage = a_path_to_summarise()
    narrow, wide = replace(coverage, most=5), replace(coverage, most=400)

    known = foreseen(prepared, narrow, ScriptedProvider())

    assert known.refusal(narrow).startswith("Only 2 calls could read turns 1 to ")
    assert known.refusal(replace(narrow, most=4)) == known.trouble
    assert (known.holds_for(wide), known.refusal(wide)) == (False, "")
    assert foreseen(prepared, wide, ScriptedProvider()).holds_for(narrow)


def test_a_summary_is_announced_with_the_calls_that_make_it() -> None:
    chosen = PlanSettings(budget=500)
    path = long_path(8)
    prepared = prepare(path, a_task(), chosen, EstimateCounter())
    *others, summarise = compare(prepared, "shorter")
    first = first_calls(summarise.plan, prepared, a_task("Summarise."), ScriptedProvider())

    assert first is not None
    assert first.prompts
    assert all(0 < tokens <= 500 for tokens in first.prompts)
    assert summarise.plan.to_summarise is not None
    assert (first.expected, first.trouble) == (summarise.plan.to_summarise.expected, "")
    assert all(first_calls(other.plan, prepared, a_task(), ScriptedProvider()) is None for other in others)


def test_an_extract_that_would_not_be_used_says_so_beforehand_with_the_calls_that_would_make_it() -> None:
    steps = [(AGENT_MESSAGE, "Now shorter, please."), (ASSISTANT_RESPONSE, "Here it is now.")] * 60
    path = a_path((TICKET, a_ticket("Bonjour")), *steps, (AGENT_MESSAGE, "now"), (ASSISTANT_RESPONSE, of_tokens(20)))
    prepared = prepare(path, a_task(), PlanSettings(StrategyName.SUMMARISE, budget=500), EstimateCounter())
    plan = prepared.plan("shorter")

    told, untold = (
        first_calls(plan, prepared, a_task("Sum."), each) for each in (BuiltinAssistant(), ScriptedProvider())
    )

    assert told is not None
    assert untold is not None
    assert (len(told.prompts), told.prompts, untold.trouble) == (2, untold.prompts, "")
    assert told.trouble.startswith("The summary takes ")


def test_a_summary_that_cannot_be_made_says_why() -> None:
    steps = [(AGENT_MESSAGE, "shorter"), (ASSISTANT_RESPONSE, of_tokens(700)), (AGENT_MESSAGE, "now"),
             (ASSISTANT_RESPONSE, of_tokens(20))]  # fmt: skip
    prepared = prepare(
        a_path((TICKET, a_ticket("Bonjour")), *steps), a_task(), PlanSettings(budget=450), EstimateCounter()
    )
    row = compare(prepared, "shorter", [StrategyName.SUMMARISE])[0]
    first = first_calls(row.plan, prepared, a_task("Summarise."), ScriptedProvider())

    assert first is not None
    assert (first.prompts, "alone needs" in first.trouble) == ((), True)
