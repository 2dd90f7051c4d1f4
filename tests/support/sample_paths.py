"""Paths and tickets built in memory, for tests of what is planned and sent."""

from collections.abc import Sequence
from dataclasses import replace

from assistant.plan.rendering import ticket_text
from assistant.tasks.task import Task
from storage.interactions import Interaction, Node, Status
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, ROOT, TICKET, InteractionKind
from storage.tickets import Role, Ticket, TicketMessage
from storage.values import JsonObject


def a_ticket(*texts: str, snapshot: int = 1, customer: str = "Sophie Martin") -> Ticket:
    """A ticket whose customer wrote these texts."""
    return Ticket(
        id="T-80005",
        snapshot=snapshot,
        snapshots=snapshot,
        subject="Hammock",
        customer=customer,
        language="fr",
        status="open",
        created_at=None,
        messages=tuple(TicketMessage(customer, Role.CUSTOMER, text) for text in texts),
        digest="",
    )


def a_task(system: str = "Draft a reply.") -> Task:
    """A task with this system message."""
    return Task("draft-reply", "Draft reply", "0123456789ab", system, "shipped")


def a_path(*steps: tuple[InteractionKind, str | Ticket]) -> list[Interaction]:
    """A path of these kinds and contents below a root, with ids from 1."""
    return [
        Interaction(_node(position, kind), *(("", what) if isinstance(what, Ticket) else (what, None)))
        for position, (kind, what) in enumerate([(ROOT, ""), *steps])
    ]


def with_hanging(
    path: Sequence[Interaction], at: int, kind: InteractionKind, text: str, meta: JsonObject | None = None
) -> list[Interaction]:
    """The path with an internal interaction on the node at this place, after what hangs there already."""
    node = path[at].node
    place = next((place for place in range(at + 1, len(path)) if path[place].is_external), len(path))
    entry_id = 1_000 + max(entry.id for entry in path)
    entry = node._replace(id=entry_id, kind=kind.name, parent_id=node.id, depth=node.depth + 1, meta=meta or {})
    return [*path[:place], Interaction(entry, text), *path[place:]]


def of_tokens(count: int) -> str:
    """A text of so many tokens by the estimate."""
    return "abc " * count


def ticket_of_tokens(count: int) -> Ticket:
    """A ticket that renders to so many tokens by the estimate."""
    frame = replace(a_ticket("", customer="C"), id="1", subject="")
    padding = 4 * count - len(ticket_text(frame))
    assert padding >= 0, "a ticket's frame alone is larger than this"
    return replace(frame, messages=(replace(frame.messages[0], text="x" * padding),))


def worked_example(ticket_tokens: int = 45, turns: Sequence[int] = (86, 9, 77)) -> list[Interaction]:
    """A ticket and its answer, then messages and answers in turn, of these sizes by the estimate."""
    kinds = (ASSISTANT_RESPONSE, AGENT_MESSAGE)
    steps = [(kinds[place % 2], of_tokens(tokens)) for place, tokens in enumerate(turns)]
    return a_path((TICKET, ticket_of_tokens(ticket_tokens)), *steps)


def long_path(turns: int, words: int = 40) -> list[Interaction]:
    """A ticket and so many turns of different texts, each of about so many words."""
    steps: list[tuple[InteractionKind, str | Ticket]] = [(TICKET, a_ticket("Bonjour, mon hamac n'est pas arrivé."))]
    for turn in range(turns):
        steps.append((AGENT_MESSAGE, f"make it shorter, please ({turn})"))
        steps.append(
            (ASSISTANT_RESPONSE, f"Answer {turn}: " + "your parcel is on its way to you today " * (words // 8))
        )
    return a_path(*steps)


def with_status(interaction: Interaction, status: Status) -> Interaction:
    """The same interaction, ended like this."""
    return interaction._replace(node=interaction.node._replace(status=status))


def _node(position: int, kind: InteractionKind) -> Node:
    return Node(
        id=position + 1,
        conversation_id=1,
        seq=position + 1,
        kind=kind.name,
        parent_id=position or None,
        depth=position,
        n=1,
        m=1,
        author="camille",
        created_at=0,
        status=Status.COMPLETE,
        preview="",
    )
