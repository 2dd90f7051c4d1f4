"""Commands that act on the message under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from storage.interactions import Status
from storage.kinds import AGENT_MESSAGE
from tui.answers import is_internal, task_title
from tui.commands.command import Section, SheetCommand
from tui.commands.gates import gate_stop
from tui.commands.keys import shown_key
from tui.desk.sheet import TEXT_STANDS

if TYPE_CHECKING:
    from tui.desk.sheet import Sheet
    from tui.screens.desk import DeskScreen
    from tui.screens.panels import Panels

NOTHING_TO_COPY: Final = "The words of this ticket were erased; nothing is left to copy."

_WAIT: Final = "Wait until the answer is written, or stop it with Esc."


class Act(SheetCommand):
    """A command of this section."""

    section = Section.ACT


class Write(Act):
    """Go to the composer."""

    id = "write"
    title = "Write"
    help = "Go to the composer; what you write follows the last message shown."
    label = "write"
    keys = ("w", "4")
    rank = 60

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Not where the agent is already."""
        return "You are in the composer." if screen.typing else ""

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Focus the composer."""
        screen.write()


class DraftReply(Act):
    """Let the assistant answer without a question."""

    id = "draft_reply"
    title = "Draft a reply"
    help = "Ask for an answer to the ticket, or to your last message, without writing anything."
    label = "draft a reply"
    keys = ("d", "f9")
    rank = 90

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only where the last message shown can be answered as it is."""
        if screen.desk.busy:
            return screen.desk.busy
        if sheet.draft.text.strip():
            return TEXT_STANDS
        return "" if sheet.asks_again else "This is answered already: ask again, or write what to change."

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Start the answer."""
        screen.desk.send()


class FollowUp(Act):
    """Write below the message under the cursor."""

    id = "follow_up"
    title = "Follow up here"
    help = "Write a message below the one under the cursor; where others follow it already, a new branch starts."
    label = "follow up"
    keys = ("r",)
    rank = 50

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only below a message that has ended."""
        node = screen.cursor_node
        if node is None:
            return "There is no message here."
        return _WAIT if node.status is Status.STREAMING else ""

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """End the shown path at the cursor and write."""
        if (node := screen.cursor_node) is not None:
            screen.spawn(screen.desk.end_path_at(node.id))
            screen.write()


class AskAgain(Act):
    """Another answer."""

    id = "ask_again"
    title = "Ask again"
    help = "Let the assistant answer the same message once more; the earlier answer stays as a sibling."
    label = "ask again"
    keys = ("R",)
    rank = 55

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only on a message, and only while no answer is being written."""
        return screen.desk.busy or ("" if screen.cursor_node else "There is no message here.")

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Start the answer, or show why it would not be sent."""
        if (node := screen.cursor_node) is not None:
            screen.spawn(screen.desk.ask_again(node))


