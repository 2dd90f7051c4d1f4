"""How an answer ends, with the reason why its turn halted: in its final row, and in words for people."""

from assistant.turn.answer_writer import Ending
from assistant.turn.loop import Halt, State


def ending_of(ending: Ending, halt: Halt, state: State) -> Ending:
    """The end of an answer whose turn halts for this reason.

    Args:
        ending: of the last call of the model, or what stopped it.
        halt: the reason.
        state: where the turn stood.
    """
    names = " and ".join(dict.fromkeys(state.names))
    steps = "1 step" if state.steps == 1 else f"{state.steps} steps"
    match halt:
        case Halt.STEPS:
            ending = Ending.of_error(
                halt,
                f"Stopped after {steps}: the model kept calling {names}.",
                "Ask it to answer with what it has, or name what it should look for. step_limit in the configuration "
                "allows more steps.",
            )
        case Halt.TOKENS:
            ending = Ending.of_error(
                halt,
                f"Stopped after {steps}: with what {names} found, the next request would be too large for the budget "
                "or for what one turn may take.",
                "Ask more narrowly, raise the budget, or set turn_tokens in the configuration.",
            )
    return Ending(ending.status, {**ending.detail, "halt": halt.value, "steps": state.steps})
