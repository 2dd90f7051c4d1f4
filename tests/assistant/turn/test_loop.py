"""The transition loop: every way through it, and what each halts with."""

from collections.abc import Iterator

import pytest

from assistant.turn.loop import (
    Answered,
    Ask,
    Begin,
    Begun,
    Called,
    Check,
    Checked,
    Event,
    Failed,
    Halt,
    Limits,
    Look,
    Looked,
    Ran,
    Rest,
    RunTools,
    State,
    Stopped,
    Write,
    Written,
    advance,
)

LIMITS = Limits(steps=3, tokens=1_000)
CHECKED = Limits(steps=3, tokens=1_000, self_check=True)
EVENTS: tuple[Event, ...] = (
    Begun(),
    Answered(100),
    Called(("search_handbook",), 100),
    Ran(100),
    Ran(2_000),
    Ran(None),
    Stopped(),
    Failed(),
    Written(),
    Looked(),
    Checked(),
)


def followed(*events: Event, limits: Limits = LIMITS) -> State:
    state = State()
    for event in events:
        state = advance(state, event, limits)
    return state


def ways(limits: Limits) -> Iterator[tuple[list[Event], list[State]]]:
    """Every way from the beginning to rest, with the states on it."""
    open_ways: list[tuple[list[Event], list[State]]] = [([], [State()])]
    while open_ways:
        events, states = open_ways.pop()
        if isinstance(states[-1].action, Rest):
            yield events, states
            continue
        assert len(states) < 40, "the loop does not come to an end"
        for event in EVENTS:
            try:
                state = advance(states[-1], event, limits)
            except ValueError:
                continue
            open_ways.append(([*events, event], [*states, state]))


@pytest.mark.parametrize("limits", [LIMITS, CHECKED, Limits(steps=1, tokens=1_000)], ids=["plain", "check", "one step"])
def test_every_way_comes_to_rest_and_writes_and_looks_at_most_once(limits: Limits) -> None:
    seen = set()
    for events, states in ways(limits):
        actions = [type(state.action) for state in states]
        halt = states[-1].halt
        assert halt is not None
        seen.add(halt)
        assert actions.count(Write) == 1
        # Only where the end itself could not be written is the answer not looked at.
        assert actions.count(Look) == (0 if isinstance(events[-1], Failed) and actions[-2] is Write else 1)
        assert actions.count(Ask) == states[-1].steps <= limits.steps
        assert actions.count(Check) <= limits.self_check
        assert [state.halt for state in states if state.halt] == [halt] * (len(states) - actions.index(Write))
    # In a first step that is the last no tool runs, so nothing that was found can be too much.
    assert seen == set(Halt) - ({Halt.TOKENS} if limits.steps == 1 else set())


@pytest.mark.parametrize("limits", [LIMITS, CHECKED])
def test_a_stop_and_a_failure_are_taken_in_every_state_that_is_not_at_rest(limits: Limits) -> None:
    states = {state for _, way in ways(limits) for state in way}
    kinds = {type(state.action) for state in states}
    assert kinds >= {Begin, Ask, RunTools, Write, Look, Rest}
    for state in states:
        for event in (Stopped(), Failed()):
            if isinstance(state.action, Rest) or (isinstance(state.action, Write) and isinstance(event, Stopped)):
                # What ends an answer is never left half done: a stop counts once it is written.
                with pytest.raises(ValueError, match="cannot follow"):
                    advance(state, event, limits)
            else:
                assert isinstance(advance(state, event, limits).action, Write | Rest)


def test_a_plain_answer_takes_one_step() -> None:
    state = followed(Begun(), Answered(100), Written(), Looked())

    assert state == State(Rest(), steps=1, tokens=100, halt=Halt.COMPLETE)


def test_tools_run_between_two_steps() -> None:
    states = [State()]
    for event in (Begun(), Called(("search_handbook",), 100), Ran(150), Answered(150), Written(), Looked()):
        states.append(advance(states[-1], event, LIMITS))

    assert [state.action for state in states] == [
        Begin(),
        Ask(1, must_answer=False),
        RunTools(1),
        Ask(2, must_answer=False),
        Write(Halt.COMPLETE),
        Look(),
        Rest(),
    ]


def test_in_the_last_step_the_model_must_answer_and_halts_when_it_does_not() -> None:
    call, ran = Called(("search_handbook",), 100), Ran(100)

    last = followed(Begun(), call, ran, call, ran)
    assert last.action == Ask(3, must_answer=True)
    assert advance(last, Answered(100), LIMITS).action == Write(Halt.COMPLETE)
    stopped = advance(last, call, LIMITS)
    assert (stopped.action, stopped.names, stopped.steps) == (Write(Halt.STEPS), ("search_handbook",), 3)


@pytest.mark.parametrize(("tokens", "halts"), [(400, False), (401, True), (None, True)])
def test_a_request_that_would_go_beyond_the_tokens_of_a_turn_is_not_made(tokens: int | None, halts: bool) -> None:
    state = followed(Begun(), Called(("recall",), 600), Ran(tokens))

    assert state.action == (Write(Halt.TOKENS) if halts else Ask(2, must_answer=False))


def test_the_first_request_is_made_whatever_it_takes() -> None:
    assert followed(Begun(), limits=Limits(tokens=0)).action == Ask(1, must_answer=False)


def test_only_a_complete_answer_is_checked() -> None:
    for event, action in ((Answered(1), Check()), (Stopped(), Rest()), (Failed(), Rest())):
        assert followed(Begun(), event, Written(), Looked(), limits=CHECKED).action == action


def test_limits_that_name_no_tokens_take_four_budgets() -> None:
    assert Limits().for_budget(3_000).tokens == 12_000
    assert Limits(tokens=5).for_budget(3_000).tokens == 5
