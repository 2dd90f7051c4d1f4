"""Whatever is done to a record, in any order: what it showed before is still there, byte for byte."""

import tempfile
from pathlib import Path

import pytest
from desks import Clock, Desk, a_desk, a_ticket
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from raw_record import broken_links, raw

from storage.audit.verification import verify
from storage.errors import ErasedError, RefusedError, TurnRunningError
from storage.interactions import Interaction, Status
from storage.kinds import InteractionKind
from storage.sqlite_store import open_store
from storage.text import LABEL_LENGTH, label_of
from storage.tickets import IncomingTicket
from storage.tree import children_of, path_ids

TOOL = InteractionKind("tool_result", external=False)
texts = st.text(max_size=12) | st.sampled_from(["\0", "\ud800", "a\0b", "\r\n", "\u202e", "x" * 300])
picks = st.integers(0, 1_000)


class GrowingRecord(RuleBasedStateMachine):
    """Two agents work on one ticket, in a file that is closed and opened again now and then."""

    @initialize()
    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.database = Path(self.folder.name) / "record.db"
        self.clock = Clock()
        self.words = 1
        self.erased = 0
        self.shown: dict[int, Interaction] = {}
        self.open_answers: dict[int, int] = {}
        self.labels: dict[int, str] = {}
        self.open()

    def open(self) -> None:
        store = open_store(self.database, clock=self.clock)
        store.close_crashed()
        self.desks = [a_desk(store, agent=agent, ticket=self.ticket()) for agent in ("camille", "noah")]

    def ticket(self, status: str = "open") -> IncomingTicket:
        return a_ticket("T-1", *(f"message {number}" for number in range(self.words)), status=status)

    def desk(self, pick: int) -> Desk:
        return self.desks[pick % 2]

    def node(self, desk: Desk, pick: int) -> int:
        nodes = desk.store.nodes(desk.id)
        return nodes[pick % len(nodes)].id

    @rule(pick=picks, at=picks, text=texts, again=st.booleans())
    def say(self, pick: int, at: int, text: str, again: bool) -> None:
        desk = self.desk(pick)
        nodes = desk.store.nodes(desk.id)
        target = nodes[at % len(nodes)]
        edit = again and target.parent_id is not None
        parent_id, replaces_id = (target.parent_id, target.id) if edit else (target.id, None)
        assert parent_id is not None
        if desk.id in self.open_answers:
            with pytest.raises(TurnRunningError):
                desk.say(parent_id, text, replaces_id=replaces_id)
        else:
            node = desk.say(parent_id, text, replaces_id=replaces_id)
            assert desk.store.selected(desk.id) == node.id

    @rule(pick=picks, at=picks)
    def begin(self, pick: int, at: int) -> None:
        desk = self.desk(pick)
        if desk.id not in self.open_answers:
            self.open_answers[desk.id] = desk.begin(self.node(desk, at)).id

    @precondition(lambda self: self.open_answers)
    @rule(pick=picks, text=texts)
    def stream(self, pick: int, text: str) -> None:
        desk = self.desk(pick)
        if answer := self.open_answers.get(desk.id):
            desk.store.add_text(desk.id, answer, text)

    @precondition(lambda self: self.open_answers)
    @rule(pick=picks, status=st.sampled_from([status for status in Status if status is not Status.STREAMING]))
    def finish(self, pick: int, status: Status) -> None:
        desk = self.desk(pick)
        if answer := self.open_answers.pop(desk.id, None):
            desk.store.finish(desk.id, answer, status, {"why": "é"})
            with pytest.raises(RefusedError):
                desk.store.add_text(desk.id, answer, "more")

    @rule(pick=picks, at=picks)
    def select(self, pick: int, at: int) -> None:
        desk = self.desk(pick)
        node_id = self.node(desk, at)
        desk.store.select(desk.id, node_id)
        assert desk.store.selected(desk.id) == node_id

    @rule(pick=picks, at=picks)
    def use_a_tool(self, pick: int, at: int) -> None:
        desk = self.desk(pick)
        desk.store.add_internal(desk.id, self.node(desk, at), TOOL, "tool", text="42", meta={})

    @rule(pick=picks, at=picks, status=st.sampled_from(["open", "closed"]))
    def hear_more(self, pick: int, at: int, status: str) -> None:
        desk = self.desk(pick)
        self.words += 1
        desk.store.save_ticket(self.ticket(status=status))
        if desk.id not in self.open_answers:
            desk.store.add_snapshot(desk.id, self.node(desk, at), self.words)

    @rule(pick=picks, value=st.integers(0, 9))
    def set_budget(self, pick: int, value: int) -> None:
        desk = self.desk(pick)
        desk.store.set_setting(desk.id, "budget", value)
        assert desk.store.settings(desk.id) == {"budget": value}

    @rule(pick=picks, at=picks, text=texts)
    def label(self, pick: int, at: int, text: str) -> None:
        desk = self.desk(pick)
        node_id = self.node(desk, at)
        if len(label_of(text)) > LABEL_LENGTH:
            with pytest.raises(RefusedError):
                desk.store.set_label(desk.id, node_id, text)
        else:
            desk.store.set_label(desk.id, node_id, text)
            self.labels[node_id] = label_of(text)

    @rule(close=st.booleans())
    def close_or_reopen(self, close: bool) -> None:
        store = self.desks[0].store
        (store.close_ticket if close else store.reopen_ticket)("T-1", "noah")
        assert (store.ticket("T-1").status == "closed") is close

    @rule()
    def erase_another_ticket(self) -> None:
        self.erased += 1
        desk = a_desk(self.desks[0].store, ticket=a_ticket(f"T-erased-{self.erased}"))
        desk.ask(desk.ticket_node)
        erase_and_compare(desk)

    @precondition(lambda self: self.open_answers)
    @rule()
    def erase_too_early(self) -> None:
        with pytest.raises(TurnRunningError):
            self.desks[0].store.erase("T-1", "noah", "asked for")

    @rule()
    def restart(self) -> None:
        self.desks[0].store.close()
        self.open()
        for desk in self.desks:
            if answer := self.open_answers.pop(desk.id, None):
                assert desk.store.node(desk.id, answer).status is Status.CRASHED

    @invariant()
    def what_was_shown_stays(self) -> None:
        for desk in self.desks:
            nodes = desk.store.nodes(desk.id)
            leaves = {node.id for node in nodes} - {node.parent_id for node in nodes}
            now = {step.id: step for leaf in leaves for step in desk.path(leaf)}
            assert now.keys() == {node.id for node in nodes}
            for node_id, before in self.shown.items():
                if before.node.conversation_id == desk.id:
                    assert_kept(before, now[node_id])
            self.shown.update(now)

    @invariant()
    def the_tree_is_a_tree(self) -> None:
        for desk in self.desks:
            nodes = desk.store.nodes(desk.id)
            assert [node.depth for node in nodes] == [len(path_ids(nodes, node.id)) - 1 for node in nodes]
            assert [node.id for node in nodes if node.parent_id is None] == [nodes[0].id]
            for row in children_of(nodes).values():
                assert [(node.n, node.m) for node in row] == [(n, len(row)) for n in range(1, len(row) + 1)]
            assert all(node == desk.store.node(desk.id, node.id) for node in nodes)
            leaf = desk.store.last_choice_below(desk.id, nodes[0].id)
            assert leaf not in children_of(nodes)

    @invariant()
    def each_node_has_its_last_label(self) -> None:
        for desk in self.desks:
            assert all(node.label == self.labels.get(node.id, "") for node in desk.store.nodes(desk.id))

    @invariant()
    def the_chain_holds(self) -> None:
        with raw(self.database) as connection:
            for desk in self.desks:
                assert broken_links(connection, desk.id) == []

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            for desk in self.desks:
                if answer := self.open_answers.get(desk.id):
                    desk.store.finish(desk.id, answer, Status.COMPLETE, {})
            erase_and_compare(*self.desks)
            self.desks[0].store.close()
            self.folder.cleanup()


