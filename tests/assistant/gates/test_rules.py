"""What each rule lets pass and what not, and by which words."""

import pytest
from gate_set import Sample, written
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.gates.case import GateCase
from assistant.gates.deciding import decide
from assistant.gates.registry import FOR_REPLIES, RULES
from assistant.gates.results import Outcome
from assistant.tasks.task import RuleChoice
from storage.tickets import Role, Ticket, TicketMessage
from storage.values import Json

PASS, FAIL, UNKNOWN = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN


def a_case(
    reply: str,
    ticket: str = "",
    *,
    said: str = "",
    note: str = "",
    passage: str = "",
    customer: str = "Sophie Marchand",
    language: str = "en",
    system: str = "",
    data: dict[str, Json] | None = None,
) -> GateCase:
    messages = [TicketMessage(customer, Role.CUSTOMER, ticket)]
    if note:
        messages.append(TicketMessage("Max", Role.AGENT, note, internal=True))
    snapshot = Ticket("T-1", 1, 1, "Subject", customer, language, "open", None, tuple(messages), digest="")
    return GateCase(reply, (snapshot,), (said,), (passage,), system=system, data=data)


def judged(rule: str, case: GateCase, **parameters: Json) -> tuple[Outcome, tuple[str, ...]]:
    """What a rule says, and the words that decided."""
    (result,) = decide(case, [RuleChoice(rule, parameters)])
    assert all(case.reply[words.start : words.end] == words.text for words in result.words)
    return result.result, tuple(words.text for words in result.words)


@pytest.mark.parametrize(
    ("rule", "ticket", "reply"),
    [
        ("numbers", "order A-4711", "Your order #4711 is here."),
        ("numbers", "order 4711", "Your order A-4711 is here."),
        ("numbers", "commande no\u00a04711", "Votre commande n°\u202f4711."),
        ("numbers", "order \uff14\uff17\uff11\uff11", "order 4711"),
        ("numbers", "طلب ٤٧١١", "order 4711"),
        ("numbers", "tracking 00340434161094042557", "tracking 0034 0434 1610 9404 2557"),
        ("numbers", "orders 48213 and 48299", "orders 48213/48299"),
        ("numbers", "4711", "It takes 10-14 days, 2200 W, 1,500 ml, since 2019, at 14:30."),
        ("amounts", "1.349,00 €", "€1,349.00 is €1349, or 1\u202f349,00\u00a0€."),
        ("amounts", "Total | 42.50", "That is £42.50."),
        ("dates", "le 3 mai 2024", "2024-05-03, 03.05.2024, 03/05/2024, 3 May 2024, May 3rd, 2024年5月3日"),
        ("dates", "on 04/05/2024", "4 May 2024 or 5 April 2024"),
        ("dates", "open from 5 to 7 May", "on 5 May and 7 May; you may come, 2 may not."),
        ("emails", "Sophie@Example.org", "sophie@example.org."),
        ("phones", "(089) 55 12 34", "089/551234 or 089-55 12 34"),
        ("phones", "+44 (0)20 7946 0958", "020 7946 0958 or 0044 20 7946 0958"),
        ("ibans", "DE89370400440532013000", "DE89 3704 0044 0532 0130 00 please"),
        ("urls", "https://Shop.example/Help/", "See (shop.example/help), or http://www.shop.example/help!"),
    ],
)
def test_the_same_fact_in_another_form_passes(rule: str, ticket: str, reply: str) -> None:
    assert judged(rule, a_case(reply, ticket))[0] is PASS


