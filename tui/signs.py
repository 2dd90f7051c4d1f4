"""The signs and words that say what is the matter with a message, the same in every list; never colour alone."""

from typing import Final

from assistant.plan.plan import Fate
from storage.interactions import Node, Status
from storage.text import LABEL_LENGTH
from tui.display import one_line

CUT: Final = "✂"
CHOSEN: Final = "←"
LABEL: Final = "#"
FILE: Final = "▤"
FAILED_CHECK: Final = "✗"
FAILED_CHECK_WORDS: Final = "check failed"
STALE: Final = "◌"
STALE_WORD: Final = "stale"

STATUS_SIGNS: Final = {
    Status.STREAMING: "…",
    Status.COMPLETE: "",
    Status.INTERRUPTED: "■",
    Status.LENGTH: "⚠",
    Status.ERROR: "⚠",
    Status.CRASHED: "⚠",
}
"""How an answer ended, in one cell; nothing where it ended well."""

STATUS_WORDS: Final = {
    Status.STREAMING: "writing",
    Status.COMPLETE: "",
    Status.INTERRUPTED: "stopped",
    Status.LENGTH: "ended at the length limit",
    Status.ERROR: "failed",
    Status.CRASHED: "broke off",
}

FATE_SIGNS: Final = {Fate.SENT: "", Fate.CUT: CUT, Fate.SUMMARISED: "∑"}
FATE_WORDS: Final = {Fate.SENT: "", Fate.CUT: "cut", Fate.SUMMARISED: "summarised"}


def status_mark(status: Status) -> str:
    """Sign and word, "⚠ failed"; "" for a complete answer."""
    return f"{STATUS_SIGNS[status]} {STATUS_WORDS[status]}".strip()


def fate_mark(fate: Fate | None) -> str:
    """Sign and word, "✂ cut"; "" for what is sent, or when nothing is known."""
    return f"{FATE_SIGNS[fate]} {FATE_WORDS[fate]}".strip() if fate is not None else ""


def failed_check_mark(failed: bool, *, in_words: bool = True) -> str:
    """Sign and word, "✗ check failed", or the sign alone; "" where no check failed."""
    return (f"{FAILED_CHECK} {FAILED_CHECK_WORDS}" if in_words else FAILED_CHECK) if failed else ""


def stale_mark(stale: bool, *, in_words: bool = True) -> str:
    """Sign and word, "◌ stale", or the sign alone; "" for an answer that knows all that the customer wrote."""
    return (f"{STALE} {STALE_WORD}" if in_words else STALE) if stale else ""


def sibling_mark(node: Node) -> str:
    """Sibling 2 of 3 is "2/3"; an only child is ""."""
    return f"{node.n}/{node.m}" if node.m > 1 else ""


def label_mark(node: Node) -> str:
    """What the agent called a node, "# refund version", safe to show; "" where it has no label."""
    return f"{LABEL} {label}" if (label := one_line(node.label, LABEL_LENGTH)) else ""
