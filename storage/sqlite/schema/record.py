"""The tables of the record.

Everything is a log, but for `draft`. Whatever can hold foreign words (authors, contents, how an answer failed, bytes
sent and received, tickets) stands in rows of its own, its salt beside it, so that erasure can take it away and nothing
that stays ever has to be changed.
"""

from typing import Final

TABLES: Final = (
    """
    CREATE TABLE agent (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        added_at INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE ticket (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        added_at INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE ticket_snapshot (
        ticket_id INTEGER NOT NULL REFERENCES ticket (id),
        number INTEGER NOT NULL,
        added_at INTEGER NOT NULL,
        PRIMARY KEY (ticket_id, number)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE snapshot_words (
        ticket_id INTEGER NOT NULL,
        number INTEGER NOT NULL,
        subject TEXT NOT NULL,
        customer TEXT NOT NULL,
        language TEXT NOT NULL,
        created_at INTEGER,
        extra TEXT NOT NULL,
        digest TEXT NOT NULL,
        PRIMARY KEY (ticket_id, number),
        FOREIGN KEY (ticket_id, number) REFERENCES ticket_snapshot (ticket_id, number)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE ticket_message (
        id INTEGER PRIMARY KEY,
        ticket_id INTEGER NOT NULL REFERENCES ticket (id),
        digest TEXT NOT NULL,
        source_id TEXT NOT NULL,
        author TEXT NOT NULL,
        role TEXT NOT NULL,
        text TEXT NOT NULL,
        created_at INTEGER,
        internal INTEGER NOT NULL CHECK (internal IN (0, 1)),
        attachments TEXT NOT NULL,
        hidden_count INTEGER NOT NULL,
        UNIQUE (ticket_id, digest),
        UNIQUE (ticket_id, id)
    ) STRICT
    """,
    """
    CREATE TABLE snapshot_message (
        ticket_id INTEGER NOT NULL,
        snapshot INTEGER NOT NULL,
        position INTEGER NOT NULL,
        message_id INTEGER NOT NULL,
        PRIMARY KEY (ticket_id, snapshot, position),
        FOREIGN KEY (ticket_id, snapshot) REFERENCES ticket_snapshot (ticket_id, number),
        FOREIGN KEY (ticket_id, message_id) REFERENCES ticket_message (ticket_id, id)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE raw_source (
        id INTEGER PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE,
        data BLOB NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE ticket_source (
        ticket_id INTEGER NOT NULL REFERENCES ticket (id),
        position INTEGER NOT NULL,
        raw_source_id INTEGER NOT NULL REFERENCES raw_source (id),
        name TEXT NOT NULL,
        format TEXT NOT NULL,
        PRIMARY KEY (ticket_id, position)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE ticket_status (
        id INTEGER PRIMARY KEY,
        ticket_id INTEGER NOT NULL REFERENCES ticket (id),
        status TEXT NOT NULL,
        origin TEXT NOT NULL,
        agent_id INTEGER REFERENCES agent (id),
        set_at INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE INDEX ticket_status_ticket ON ticket_status (ticket_id, id)",
    """
    CREATE TABLE conversation (
        id INTEGER PRIMARY KEY,
        agent_id INTEGER NOT NULL REFERENCES agent (id),
        ticket_id INTEGER NOT NULL REFERENCES ticket (id),
        created_at INTEGER NOT NULL,
        UNIQUE (agent_id, ticket_id)
    ) STRICT
    """,
    "CREATE INDEX conversation_ticket ON conversation (ticket_id)",
    # node_count: external interactions up to and including this one, so that a list need not count.
    # snapshot: the number of the snapshot that a ticket node stands for, NULL for all others.
    # writer: the mark of the process that streams the content, NULL where it is written at once.
    # commitment: to the heading.
    """
    CREATE TABLE interaction (
        id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL REFERENCES conversation (id),
        seq INTEGER NOT NULL,
        kind TEXT NOT NULL,
        external INTEGER NOT NULL CHECK (external IN (0, 1)),
        node_count INTEGER NOT NULL,
        parent_id INTEGER,
        depth INTEGER NOT NULL,
        replaces_id INTEGER,
        snapshot INTEGER,
        created_at INTEGER NOT NULL,
        writer TEXT,
        commitment BLOB NOT NULL,
        link INTEGER NOT NULL,
        prev_hash BLOB NOT NULL,
        hash BLOB NOT NULL,
        UNIQUE (conversation_id, id),
        UNIQUE (conversation_id, seq),
        UNIQUE (conversation_id, link),
        FOREIGN KEY (conversation_id, parent_id) REFERENCES interaction (conversation_id, id),
        FOREIGN KEY (conversation_id, replaces_id) REFERENCES interaction (conversation_id, id)
    ) STRICT
    """,
    "CREATE UNIQUE INDEX interaction_root ON interaction (conversation_id) WHERE parent_id IS NULL",
    "CREATE INDEX interaction_parent ON interaction (conversation_id, parent_id, external, seq)",
    # heading: who wrote an interaction, and what its kind needs.
    """
    CREATE TABLE heading (
        interaction_id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL,
        salt BLOB NOT NULL,
        author TEXT NOT NULL,
        meta TEXT NOT NULL,
        FOREIGN KEY (conversation_id, interaction_id) REFERENCES interaction (conversation_id, id)
    ) STRICT
    """,
    """
    CREATE TABLE payload (
        conversation_id INTEGER NOT NULL,
        interaction_id INTEGER NOT NULL,
        piece INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (interaction_id, piece),
        FOREIGN KEY (conversation_id, interaction_id) REFERENCES interaction (conversation_id, id)
    ) STRICT, WITHOUT ROWID
    """,
    # seal: with it, detail and content can be shown to be those that the end commits to; preview is what lists show.
    """
    CREATE TABLE seal (
        interaction_id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL,
        salt BLOB NOT NULL,
        detail TEXT NOT NULL,
        preview TEXT NOT NULL,
        FOREIGN KEY (conversation_id, interaction_id) REFERENCES interaction (conversation_id, id)
    ) STRICT
    """,
    """
    CREATE TABLE final (
        interaction_id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL,
        status TEXT NOT NULL,
        pieces INTEGER NOT NULL,
        commitment BLOB NOT NULL,
        ended_at INTEGER NOT NULL,
        link INTEGER NOT NULL,
        prev_hash BLOB NOT NULL,
        hash BLOB NOT NULL,
        UNIQUE (conversation_id, link),
        FOREIGN KEY (conversation_id, interaction_id) REFERENCES interaction (conversation_id, id)
    ) STRICT
    """,
    """
    CREATE TABLE selection (
        id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL,
        interaction_id INTEGER NOT NULL,
        selected_at INTEGER NOT NULL,
        FOREIGN KEY (conversation_id, interaction_id) REFERENCES interaction (conversation_id, id)
    ) STRICT
    """,
    "CREATE INDEX selection_conversation ON selection (conversation_id, id)",
    """
    CREATE TABLE setting (
        id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL REFERENCES conversation (id),
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        set_at INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE INDEX setting_conversation ON setting (conversation_id, id)",
    """
    CREATE TABLE request (
        id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL,
        interaction_id INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        task TEXT NOT NULL,
        task_version TEXT NOT NULL,
        provider TEXT NOT NULL,
        base_url TEXT NOT NULL,
        model TEXT NOT NULL,
        params TEXT NOT NULL,
        plan TEXT NOT NULL,
        body_sha256 TEXT NOT NULL,
        sent_at INTEGER NOT NULL,
        UNIQUE (conversation_id, id),
        UNIQUE (interaction_id, attempt),
        FOREIGN KEY (conversation_id, interaction_id) REFERENCES interaction (conversation_id, id)
    ) STRICT
    """,
    """
    CREATE TABLE response (
        request_id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL,
        status_code INTEGER,
        usage TEXT NOT NULL,
        latency_ms INTEGER NOT NULL,
        error TEXT NOT NULL,
        received_at INTEGER NOT NULL,
        FOREIGN KEY (conversation_id, request_id) REFERENCES request (conversation_id, id)
    ) STRICT
    """,
    """
    CREATE TABLE wire (
        id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL,
        request_id INTEGER NOT NULL,
        direction TEXT NOT NULL CHECK (direction IN ('sent', 'received')),
        data BLOB NOT NULL,
        UNIQUE (request_id, direction),
        FOREIGN KEY (conversation_id, request_id) REFERENCES request (conversation_id, id)
    ) STRICT
    """,
    """
    CREATE TABLE draft (
        agent_id INTEGER NOT NULL REFERENCES agent (id),
        ticket_id INTEGER NOT NULL REFERENCES ticket (id),
        text TEXT NOT NULL,
        target_id INTEGER,
        edits INTEGER NOT NULL CHECK (edits IN (0, 1)),
        saved_at INTEGER NOT NULL,
        PRIMARY KEY (agent_id, ticket_id)
    ) STRICT, WITHOUT ROWID
    """,
)

LOG_KEYS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "agent": (("id",), ("name",)),
    "ticket": (("id",), ("name",)),
    "ticket_snapshot": (("ticket_id", "number"),),
    "snapshot_words": (("ticket_id", "number"),),
    "ticket_message": (("id",), ("ticket_id", "digest")),
    "snapshot_message": (("ticket_id", "snapshot", "position"),),
    "raw_source": (("id",), ("digest",)),
    "ticket_source": (("ticket_id", "position"),),
    "ticket_status": (("id",),),
    "conversation": (("id",), ("agent_id", "ticket_id")),
    "interaction": (("id",), ("conversation_id", "seq"), ("conversation_id", "link")),
    "heading": (("interaction_id",),),
    "payload": (("interaction_id", "piece"),),
    "seal": (("interaction_id",),),
    "final": (("interaction_id",), ("conversation_id", "link")),
    "selection": (("id",),),
    "setting": (("id",),),
    "request": (("id",), ("interaction_id", "attempt")),
    "response": (("request_id",),),
    "wire": (("id",), ("request_id", "direction")),
}
"""Every append-only table with its unique keys: no row may take the place of one that has the same key."""
