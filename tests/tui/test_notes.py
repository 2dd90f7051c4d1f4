"""What stands below a message: one line for each note, all of it once they are opened."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hostile import EVERY, Hostile
from painted import HARMFUL
from rich.cells import cell_len
from sample_views import a_node, an_item

from storage.interactions import Interaction
from storage.kinds import AGENT_MESSAGE, COMPACTION, OBSERVATION, TICKET, WARNING
from tui.chat_items import chat_items
from tui.message_view import MessageView
from tui.notes.lines import note_lines
from tui.notes.note import Note
from tui.notes.registry import notes_of


def an_observation(node_id: int, parent_id: int, text: str) -> Interaction:
    node = a_node(node_id, OBSERVATION, parent_id, text=text, author="tone")
    return Interaction(node._replace(meta={"task": "tone"}), text)


def folded(notes: tuple[Note, ...], width: int = 40) -> list[str]:
    return [line.plain for line in note_lines(notes, width, is_open=False, key="f")]


def opened(notes: tuple[Note, ...], width: int = 40) -> list[str]:
    return [line.plain for line in note_lines(notes, width, is_open=True, key="f")]


def test_a_note_is_one_line_until_it_is_opened() -> None:
    notes = notes_of([an_observation(9, 4, "Too curt.\n\nThank her first."), an_observation(10, 4, "Fine.")])
    assert folded(notes) == ["◦ tone: Too curt. · f opens", "◦ tone: Fine."]
    assert opened(notes) == ["◦ tone: Too curt.", "  │ Too curt.", "  │ ", "  │ Thank her first.", "◦ tone: Fine."]


def test_a_note_that_does_not_fit_names_the_key_once() -> None:
    notes = (Note("◦", "word " * 20), Note("◦", "word " * 20))
    first, second = folded(notes, 30)
    assert first.endswith("… · f opens")
    assert second.endswith("…")
    assert "opens" not in second


def test_kinds_that_nobody_shows_are_left_out() -> None:
    hidden_in_an_import = Interaction(a_node(9, OBSERVATION, 4), "thinking")
    assert notes_of([hidden_in_an_import]) == ()
    assert notes_of([Interaction(a_node(9, TICKET, 4), "")]) == ()
    assert notes_of([]) == ()


@pytest.mark.parametrize("text", EVERY, ids=lambda text: text.id)
@pytest.mark.parametrize("is_open", [False, True])
def test_foreign_text_in_a_note_is_harmless_and_keeps_to_the_width(text: Hostile, is_open: bool) -> None:
    notes = (Note("◦", text.text, details=(text.text,)), Note("◦", text.text))
    for line in note_lines(notes, 30, is_open=is_open, key="f"):
        assert not HARMFUL.search(line.plain)
        assert cell_len(line.plain) <= 30
        assert "\n" not in line.plain


def test_what_hangs_on_a_node_is_shown_below_its_message_alone() -> None:
    path = [Interaction(a_node(3, AGENT_MESSAGE), "shorter"), Interaction(a_node(4), "Bonjour")]
    items = chat_items(path, None, {4: [an_observation(9, 4, "Fine.")]})
    assert [item.notes for item in items] == [(), (Note("◦", "tone: Fine."),)]


def test_a_message_that_changes_keeps_its_notes_open() -> None:
    item = replace(an_item(4, "Bonjour"), notes=(Note("◦", "a", details=("b",)),))
    view = MessageView(item)
    now = datetime(2024, 5, 3, 18, tzinfo=UTC)
    assert [line.plain for line in view.lines(40, now, "f")][-2:] == ["◦ a · f opens", ""]
    view.toggle_notes()
    view.update(replace(item, tokens=4))
    assert [line.plain for line in view.lines(40, now, "f")][-4:] == ["", "◦ a", "  │ b", ""]


def a_compaction(node_id: int, text: str, covered: int = 4_210) -> Interaction:
    meta = {"covers": {"first_turn": 1, "last_turn": 14}, "counts": {"covered": covered, "summary": 312}}
    return Interaction(a_node(node_id, COMPACTION, 4, text=text, author="gpt-4.1-mini")._replace(meta=meta), text)


def test_a_summary_says_which_turns_it_stands_for_and_opens_to_its_words() -> None:
    notes = notes_of([a_compaction(9, "agent: refund 49,50 €")])
    (line,) = folded(notes, 100)
    assert line.startswith("∑ turns 1 to 14 stand summarised · 312 tokens instead of 4,210 · by gpt-4.1-mini")
    assert opened(notes, 100)[1] == "  │ agent: refund 49,50 €"


def test_of_several_summaries_the_newest_is_told_from_those_that_it_took_the_place_of() -> None:
    notes = notes_of([a_compaction(9, "first"), a_compaction(12, "second"), a_compaction(15, "third")])
    assert [note.details for note in notes] == [("third",), ("gpt-4.1-mini: first", "gpt-4.1-mini: second")]
    assert notes[1].text == "2 earlier summaries of them, not used any more"


def test_a_warning_says_what_is_the_matter_and_opened_what_to_do() -> None:
    node = a_node(9, WARNING, 4, author="Ticketree")
    warning = Interaction(node._replace(meta={"advice": "Load it with more."}), "A part was dropped.")
    notes = notes_of([warning])
    assert folded(notes) == ["⚠ A part was dropped. · f opens"]
    assert opened(notes) == ["⚠ A part was dropped.", "  │ Load it with more."]
