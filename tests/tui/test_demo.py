from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from exchanges import KeptExchanges

from assistant.builtin.assistant import BuiltinAssistant
from assistant.plan.plan import Fate, PlanSettings, StrategyName, Verdict
from assistant.plan.planner import make_plan
from assistant.provider.provider import Prompt, TextChunk
from storage.errors import NotFoundError
from storage.interactions import Status
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, ROOT
from storage.sqlite_store import memory_store, open_store
from storage.store import Store
from storage.tickets import Role
from tui.demo import AGENT, REHEARSED, SAMPLE, build_sample_desk
from tui.services import Services

HAMMOCK = "T-80005"


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with closing(memory_store()) as store:
        yield build_sample_desk(store)


@pytest.fixture(scope="module")
def store(services: Services) -> Store:
    return services.store


def test_the_desk_has_tickets_in_four_languages_one_of_them_closed(store: Store) -> None:
    tickets = store.tickets(AGENT)
    assert len(tickets) == 11
    assert set(Counter(ticket.language for ticket in tickets)) == {"en", "de", "fr", "es"}
    assert [ticket.id for ticket in tickets if ticket.status == "closed"] == ["T-52210"]


def test_every_sample_file_is_imported_without_a_repair() -> None:
    from storage.importers.importing import import_paths

    with closing(memory_store()) as empty:
        report = import_paths(empty, [SAMPLE / "tickets", SAMPLE / "mails"])
    assert (report.imported, report.skipped, report.repaired) == (11, (), ())


def test_one_ticket_is_very_long_one_has_notes_one_an_attachment(store: Store) -> None:
    assert len(store.ticket("T-77031").messages) > 30
    assert any(message.internal for message in store.ticket("T-64704").messages)
    [mail] = store.ticket("T-81644").messages
    assert [file.name for file in mail.attachments] == ["gebrochener-stab.png"]


def test_one_ticket_has_an_awkward_layout_and_hostile_characters(store: Store) -> None:
    ticket = store.ticket("T-70418")
    text = "\n".join(message.text for message in ticket.messages)
    assert "[/b]" in ticket.subject
    for piece in (
        "\t",
        "| item ",
        "鯉のぼり",
        "👩\u200d👩\u200d👧\u200d👦",
        "\x1b[31m",
        "\u200b",
        "\u202e",
        "[bold red]",
        "\n>>>",
    ):
        assert piece in text
    assert max(len(word) for word in text.split()) > 300


def test_the_prepared_conversation_branches_by_edit_by_asking_again_and_into_languages(store: Store) -> None:
    nodes = store.nodes(store.conversation("camille", HAMMOCK).id)
    siblings = {(node.kind, node.m) for node in nodes if node.m > 1}
    assert siblings >= {(AGENT_MESSAGE.name, 2), (ASSISTANT_RESPONSE.name, 2), (ASSISTANT_RESPONSE.name, 3)}
    assert (AGENT_MESSAGE.name, 3) in siblings
    replaced = [node for node in nodes if node.replaces_id is not None]
    assert {node.kind for node in replaced} == {AGENT_MESSAGE.name, ASSISTANT_RESPONSE.name}
    assert all(node.status is Status.COMPLETE for node in nodes if node.kind == ASSISTANT_RESPONSE.name)


def test_the_prepared_answers_do_not_pass_for_those_of_a_model(store: Store) -> None:
    for agent in ("camille", "jonas"):
        nodes = store.nodes(store.conversation(agent, HAMMOCK).id)
        assert {node.author for node in nodes if node.kind == ASSISTANT_RESPONSE.name} == {REHEARSED}


def test_each_agent_has_a_page_of_their_own(store: Store) -> None:
    camille, jonas = store.conversation("camille", HAMMOCK), store.conversation("jonas", HAMMOCK)
    mine = {node.id for node in store.nodes(camille.id)}
    assert mine.isdisjoint(node.id for node in store.nodes(jonas.id))
    with pytest.raises(NotFoundError):
        store.locate("jonas", max(mine))


def test_at_the_default_budget_the_plan_cuts_old_turns_and_the_ticket(services: Services) -> None:
    store, conversation = services.store, services.store.conversation(AGENT, HAMMOCK)
    path = store.path(conversation.id, store.selected(conversation.id))
    cut = make_plan(path, "", services.tasks.get(), services.defaults, services.counter)
    assert cut.verdict is Verdict.TICKET_OUTSIDE
    assert cut.cut_turns >= 3
    select = make_plan(path, "", services.tasks.get(), PlanSettings(strategy=StrategyName.SELECT), services.counter)
    assert select.ticket_sent
    assert select.verdict is Verdict.CUT


def test_the_chosen_path_ends_at_the_last_prepared_answer(store: Store) -> None:
    conversation = store.conversation(AGENT, HAMMOCK)
    path = store.path(conversation.id, store.selected(conversation.id))
    assert path[0].kind == ROOT.name
    assert path[-1].content.endswith("Camille\nJardin & Sieste")


async def test_the_built_in_assistant_has_a_reply_for_every_open_ticket_of_a_customer(services: Services) -> None:
    provider = BuiltinAssistant(pace_s=0)
    fitting: dict[str, str] = {}
    for summary in services.store.tickets(AGENT):
        conversation = services.store.open_conversation(AGENT, summary.id)
        path = services.store.path(conversation.id, services.store.nodes(conversation.id)[1].id)
        plan = make_plan(path, "draft a reply", services.tasks.get(), PlanSettings(budget=100_000), services.counter)
        assert all(item.fate is Fate.SENT for item in plan.items)
        text = ""
        async for chunk in provider.stream(Prompt(plan.chain), KeptExchanges()):
            text += chunk.text if isinstance(chunk, TextChunk) else ""
        fitting[summary.id] = text
    assert not [ticket for ticket, text in fitting.items() if "No saved reply" in text]
    assert "FR-10482" in fitting[HAMMOCK]


def test_every_ticket_was_opened_by_its_customer(store: Store) -> None:
    for summary in store.tickets(AGENT):
        assert store.ticket(summary.id).messages[0].role is Role.CUSTOMER


def test_the_desk_is_the_same_each_time(tmp_path: Path, store: Store) -> None:
    with closing(open_store(tmp_path / "desk.db")) as other:
        build_sample_desk(other)
        for agent in ("camille", "jonas"):
            for ours, theirs in zip(
                store.nodes(store.conversation(agent, HAMMOCK).id),
                other.nodes(other.conversation(agent, HAMMOCK).id),
                strict=True,
            ):
                assert (ours.kind, ours.depth, ours.n, ours.m, ours.preview) == (
                    (theirs.kind, theirs.depth, theirs.n, theirs.m, theirs.preview)
                )


def test_the_demo_runs_on_camilles_desk_without_a_model(services: Services) -> None:
    assert (services.agent, services.is_demo, services.provider.is_model) == ("camille", True, False)