class Edit(Act):
    """Write a message anew."""

    id = "edit"
    title = "Edit a message"
    help = "Put your message into the composer; sending makes a sibling, and the earlier one stays."
    label = "edit"
    keys = ("E",)
    rank = 52

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only an agent's message or the answer to one, and only while no answer is being written."""
        asked = sheet.page.asked_by(screen.cursor_node)
        if screen.desk.busy:
            return screen.desk.busy
        if asked is None or asked.kind != AGENT_MESSAGE.name:
            return "Only your own messages can be edited; put the cursor on one."
        return TEXT_STANDS if sheet.holds_text and not sheet.is_editing(asked) else ""

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Load the message into the composer."""
        if (asked := sheet.page.asked_by(screen.cursor_node)) is not None:
            screen.spawn(screen.desk.edit(asked))
            screen.write()


class StopEditing(Act):
    """Write a new message after all."""

    id = "stop_editing"
    title = "Stop editing"
    help = "Leave the edited message as it is; a text that you changed stays in the composer as a new message."
    label = "stop editing"
    keys = ("u", "ctrl+r")
    rank = 80

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only while a message is edited."""
        return "" if sheet.draft.edits else "No message is being edited."

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Write below the chosen leaf again."""
        screen.desk.stop_editing()


class StopAnswer(Act):
    """Stop the answer that is being written."""

    id = "stop_answer"
    title = "Stop the answer"
    help = "Stop the answer that is being written in this conversation; what was shown is kept."
    label = "stop"
    keys = ("escape", "X")
    rank = 100
    once_erased = ""
    is_quiet = True

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only while one is being written here; else Esc does nothing, as one too many is common behind a dialog."""
        return "" if screen.desk.answering else "No answer is being written here."

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Ask the turn to stop."""
        screen.desk.stop()


class Label(Act):
    """Give a message a name."""

    id = "label"
    title = "Label a message"
    help = "Give the message under the cursor a short name of your own, or take it off; no model sees it."
    label = "label"
    keys = ("m",)
    once_erased = "The words of this ticket were erased; it takes no labels."

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only on a message."""
        return "" if screen.cursor_node else "There is no message here."

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Ask for the label, then keep it."""
        from tui.screens.label import LabelScreen

        node, conversation = screen.cursor_node, sheet.page.conversation

        async def keep(label: str) -> None:
            if node is not None:
                await screen.desk.label(conversation, node.id, label)

        screen.app.push_screen(LabelScreen(node.label if node else "", keep, screen.spawn))


class ToggleNotes(Act):
    """Open what stands folded below a message."""

    id = "notes"
    title = "Open or fold the notes"
    help = "Show all of what stands folded below the message under the cursor, or fold it again."
    label = "notes"
    keys = ("f",)
    rank = 30
    once_erased = ""

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only where there is something below the message."""
        node = screen.cursor_node
        has_notes = node is not None and any(item.id == node.id and item.notes for item in screen.chat.items)
        return "" if has_notes else "There are no notes below this message."

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Open or fold them."""
        if (node := screen.cursor_node) is not None:
            screen.chat.toggle_notes(node.id)


class CopyMessage(Act):
    """Copy one message."""

    id = "copy_answer"
    title = "Copy the message"
    help = "Copy the message under the cursor as plain text, and say by which route; of an answer in fields its reply."
    label = "copy"
    keys = ("y",)
    rank = 45
    once_erased = NOTHING_TO_COPY

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only a message that is complete, and no answer that is for colleagues."""
        node = screen.cursor_node
        if node is None:
            return "There is no message here."
        if is_internal(node):
            key = shown_key(screen.key_map.keys["copy_internal"][0])
            return f"This answer is internal ({task_title(node)}) and no reply; {key} copies it as internal text."
        return _WAIT if node.status is Status.STREAMING else gate_stop(screen, sheet, node)

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Copy it."""
        if (node := screen.cursor_node) is not None:
            screen.spawn(screen.copy(lambda path: path[-1:], node.id))


class CopyPath(Act):
    """Copy the whole path."""

    id = "copy_path"
    title = "Copy the path"
    help = "Copy everything from the ticket to the last message shown as plain text, and say by which route."
    label = "copy all"
    keys = ("Y",)
    once_erased = NOTHING_TO_COPY

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only when all of it is complete, and no check stops the last answer."""
        last = sheet.page.path[-1].node
        return _WAIT if last.status is Status.STREAMING else gate_stop(screen, sheet, last)

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Copy it."""
        screen.spawn(screen.copy(lambda path: path, sheet.page.path[-1].id))


class TakeIn(Act):
    """Let a newer version of the ticket enter the conversation."""

    id = "take_in"
    title = "Take in the new messages"
    help = "Add the newest version of the ticket below the last message shown, where the customer has written again."
    label = "take in the new messages"
    keys = ("v",)
    rank = 85

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only where there is a newer version."""
        if screen.desk.busy:
            return screen.desk.busy
        return "" if sheet.page.newer_snapshot else "The conversation has the newest version of the ticket."

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Add the snapshot."""
        screen.spawn(screen.desk.take_in())
