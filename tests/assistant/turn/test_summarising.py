"""A summary is one event that stands for the first turns of a path, and nothing else changes by it."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from attached_files import add_states
from long_talk import add_turns, talk
from scripted_provider import Pause, ScriptedProvider, Step, words
from turn_desk import AGENT, TASK, TurnDesk, a_desk, collected, ended

from assistant.audit.isolation import check_isolation
from assistant.audit.known_texts import system_messages
from assistant.audit.origins import OriginKind
from assistant.audit.tracing import trace_answer
from assistant.builtin.assistant import BuiltinAssistant
from assistant.builtin.extracting import LABEL
from assistant.errors import Fault, NoSummaryError, ProviderError
from assistant.plan.plan import Fate, Plan, PlanSettings, StrategyName, Verdict
from assistant.plan.planner import make_plan, prepare
from assistant.plan.rendering import HISTORY_LEAD, SUMMARY_LEAD
from assistant.provider.provider import Ended, Provider, TextChunk, Waiting
from assistant.tasks.registry import Tasks
from assistant.tokens.counters import EstimateCounter
from assistant.tokens.sizing import UNSIZED, Sizing
from assistant.tokens.windows import Window, WindowSource
from assistant.turn.events import TurnEvent, TurnPreparing
from assistant.turn.summarising import SUMMARISE_HISTORY, Summariser, coverage_by_hand
from storage.attachments.attachment import AttachmentState
from storage.interactions import Conversation, Interaction, Status
from storage.kinds import COMPACTION
from storage.sqlite_store import memory_store
from storage.store import Store
from storage.tickets import IncomingTicket, Role, TicketMessage

SIZING = Sizing(Window(16_000, WindowSource.CONFIGURED, "configured"), answer_room=1_000)
SUMMARISE = PlanSettings(StrategyName.SUMMARISE, budget=1_000, sizing=SIZING)
SUMMARY = "agent: refunds of 1,50 € to 6,50 € are granted."
TASKS = Tasks()
SYSTEM_OF = system_messages([TASK, TASKS.get(SUMMARISE_HISTORY)])


@pytest.fixture
def store() -> Iterator[Store]:
    record = memory_store()
    yield record
    record.close()


def summarising(store: Store, provider: Provider, settings: PlanSettings = SUMMARISE) -> TurnDesk:
    return a_desk(store, provider, settings=settings, before=[Summariser(store, provider, TASKS, EstimateCounter())])


def planned(store: Store, conversation: Conversation, at_id: int | None = None) -> Plan:
    at_id = store.selected(conversation.id) if at_id is None else at_id
    return make_plan(store.branch(conversation.id, at_id), "next", TASK, SUMMARISE, EstimateCounter())


def compactions(store: Store, conversation: Conversation) -> list[Interaction]:
    contents = store.contents(conversation.id, hanging=True)
    return [entry for entry in contents if entry.kind == COMPACTION.name]


async def refused(desk: TurnDesk, conversation: Conversation) -> NoSummaryError:
    """Send, and return why no summary was made."""
    with pytest.raises(NoSummaryError) as caught:
        await collected(desk.send(conversation, "next"))
    return caught.value


async def test_a_send_that_needs_a_summary_makes_one_and_then_asks(store: Store) -> None:
    provider = ScriptedProvider(words(SUMMARY), words("Dear Sophie"))
    desk = summarising(store, provider)
    conversation, answers = talk(store, 12)
    plan = planned(store, conversation)
    assert plan.verdict is Verdict.NEEDS_SUMMARY
    assert plan.to_summarise is not None

    events = await collected(desk.send(conversation, "next"))

    (compaction,) = compactions(store, conversation)
    first, second = provider.chains
    assert compaction.content == SUMMARY
    assert compaction.node.parent_id == plan.to_summarise.last_node_id
    assert compaction.node.parent_id in answers
    assert [message.role for message in first] == ["system", "user"]
    assert first[0].content == TASKS.get(SUMMARISE_HISTORY).system
    lead, turns, *_ = [message.content for message in second[2:]]
    assert lead.startswith(SUMMARY_LEAD)
    assert SUMMARY in lead
    assert turns.startswith(f"wish {plan.to_summarise.turns}:")  # the ticket is turn 1
    assert isinstance(events[0], TurnPreparing)
    assert events[0].what == f"Summarising turns 1 to {plan.to_summarise.turns}…"
    assert ended(events).answer.preview == "Dear Sophie"


async def test_what_was_sent_says_what_stands_summarised(store: Store) -> None:
    desk = summarising(store, ScriptedProvider(words(SUMMARY), words("Dear Sophie")))
    conversation, _ = talk(store, 12)

    answer = ended(await collected(desk.send(conversation, "next"))).answer

    (request,) = store.requests(conversation.id, answer.id)
    fates = [entry["fate"] for entry in request.plan["interactions"]]  # type: ignore[union-attr,index,call-overload]
    assert request.plan["verdict"] == "fits"
    assert fates.count("cut") == 0
    assert fates.count("summarised") > 0
    plan = planned(store, conversation)
    assert plan.verdict is Verdict.FITS
    assert 0.5 * plan.budget < plan.total <= 0.8 * plan.budget
    assert plan.counts.summary == next(item.tokens for item in plan.items if item.kind == COMPACTION.name)


async def test_the_next_send_uses_the_same_summary_and_makes_no_other(store: Store) -> None:
    provider = ScriptedProvider(words(SUMMARY), words("short"))
    desk = summarising(store, provider)
    conversation, _ = talk(store, 12)
    await collected(desk.send(conversation, "next"))

    await collected(desk.send(conversation, "one more"))

    assert len(provider.chains) == 3
    before, after = provider.chains[1], provider.chains[2]
    assert after[: len(before)] == before
    assert len(compactions(store, conversation)) == 1


async def test_a_later_summary_is_made_of_the_originals_and_supersedes_the_first(store: Store) -> None:
    provider = ScriptedProvider(words(SUMMARY), words("Dear Sophie"), words("All of it, newly."), words("Yes."))
    desk = summarising(store, provider)
    conversation, _ = talk(store, 12)
    await collected(desk.send(conversation, "next"))
    add_turns(store, conversation, range(13, 20))

    await collected(desk.send(conversation, "and now"))

    asked = provider.chains[2][1].content
    assert asked.startswith(HISTORY_LEAD)
    assert SUMMARY not in asked
    assert "wish 1:" in asked
    assert "wish 12:" in asked
    last = provider.chains[3]
    assert sum(message.content.startswith(SUMMARY_LEAD) for message in last) == 1
    assert any("All of it, newly." in message.content for message in last)
    assert not any(SUMMARY in message.content for message in last)


async def test_a_branch_that_leaves_earlier_never_sees_the_summary(store: Store) -> None:
    desk = summarising(store, ScriptedProvider(words(SUMMARY), words("Dear Sophie")))
    conversation, answers = talk(store, 12)
    elsewhere = answers[2]
    before = planned(store, conversation, elsewhere)

    await collected(desk.send(conversation, "next"))

    after = planned(store, conversation, elsewhere)
    assert after == before
    assert not any(item.kind == COMPACTION.name for item in after.items)


@pytest.mark.parametrize("settings", [SUMMARISE, replace(SUMMARISE, budget=600, sizing=UNSIZED)], ids=["one", "parts"])
async def test_a_file_on_an_answer_without_words_reaches_no_branch_beside_it_in_a_summary(
    store: Store, settings: PlanSettings
) -> None:
    conversation, answers = talk(store, 5)
    asked = store.add_message(conversation.id, answers[-1], AGENT, "the last one")
    failed = store.begin_answer(conversation.id, asked.id, "model", meta={})
    store.finish(conversation.id, failed.id, Status.ERROR, {})
    states = [AttachmentState.PENDING, AttachmentState.PROCESSED]
    add_states(store, conversation, failed.id, "the code of the xylophone", states)
    (newest,) = add_turns(store, conversation, [6], at_id=failed.id)
    beside = planned(store, conversation, asked.id)
    prepared = prepare(store.branch(conversation.id, newest), TASK, settings, EstimateCounter())
    provider = ScriptedProvider(words(SUMMARY))

    await Summariser(store, provider, TASKS, EstimateCounter()).summarise(
        conversation, coverage_by_hand(prepared), settings, lambda _: None
    )

    assert "xylophone" in provider.chains[-1][1].content
    assert (len(provider.chains) > 1) is (settings is not SUMMARISE)
    (compaction,) = compactions(store, conversation)
    assert compaction.node.parent_id == failed.id
    assert planned(store, conversation, asked.id) == beside
    assert planned(store, conversation, newest).summarised_turns == 7
    assert check_isolation(store, system_of=SYSTEM_OF, boilerplate=()).holds


async def test_the_calls_are_in_the_record_with_their_bytes_and_every_part_has_an_origin(store: Store) -> None:
    provider = ScriptedProvider(words(SUMMARY), words("Dear Sophie"))
    conversation, _ = talk(store, 12)
    recorded = summarising(store, provider)
    answer = ended(await collected(recorded.send(conversation, "next"))).answer

    (compaction,) = compactions(store, conversation)
    assert compaction.node.parent_id is not None
    (call,) = trace_answer(store, conversation.id, compaction.node.parent_id, SYSTEM_OF)
    (request,) = trace_answer(store, conversation.id, answer.id, SYSTEM_OF)
    assert (call.request.task, call.digest_holds, call.problems) == (SUMMARISE_HISTORY, True, ())
    assert [part.origin.kind for part in call.parts] == [OriginKind.TASK, OriginKind.HISTORY]
    assert request.problems == ()
    assert OriginKind.SUMMARY in [part.origin.kind for part in request.parts]
    assert check_isolation(store, system_of=SYSTEM_OF, boilerplate=()).holds


async def test_a_summary_that_says_what_another_ticket_says_is_found(store: Store) -> None:
    stranger = "My kettle smells of burnt plastic whenever I switch it on"
    store.save_ticket(IncomingTicket("T-3", "Kettle", "Ida", (TicketMessage("Ida", Role.CUSTOMER, stranger),)))
    conversation, _ = talk(store, 12)
    desk = summarising(store, ScriptedProvider(words(stranger), words("Dear Sophie")))

    await collected(desk.send(conversation, "next"))

    found = check_isolation(store, system_of=SYSTEM_OF, boilerplate=()).leaks
    assert [leak.other_ticket for leak in found] == ["T-3"]


FAILURES: list[tuple[list[Step], str]] = [
    ([ProviderError(Fault.SERVER, "models.example failed.", "Ask again.")], "models.example failed. Ask again."),
    (words(""), "The model returned no words."),
    (words(" \n"), "The model returned no words."),
    (words("half a", finish_reason="length"), "The model stopped at its length limit."),
    (words("half a", finish_reason=""), "without saying that the summary is complete"),
    (words("much too long " * 400), "tokens, and "),
    ([TextChunk("I cannot help with that."), Ended("stop", refused=True)], "The model refused: it did not summarise."),
    (
        [TextChunk("half a"), ProviderError(Fault.CUT, "The connection broke.", "What came before is kept.")],
        "The connection broke. Try again",
    ),
]


@pytest.mark.parametrize(("script", "why"), FAILURES)
async def test_a_failed_summary_changes_nothing_and_is_said_and_other_strategies_still_send(
    store: Store, script: list[Step], why: str
) -> None:
    desk = summarising(store, ScriptedProvider(script, words("Dear Sophie")))
    conversation, _ = talk(store, 12)
    before = list(store.contents(conversation.id, hanging=True))

    error = await refused(desk, conversation)

    assert why in str(error)
    assert "nothing was sent" in str(error)
    assert error.failed
    assert list(store.contents(conversation.id, hanging=True)) == before
    desk.settings = PlanSettings(StrategyName.SELECT, budget=1_000)
    assert ended(await collected(desk.send(conversation, "next"))).answer.preview == "Dear Sophie"


async def test_a_failed_call_can_be_tried_again_and_both_are_in_the_record(store: Store) -> None:
    provider = ScriptedProvider(FAILURES[0][0], words(SUMMARY), words("Dear Sophie"))
    desk = summarising(store, provider)
    conversation, _ = talk(store, 12)
    await refused(desk, conversation)

    await collected(desk.send(conversation, "next"))

    (compaction,) = compactions(store, conversation)
    assert compaction.node.parent_id is not None
    assert [call.attempt for call in store.requests(conversation.id, compaction.node.parent_id)] == [1, 2]


async def test_stopping_while_the_summary_is_made_leaves_everything_as_it_was(store: Store) -> None:
    provider = ScriptedProvider([TextChunk("half"), Pause.FOR_EVER])
    desk = summarising(store, provider)
    conversation, _ = talk(store, 12)
    before = list(store.contents(conversation.id, hanging=True))
    sending = asyncio.ensure_future(collected(desk.send(conversation, "next")))
    await provider.paused.wait()

    assert desk.turns.stop(conversation.id)
    events = await sending

    assert all(isinstance(event, TurnPreparing) for event in events)
    assert provider.closed == 1
    assert list(store.contents(conversation.id, hanging=True)) == before
    assert desk.turns.running == frozenset()


async def test_a_busy_server_is_waited_for_in_sight(store: Store) -> None:
    waiting = Waiting(1, 2.0, "models.example is asked too often right now.")
    desk = summarising(store, ScriptedProvider([waiting, *words(SUMMARY)], words("Dear Sophie")))
    conversation, _ = talk(store, 12)

    events = await collected(desk.send(conversation, "next"))

    said = [event.what for event in events if isinstance(event, TurnPreparing)]
    assert said[1] == "models.example is asked too often right now. Trying again in 2 s."


async def test_what_does_not_fit_into_the_window_is_summarised_in_parts_of_whole_turns(store: Store) -> None:
    parts = [words(f"part {number}") for number in range(1, 20)]
    provider = ScriptedProvider(*parts)
    desk = summarising(store, provider, PlanSettings(StrategyName.SUMMARISE, budget=2_000))
    conversation, _ = talk(store, 40)

    events = await collected(desk.send(conversation, "next"))

    asked = [chain[1].content for chain in provider.chains if chain[1].content.startswith(HISTORY_LEAD)]
    assert len(asked) > 1
    assert all(EstimateCounter().chain(chain) <= 2_000 for chain in provider.chains)
    wishes = [json.loads(each.partition("\n")[2])["messages"][0]["text"] for each in asked]
    assert all(wish.startswith("wish ") for wish in wishes)
    (compaction,) = compactions(store, conversation)
    assert compaction.content == "\n\n".join(f"part {number}" for number in range(1, len(asked) + 1))
    said = [event.what for event in events if isinstance(event, TurnPreparing)]
    assert said[0].endswith(f"part 1 of {len(asked)}…")
    assert compaction.node.parent_id is not None
    assert trace_answer(store, conversation.id, compaction.node.parent_id, SYSTEM_OF)[-1].request.attempt == len(asked)


async def test_no_further_part_is_asked_for_once_those_that_came_leave_no_room(store: Store) -> None:
    provider = ScriptedProvider(words("much too long " * 400), words("part 2"))
    desk = summarising(store, provider, PlanSettings(StrategyName.SUMMARISE, budget=2_000))
    conversation, _ = talk(store, 40)

    error = await refused(desk, conversation)

    assert len(provider.chains) == 1
    assert "After 1 of 3 calls the summary takes" in str(error)
    assert compactions(store, conversation) == []


async def test_so_many_parts_that_none_gets_a_sentence_are_refused_before_a_call(store: Store) -> None:
    provider = ScriptedProvider(words("part 1"))
    desk = summarising(store, provider, replace(SUMMARISE, sizing=UNSIZED))
    conversation, _ = talk(store, 200)

    error = await refused(desk, conversation)

    assert provider.chains == []
    assert "hold no sentence of each" in str(error)
    assert not error.failed


async def test_a_known_window_takes_in_one_call_what_the_budget_would_not(store: Store) -> None:
    provider = ScriptedProvider(words(SUMMARY), words("Dear Sophie"))
    conversation, _ = talk(store, 40)

    await collected(summarising(store, provider).send(conversation, "next"))

    assert len(provider.chains) == 2


async def test_a_message_larger_than_the_window_is_said(store: Store) -> None:
    desk = summarising(store, ScriptedProvider(words(SUMMARY)), replace(SUMMARISE, sizing=UNSIZED))
    conversation, _ = talk(store, 1, tokens=5_000)
    add_turns(store, conversation, range(2, 6))

    error = await refused(desk, conversation)

    assert "A message of turn 2 alone needs" in str(error)
    assert not error.failed


async def test_a_summary_that_saves_too_little_is_not_used(store: Store) -> None:
    desk = summarising(store, ScriptedProvider(words("word " * 160)))
    conversation, _ = talk(store, 2, tokens=120)
    add_turns(store, conversation, [3], tokens=700)

    error = await refused(desk, conversation)

    assert "save less than a tenth" in str(error)
    assert compactions(store, conversation) == []


async def test_no_summary_is_asked_for_where_it_could_not_save_enough(store: Store) -> None:
    conversation, _ = talk(store, 1, tokens=60)
    add_turns(store, conversation, [2], tokens=880)

    plan = planned(store, conversation)

    assert plan.verdict is Verdict.CUT
    assert plan.to_summarise is None


async def test_the_built_in_assistant_makes_a_labelled_extract_that_is_the_same_each_time(store: Store) -> None:
    desk = summarising(store, BuiltinAssistant())
    conversation, _ = talk(store, 12)

    await collected(desk.send(conversation, "shorter"))

    (compaction,) = compactions(store, conversation)
    assert compaction.node.author == "built-in assistant"
    assert compaction.content.startswith(LABEL)
    assert "agent: wish 1: refund 1,50 €" in compaction.content
    assert "1,50 €" in compaction.content.splitlines()[-1]
    answer = desk.leaf(conversation)
    assert "did not understand" not in answer.content


async def test_a_summary_by_hand_covers_all_but_the_newest_turn(store: Store) -> None:
    provider = ScriptedProvider(words(SUMMARY))
    conversation, answers = talk(store, 12)
    prepared = prepare(
        store.branch(conversation.id, answers[-1]), TASK, PlanSettings(StrategyName.SUMMARISE, 4_000), EstimateCounter()
    )
    coverage = prepared.to_summarise()
    assert coverage is not None
    told: list[TurnEvent] = []

    made = await Summariser(store, provider, TASKS, EstimateCounter()).summarise(
        conversation, coverage, prepared.settings, told.append
    )

    (compaction,) = compactions(store, conversation)
    assert (compaction.id, compaction.node.parent_id) == (made, answers[-2])
    assert len(told) == 1
    plan = make_plan(store.branch(conversation.id, answers[-1]), "", TASK, prepared.settings, EstimateCounter())
    assert (plan.summarised_turns, plan.cut_turns) == (12, 0)
    assert [item.kind for item in plan.items if item.fate is Fate.SENT] == [
        "system",
        "ticket",
        "compaction",
        "agent_message",
        "assistant_response",
        "question",
    ]
