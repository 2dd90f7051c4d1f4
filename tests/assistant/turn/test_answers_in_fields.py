"""How a server is asked for an answer in fields, and what becomes of it in the record."""

import json
from collections.abc import Iterator
from contextlib import closing

import pytest
from exchanges import KeptExchanges
from fake_openai import FakeOpenAI, Trouble
from scripted_provider import ScriptedProvider, words
from turn_desk import ROOMY, collected, ended

from assistant.builtin.assistant import BuiltinAssistant
from assistant.gates.contract import ContractKept
from assistant.gates.record import results_on
from assistant.gates.results import Outcome
from assistant.plan.messages import Message
from assistant.plan.planner import make_plan
from assistant.provider.model_settings import ModelSettings
from assistant.provider.openai_provider import OpenAIProvider
from assistant.provider.provider import Chunk, Prompt, Provider, TextChunk, Waiting
from assistant.tasks.registry import Tasks
from assistant.tasks.task import Task
from assistant.tokens.counters import EstimateCounter
from assistant.turn.turns import Turns
from storage.interactions import Interaction, Status
from storage.sqlite_store import memory_store
from storage.store import Store
from storage.tickets import IncomingTicket, Role, TicketMessage
from storage.values import JsonObject

CONTRACT: JsonObject = {
    "type": "object",
    "additionalProperties": False,
    "required": ["reply"],
    "properties": {"reply": {"type": "string"}},
}
FIELDS = Task("in-fields", "In fields", "1", "Answer in fields.", "own", contract=CONTRACT, reply_field="reply")
CHAIN = (Message("system", FIELDS.system), Message("user", "a reply, please"))


@pytest.fixture
def store() -> Iterator[Store]:
    with closing(memory_store()) as opened:
        yield opened


@pytest.fixture(scope="module")
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as running:
        yield running


async def streamed(provider: Provider, task: Task) -> list[Chunk]:
    return [chunk async for chunk in provider.stream(Prompt(CHAIN, task), KeptExchanges())]


def bodies(server: FakeOpenAI) -> list[JsonObject]:
    return [json.loads(request.body) for request in server.requests]


async def test_the_server_is_asked_to_keep_to_the_contract(server: FakeOpenAI) -> None:
    server.requests.clear()
    provider = OpenAIProvider(ModelSettings(model="ok", base_url=server.url))
    await streamed(provider, FIELDS)
    await provider.aclose()
    (body,) = bodies(server)
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "in-fields", "schema": CONTRACT, "strict": True},
    }


@pytest.mark.parametrize("trouble", [Trouble.NO_SCHEMA, Trouble.NO_GRAMMAR])
async def test_a_server_that_knows_no_schemas_is_asked_without_and_that_is_remembered(
    server: FakeOpenAI, trouble: Trouble
) -> None:
    server.requests.clear()
    provider = OpenAIProvider(ModelSettings(model=trouble, base_url=server.url))
    first, second = await streamed(provider, FIELDS), await streamed(provider, FIELDS)
    await provider.aclose()

    assert ["response_format" in body for body in bodies(server)] == [True, False, False]
    (waiting,) = (chunk for chunk in first if isinstance(chunk, Waiting))
    assert (waiting.delay_s, "asking without it" in waiting.reason) == (0.0, True)
    assert any(isinstance(chunk, TextChunk) for chunk in second)


async def test_a_plain_task_asks_for_no_form_and_one_that_names_a_model_for_that(server: FakeOpenAI) -> None:
    server.requests.clear()
    provider = OpenAIProvider(ModelSettings(model="ok", base_url=server.url))
    await streamed(provider, Task("plain", "Plain", "1", "Answer.", "own", model="another"))
    await provider.aclose()
    (body,) = bodies(server)
    assert body["model"] == "another"
    assert "response_format" not in body


