"""One's own file of prices takes the place of the shipped one, and what is wrong in it is named."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from assistant.errors import PricesError
from assistant.money.price_file import load_prices, months_old, prices_text, read_prices, shipped_text

HEAD = 'date = 2026-11-01\ncurrency = "EUR"\n'
SERVER = HEAD + '[[server]]\nname = "Ours"\nhosts = ["ours.example.org"]\n'


def test_ones_own_file_takes_the_place_of_the_shipped_one(tmp_path: Path) -> None:
    own = tmp_path / "prices.toml"
    assert load_prices(own) == load_prices()
    assert prices_text(own) == shipped_text()

    own.write_text(SERVER + 'models = [{ names = ["m"], input = 0.1, output = 1 }]\n')

    prices = load_prices(own)
    assert (prices.dated, prices.currency, prices.source, prices.path) == (date(2026, 11, 1), "EUR", "", own)
    (price,) = prices.servers[0].models
    assert (price.rates.input, price.rates.cached) == (Decimal("0.1"), Decimal("0.1")), "exact, no binary fractions"
    assert prices_text(own) == own.read_text()


def test_the_shipped_file_can_be_copied_and_read(tmp_path: Path) -> None:
    own = tmp_path / "prices.toml"
    own.write_text(shipped_text())

    assert load_prices(own).servers == load_prices().servers


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("date = ", "prices.toml is not valid TOML"),
        ('currency = "EUR"', "date must be a day without quotes, such as 2026-11-30, and is missing"),
        ('date = "2026-11-01"\ncurrency = "EUR"', "date must be a day without quotes"),
        ("date = 2026-11-01T10:00:00\ncurrency = 'EUR'", "date must be a day"),
        ("date = 2026-11-01\ncurrency = '€'", "currency must be three capital letters"),
        (HEAD + "models = []", "the key models is not known; known are currency, date, server, source"),
        (HEAD + "server = 3", "server must be a list of tables, as in [[server]]"),
        (HEAD + "[[server]]\nhosts = ['x']", "[[server]] number 1: name must be a text in quotes, and is missing"),
        (HEAD + "[[server]]\nname = 'A'\nhosts = []", "[[server]] A: hosts must be a list of texts in quotes, not []"),
        (SERVER + "makes_models = 'yes'", "makes_models must be true or false"),
        (SERVER + "models = [{ input = 1 }]", "[[server]] Ours, models number 1: names must be"),
        (SERVER + "models = [{ names = ['m'], input = 1 }]", "models m: output must be a price per million tokens"),
        (SERVER + "models = [{ names = ['m'], input = '1', output = 1 }]", "models m: input must be a price"),
        (SERVER + "models = [{ names = ['m'], input = -1, output = 1 }]", "such as 0.40, not -1"),
        (SERVER + "models = [{ names = ['m'], input = nan, output = 1 }]", "such as 0.40, not Decimal('NaN')"),
        (SERVER + "models = [{ names = ['m'], input = true, output = 1 }]", "such as 0.40, not True"),
        (SERVER + "models = [{ names = ['m'], input = 1, output = 1, chached = 2 }]", "the key chached is not known"),
        (
            SERVER + "models = [{ names = ['m'], input = 1, output = 1, above = [{ tokens = 1.5, input = 1 }] }]",
            "above number 1: tokens must be a whole number",
        ),
    ],
)
def test_what_cannot_be_used_is_named(text: str, said: str) -> None:
    with pytest.raises(PricesError) as caught:
        read_prices(text, "prices.toml")

    assert said in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    own = tmp_path / "prices.toml"
    own.write_bytes(b"\xff")
    with pytest.raises(PricesError, match="is not UTF-8 text"):
        load_prices(own)
    own.unlink()
    own.mkdir()
    with pytest.raises(PricesError, match="cannot be read"):
        load_prices(own)


@pytest.mark.parametrize(
    ("on", "months"),
    [("2026-11-01", 0), ("2026-11-30", 0), ("2026-12-01", 1), ("2027-02-28", 3), ("2027-11-01", 12), ("2026-01-01", 0)],
)
def test_the_age_of_a_list_is_told_in_whole_months(on: str, months: int) -> None:
    assert months_old(date(2026, 11, 1), date.fromisoformat(on)) == months
