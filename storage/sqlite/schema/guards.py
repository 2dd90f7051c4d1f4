"""The triggers that keep the record a set of growing trees, whoever writes SQL to it.

Each refusal carries a code that `storage.sqlite.refusals` turns into the right error. The guards do not rely on
pragmas: `INSERT OR REPLACE` skips delete triggers where recursive_triggers is off, and foreign keys alone allow
cycles in an insert of several rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final


def log_triggers(keys: Mapping[str, Sequence[Sequence[str]]], guards: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield every CREATE TRIGGER statement of some logs.

    `keys` are the unique keys of each table: no row may take the place of one that has the same key. `guards` are the
    conditions on which a new row is refused, by code.
    """
    for table, unique in keys.items():
        for verb in ("UPDATE", "DELETE"):
            yield trigger(f"{table}_no_{verb.lower()}", f"BEFORE {verb} ON {table}", {"immutable": "true"})
        taken = " OR ".join(_taken(table, key) for key in unique)
        # The guard's own checks come in one trigger with this one: SQLite leaves the order of several open.
        checks = {"immutable": taken, **guards.get(table, {})}
        yield trigger(f"{table}_guard", f"BEFORE INSERT ON {table}", checks)


def trigger(name: str, event: str, checks: Mapping[str, str]) -> str:
    """Return the statement that makes a trigger which refuses, with its code, whatever meets a condition."""
    body = "".join(f"SELECT RAISE(ABORT, 'refused:{code}') WHERE {condition};\n" for code, condition in checks.items())
    return f"CREATE TRIGGER {name} {event} BEGIN\n{body}END"


def _taken(table: str, key: Sequence[str]) -> str:
    same = " AND ".join(f"{column} = NEW.{column}" for column in key)
    return f"EXISTS (SELECT 1 FROM {table} WHERE {same})"


def _last_link(table: str) -> str:
    return f"coalesce((SELECT max(link) FROM {table} WHERE conversation_id = NEW.conversation_id), 0)"


def _hash_before(table: str) -> str:
    return f"(SELECT hash FROM {table} WHERE conversation_id = NEW.conversation_id AND link = NEW.link - 1)"


def _known(table: str, column: str, *, also: str = "") -> str:
    return (
        f"EXISTS (SELECT 1 FROM {table} WHERE conversation_id = NEW.conversation_id AND id = NEW.{column}"
        f"{' AND ' + also if also else ''})"
    )


_IN_THIS_CONVERSATION = "conversation_id = NEW.conversation_id"

_ENDED = "EXISTS (SELECT 1 FROM final WHERE interaction_id = NEW.interaction_id)"

_CHAIN = {
    "link": f"NEW.link <> 1 + max({_last_link('interaction')}, {_last_link('final')})",
    "hash": f"NEW.prev_hash <> coalesce({_hash_before('interaction')}, {_hash_before('final')}, zeroblob(32))"
    " OR length(NEW.hash) <> 32",
}

GUARDS: Final[Mapping[str, Mapping[str, str]]] = {
    "ticket_snapshot": {
        "order": "NEW.number <> 1 + coalesce("
        "(SELECT max(number) FROM ticket_snapshot WHERE ticket_id = NEW.ticket_id), 0)",
    },
    "interaction": {
        "order": f"NEW.seq <> 1 + coalesce((SELECT max(seq) FROM interaction WHERE {_IN_THIS_CONVERSATION}), 0)",
        "root": "(NEW.parent_id IS NULL) <> (NEW.seq = 1) OR (NEW.kind = 'root') <> (NEW.seq = 1)"
        " OR NEW.seq = 1 AND (NEW.depth <> 0 OR NEW.external <> 1)",
        "parent": "NEW.parent_id IS NOT NULL AND NOT "
        + _known("interaction", "parent_id", also="external = 1 AND depth + 1 = NEW.depth"),
        "sibling": "NEW.replaces_id IS NOT NULL AND NOT "
        + _known("interaction", "replaces_id", also="external = 1 AND NEW.external = 1 AND parent_id = NEW.parent_id"),
        "count": "NEW.node_count <> NEW.external + coalesce((SELECT node_count FROM interaction"
        f" WHERE {_IN_THIS_CONVERSATION} ORDER BY seq DESC LIMIT 1), 0)",
        # Only the newest node can be open: none is added while one is.
        "running": "NEW.external = 1 AND NEW.seq > 1 AND NOT EXISTS (SELECT 1 FROM final WHERE interaction_id ="
        f" (SELECT id FROM interaction WHERE {_IN_THIS_CONVERSATION} AND external = 1 ORDER BY seq DESC LIMIT 1))",
        "ticket": "(NEW.kind = 'ticket') <> (NEW.snapshot IS NOT NULL) OR NEW.snapshot IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM conversation c JOIN ticket_snapshot s ON s.ticket_id = c.ticket_id"
        " WHERE c.id = NEW.conversation_id AND s.number = NEW.snapshot)",
        **_CHAIN,
    },
    "heading": {
        "foreign": "NOT " + _known("interaction", "interaction_id"),
        "ended": _ENDED,
        # Compared as text: with trusted_schema off, older SQLite keeps its JSON functions from triggers.
        "ticket": "NOT EXISTS (SELECT 1 FROM interaction WHERE id = NEW.interaction_id AND snapshot IS NULL) AND"
        " NOT EXISTS (SELECT 1 FROM interaction i JOIN conversation c ON c.id = i.conversation_id"
        " JOIN snapshot_words w ON w.ticket_id = c.ticket_id AND w.number = i.snapshot WHERE i.id = NEW.interaction_id"
        """ AND NEW.meta = '{"digest":"' || w.digest || '","snapshot":' || w.number || '}')""",
    },
    "payload": {
        "foreign": "NOT " + _known("interaction", "interaction_id"),
        "ended": _ENDED,
        "order": "NEW.piece <> 1 + coalesce("
        "(SELECT max(piece) FROM payload WHERE interaction_id = NEW.interaction_id), 0)",
    },
    "seal": {
        "foreign": "NOT " + _known("interaction", "interaction_id"),
        "ended": _ENDED,
    },
    "final": {
        "foreign": "NOT " + _known("interaction", "interaction_id"),
        "order": "NEW.pieces <> coalesce("
        "(SELECT max(piece) FROM payload WHERE interaction_id = NEW.interaction_id), 0)",
        "salt": "NOT EXISTS (SELECT 1 FROM heading JOIN seal USING (interaction_id)"
        " WHERE interaction_id = NEW.interaction_id)",
        **_CHAIN,
    },
    "selection": {"foreign": "NOT " + _known("interaction", "interaction_id", also="external = 1")},
    "request": {"foreign": "NOT " + _known("interaction", "interaction_id", also="external = 1")},
    "response": {"foreign": "NOT " + _known("request", "request_id")},
    "wire": {"foreign": "NOT " + _known("request", "request_id")},
}