@pytest.mark.parametrize(
    ("rule", "ticket", "reply", "words"),
    [
        ("numbers", "order 4711", "order #471", ("471",)),
        ("numbers", "order 4711", "order 47112", ("47112",)),
        ("numbers", "order A-4711", "order B-4711", ("B-4711",)),
        ("numbers", "order DE-2025-0934", "order 0934", ("0934",)),
        ("numbers", "invoice F2025/118", "invoice F2025/119", ("F2025/119",)),
        ("amounts", "£42.50", "£42.05 and €42.50", ("£42.05", "€42.50")),
        ("amounts", "1.349,00 €", "1.34,00 €", ("1.34,00 €",)),
        ("dates", "le 3 mai 2024", "4 May 2024 and 03.05.2025", ("4 May 2024", "03.05.2025")),
        ("dates", "03.05.2024", "5 March 2024", ("5 March 2024",)),
        ("emails", "a@example.org", "b@example.org", ("b@example.org",)),
        ("phones", "020 7946 0958", "Call 020 7946 0959.", ("020 7946 0959",)),
        ("phones", "020 7946 0958", "Call +54 20 7946 0958.", ("+54 20 7946 0958",)),
        ("ibans", "DE89370400440532013000", "DE88 3704 0044 0532 0130 00", ("DE88 3704 0044 0532 0130 00",)),
        ("urls", "shop.example/help", "https://shop.example/helps", ("https://shop.example/helps",)),
    ],
)
def test_another_fact_fails_by_its_words(rule: str, ticket: str, reply: str, words: tuple[str, ...]) -> None:
    assert judged(rule, a_case(reply, ticket)) == (FAIL, words)


def test_a_fact_may_come_from_the_agent_the_handbook_or_the_allow_list() -> None:
    reply = "Order 48213."
    assert judged("numbers", a_case(reply, said="name order 48213"))[0] is PASS
    assert judged("numbers", a_case(reply, passage="such as 48213"))[0] is PASS
    assert judged("numbers", a_case(reply), allow=["48213"])[0] is PASS
    assert judged("numbers", a_case(reply))[0] is FAIL


def test_a_fact_of_an_internal_note_alone_is_undecided() -> None:
    assert judged("numbers", a_case("Order 48213.", note="order 48213")) == (UNKNOWN, ("48213",))


def test_an_allowed_site_allows_its_pages_and_no_other_site() -> None:
    case = a_case("See https://shop.example/a and https://shop.example.evil.test/a.")
    assert judged("urls", case, allow=["shop.example"]) == (FAIL, ("https://shop.example.evil.test/a",))


@pytest.mark.parametrize(
    ("greeting", "outcome"),
    [
        ("Dear Sophie,", PASS),
        ("Bonjour Madame Marchand,", PASS),
        ("Liebe Frau Marchand, vielen Dank", PASS),
        ("Hola, Sophie:", PASS),
        ("Madame Sophie Marchand,", PASS),
        ("Hi S. Marchand", PASS),
        ("マーチャン様", FAIL),
        ("Dear Sofie,", FAIL),
        ("Hallo Herr Dr. Weiß,", FAIL),
        ("Hi Sophie and Bob,", FAIL),
        ("Hello,", UNKNOWN),
        ("Dear Sir or Madam,", UNKNOWN),
        ("Sehr geehrte Damen und Herren,", UNKNOWN),
        ("Your parcel is here.", UNKNOWN),
    ],
)
def test_the_greeting_names_the_customer(greeting: str, outcome: Outcome) -> None:
    assert judged("greeting", a_case(f"{greeting}\n\nYour parcel is here."))[0] is outcome


def test_a_greeting_is_undecided_where_the_ticket_has_no_name() -> None:
    assert judged("greeting", a_case("Dear Sophie,", customer=""))[0] is UNKNOWN


ENGLISH = "Thank you for your message. We are looking for your parcel and will write to you again."
FRENCH = "Merci pour votre message. Nous cherchons votre colis et nous vous écrirons de nouveau."


