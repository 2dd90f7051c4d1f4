"""The transition loop of a turn: what to do next, and when to halt; pure, without a clock and without a model.

A step is one call of the model. The loop goes on until the halting condition holds: the answer is complete and its
gates have decided, a limit is reached, the agent stopped it, or something failed. `assistant.turn.run` does what it
says::

    Begin ─ Begun ─▶ Ask ─ Answered ─▶ Write ─ Written ─▶ Look ─ Looked ─▶ Check ─ Checked ─▶ Rest
                     ▲ └── Called ─▶ RunTools ─┐
                     └────────── Ran ──────────┘

From Begin, Ask and RunTools a stop, a failure and a limit lead to Write too: however a turn ends, its answer is written
to its end exactly once and looked at exactly once. Only a complete answer is checked, and only where that is wanted.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias

MOST_STEPS: Final = 6
BUDGETS_A_TURN: Final = 4


class Halt(StrEnum):
    """Why a turn came to its end."""

    COMPLETE = "complete"
    STEPS = "step_limit"
    TOKENS = "token_limit"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Limits:
    """What holds for each turn.

    Attributes:
        steps: how often the model may be called; in the last step it must answer.
        tokens: of all requests and answers of a turn together, None for `BUDGETS_A_TURN` times the budget. The first
            request is always sent.
        self_check: ask in a call of its own whether a complete answer does what was asked.
    """

    steps: int = MOST_STEPS
    tokens: int | None = None
    self_check: bool = False

    def for_budget(self, budget: int) -> "Limits":
        """The limits of a turn with this budget: none is left open."""
        return self if self.tokens is not None else replace(self, tokens=BUDGETS_A_TURN * budget)


@dataclass(frozen=True, slots=True)
class Begin:
    """Write the question and the empty answer."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Call the model and write what it says; step 1 is the first call."""

    step: int
    must_answer: bool


@dataclass(frozen=True, slots=True)
class RunTools:
    """Run the tools that the model called in this step, and write what they found."""

    step: int


@dataclass(frozen=True, slots=True)
class Write:
    """Write how the answer ended."""

    halt: Halt


@dataclass(frozen=True, slots=True)
class Look:
    """Let the gates, and whatever else looks at answers, decide."""


@dataclass(frozen=True, slots=True)
class Check:
    """Ask whether the answer does what was asked."""


@dataclass(frozen=True, slots=True)
class Rest:
    """The turn has halted."""


Action: TypeAlias = Begin | Ask | RunTools | Write | Look | Check | Rest


@dataclass(frozen=True, slots=True)
class Begun:
    """Question and answer are in the record."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The model has said what it has to say; `tokens` are those of the request and of the answer."""

    tokens: int


@dataclass(frozen=True, slots=True)
class Called:
    """The model asks for tools, by their names; `tokens` are those of the request and of what it said."""

    names: tuple[str, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Ran:
    """What the tools found is in the record.

    Attributes:
        next_tokens: of the next request; None where it would not fit the budget, whatever is cut.
    """

    next_tokens: int | None


@dataclass(frozen=True, slots=True)
class Stopped:
    """The agent stopped the turn, or the program ends."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The provider, the record or the program failed."""


@dataclass(frozen=True, slots=True)
class Written:
    """The answer has its end."""


@dataclass(frozen=True, slots=True)
class Looked:
    """The gates have decided."""


@dataclass(frozen=True, slots=True)
class Checked:
    """It was asked whether the answer does what was asked."""


Event: TypeAlias = Begun | Answered | Called | Ran | Stopped | Failed | Written | Looked | Checked


@dataclass(frozen=True, slots=True)
class State:
    """Where a turn stands.

    Attributes:
        action: what is to be done now.
        steps: calls of the model so far, the running one included.
        tokens: of all requests and answers that came to their end.
        names: the tools that were called last.
        halt: why the turn came to its end; None while it goes on.
    """

    action: Action = Begin()
    steps: int = 0
    tokens: int = 0
    names: tuple[str, ...] = ()
    halt: Halt | None = None


def advance(state: State, event: Event, limits: Limits) -> State:
    """Take one transition.

    Raises:
        ValueError: this cannot happen in this state.
    """
    match state.action, event:
        case Begin(), Begun():
            return _ask(state, limits)
        case Ask(), Answered(tokens):
            return _write(replace(state, tokens=state.tokens + tokens), Halt.COMPLETE)
        case Ask(step, must_answer), Called(names, tokens):
            called = replace(state, tokens=state.tokens + tokens, names=names)
            return _write(called, Halt.STEPS) if must_answer else replace(called, action=RunTools(step))
        case RunTools(), Ran(next_tokens):
            is_too_much = next_tokens is None or (limits.tokens or 0) < state.tokens + next_tokens
            return _write(state, Halt.TOKENS) if is_too_much else _ask(state, limits)
        case ((Begin() | Ask() | RunTools()), Stopped()):
            return _write(state, Halt.STOPPED)
        case ((Begin() | Ask() | RunTools()), Failed()):
            return _write(state, Halt.FAILED)
        case Write(), Written():
            return replace(state, action=Look())
        case Look(), Looked() if limits.self_check and state.halt is Halt.COMPLETE:
            return replace(state, action=Check())
        case (Write(), Failed()) | (Look(), Looked() | Stopped() | Failed()):
            return replace(state, action=Rest())
        case Check(), (Checked() | Stopped() | Failed()):
            return replace(state, action=Rest())
        case _:
            raise ValueError(f"{event} cannot follow {state.action}")


def _ask(state: State, limits: Limits) -> State:
    step = state.steps + 1
    return replace(state, action=Ask(step, must_answer=step >= limits.steps), steps=step)


def _write(state: State, halt: Halt) -> State:
    return replace(state, action=Write(halt), halt=halt)
