"""The people who use the record, by name."""

from sqlite_utils import Database

from storage.text import storable


def agent_key(db: Database, agent: str, now: int) -> int:
    """The key of an agent's row, made where there is none yet."""
    agent = storable(agent)
    found = db.execute("SELECT id FROM agent WHERE name = ?", (agent,)).fetchone()
    if found is None:
        found = (db.execute("INSERT INTO agent (name, added_at) VALUES (?, ?)", (agent, now)).lastrowid,)
    key: int = found[0]
    return key
