"""What the desk shows of one conversation, read from the record in one go; every step gives a new page."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from assistant.plan.newer_ticket import newer_ticket, stale_in_tree, taking_in
from storage.attachments.states import end_abandoned
from storage.interactions import Conversation, Draft, Interaction, Node, Status
from storage.kinds import ASSISTANT_RESPONSE, ROOT
from storage.store import Store
from storage.tickets import Ticket
from storage.tree import by_id
from storage.usage import Call
from tui.gate_text import hanging_of, stopped_nodes


@dataclass(frozen=True, slots=True)
class Page:
    """One conversation as it is shown.

    Attributes:
        ticket: the newest snapshot.
        nodes: the whole tree, in order of insertion.
        path: the shown path, from the root to the chosen leaf, with contents.
        hanging: the internal interactions of each node of the path that has some, as they were added.
        edited: the message of the path that the draft is to stand beside, while one is edited.
        by_id: the nodes by their id.
        below: the children of each node that has some, oldest first.
        head: the log's highest seq.
        calls: of models, for all answers of the tree.
        stopped: the answers of the tree that a failed check stops from being copied.
        stale: the answers of the tree that do not know all that the customer wrote.
        is_closed: the ticket's status means closed.
    """

    conversation: Conversation
    ticket: Ticket
    nodes: tuple[Node, ...]
    path: tuple[Interaction, ...]
    hanging: Mapping[int, Sequence[Interaction]]
    edited: Interaction | None
    by_id: Mapping[int, Node]
    below: Mapping[int, Sequence[Node]]
    head: int
    calls: Sequence[Call]
    stopped: Collection[int]
    stale: frozenset[int]
    is_closed: bool

    @property
    def id(self) -> int:
        """The conversation's id."""
        return self.conversation.id

    @property
    def base(self) -> tuple[Interaction, ...]:
        """What the draft follows: the shown path, or what stands before the edited message."""
        return self.path if self.edited is None else self.path[: self.path.index(self.edited)]

    @property
    def cached_share(self) -> float | None:
        """What the provider had in its cache of the last answer's request; None where it did not say."""
        last = next((entry.node for entry in reversed(self.base) if entry.kind == ASSISTANT_RESPONSE.name), None)
        if last is None:
            return None
        # Checks and observers made calls for this answer too, with requests of their own.
        own = (call for call in reversed(self.calls) if (call.node_id, call.task) == (last.id, last.meta.get("task")))
        usage = next((call.usage for call in own), None)
        return usage.cached / usage.prompt if usage is not None and usage.prompt else None

    @property
    def planned_on(self) -> tuple[Interaction, ...]:
        """What the next request follows: the base, each node followed by what hangs on it."""
        return self.with_hanging(self.base)

    @property
    def sent_with(self) -> tuple[Interaction, ...]:
        """What the next request is made of: the same, and a newer version of the ticket, which sending takes in."""
        return taking_in(self.planned_on, self.ticket)

    def with_hanging(self, path: Sequence[Interaction]) -> tuple[Interaction, ...]:
        """Let what hangs on each node of the shown path follow it."""
        return tuple(entry for node in path for entry in (node, *self.hanging.get(node.id, ())))

    @property
    def last(self) -> Node:
        """The node that the draft follows."""
        return self.base[-1].node

    @property
    def growing(self) -> Node | None:
        """The answer that is being written somewhere in this conversation, if there is one."""
        return next((node for node in self.nodes if node.status is Status.STREAMING), None)

    @property
    def newer_snapshot(self) -> int | None:
        """A snapshot of the ticket that is newer than those of this path; an imported path, without any, has none."""
        ticket = newer_ticket(self.base, self.ticket)
        return ticket.snapshot if ticket is not None else None

    @property
    def path_ids(self) -> frozenset[int]:
        """The nodes of the shown path."""
        return frozenset(entry.id for entry in self.path)

    def find(self, node_id: int | None) -> Node | None:
        """A node of this conversation, None where there is no such one."""
        return None if node_id is None else self.by_id.get(node_id)

    def children(self, node_id: int) -> Sequence[Node]:
        """A node's children, oldest first."""
        return self.below.get(node_id, ())

    def asked_by(self, node: Node | None) -> Node | None:
        """What a node answers, or the node itself where it asks: the message or ticket to ask again."""
        while node is not None and node.kind == ASSISTANT_RESPONSE.name:
            node = self.find(node.parent_id)
        return None if node is None or node.kind == ROOT.name else node

    def sibling(self, node: Node, by: int) -> Node | None:
        """The sibling so many places on."""
        if node.parent_id is None:
            return None
        siblings = self.children(node.parent_id)
        at = node.n - 1 + by
        return siblings[at] if 0 <= at < len(siblings) else None

    def editing(self, message_id: int | None) -> "Page":
        """The same page with this message of its path being edited, or none."""
        return replace(self, edited=next((entry for entry in self.path if entry.id == message_id), None))


def read_page(store: Store, conversation: Conversation, draft: Draft) -> Page:
    """Read a conversation as it is now, with the path to its chosen leaf, or through the message that is edited."""
    edited_id = draft.target_id if draft.edits else None
    tree = store.shown(conversation.id, edited_id)
    if end_abandoned(store, conversation, tree.branch):
        tree = store.shown(conversation.id, edited_id)
    below: dict[int, list[Node]] = {}
    for node in tree.nodes:
        if node.parent_id is not None:
            below.setdefault(node.parent_id, []).append(node)
    hanging = hanging_of(tree.branch)
    ticket = store.ticket(conversation.ticket_id)
    page = Page(
        conversation=conversation,
        ticket=ticket,
        nodes=tree.nodes,
        path=tuple(entry for entry in tree.branch if entry.is_external),
        hanging=hanging,
        edited=None,
        by_id=by_id(tree.nodes),
        below=below,
        head=tree.head,
        calls=store.calls(conversation.agent, ticket_id=conversation.ticket_id),
        stopped=stopped_nodes({**hanging_of(tree.judged), **hanging}),
        stale=stale_in_tree(tree.nodes, ticket, partial(store.ticket, conversation.ticket_id)),
        is_closed=store.lifecycle(conversation.ticket_id).is_closed,
    )
    return page.editing(edited_id)
