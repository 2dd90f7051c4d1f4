import pytest

from assistant.builtin.products import find_products
from assistant.facts.amounts import Amount, find_amounts
from assistant.facts.dates import MentionedDate, find_dates
from assistant.facts.facts import find_facts
from assistant.facts.people import Person, person, signature
from assistant.facts.reference_numbers import find_invoices, find_orders, find_trackings


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("My order number is 48213.", ["48213"]),
        ("order no. 4821 has not come", ["4821"]),
        ("Order #W2378156", ["W2378156"]),
        ("about #W2378156, please", ["W2378156"]),
        ("Bestellung DE-2024-1187 ist nicht da", ["DE-2024-1187"]),
        ("Bestellnr.: 77120", ["77120"]),
        ("Meine Bestellnummer lautet 771203.", ["771203"]),
        ("ma commande n° FR-10482", ["FR-10482"]),
        ("numéro de commande : 10482", ["10482"]),
        ("mi pedido número 55120", ["55120"]),
        ("el n.º de pedido es ES-7781", ["ES-7781"]),
        ("order 48213 and order 48213 again", ["48213"]),
        ("order 48213 and order 48214", ["48213", "48214"]),
        ("orders 48213, 48214 and #48215", ["48213", "48214", "48215"]),
        ("Bestellungen 48213 und 48214", ["48213", "48214"]),
        ("order 48213 and 2 questions", ["48213"]),
        ("call me at +33 6 12 34 56 78 about my order", []),
        ("my order, phone 0612345678", []),
        ("I ordered 1000 screws", []),
        ("an order of 12000 €", []),
        ("order 129.90 EUR", []),
        ("commande du 12/03/2025", []),
        ("order 2025-04-03", []),
        ("order 2024 was fine", []),
        ("Rechnung Nr. 8812345", []),
        ("my ticket T-80005", []),
        ("price &#12345; and page/#12345", []),
    ],
)
def test_an_order_number_is_told_by_the_word_before_it(text: str, orders: list[str]) -> None:
    assert find_orders(text) == orders


@pytest.mark.parametrize(
    ("text", "invoices"),
    [
        ("invoice number INV-2025-0091", ["INV-2025-0091"]),
        ("Rechnung Nr. RE-2025-0091 vom 12.03.2025", ["RE-2025-0091"]),
        ("la facture n° F-88123", ["F-88123"]),
        ("el número de factura: A/20250091", ["A/20250091"]),
        ("the invoice of 12/03/2025 over 45.00 €", []),
    ],
)
def test_an_invoice_number_is_told_by_the_word_before_it(text: str, invoices: list[str]) -> None:
    assert find_invoices(text) == invoices


@pytest.mark.parametrize(
    ("text", "trackings"),
    [
        ("tracking number: 6A12345678901", ["6A12345678901"]),
        ("Sendungsnummer 00340434161094", ["00340434161094"]),
        ("numéro de suivi LX123456789FR", ["LX123456789FR"]),
        ("it says 1Z999AA10123456784", ["1Z999AA10123456784"]),
        ("código de seguimiento 8812345678", ["8812345678"]),
        ("tracking 12345", []),
    ],
)
def test_a_tracking_number_is_told_by_its_word_or_its_form(text: str, trackings: list[str]) -> None:
    assert find_trackings(text) == trackings


@pytest.mark.parametrize(
    ("language", "text", "dates"),
    [
        ("en", "due on 3 May 2025", [MentionedDate(3, 5, 2025)]),
        ("en", "due on May 3rd, 2025", [MentionedDate(3, 5, 2025)]),
        ("en", "on 2025-05-03", [MentionedDate(3, 5, 2025)]),
        ("en", "on 13/05/2025 or 05/14/2025", [MentionedDate(13, 5, 2025), MentionedDate(14, 5, 2025)]),
        ("en", "on 03/05/2025, whichever that is", []),
        ("de", "seit dem 3. März 2025", [MentionedDate(3, 3, 2025)]),
        ("de", "am 03.05.2025", [MentionedDate(3, 5, 2025)]),
        ("fr", "le 1er février", [MentionedDate(1, 2)]),
        ("fr", "le 03/05/2025", [MentionedDate(3, 5, 2025)]),
        ("es", "el 12 de abril de 2025", [MentionedDate(12, 4, 2025)]),
        ("es", "el 12 de abril, es decir el 12/04/2025", [MentionedDate(12, 4, 2025)]),
        ("en", "31 February 2025, 45.13.2025 and version 1.2.2025.7", []),
        ("en", "it may be 5 or 6", []),
    ],
)
def test_dates_are_read_in_four_languages(language: str, text: str, dates: list[MentionedDate]) -> None:
    assert find_dates(text, language) == dates


@pytest.mark.parametrize(
    ("language", "written"),
    [("en", "1 March 2025"), ("de", "1. März 2025"), ("fr", "1er mars 2025"), ("es", "1 de marzo de 2025")],
)
def test_a_date_is_written_in_the_language_of_the_reply(language: str, written: str) -> None:
    assert MentionedDate(1, 3, 2025).written(language) == written
    assert MentionedDate(1, 3).written(language) == written.removesuffix(" de 2025").removesuffix(" 2025")


