"""No word of one conversation gets into the requests of another; and if one did, the audit would say so."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from desks import A_REQUEST
from hypothesis import given, settings
from hypothesis import strategies as st
from random_desk import ACTS, AGENTS, RandomDesk, Step, canaries, strangers
from turn_desk import AGENT, TASK

from assistant.audit.isolation import Isolation, check_isolation
from assistant.audit.known_texts import system_messages
from assistant.plan.plan import PlanSettings
from assistant.plan.planner import make_plan
from assistant.tasks.registry import Tasks
from assistant.tokens.counters import EstimateCounter
from assistant.turn.summarising import SUMMARISE_HISTORY
from storage.audit.verification import verify
from storage.interactions import Conversation, Status
from storage.sqlite_store import memory_store
from storage.store import Store
from storage.tickets import IncomingTicket, Role, TicketMessage
from storage.values import Json

HEDGEHOG = "A hedgehog lives under my new garden shed"
KETTLE = "My kettle smells of burnt plastic every morning"

_STEPS = st.lists(
    st.builds(Step, st.sampled_from(ACTS), st.integers(0, 3), st.integers(0, 50)), min_size=4, max_size=14
)


system_of = system_messages([TASK, Tasks().get(SUMMARISE_HISTORY)])


def checked(store: Store, *, boilerplate: tuple[str, ...] = (), agent: str | None = None) -> Isolation:
    return check_isolation(store, system_of=system_of, boilerplate=boilerplate, agent=agent)


@settings(max_examples=25, deadline=None)
@given(_STEPS)
def test_nothing_crosses_whatever_two_agents_do_on_two_tickets(steps: list[Step]) -> None:
    desk = RandomDesk(memory_store())
    asyncio.run(desk.run(steps))
    for page in desk.pages:
        for node in desk.store.nodes(page.id):
            for request in desk.store.requests(page.id, node.id):
                assert request.body is not None
                assert strangers(request.body.decode(), page) == []
    found = checked(desk.store)
    assert found.leaks == ()
    assert found.unverified_tasks == ()
    assert verify(desk.store).holds


def test_nothing_crosses_where_files_hang_on_failed_answers_and_are_summarised() -> None:
    desk = RandomDesk(memory_store())
    acts = [Step("fail", 0, -1), Step("ask", 0, -1), Step("answer", 0, 0)]
    asyncio.run(desk.run([*acts, *acts, Step("summarise", 0, -1)]))
    kinds = [entry.kind for entry in desk.store.contents(desk.pages[0].id, hanging=True)]

    assert kinds.count("compaction") == 1
    assert checked(desk.store).holds


def test_the_canaries_of_that_test_would_be_seen() -> None:
    page = Conversation(1, AGENTS[0], "T1")
    own = canaries("T1", "customer", 1), canaries("T1", AGENTS[0], 2)
    assert strangers(" ".join(own), page) == []
    assert len(strangers(canaries("T2", "customer", 1), page)) == 8
    assert len(strangers(canaries("T1", AGENTS[1], 1), page)) == 8


# What crossed on purpose.


class Page:
    """A conversation on T-1 with one answered question, for which requests are recorded by hand.

    Attributes:
        sent: what its proper request holds.
        plan: what its plan names.
    """

    def __init__(self, store: Store, *, question: str = "a first draft", answer: str = "Thank you.") -> None:
        self.store = store
        self.conversation = store.open_conversation(AGENT, "T-1")
        ticket_node = store.selected(self.conversation.id)
        asked = store.add_message(self.conversation.id, ticket_node, AGENT, question)
        node = store.begin_answer(self.conversation.id, asked.id, "model", meta={})
        store.add_text(self.conversation.id, node.id, answer)
        store.finish(self.conversation.id, node.id, Status.COMPLETE, {})
        self.answer = node.id
        path = store.path(self.conversation.id, node.id)
        plan = make_plan(path[:-1], None, TASK, PlanSettings(budget=100_000), EstimateCounter())
        self.sent: list[tuple[str, str]] = [(message.role, message.content) for message in plan.chain]
        self.planned: list[dict[str, Json]] = [
            {"id": item.id, "kind": item.kind, "tokens": item.tokens, "fate": item.fate.value} for item in plan.items
        ]

    def record(self, messages: Sequence[tuple[str, str]], *, body: bytes | None = None, version: str = "") -> None:
        """Record a request with these messages under the proper plan."""
        chat = {"model": "m", "messages": [{"role": role, "content": content} for role, content in messages]}
        self.store.record_request(
            self.conversation.id,
            self.answer,
            replace(
                A_REQUEST,
                attempt=1 + len(self.store.requests(self.conversation.id, self.answer)),
                task=TASK.name,
                task_version=version or TASK.version,
                base_url="",
                model="m",
                plan={"interactions": self.planned},
                body=json.dumps(chat).encode() if body is None else body,
            ),
        )


def a_record(*more: str) -> Store:
    """Tickets T-1, T-2 and so on; the first two as above."""
    store = memory_store()
    for number, text in enumerate((HEDGEHOG, KETTLE, *more), 1):
        message = TicketMessage("Sophie", Role.CUSTOMER, text)
        store.save_ticket(IncomingTicket(f"T-{number}", "Question", "Sophie", (message,)))
    return store


def test_a_proper_request_has_nothing_that_crossed() -> None:
    page = Page(a_record(), answer=HEDGEHOG)
    page.record(page.sent)
    page.record(page.sent)
    found = checked(page.store)
    assert (found.holds, found.requests, found.parts, found.erased) == (True, 2, 6, 0)


def test_words_of_another_ticket_in_a_request_are_found_and_have_no_origin() -> None:
    page = Page(a_record())
    page.record([*page.sent[:1], ("user", json.dumps({"messages": [{"text": f"Hello.\n{KETTLE}"}]})), *page.sent[2:]])
    origin, words = checked(page.store).leaks
    assert origin.what.startswith("Part 2 has no origin in the record, because these are not the words of node 2")
    assert words.as_json() == {
        "agent": AGENT,
        "ticket": "T-1",
        "node": page.answer,
        "request": 1,
        "attempt": 1,
        "part": 2,
        "what": "Part 2 holds words of ticket T-2.",
        "words": "my kettle smells of burnt plastic",
        "other_ticket": "T-2",
        "more": 2,
    }


def test_an_answer_that_landed_in_the_wrong_place_is_found_when_it_is_sent() -> None:
    page = Page(a_record(), answer=f"You write: {KETTLE}!")
    again = page.store.add_message(page.conversation.id, page.answer, AGENT, "shorter")
    node = page.store.begin_answer(page.conversation.id, again.id, "model", meta={})
    page.answer = node.id
    page.planned += [
        {"id": again.parent_id, "kind": "assistant_response", "tokens": 1, "fate": "sent"},
        {"id": again.id, "kind": "agent_message", "tokens": 1, "fate": "sent"},
    ]
    page.record([*page.sent, ("assistant", f"You write: {KETTLE}!"), ("user", "shorter")])
    (leak,) = checked(page.store).leaks
    assert (leak.part, leak.other_ticket, leak.words) == (4, "T-2", "my kettle smells of burnt plastic")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda sent: [*sent, ("user", "and this")], "Part 4 has no origin in the record, because the plan of this"),
        (lambda sent: [("system", "Obey."), *sent[1:]], "because these are not the words of task draft-reply"),
        (lambda sent: [*sent[:2], ("assistant", sent[2][1])], "because these are not the words of node 3"),
        (lambda sent: [sent[0], sent[2], sent[1]], "because these are not the words of node 2"),
    ],
)
def test_a_part_that_the_record_does_not_say_has_no_origin(
    change: Callable[[list[tuple[str, str]]], list[tuple[str, str]]], why: str
) -> None:
    page = Page(a_record())
    page.record(change(page.sent))
    assert why in checked(page.store).leaks[0].what


def test_a_part_from_another_branch_has_no_origin() -> None:
    page = Page(a_record())
    other = page.store.add_message(page.conversation.id, 2, AGENT, "on another branch")
    page.planned[-1] = {**page.planned[-1], "id": other.id}
    page.record([*page.sent[:-1], ("user", "on another branch")])
    (leak,) = checked(page.store).leaks
    assert f"the plan names node {other.id}, which is not on the path to this answer" in leak.what


@pytest.mark.parametrize("body", [b"\xff", b"[]", b'{"messages": 3}', json.dumps([KETTLE]).encode()])
def test_a_body_that_is_no_chat_request_is_found(body: bytes) -> None:
    page = Page(a_record())
    page.record([], body=body)
    leaks = checked(page.store).leaks
    assert "it is no chat request" in leaks[0].what
    assert [leak.other_ticket for leak in leaks[1:]] == (["T-2"] if b"kettle" in body else [])


def test_what_several_requests_repeat_is_told_once() -> None:
    page = Page(a_record())
    for _ in range(3):
        page.record([*page.sent, ("user", KETTLE)])
    leaks = checked(page.store).leaks
    assert [leak.attempt for leak in leaks if leak.other_ticket] == [1]
    assert [leak.attempt for leak in leaks if not leak.other_ticket] == [1, 2, 3]


THANKS = "Thank you for your patience and kind regards"


@pytest.mark.parametrize(
    ("tickets", "question", "boilerplate", "whose"),
    [
        ((THANKS,), "a first draft", (), ["T-3"]),
        ((THANKS, THANKS), "a first draft", (), ["T-3"]),
        ((THANKS, THANKS, THANKS), "a first draft", (), []),
        ((THANKS,), f"add: {THANKS}", (), []),
        ((THANKS,), "a first draft", (f"Hello, {THANKS}.",), []),
    ],
)
def test_what_three_tickets_the_agent_a_task_or_a_saved_reply_say_is_no_leak(
    tickets: tuple[str, ...], question: str, boilerplate: tuple[str, ...], whose: list[str]
) -> None:
    page = Page(a_record(*tickets), question=question)
    page.record([*page.sent, ("assistant", THANKS)])
    leaks = checked(page.store, boilerplate=boilerplate).leaks
    assert [leak.other_ticket for leak in leaks if leak.other_ticket] == whose


def test_words_of_the_own_ticket_are_no_leak_where_another_ticket_has_them_too() -> None:
    page = Page(a_record(HEDGEHOG), answer=HEDGEHOG)
    page.record([*page.sent, ("assistant", HEDGEHOG)])
    assert not [leak for leak in checked(page.store).leaks if leak.other_ticket]


def test_five_words_are_chance_and_scripts_without_spaces_are_compared_by_characters() -> None:
    chinese = "我家花园的小屋下面住着一只非常可爱的小刺猬"
    page = Page(a_record(chinese))
    page.record([*page.sent, ("user", "My kettle smells of burnt"), ("user", f"你好{chinese}")])
    assert [leak.other_ticket for leak in checked(page.store).leaks if leak.other_ticket] == ["T-3"]


def test_a_task_that_is_no_longer_here_is_named_and_still_looked_through() -> None:
    page = Page(a_record())
    page.record(page.sent, version="older")
    found = checked(page.store)
    assert found.holds
    assert found.unverified_tasks == ((TASK.name, "older"),)
    page.record([("system", f"{TASK.system} {KETTLE}"), *page.sent[1:]], version="older")
    (leak,) = checked(page.store).leaks
    assert (leak.part, leak.other_ticket) == (1, "T-2")


def test_one_agents_requests_can_be_looked_at_alone_and_erased_ones_are_counted() -> None:
    page = Page(a_record())
    page.record([*page.sent, ("user", KETTLE)])
    assert checked(page.store, agent="noah").requests == 0
    assert len(checked(page.store, agent=AGENT).leaks) == 2
    page.store.erase("T-1", AGENT, "asked for it")
    found = checked(page.store)
    assert (found.holds, found.requests, found.erased) == (True, 1, 1)


def test_the_words_of_an_erased_ticket_are_not_known_any_more() -> None:
    page = Page(a_record())
    page.record([*page.sent, ("user", KETTLE)])
    page.store.erase("T-2", AGENT, "asked for it")
    assert [leak.other_ticket for leak in checked(page.store).leaks] == [""]
