"""What stands beside the budget in the meter: the model's window, the room for the answer, and the provider's cache."""

from collections.abc import Sequence

from assistant.plan.plan import Plan


def room_levels(plan: Plan, cached: float | None) -> Sequence[str]:
    """Return the words from the fullest to none, each to follow the figures of the budget.

    Args:
        plan: what is shown.
        cached: the share of the last request that the provider had in its cache; None where it did not say.
    """
    share = f" · cached {round(100 * cached)} %" if cached else ""
    window, room = plan.sizing.window, plan.sizing.answer_room
    if window is None:
        return (share, "") if share else ("",)
    size = f"window {window.tokens:,}"
    return (f" · room for the answer {room:,} · {size}{share}", f" · answer {room:,} · {size}{share}", f" · {size}", "")


def full_window(plan: Plan) -> str:
    """Say that the agent's budget and the room for the answer are more than the window; empty where they are not."""
    window = plan.sizing.window
    if window is None or not plan.is_window_full:
        return ""
    return f" · ⚠ budget {plan.chosen_budget:,} + answer {plan.sizing.answer_room:,} > window {window.tokens:,}"


def too_large(plan: Plan, what: str) -> tuple[str, ...]:
    """Say that something does not fit and why, from the longest sentence to the shortest."""
    window = plan.sizing.window
    if window is not None and plan.is_at_window:
        return (
            f"{what} does not fit into the {plan.budget:,} tokens that the model's window leaves; configure a "
            "larger one.",
            f"{what} does not fit into the model's window of {window.tokens:,}.",
        )
    return (
        f"{what} does not fit into the budget of {plan.budget:,} tokens. Nothing is sent yet.",
        f"{what} does not fit into the budget.",
    )
