"""Nodes, tickets and plans as views get them, with everything but what a test is about filled in."""

from dataclasses import replace

from assistant.plan.messages import Message
from assistant.plan.plan import Counts, Coverage, Fate, Plan, PlannedItem, StrategyName, Verdict
from storage.interactions import Node, Status
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, ROOT, TICKET, InteractionKind
from storage.tickets import Role, Ticket, TicketMessage, TicketSummary
from tui.chat_items import ChatItem

SAMPLE_TIME = 1_714_744_800_000_000
"""3 May 2024, 14:00 UTC."""


def a_node(
    node_id: int,
    kind: InteractionKind = ASSISTANT_RESPONSE,
    parent_id: int | None = None,
    *,
    depth: int = 0,
    n: int = 1,
    m: int = 1,
    text: str = "",
    author: str = "camille",
    status: Status = Status.COMPLETE,
) -> Node:
    return Node(
        id=node_id,
        conversation_id=1,
        seq=node_id,
        kind=kind.name,
        parent_id=parent_id,
        depth=depth,
        n=n,
        m=m,
        author=author,
        created_at=SAMPLE_TIME,
        status=status,
        preview=text[:200],
    )


def a_tree(parents: list[int | None], texts: dict[int, str] | None = None) -> list[Node]:
    """A tree with ids from 1; `parents[i]` is the parent of node i + 1, and the first is the root."""
    children: dict[int | None, list[int]] = {}
    for node_id, parent in enumerate(parents, 1):
        children.setdefault(parent, []).append(node_id)
    depths: dict[int | None, int] = {None: -1}
    nodes = []
    for node_id, parent in enumerate(parents, 1):
        depths[node_id] = depths[parent] + 1
        siblings = children[parent]
        kind = ROOT if parent is None else (AGENT_MESSAGE if depths[node_id] % 2 else ASSISTANT_RESPONSE)
        nodes.append(
            a_node(
                node_id,
                kind,
                parent,
                depth=depths[node_id],
                n=siblings.index(node_id) + 1,
                m=len(siblings),
                text=(texts or {}).get(node_id, f"node {node_id}"),
            )
        )
    return nodes


def an_item(
    node_id: int,
    text: str = "",
    kind: InteractionKind = ASSISTANT_RESPONSE,
    *,
    status: Status = Status.COMPLETE,
    author: str = "camille",
    fate: Fate | None = None,
    tokens: int | None = None,
) -> ChatItem:
    return ChatItem(a_node(node_id, kind, text=text, status=status, author=author), text, fate=fate, tokens=tokens)


def a_ticket(*messages: TicketMessage, subject: str = "Hammock", ticket_id: str = "T-80005") -> Ticket:
    return Ticket(ticket_id, 1, 1, subject, "Sophie", "fr", "open", SAMPLE_TIME, messages, "")


def a_ticket_item(ticket: Ticket, node_id: int = 2) -> ChatItem:
    return replace(an_item(node_id, "", TICKET), ticket=ticket)


def a_customer_message(text: str, author: str = "Sophie") -> TicketMessage:
    return TicketMessage(author, Role.CUSTOMER, text, SAMPLE_TIME)


def a_summary(ticket_id: str, subject: str = "Hammock", *, customer: str = "Sophie", nodes: int = 0) -> TicketSummary:
    return TicketSummary(ticket_id, subject, customer, "open", "fr", 1, nodes)


def a_plan(
    verdict: Verdict = Verdict.FITS,
    *,
    budget: int = 3_000,
    system: int = 1_724,
    ticket: int = 45,
    turns: int = 172,
    question: int = 19,
    cut_turns: int = 0,
    cut_tokens: int = 0,
    summary: int = 0,
    summarised_turns: int = 0,
    summarised_tokens: int = 0,
    to_summarise: Coverage | None = None,
    items: tuple[PlannedItem, ...] = (),
) -> Plan:
    total = system + ticket + summary + turns + question
    return Plan(
        strategy=StrategyName.CUT,
        budget=budget,
        counter="estimate",
        accuracy="estimate",
        verdict=verdict,
        total=total,
        counts=Counts(system, ticket, summary, turns, question, 0, max(0, budget - total)),
        items=items,
        cut_turns=cut_turns,
        cut_tokens=cut_tokens,
        ticket_sent=verdict is not Verdict.TICKET_OUTSIDE,
        summarised_turns=summarised_turns,
        summarised_tokens=summarised_tokens,
        to_summarise=to_summarise,
    )


def planned(node_id: int | None, fate: Fate, tokens: int) -> PlannedItem:
    return PlannedItem(node_id, "agent_message", 0, Message("user", "x"), tokens, fate)