def erase_and_compare(*desks: Desk) -> None:
    """Erase the ticket of some conversations: their words go, their trees stay."""
    store = desks[0].store
    before = [tree_of(desk) for desk in desks]
    assert store.erase(desks[0].conversation.ticket_id, "noah", "asked for").pending == ""
    assert [tree_of(desk) for desk in desks] == before
    assert all(step.node.erased and not step.node.label for desk in desks for step in store.contents(desk.id))
    assert verify(store).holds
    with pytest.raises(ErasedError):
        desks[0].say(desks[0].root)


def tree_of(desk: Desk) -> list[tuple[object, ...]]:
    return [
        (node.id, node.seq, node.kind, node.parent_id, node.depth, node.n, node.m, node.created_at, node.replaces_id)
        for node in desk.store.nodes(desk.id)
    ]


def assert_kept(before: Interaction, now: Interaction) -> None:
    """Only an answer under way gains text and an end, and a node gains siblings."""
    assert now.content.startswith(before.content)
    for name in ("seq", "kind", "parent_id", "depth", "n", "author", "created_at", "replaces_id", "meta"):
        assert getattr(now.node, name) == getattr(before.node, name)
    if before.node.status is not Status.STREAMING:
        assert now.content == before.content
        assert (now.node.status, now.node.detail, now.node.preview) == (
            before.node.status,
            before.node.detail,
            before.node.preview,
        )
    if before.ticket:
        assert now.ticket is not None
        assert (now.ticket.digest, now.ticket.messages) == (before.ticket.digest, before.ticket.messages)


TestGrowingRecord = GrowingRecord.TestCase
TestGrowingRecord.settings = settings(max_examples=8, stateful_step_count=20, deadline=None)