@pytest.mark.parametrize(
    ("reply", "said", "outcome"),
    [
        (FRENCH, "", PASS),
        (ENGLISH, "", FAIL),
        (ENGLISH, "now in English for my colleague", UNKNOWN),
        ("Merci, c'est noté.", "", PASS),
        ("W1234567 https://shop.example", "", UNKNOWN),
        ("OK!", "", UNKNOWN),
    ],
)
def test_the_reply_is_in_the_tickets_language(reply: str, said: str, outcome: Outcome) -> None:
    ticket = "Bonjour, je n'ai toujours pas reçu mon colis et je suis très déçue de votre service."
    assert judged("language", a_case(reply, ticket, said=said, language="fr"))[0] is outcome


def test_numbers_in_a_script_without_blanks_hide_no_language() -> None:
    reply = "ご注文W1234567は明日届きます。ご迷惑をおかけして申し訳ございません。"
    assert judged("language", a_case(reply, FRENCH, language="fr"))[0] is FAIL
    assert judged("language", a_case(reply, reply, language="ja"))[0] is PASS


def test_the_customers_newest_message_counts_as_much_as_the_tickets_language() -> None:
    assert judged("language", a_case(FRENCH, FRENCH, language="en"))[0] is PASS


@pytest.mark.parametrize("hole", ["{{order}}", "[delivery date]", "[[ x ]]", "{name}", "${total}", "XXX", "<Name>"])
def test_nothing_is_left_to_fill_in(hole: str) -> None:
    assert judged("placeholders", a_case(f"It comes on {hole}.")) == (FAIL, (hole,))
    assert judged("placeholders", a_case(f"You wrote {hole}.", f"It says {hole}"))[0] is PASS


def test_brackets_that_nobody_fills_in_pass() -> None:
    reply = "See [1], [...] and [our page](https://shop.example); todo lo mejor."
    assert judged("placeholders", a_case(reply))[0] is PASS


def test_a_piece_of_the_system_message_fails_unless_the_ticket_has_it_too() -> None:
    system = "Promise nothing that the agent of this desk has not granted to you."
    reply = "I must promise nothing that the agent of this desk has not granted."
    assert judged("system-message", a_case(reply, system=system)) == (
        FAIL,
        ("promise nothing that the agent of this desk has not granted",),
    )
    assert judged("system-message", a_case(reply, reply, system=system))[0] is PASS


@pytest.mark.parametrize(
    ("said", "outcome"), [("", FAIL), ("offer a refund", PASS), ("do not offer a refund", FAIL), ("shorter", FAIL)]
)
def test_a_promise_is_granted_by_the_agent(said: str, outcome: Outcome) -> None:
    assert judged("promises", a_case("We will refund the price to your card.", said=said))[0] is outcome


def test_the_team_of_a_field_is_one_of_those_that_there_are() -> None:
    case = a_case("{}", data={"team": "Billing "})
    assert judged("team", case, allowed=["billing", "returns"])[0] is PASS
    assert judged("team", case, allowed=["returns"])[0] is FAIL
    assert judged("team", case)[0] is UNKNOWN


def test_the_length_is_within_what_the_task_says() -> None:
    assert judged("length", a_case("one two three"), max_words=2)[0] is FAIL
    assert judged("length", a_case("one two three"), max_words=3)[0] is PASS
    assert judged("length", a_case(" \n"))[0] is FAIL


def test_a_rule_that_is_not_here_is_undecided() -> None:
    assert judged("spelling", a_case("Dear Sophie,"))[0] is UNKNOWN


FIRST: Sample = written()[0]


@settings(max_examples=60, deadline=None)
@given(reply=st.text(max_size=300), ticket=st.text(max_size=300), said=st.text(max_size=60))
def test_any_text_is_decided_by_words_that_stand_in_it_and_the_same_every_time(
    reply: str, ticket: str, said: str
) -> None:
    case = a_case(reply, ticket, said=said, system=FIRST.case.system)
    results = decide(case, FOR_REPLIES)
    assert [result.rule for result in results] == [name for name in RULES if name != "team"]
    assert all(reply[words.start : words.end] == words.text for result in results for words in result.words)
    assert decide(a_case(reply, ticket, said=said, system=FIRST.case.system), FOR_REPLIES) == results
