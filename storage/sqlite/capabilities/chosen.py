"""What an agent chooses, types and sets: logs beside the tree."""

from storage.interactions import Draft
from storage.sqlite import labels, views
from storage.sqlite.capabilities.part import Part
from storage.values import Json


class Chosen(Part):
    """The leaf that is shown, labels, drafts and settings."""

    def select(self, conversation_id: int, node_id: int) -> None:
        """Choose a node as the leaf that is shown."""
        if self.selected(conversation_id) != node_id:
            self._write(lambda db, now: views.select(db, conversation_id, node_id, now))

    def selected(self, conversation_id: int) -> int:
        """Return the node chosen last."""
        return self._read(lambda db: views.selected(db, conversation_id))

    def last_choice_below(self, conversation_id: int, node_id: int) -> int:
        """Return the leaf to show when the agent goes to this node."""
        return self._read(lambda db: views.last_choice_below(db, conversation_id, node_id))

    def set_label(self, conversation_id: int, node_id: int, label: str) -> None:
        """Label a node; the earlier labels stay in the log."""
        self._write(lambda db, now: labels.set_label(db, conversation_id, node_id, label, now))

    def draft(self, agent: str, ticket_id: str) -> Draft:
        """Return what stands in the composer."""
        return self._read(lambda db: views.draft(db, agent, ticket_id))

    def save_draft(self, agent: str, ticket_id: str, draft: Draft) -> None:
        """Keep what stands in the composer."""
        self._write(lambda db, now: views.save_draft(db, agent, ticket_id, draft, now))

    def settings(self, conversation_id: int) -> dict[str, Json]:
        """Return the last value of each setting."""
        return self._read(lambda db: views.settings(db, conversation_id))

    def set_setting(self, conversation_id: int, name: str, value: Json) -> None:
        """Set one; the earlier values stay in the log."""
        self._write(lambda db, now: views.set_setting(db, conversation_id, name, value, now))