@pytest.mark.parametrize(
    ("text", "cents", "currency"),
    [
        ("49,90 €", 4990, "€"),
        ("€49.90", 4990, "€"),
        ("EUR 1.249,50", 124950, "€"),
        ("$1,249.50", 124950, "$"),
        ("£12", 1200, "£"),
        ("CHF 120.-", 12000, "CHF"),
        ("1 249,50 euros", 124950, "€"),
    ],
)
def test_amounts_are_read_however_they_are_written(text: str, cents: int, currency: str) -> None:
    assert find_amounts(f"I paid {text} for it.") == [Amount(cents, currency)]


def test_an_amount_is_written_in_the_language_of_the_reply() -> None:
    amount = Amount(124950, "€")
    assert amount.written("en") == "€1,249.50"
    assert amount.written("de") == amount.written("es") == "1.249,50\u00a0€"
    assert amount.written("fr") == "1\u202f249,50\u00a0€"
    assert Amount(12000, "CHF").written("en") == "CHF 120.00"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sophie Marchand", Person("Sophie Marchand", "Sophie")),
        ("  Sophie\n Marchand ", Person("Sophie Marchand", "Sophie")),
        ("Marchand, Sophie", Person("Sophie Marchand", "Sophie")),
        ("Dr. Anna Weber", Person("Dr. Anna Weber", "Anna")),
        ("Herr Weber", Person("Herr Weber", "Herr Weber")),
        ("José Luis O’Neill-Ortega", Person("José Luis O’Neill-Ortega", "José")),  # noqa: RUF001 (names hold it)
        ("田中 恵子", Person("田中 恵子", "田中 恵子")),
        ("sophie@example.org", None),
        ("Customer 4711", None),
        ("[b]Sophie[/b]", None),
        ("{{order}} [[x]]", None),
        ("\x1b[31mSophie", None),
        ("a" * 5_000, None),
        ("", None),
    ],
)
def test_a_name_is_only_taken_from_what_looks_like_one(text: str, expected: Person | None) -> None:
    assert person(text) == expected


@pytest.mark.parametrize(
    "closing", ["Kind regards,", "Mit freundlichen Grüßen", "Cordialement,", "Un saludo,", "Thanks!", "Merci d'avance,"]
)
def test_a_name_below_the_closing_stands_in_for_a_customer_field_without_one(closing: str) -> None:
    assert signature(f"Where is it?\n\n{closing}\nLucía Ortega\n") == Person("Lucía Ortega", "Lucía")


def test_what_follows_a_closing_in_a_sentence_is_no_name() -> None:
    assert signature("Thanks!\nI am waiting for your answer since Monday") is None


@pytest.mark.parametrize(
    ("language", "subject", "text", "products"),
    [
        ("en", "Hammock has not arrived", "I am waiting for my hammock (order 48213).", ["hammock"]),
        ("en", "My coffee grinder leaks", "Since Monday my coffee grinder leaks.", ["coffee grinder"]),
        ("de", "Kaffeemühle defekt", "Meine neue Kaffeemühle ist defekt.", ["Kaffeemühle"]),
        ("fr", "Hamac", "mon hamac n'est pas là", ["hamac"]),
        ("es", "Hervidor roto", "Mi hervidor no funciona", ["hervidor"]),
        ("en", "Late", "my husband is waiting in my garden for my order", []),
        ("en", "Order", "my order is late", []),
        ("it", "Amaca", "la mia amaca", []),
    ],
)
def test_a_product_is_named_by_the_subject_and_as_the_writers_own(
    language: str, subject: str, text: str, products: list[str]
) -> None:
    assert find_products(subject, text, language) == products


def test_a_field_is_only_filled_where_the_ticket_leaves_no_choice() -> None:
    facts = find_facts(
        ticket="T-80005",
        customer="Sophie Marchand",
        subject="Mon hamac",
        texts=["Commandes n° FR-10482 et commande n° FR-10999, mon hamac à 49,90 € est en retard depuis le 3 mai."],
        language="fr",
    )
    values = facts.values("fr")
    assert facts.orders == ("FR-10482", "FR-10999")
    assert "order" not in values
    assert values["customer"] == "Sophie Marchand"
    assert values["date"] == "3 mai"
    assert values["amount"] == "49,90\u00a0€"
    assert values["product"] == "hamac"
    assert "product" not in facts.values("en")


def test_an_invoice_or_ticket_number_is_never_taken_for_an_order() -> None:
    facts = find_facts(
        ticket="48213", customer="", subject="#48213", texts=["invoice no. 99123, see #99123"], language="en"
    )
    assert facts.orders == ()
    assert facts.values("en")["invoice"] == "99123"


def test_of_a_very_long_ticket_the_newest_part_is_read() -> None:
    texts = ["order 11111 " + "000 " * 100_000, "order 48213, thanks"]
    facts = find_facts(ticket="T-1", customer="x" * 100_000, subject="y" * 100_000, texts=texts, language="en")
    assert facts.orders == ("48213",)
