"""Foreign text in exports for people: what the app would hide is marked, and what scripts need is kept."""

import pytest
from exports import one_node_export, text_of
from hypothesis import given
from hypothesis import strategies as st

from storage.exporters.printable import printable
from storage.hidden_text import Hidden, hidden_pieces

SHOWS_NOTHING = (
    "\u00ad\u034f\u061c\u115f\u180e\u200b\u200e\u200f\u2060\u206a\u3164\ufeff\uffa0\ufff9\U0001d173\U000e0100"
)
UNSEEN = SHOWS_NOTHING + "\u202e\u2066\u200c\u200d\ufe0f\U000e0061\x1b\x9b\u2028\ud800\ufffe"


@pytest.mark.parametrize("character", SHOWS_NOTHING, ids=ascii)
@pytest.mark.parametrize("to", ["markdown", "mermaid"])
def test_a_number_with_an_unseen_character_in_it_does_not_read_as_another(to: str, character: str) -> None:
    text = text_of(one_node_export(f"47{character}11"), to)

    assert f"47‹U+{ord(character):04X}›11" in text
    assert character not in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u202eb", "a‹U+202E›b"),
        ("a\u200b\u00ad\ufeffb", "a‹U+200B›‹U+00AD›‹U+FEFF›b"),
        ("a\u200db", "a‹U+200D›b"),
        ("\x1b]52;c\x9b\x7f", "␛]52;c‹U+009B›␡"),
        ("a\r\nb\u2029c\td", "a\nb\nc\td"),
        ("a\ud800b\uffffc", "a\ufffdb‹U+FFFF›c"),
    ],
    ids=["bidi", "blanks", "a joiner of nothing", "controls", "line breaks", "no characters"],
)
def test_stand_ins(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    "text",
    ["❤️ 1️⃣ 👩🏽\u200d💻", "क्\u200dष", "بی\u200cنظم", "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"],
    ids=["emoji", "indic", "persian", "flag of Scotland"],
)
@pytest.mark.parametrize("to", ["markdown", "mermaid"])
def test_what_scripts_and_emoji_need_stays(to: str, text: str) -> None:
    assert text in text_of(one_node_export(text), to)


@given(st.text(st.characters() | st.sampled_from(UNSEEN)))
def test_nothing_that_the_app_would_hide_is_left_and_all_else_stays(text: str) -> None:
    shown = printable(text)

    assert list(hidden_pieces(shown)) == []
    marked = sum(len(piece) for what, piece in hidden_pieces(text) if what not in (Hidden.LINE, Hidden.SURROGATE))
    assert marked == 0 or shown != text
