"""What the chat shows: one value for each message of a path, made from the record and the plan."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.plan.plan import Fate, Plan, PlannedItem
from storage.interactions import Interaction, Node, Status
from storage.kinds import ROOT, TICKET
from storage.tickets import Ticket
from storage.values import Json
from tui.answers import breaks_contract
from tui.attachment_text import plan_words
from tui.notes.note import Note
from tui.notes.registry import notes_of


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an answer failed: what happened and what to do, as the record keeps them (foreign text)."""

    message: str
    advice: str


@dataclass(frozen=True, slots=True)
class ChatItem:
    """One message of the shown path.

    Attributes:
        node: who, when, which sibling, how it ended.
        text: its whole text as stored; "" for a ticket.
        ticket: the snapshot that a ticket node stands for.
        fate: what the plan does with it, None when it is not in the plan.
        tokens: None when they are not counted.
        failure: set for an answer that failed.
        notes_sent: the ticket's internal notes are sent too.
        notes: what hangs on the node, as it is shown below the message.
        breaks_contract: gate 1 failed, so the answer is shown as it came.
        stale: an answer that does not know all that the customer wrote.
    """

    node: Node
    text: str
    ticket: Ticket | None = None
    fate: Fate | None = None
    tokens: int | None = None
    failure: Failure | None = None
    notes_sent: bool = False
    notes: tuple[Note, ...] = ()
    breaks_contract: bool = False
    stale: bool = False

    @property
    def id(self) -> int:
        """The node's id."""
        return self.node.id

    @property
    def is_recorded(self) -> bool:
        """It is in the record; else it is the version of the ticket that sending takes in."""
        return self.id != 0

    @property
    def streaming(self) -> bool:
        """It is still being written."""
        return self.node.status is Status.STREAMING


def chat_items(
    path: Sequence[Interaction],
    plan: Plan | None,
    hanging: Mapping[int, Sequence[Interaction]],
    *,
    notes_sent: bool = False,
    stale: Collection[int] = frozenset(),
) -> tuple[ChatItem, ...]:
    """Return the messages of a path from the root to a leaf, marked by the plan; the root shows nothing.

    `hanging` holds the internal interactions of each node that has some; `stale` the stale answers.
    """
    marks, of_notes = plan_fates(plan), plan_notes(plan)
    tokens = plan_tokens(plan)
    return tuple(
        ChatItem(
            node=interaction.node,
            text=interaction.content,
            ticket=interaction.ticket,
            fate=marks.get(interaction.id),
            tokens=tokens.get(interaction.id),
            failure=failure_of(interaction.node),
            notes_sent=notes_sent,
            notes=marked(notes_of(hanging.get(interaction.id, ())), of_notes),
            breaks_contract=breaks_contract(hanging.get(interaction.id, ())),
            stale=interaction.id in stale,
        )
        for interaction in path
        if interaction.kind != ROOT.name
    )


def plan_fates(plan: Plan | None) -> dict[int, Fate]:
    """What becomes of each node that the plan holds, a ticket that is not in the record yet under its id 0.

    Where a summary is made first, it is what becomes of them once that stands.
    """
    if plan is None:
        return {}
    fates = {item.id or 0: item.fate for item in plan.items if _is_node(item)}
    if plan.to_summarise is not None:
        ticket = next((item for item in reversed(plan.items) if item.kind == TICKET.name), None)
        for item in plan.items:
            if _is_node(item) and item.turn <= plan.to_summarise.last_turn and item is not ticket:
                fates[item.id or 0] = Fate.SUMMARISED
    return fates


def plan_tokens(plan: Plan | None) -> dict[int, int]:
    """The tokens of each node that the plan holds, a ticket that is not in the record yet under its id 0."""
    return {item.id or 0: item.tokens for item in plan.items if _is_node(item)} if plan else {}


def _is_node(item: PlannedItem) -> bool:
    return item.id is not None or item.kind == TICKET.name


def plan_notes(plan: Plan | None) -> dict[int, str] | None:
    """What the plan does with each attached file that it holds, as a clause; None without a plan."""
    if plan is None:
        return None
    return {item.id: plan_words(item) for item in plan.items if item.form is not None and item.id is not None}


def marked(notes: tuple[Note, ...], marks: Mapping[int, str] | None) -> tuple[Note, ...]:
    """Mark the notes about what a plan can send; what it does not hold is not sent."""
    if marks is None or all(note.entry_id is None for note in notes):
        return notes
    return tuple(
        note if note.entry_id is None else replace(note, mark=marks.get(note.entry_id, "not sent")) for note in notes
    )


def failure_of(node: Node) -> Failure | None:
    """What the record says about a failed answer; None for one that did not fail."""
    error = node.detail.get("error")
    if not isinstance(error, Mapping):
        return None
    return Failure(_text(error.get("message")), _text(error.get("advice")))


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
