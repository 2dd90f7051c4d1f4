"""What a search finds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that matches a query, with the words around the match.

    Attributes:
        id: its number in the index; the larger, the later it became findable.
        ticket_id: the ticket that it belongs to.
        node_id: the node of the agent's conversation, None where the ticket's own words match.
        snapshot: the newest version of the ticket that holds them, None for a node.
        position: which of its messages, 1 for the first; None for its id, subject and customer.
        kind: the name of the node's kind, or "ticket".
        author: who wrote it (foreign text).
        created_at: microseconds since 1970 UTC, None where the source names no time.
        snippet: the text around the first match, with … where it was cut (foreign text, line breaks kept).
        matches: where the matches stand in `snippet`, as (start, end), in their order and apart from each other.
        is_label: `snippet` is what the agent called the node, not what the node says.
    """

    id: int
    ticket_id: str
    node_id: int | None
    snapshot: int | None
    position: int | None
    kind: str
    author: str
    created_at: int | None
    snippet: str
    matches: tuple[tuple[int, int], ...]
    is_label: bool = False