async def asked(store: Store, provider: Provider, task: Task) -> Interaction:
    """Ask for an answer on a ticket; returns it."""
    message = TicketMessage(
        "Sophie", Role.CUSTOMER, "Mon colis n'est toujours pas arrivé (commande FR-10482). Où est la livraison ?"
    )
    store.save_ticket(IncomingTicket("T-1", "Colis pas arrivé", "Sophie", (message,), language="fr"))
    conversation = store.open_conversation("camille", "T-1")
    at_id = store.selected(conversation.id)
    plan = make_plan(store.branch(conversation.id, at_id), "draft a reply", task, ROOMY, EstimateCounter())
    turns = Turns(store, provider, EstimateCounter(), after=(ContractKept(),), batch_s=0)
    answer = ended(await collected(turns.send(conversation, at_id, "draft a reply", plan, ROOMY, task))).answer
    return store.path(conversation.id, answer.id)[-1]


def gate_1(store: Store, answer: Interaction) -> list[Outcome]:
    return [result.result for result in results_on(store.branch(answer.node.conversation_id, answer.id))]


async def test_an_answer_names_its_task_whom_it_is_for_and_its_reply(store: Store) -> None:
    answer = await asked(store, ScriptedProvider(words('{"reply": ', '"Bonjour"}')), FIELDS)
    meta = answer.node.meta
    assert {name: meta[name] for name in ("task", "task_title", "task_version", "audience", "reply_field")} == {
        "task": "in-fields",
        "task_title": "In fields",
        "task_version": "1",
        "audience": "customer",
        "reply_field": "reply",
    }
    assert gate_1(store, answer) == [Outcome.PASS]


async def test_an_answer_that_breaks_the_contract_stays_as_it_came_and_fails_gate_1(store: Store) -> None:
    answer = await asked(store, ScriptedProvider(words("Bonjour ", "Sophie")), FIELDS)
    assert (answer.content, answer.node.status) == ("Bonjour Sophie", Status.COMPLETE)
    assert gate_1(store, answer) == [Outcome.FAIL]


async def test_an_answer_that_broke_off_and_one_without_a_contract_are_not_judged(store: Store) -> None:
    cut = await asked(store, ScriptedProvider(words('{"reply": "Bon', finish_reason="length")), FIELDS)
    plain = await asked(store, ScriptedProvider(words("Bonjour")), Task("plain", "Plain", "1", "Answer.", "own"))
    assert gate_1(store, cut) == gate_1(store, plain) == []
    assert "reply_field" not in plain.node.meta


async def test_the_version_of_the_task_is_kept_before_the_answer_begins(store: Store) -> None:
    task = Tasks().get("shorten")
    await asked(store, ScriptedProvider(words("Bonjour")), task)
    kept = store.task_version("shorten", task.version)
    assert kept is not None
    assert (kept.system, kept.text) == (task.system, task.text)


async def test_a_task_that_names_a_model_is_answered_by_it_and_the_record_says_so(store: Store) -> None:
    task = Task("plain", "Plain", "1", "Answer.", "own", model="gpt-9")
    answer = await asked(store, ScriptedProvider(words("Bonjour")), task)
    (request,) = store.requests(answer.node.conversation_id, answer.id)
    assert (answer.node.author, answer.node.meta["model"], request.model) == ("gpt-9", "gpt-9", "gpt-9")


async def test_the_built_in_assistant_fills_the_fields_that_it_knows(store: Store) -> None:
    answer = await asked(store, BuiltinAssistant(pace_s=0), Tasks().get("draft-reply-structured"))
    data = json.loads(answer.content)
    assert list(data) == ["reply", "language", "team", "missing", "confidence"]
    assert data["reply"].startswith("Bonjour Sophie,")
    assert (data["language"], data["team"], data["confidence"]) == ("fr", "other", "low")
    assert gate_1(store, answer) == [Outcome.PASS]


async def test_the_built_in_assistant_says_so_where_it_cannot_fill_them(store: Store) -> None:
    contract: JsonObject = {"type": "object", "properties": {"reply": {"type": "string"}, "mood": {"type": "string"}}}
    task = Task("mood", "Mood", "1", "Say how they feel.", "own", contract=contract, reply_field="reply")
    answer = await asked(store, BuiltinAssistant(pace_s=0), task)
    assert answer.content.startswith("I am the built-in assistant, not a language model")
    assert gate_1(store, answer) == [], "a word to the agent is no answer to judge"
