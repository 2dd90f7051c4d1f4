"""The prices of models as the app uses them: read once, when they are first needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from assistant.money.prices import PriceList


@dataclass(frozen=True, slots=True)
class KnownPrices:
    """Prices that can be used.

    Attributes:
        list: without any prices where the file cannot be used.
        problem: why it cannot, as a sentence; "" where it can.
    """

    list: PriceList
    problem: str = ""


class PriceReader:
    """Reads a person's own prices, else those of this installation; reading takes some 30 ms, so not on the loop."""

    def __init__(self, own: Path | None = None) -> None:
        self._own = own
        self._known: KnownPrices | None = None

    @property
    def known(self) -> KnownPrices | None:
        """The prices where they have been read already."""
        return self._known

    def read(self) -> KnownPrices:
        """The prices; the file is read at the first call."""
        if self._known is None:
            self._known = self._read()
        return self._known

    def _read(self) -> KnownPrices:
        from assistant.errors import PricesError
        from assistant.money.price_file import load_prices
        from assistant.money.prices import PriceList

        try:
            return KnownPrices(load_prices(self._own))
        except PricesError as error:
            return KnownPrices(PriceList(), f"{error} Tokens are shown instead of money.")
