from sample_views import a_node, a_plan, a_ticket, planned

from assistant.plan.plan import Fate
from storage.interactions import Interaction, Status
from storage.kinds import AGENT_MESSAGE, ROOT, TICKET
from tui.chat_items import Failure, chat_items, failure_of, plan_fates, plan_tokens

PLAN = a_plan(items=(planned(None, Fate.SENT, 1_724), planned(2, Fate.CUT, 45), planned(3, Fate.SENT, 9)))


def test_a_plan_marks_the_nodes_it_holds() -> None:
    assert plan_fates(PLAN) == {2: Fate.CUT, 3: Fate.SENT}
    assert plan_tokens(PLAN) == {2: 45, 3: 9}
    assert plan_fates(None) == {}


def test_a_path_becomes_items_without_the_root() -> None:
    ticket = a_ticket()
    path = [
        Interaction(a_node(1, ROOT), ""),
        Interaction(a_node(2, TICKET), "", ticket),
        Interaction(a_node(3, AGENT_MESSAGE), "shorter"),
        Interaction(a_node(4), "Bonjour"),
    ]
    items = chat_items(path, PLAN, {}, notes_sent=True)
    assert [(item.id, item.text, item.fate, item.tokens) for item in items] == [
        (2, "", Fate.CUT, 45),
        (3, "shorter", Fate.SENT, 9),
        (4, "Bonjour", None, None),
    ]
    assert items[0].ticket is ticket
    assert all(item.notes_sent for item in items)


def test_a_failure_is_read_from_the_nodes_detail() -> None:
    node = a_node(4, status=Status.ERROR)._replace(detail={"error": {"kind": "x", "message": "No.", "advice": "Yes."}})
    assert failure_of(node) == Failure("No.", "Yes.")
    assert failure_of(a_node(4)) is None
    assert failure_of(node._replace(detail={"error": "text"})) is None
    assert failure_of(node._replace(detail={"error": {"message": 3}})) == Failure("", "")
