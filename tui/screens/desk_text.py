"""What the desk says around a conversation: facts in the title, who answers, and the empty desk."""

from collections.abc import Sequence
from typing import Final

from textual.content import Content

from assistant.provider.provider import Provider
from storage.interactions import Interaction, Node
from storage.kinds import ROOT
from tui.answers import is_internal, reply_of
from tui.cli.ticket_text import text_of_interaction
from tui.desk.sheet import Sheet
from tui.display import one_line
from tui.signs import sibling_mark
from tui.tones import LEAD, MUTED
from tui.widgets.ticket_list import CLOSED

_TASK_CELLS: Final = 28


def title_facts(sheet: Sheet, node: Node | None) -> list[str]:
    """Facts about the open ticket, the ones that may be left out last."""
    ticket = sheet.page.ticket
    sibling = sibling_mark(node) if node else ""
    return [
        f"‹{sibling}›" if sibling else "",
        f"{CLOSED} {ticket.status}" if sheet.page.is_closed else ticket.status,
        ticket.customer,
        ticket.language,
        "new messages: v" if sheet.page.newer_snapshot else "",
        "" if ticket.erased else sheet.task.title,
    ]


def who_answers(provider: Provider) -> str:
    """What answers, and whether it is a language model."""
    return provider.model if provider.is_model else "built-in assistant · no language model"


def composer_mode(
    sheet: Sheet | None, agent: str, provider: Provider, spent: str = "", *, is_observed: bool = False
) -> str:
    """What the assistant would do, who writes to whom, what sending would do, and what was spent here so far.

    `is_observed` says that observers look at what a model answers here.
    """
    if sheet is not None and sheet.page.ticket.erased:
        return agent
    mode = f"{agent} → {who_answers(provider)}"
    if sheet is None:
        return mode
    if is_observed and provider.is_model:
        mode = f"{mode} · observed"
    if spent:
        mode = f"{mode} · {spent} so far"
    mode = f"{one_line(sheet.task.title, _TASK_CELLS)}{' (internal)' if sheet.task.is_internal else ''} · {mode}"
    if sheet.task_trouble:
        mode = f"⚠ the task chosen here cannot be used · {mode}"
    if sheet.takes_in:
        mode = f"takes in version {sheet.page.newer_snapshot} of the ticket · {mode}"
    if (edited := sheet.page.edited) is not None:
        doing = "ask again" if sheet.asks_again else f"edit {sibling_mark(edited.node)}".rstrip()
        return f"{doing} · {mode}"
    if sheet.page.children(sheet.page.last.id):
        return f"new branch · {mode}"
    return mode


def welcome(has_tickets: bool, agent: str) -> Content:
    """What the desk says while no ticket is open."""
    if has_tickets:
        return Content.assemble(
            ("Choose a ticket\n\n", f"bold {LEAD}"),
            "Go up and down with ",
            ("j", "bold"),
            " and ",
            ("k", "bold"),
            ", open with ",
            ("Enter", "bold"),
            ".\n",
            ("?", "bold"),
            " shows all keys.",
        )
    return Content.assemble(
        ("There are no tickets here yet\n\n", f"bold {LEAD}"),
        "Bring your own, from mails, mail folders, JSON or CSV:\n",
        ("  ticketree import PATH\n\n", "bold"),
        "or look around on a sample desk first, without key or network:\n",
        ("  ticketree demo\n\n", "bold"),
        ("What you do here as ", MUTED),
        (agent, MUTED),
        (" stays yours: each agent has a conversation of their own on each ticket.\n", MUTED),
        ("?", "bold"),
        (" shows all keys, ", MUTED),
        ("q", "bold"),
        (" closes.", MUTED),
    )


def copied(path: Sequence[Interaction]) -> str:
    """What is copied: one message as it is, or the reply in it; several each under who wrote it."""
    shown = [interaction for interaction in path if interaction.kind != ROOT.name]
    if len(shown) == 1:
        return reply_of(shown[0]) or text_of_interaction(shown[0])
    return "\n\n".join(
        f"{each.node.author}{' (internal)' if is_internal(each.node) else ''}:\n{text_of_interaction(each)}"
        for each in shown
    )
