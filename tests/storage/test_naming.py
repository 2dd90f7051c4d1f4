"""What names a person: their words, in any case and script; never what is said of everybody."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.naming import named_in

SOPHIE = "Sophie Zzmartin <sophie.zzm@x.org>"


@pytest.mark.parametrize(
    ("reason", "person", "named"),
    [
        ("asked by zzmartin", "Sophie Zzmartin", ["zzmartin"]),
        ("Sophie asked", "Sophie Zzmartin", ["Sophie"]),
        ("S.Zzmartin wrote", "Sophie Zzmartin", ["Zzmartin"]),
        ("Sophie Zzmartin's wish, for SOPHIE", "Sophie Zzmartin", ["Sophie Zzmartin", "SOPHIE"]),
        ("by ＺＺＭＡＲＴＩＮ", "Sophie Zzmartin", ["ＺＺＭＡＲＴＩＮ"]),  # noqa: RUF001 - another form of the letters
        ("for Muller, Jorg", "Jörg Müller", ["Muller, Jorg"]),
        ("Jorg and later Muller", "Jörg Müller", ["Jorg", "Muller"]),
        ("for Mu\u0308ller", "Jörg Müller", ["Mu\u0308ller"]),
        ("sophie_zzmartin", "Sophie Zzmartin", ["sophie_zzmartin"]),
        ("by sophie.zzm@x.org", SOPHIE, ["sophie.zzm@x.org"]),
        ("account SophieZzm", SOPHIE, ["SophieZzm"]),
        ("zzm wrote", "sophie.zzm@x.org", ["zzm"]),
        ("by jo@x.org", "jo@x.org", ["jo@x.org"]),
        ("asked by Jo Li", "Jo Li", ["Jo Li"]),
        ("by 李小龙先生", "李小龙", ["李小龙"]),
        ("小龙 asked", "李小龙", ["小龙"]),
        ("田中さんから", "田中 花子", ["田中"]),
        ("김철수님이", "김철수", ["김철수"]),
        ("たなかさん", "たなか はなこ", ["たなか"]),
        ("คุณสมชายขอ", "สมชาย", ["สมชาย"]),
        ("просьба ивановой", "Анна ИВАНОВОЙ", ["ивановой"]),
        ("id k 20931", "K-20931", ["k 20931"]),
        ("auf Sophies Wunsch", "Sophie Zzmartin", ["Sophies"]),
        ("zzmartins wish", "Sophie Zzmartin", ["zzmartins"]),
        ("Sophie Zzmartins Wunsch", "Sophie Zzmartin", ["Sophie Zzmartins"]),
        ("Sophie’s wish", "Sophie Zzmartin", ["Sophie"]),  # noqa: RUF001 - typed by a word processor
        ("the Fritzes asked", "Fritz", ["Fritzes"]),
        ("auf Tims Wunsch", "Tim", ["Tims"]),
        ("Jürgens Anfrage", "Jürgen Müller", ["Jürgens"]),
        ("JUERGEN, Herr Mueller", "Jürgen Müller", ["JUERGEN", "Mueller"]),
        ("Muellers Wunsch", "Mu\u0308ller", ["Muellers"]),
        ("Müllers Wunsch", "Jürgen Mueller", ["Müllers"]),
        ("Müller schrieb", "juergen.mueller@x.org", ["Müller"]),
        ("Familie Groß, Weiss", "Gross-Weiß", ["Groß, Weiss"]),
    ],
)
def test_a_word_that_names_the_person_is_found_as_it_was_written(reason: str, person: str, named: list[str]) -> None:
    assert named_in(reason, [person]) == named


@pytest.mark.parametrize(
    ("reason", "person"),
    [
        ("asked by mail, no. 17", "Sophie Zzmartin"),
        ("the customer asked for it", "Customer"),
        ("the customer asked for it", "Mr. Customer of the Shop"),
        ("asked by mail at our office", "info@office.example <mail@office.example>"),
        ("he asked us to go on", "Us, Go"),
        ("an erasure", "An"),
        ("kept for 365 days", "365"),
        ("a ticket of Ticketree", "Ticketree Ticket"),
        ("Martina asked", "Martin"),
        ("at all times, in this case; Does he? Thus: dans le mail", "Thi Doe, Tim Dan Thu"),
        ("the news of some days", "New Day"),
        ("it is as Joe says", "Jö Sa"),
        ("the sales of Joel", "Jol"),
        ("x.org is down", SOPHIE),
        ("李先生", "李小龙"),
        ("先生", "李先生"),
        ("because", ""),
        ("because", "…"),
    ],
)
def test_what_is_said_of_everybody_names_nobody(reason: str, person: str) -> None:
    assert named_in(reason, [person]) == []


@given(st.text(max_size=40), st.text(max_size=20))
def test_what_is_named_stands_in_the_text_as_it_is(text: str, person: str) -> None:
    assert all(word and word in text for word in named_in(text, [person]))


@given(st.text("bcfghjkz", min_size=3, max_size=9), st.sampled_from(["by {}", "({})", "{}", "-{}_17", "«{}'s»"]))
def test_a_name_is_found_wherever_it_stands(name: str, reason: str) -> None:
    assert named_in(reason.format(name.title()), [f"{name.upper()} X"]) == [name.title()]
