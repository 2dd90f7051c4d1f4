"""Notes of compactions: which turns stand summarised by what, with the summary below."""

from collections.abc import Iterable, Sequence

from storage.interactions import Interaction
from tui.notes.note import Note
from tui.summary_text import SIGN


def compaction_notes(compactions: Sequence[Interaction]) -> Iterable[Note]:
    """One note for the newest summary that ends with a node, and one for those that it took the place of."""
    *earlier, newest = compactions
    yield Note(SIGN, f"{_covered(newest)} stand summarised · {_facts(newest)}", details=(newest.content,))
    if earlier:
        summaries = "1 earlier summary" if len(earlier) == 1 else f"{len(earlier)} earlier summaries"
        yield Note(
            SIGN,
            f"{summaries} of them, not used any more",
            details=tuple(f"{each.node.author}: {each.content}" for each in earlier),
        )


def _covered(compaction: Interaction) -> str:
    match compaction.node.meta.get("covers"):
        case {"first_turn": int(first), "last_turn": int(last)} if first < last:
            return f"turns {first} to {last}"
        case {"last_turn": int(last)}:
            return f"turn {last}"
        case _:
            return "the turns up to here"


def _facts(compaction: Interaction) -> str:
    """What it saves, and who made it."""
    figures = ""
    match compaction.node.meta.get("counts"):
        case {"covered": int(covered), "summary": int(summary)}:
            figures = f"{summary:,} tokens instead of {covered:,} · "
    return f"{figures}by {compaction.node.author}"
