"""Reading a file of prices: TOML, checked with sentences that name what is wrong."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from importlib.resources import files
from pathlib import Path
from typing import Final

from assistant.errors import PricesError
from assistant.money.prices import ModelPrice, PriceList, Rates, ServerPrices

OLD_AFTER_MONTHS: Final = 4
"""A list that is older is said to be."""

_SHIPPED: Final = files("assistant.money") / "prices.toml"
_CURRENCY: Final = re.compile("[A-Z]{3}")
_MODEL_KEYS: Final = frozenset({"names", "input", "cached", "cache_write", "output", "from", "until", "above"})
_TIER_KEYS: Final = frozenset({"tokens", "input", "cached", "cache_write", "output"})
_SERVER_KEYS: Final = frozenset({"name", "hosts", "makes_models", "models"})
_LIST_KEYS: Final = frozenset({"date", "currency", "source", "server"})


def load_prices(own: Path | None = None) -> PriceList:
    """Read a person's own prices where the file is there, else those of this installation.

    Raises:
        PricesError: the file cannot be read, or something in it cannot be used.
    """
    if own is not None and own.exists():
        return read_prices(_text(own), str(own), own)
    return read_prices(shipped_text(), "prices.toml")


def prices_text(own: Path | None = None) -> str:
    """The file that is used, as it is written.

    Raises:
        PricesError: it cannot be read.
    """
    return _text(own) if own is not None and own.exists() else shipped_text()


def shipped_text() -> str:
    """The file of this installation."""
    return _SHIPPED.read_text(encoding="utf-8")


def months_old(dated: date, on: date) -> int:
    """How many whole months a day lies back."""
    return max(0, 12 * (on.year - dated.year) + on.month - dated.month - (on.day < dated.day))


def read_prices(text: str, name: str, path: Path | None = None) -> PriceList:
    """Read a list; `name` is the file's, for the errors.

    Raises:
        PricesError: something in it cannot be used.
    """
    try:
        data = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise PricesError(f"{name} is not valid TOML: {error}.") from None
    entry = _Entry(name, "", data, _LIST_KEYS)
    currency = entry.text("currency")
    if not _CURRENCY.fullmatch(currency):
        raise entry.wrong("currency", 'three capital letters, such as "USD"')
    return PriceList(
        servers=tuple(_server(each) for each in entry.tables("server", "[[server]]", _SERVER_KEYS)),
        dated=entry.day("date"),
        currency=currency,
        source=entry.text("source") if "source" in data else "",
        path=path,
    )


def _server(entry: "_Entry") -> ServerPrices:
    entry = entry.named(entry.text("name"))
    makes_models = entry.data.get("makes_models", False)
    if not isinstance(makes_models, bool):
        raise entry.wrong("makes_models", "true or false")
    models = tuple(map(_model, entry.tables("models", "models", _MODEL_KEYS)))
    return ServerPrices(entry.text("name"), entry.texts("hosts"), models, makes_models)


def _model(entry: "_Entry") -> ModelPrice:
    names = entry.texts("names")
    entry = entry.named(names[0])
    tiers = sorted(((tier.whole("tokens"), _rates(tier)) for tier in entry.tables("above", "above", _TIER_KEYS)),
                   key=lambda tier: tier[0])  # fmt: skip
    return ModelPrice(
        names=names,
        rates=_rates(entry),
        since=entry.day("from") if "from" in entry.data else None,
        until=entry.day("until") if "until" in entry.data else None,
        above=tuple(tiers),
    )


def _rates(entry: "_Entry") -> Rates:
    plain = entry.money("input")
    return Rates(
        input=plain,
        cached=entry.money("cached", plain),
        cache_write=entry.money("cache_write", plain),
        output=entry.money("output"),
    )


class _Entry:
    """One table of the file, with where it stands."""

    def __init__(self, file: str, place: str, data: Mapping[str, object], known: Iterable[str]) -> None:
        self.file = file
        self.place = place
        self.data = data
        if unknown := sorted(data.keys() - known):
            raise PricesError(
                f"{self._where}: the key {unknown[0]} is not known; known are {', '.join(sorted(known))}."
            )

    @property
    def _where(self) -> str:
        return f"{self.file}, {self.place}" if self.place else self.file

    def named(self, name: str) -> "_Entry":
        """The same under its name."""
        place = f"{self.place.partition(' number')[0]} {name}"
        return _Entry(self.file, place, self.data, self.data)

    def wrong(self, key: str, wanted: str) -> PricesError:
        """The error to raise about a key."""
        found = f"not {self.data[key]!r}" if key in self.data else "and is missing"
        return PricesError(f"{self._where}: {key} must be {wanted}, {found}.")

    def text(self, key: str) -> str:
        match self.data.get(key):
            case str(text) if text.strip():
                return text.strip()
            case _:
                raise self.wrong(key, "a text in quotes")

    def texts(self, key: str) -> tuple[str, ...]:
        match self.data.get(key):
            case list(items) if items and all(isinstance(item, str) and item.strip() for item in items):
                return tuple(str(item).strip().lower() for item in items)
            case _:
                raise self.wrong(key, "a list of texts in quotes")

    def day(self, key: str) -> date:
        match self.data.get(key):
            case date() as day if not isinstance(day, datetime):
                return day
            case _:
                raise self.wrong(key, "a day without quotes, such as 2026-11-30")

    def whole(self, key: str) -> int:
        match self.data.get(key):
            case int(number) if not isinstance(number, bool) and number >= 0:
                return number
            case _:
                raise self.wrong(key, "a whole number")

    def money(self, key: str, missing: Decimal | None = None) -> Decimal:
        match self.data.get(key, missing):
            case Decimal() | int() as amount if not isinstance(amount, bool):
                exact = Decimal(amount)
                if exact.is_finite() and exact >= 0:
                    return exact
        raise self.wrong(key, "a price per million tokens, such as 0.40")

    def tables(self, key: str, kind: str, known: Iterable[str]) -> list["_Entry"]:
        match self.data.get(key, []):
            case list(items) if all(isinstance(item, dict) for item in items):
                place = f"{self.place}, {kind}" if self.place else kind
                return [_Entry(self.file, f"{place} number {n}", item, known) for n, item in enumerate(items, 1)]
            case _:
                raise self.wrong(key, f"a list of tables, as in {kind}")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise PricesError(f"{path} is not UTF-8 text; save it as UTF-8.") from None
    except OSError as error:
        raise PricesError(f"{path} cannot be read: {error.strerror}.") from None
