"""Whatever a ticket says, the request keeps its structure: the task first, the ticket as data in one place."""

import json

import pytest
from hostile import HOSTILE, Hostile

from assistant.plan.plan import PlanSettings
from assistant.plan.planner import make_plan
from assistant.plan.rendering import TICKET_LEAD
from assistant.provider.provider import Prompt
from assistant.tasks.registry import Tasks
from assistant.tasks.task import Task
from assistant.tokens.counters import EstimateCounter
from storage.sqlite_store import memory_store
from storage.tickets import IncomingTicket, Role, TicketMessage

INJECTIONS = [case for case in HOSTILE if case.cls == "inject"]
TASKS = [task for task in Tasks().for_agent("camille") if isinstance(task, Task)]


def test_there_are_injections_to_try() -> None:
    assert len(INJECTIONS) >= 4
    assert len(TASKS) >= 7


@pytest.mark.parametrize("case", INJECTIONS, ids=str)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_ticket_stays_data_in_one_place(case: Hostile, task: Task) -> None:
    store = memory_store()
    message = TicketMessage(case.text, Role.CUSTOMER, case.text)
    store.save_ticket(IncomingTicket("T-1", case.text, case.text, (message,), language="fr"))
    conversation = store.open_conversation("camille", "T-1")
    branch = store.branch(conversation.id, store.selected(conversation.id))

    plan = make_plan(branch, "draft a reply", task, PlanSettings(budget=100_000), EstimateCounter())
    body = json.dumps([entry.as_json() for entry in Prompt(plan.chain, task).chain], ensure_ascii=False)
    system, ticket, question = json.loads(body)

    assert system == {"role": "system", "content": task.system}
    assert question == {"role": "user", "content": "draft a reply"}
    assert ticket["role"] == "user"
    lead, data = ticket["content"].split("\n")
    assert lead == TICKET_LEAD, "one line below its lead, so that nothing in it can end its frame"
    assert json.loads(data) == {
        "id": "T-1",
        "subject": case.text,
        "customer": case.text,
        "language": "fr",
        "messages": [{"author": case.text, "role": "customer", "text": case.text}],
    }
    store.close()
