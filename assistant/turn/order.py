"""What is to be asked: the order that a turn carries out."""

from dataclasses import dataclass

from assistant.plan.plan import Plan, PlanSettings
from assistant.tasks.task import Task
from storage.interactions import Conversation


@dataclass(frozen=True, slots=True)
class Order:
    """What to ask.

    Attributes:
        parent_id: what the question follows; where `text` is None, the question itself.
        text: what the agent wrote; None asks what is in the record again.
        plan: as it was shown; once it was looked at again, as the record gives it now.
        settings: what it was planned with.
        task: what the assistant is asked to do; the plan's system message is its.
        replaces_id: the message that was edited, or the answer that is asked for again.
        on_purpose: the agent chose to send without the ticket.
    """

    conversation: Conversation
    parent_id: int
    text: str | None
    plan: Plan
    settings: PlanSettings
    task: Task
    replaces_id: int | None
    on_purpose: bool
