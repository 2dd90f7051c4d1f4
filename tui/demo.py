"""The sample desk of `ticketree demo`: invented tickets, read by the importers like anyone's, and prepared pages."""

import tomllib
from pathlib import Path
from typing import Final, Literal, NotRequired, TypedDict, cast

from assistant.builtin.assistant import BuiltinAssistant
from assistant.handbook.handbook import Handbook
from assistant.tasks.registry import DRAFT_REPLY, Tasks
from assistant.tokens.counters import counter_for
from storage.importers.importing import import_paths
from storage.interactions import Status
from storage.kinds import TICKET
from storage.store import Store
from tui.services import Services

SAMPLE: Final = Path(__file__).parent / "sample"
"""Tickets and mails to import, conversations to write, and a small handbook."""

AGENT: Final = "camille"
"""Who uses the demo; "jonas" has pages of his own."""

REHEARSED: Final = "rehearsed assistant"
"""The author of the prepared answers: they were written for the demo, no model gave them."""


class SampleNode(TypedDict):
    """One node of a prepared conversation.

    `parent` and `replaces` are keys of earlier nodes; "ticket" is the conversation's first node.
    """

    key: str
    parent: str
    kind: Literal["question", "answer"]
    text: str
    replaces: NotRequired[str]


class SampleConversation(TypedDict):
    """A prepared conversation, as its file holds it."""

    agent: str
    ticket: str
    selected: str
    node: list[SampleNode]


def build_sample_desk(store: Store) -> Services:
    """Fill an empty record with the sample desk.

    Returns:
        What the demo runs with: Camille's desk and the built-in assistant, whatever else is configured.
    """
    import_paths(store, [SAMPLE / "tickets", SAMPLE / "mails"])
    for path in sorted((SAMPLE / "conversations").glob("*.toml")):
        _write(store, _read(path))
    return Services(
        store=store,
        agent=AGENT,
        provider=BuiltinAssistant(),
        tasks=Tasks(),
        counter=counter_for(""),
        handbook=Handbook(SAMPLE / "handbook"),
        is_demo=True,
    )


def _read(path: Path) -> SampleConversation:
    return cast(SampleConversation, tomllib.loads(path.read_text("utf-8")))


def _write(store: Store, sample: SampleConversation) -> None:
    conversation = store.open_conversation(sample["agent"], sample["ticket"])
    ids = {TICKET.name: next(node.id for node in store.nodes(conversation.id) if node.kind == TICKET.name)}
    for node in sample["node"]:
        parent_id, text = ids[node["parent"]], node["text"].strip()
        replaces_id = ids[node["replaces"]] if "replaces" in node else None
        if node["kind"] == "question":
            made = store.add_message(conversation.id, parent_id, sample["agent"], text, replaces_id=replaces_id)
        else:
            made = store.begin_answer(
                conversation.id, parent_id, REHEARSED, meta={"task": DRAFT_REPLY}, replaces_id=replaces_id
            )
            store.add_text(conversation.id, made.id, text)
            store.finish(conversation.id, made.id, Status.COMPLETE, {"finish_reason": "stop"})
        ids[node["key"]] = made.id
    store.select(conversation.id, ids[sample["selected"]])
