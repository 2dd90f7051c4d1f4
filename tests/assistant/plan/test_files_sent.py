"""Attached files from the plan to the bytes on the wire and back: each form, their origin, and other branches."""

from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from attached_files import add_states
from fake_openai import FakeOpenAI
from turn_desk import AGENT, ROOMY, TASK, TurnDesk, a_desk

from assistant.audit.isolation import check_isolation
from assistant.audit.origins import OriginKind
from assistant.audit.tracing import trace_answer
from assistant.plan.files import FileForm
from assistant.plan.plan import Plan, PlanSettings, StrategyName
from assistant.plan.projection import project
from assistant.provider.model_settings import ModelSettings
from assistant.provider.openai_provider import OpenAIProvider
from storage.attachments.attachment import AttachmentState
from storage.interactions import Conversation, Status
from storage.kinds import ATTACHMENT
from storage.sqlite_store import open_store
from storage.store import Store
from storage.tickets import IncomingTicket, Role, TicketMessage
from storage.values import Json

PENDING, PROCESSED, FAILED, WITHDRAWN = AttachmentState
READ = (PENDING, PROCESSED)


@pytest.fixture(scope="module")
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as running:
        yield running


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(open_store(tmp_path / "desk.db")) as record:
        yield record


@pytest.fixture
async def desk(store: Store, server: FakeOpenAI) -> AsyncIterator[TurnDesk]:
    server.requests.clear()
    provider = OpenAIProvider(ModelSettings("ok", server.url, "sk-0"))
    yield a_desk(store, provider, settings=ROOMY)
    await provider.aclose()


def system_of(name: str, version: str) -> str | None:
    return TASK.system


def forms(plan: Plan) -> list[FileForm | None]:
    return [item.form for item in plan.items if item.kind == ATTACHMENT.name]


@pytest.mark.parametrize("strategy", [StrategyName.CUT, StrategyName.SELECT, StrategyName.WINDOW])
@pytest.mark.parametrize(
    ("states", "budget", "form"),
    [
        ((PENDING,), 100_000, FileForm.PLACEHOLDER),
        (READ, 100_000, FileForm.TEXT),
        (READ, 700, FileForm.DESCRIPTION),
        ((*READ, WITHDRAWN), 100_000, None),
    ],
)
async def test_what_is_planned_is_on_the_wire_and_has_its_origin(
    desk: TurnDesk,
    store: Store,
    server: FakeOpenAI,
    states: tuple[AttachmentState, ...],
    budget: int,
    form: FileForm | None,
    strategy: StrategyName,
) -> None:
    desk.settings = PlanSettings(strategy, budget)
    page = desk.opened()
    add_states(store, page, store.selected(page.id), 'words of an invoice "}\n' * 300, states, name='in"}voice.pdf')
    plan = desk.plan(page, store.selected(page.id), "draft")
    answer = await desk.asked(page, "draft")

    assert forms(plan) == ([form] if form else [])
    assert server.requests[-1].messages == [(message.role, message.content) for message in plan.chain]
    (evidence,) = trace_answer(store, page.id, answer.id, system_of)
    assert evidence.problems == ()
    origins = [part.origin for part in evidence.parts if part.origin.kind is OriginKind.ATTACHMENT]
    details = [origin.detail.partition("(")[2].partition(" of ")[0] for origin in origins]
    assert details == ([form.value] if form else [])
    assert [part.tokens for part in evidence.parts] == [item.tokens for item in plan.items if item.fate == "sent"]
    assert check_isolation(store, system_of=system_of, boilerplate=()).holds


async def test_what_was_sent_as_a_placeholder_stays_recognised_once_the_file_is_read(
    desk: TurnDesk, store: Store
) -> None:
    page = desk.opened()
    at = store.selected(page.id)
    pending = add_states(store, page, at, "", (PENDING,), name="a.txt")
    answer = await desk.asked(page, "draft")
    store.add_internal(
        page.id, at, ATTACHMENT, AGENT, text="words", meta={**pending.meta, "state": "processed", "words": 1}
    )
    later = await desk.asked(page, "shorter")

    parts = [
        [part.content for part in trace_answer(store, page.id, node.id, system_of)[0].parts] for node in (answer, later)
    ]
    assert any("being read" in content for content in parts[0])
    assert not any("being read" in content for content in parts[1])
    assert all(not trace_answer(store, page.id, node.id, system_of)[0].problems for node in (answer, later))


async def test_a_file_of_another_customer_is_found_by_the_audit(desk: TurnDesk, store: Store) -> None:
    secret = "my hedgehog ate the blue parcel on tuesday morning"
    store.save_ticket(IncomingTicket("T-2", "Parcel", "Ann", (TicketMessage("Ann", Role.CUSTOMER, secret),)))
    page = desk.opened()
    add_states(store, page, store.selected(page.id), f"Forwarded: {secret}", READ, name="mail.eml")
    await desk.asked(page, "draft")

    isolation = check_isolation(store, system_of=system_of, boilerplate=())
    assert [(leak.other_ticket, leak.part) for leak in isolation.leaks] == [("T-2", 2)]


def answered(store: Store, page: Conversation, parent_id: int, text: str) -> int:
    asked = store.add_message(page.id, parent_id, AGENT, text)
    answer = store.begin_answer(page.id, asked.id, "model", meta={})
    store.add_text(page.id, answer.id, f"An answer to {text}.")
    return store.finish(page.id, answer.id, Status.COMPLETE, {}).id


def test_attaching_on_one_branch_leaves_the_next_request_of_every_other_byte_equal(
    desk: TurnDesk, store: Store
) -> None:
    page = desk.opened()
    top = store.selected(page.id)
    left, right = answered(store, page, top, "left"), answered(store, page, top, "right")
    before = desk.plan(page, right, "now")
    attached = add_states(store, page, left, "words of the left branch", READ)
    both = add_states(store, page, top, "words for both", READ)

    assert forms(desk.plan(page, left, "now")) == [FileForm.TEXT, FileForm.TEXT]
    right_now = desk.plan(page, right, "now")
    assert [item for item in right_now.items if item.id != both.entry_id] == list(before.items)
    assert attached.entry_id not in {item.id for item in right_now.items}


def test_a_restart_plans_the_same(desk: TurnDesk, store: Store, tmp_path: Path) -> None:
    page = desk.opened()
    add_states(store, page, store.selected(page.id), "words", READ)
    plan = desk.plan(page, store.selected(page.id), "now")
    with closing(open_store(tmp_path / "desk.db")) as again:
        assert TurnDesk(again, desk.turns).plan(page, again.selected(page.id), "now") == plan


def test_what_nobody_reads_any_more_has_failed_in_the_projection(desk: TurnDesk, store: Store) -> None:
    page = desk.opened()
    foreign: dict[str, Json] = {
        "attachment": "a",
        "state": "pending",
        "name": "a",
        "media_type": "b",
        "size_bytes": 1,
        "sha256": "",
    }
    store.add_internal(page.id, store.selected(page.id), ATTACHMENT, AGENT, text="", meta={**foreign, "reader": "gone"})
    projected = project(store, AGENT, "T-1")

    assert projected.head == store.head(page.id)
    assert [entry.node.meta["state"] for entry in projected.path if entry.kind == ATTACHMENT.name] == [
        "pending",
        "failed",
    ]
