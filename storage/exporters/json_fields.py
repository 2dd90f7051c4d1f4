"""Reading the fields of JSON that may hold anything; what is wrong is told with the place where it stands."""

from collections.abc import Iterator, Mapping
from typing import Final

from storage.errors import ExportError
from storage.values import Json, JsonObject

LARGEST: Final = 2**63 - 1
"""The largest integer that the record holds."""


class Fields:
    """The fields of one JSON object, each read as the type that it must have."""

    def __init__(self, value: Json, where: str) -> None:
        if not isinstance(value, Mapping):
            raise ExportError(f"The export cannot be read: {where} is no object.")
        self._fields = value
        self._where = where

    def text(self, name: str) -> str:
        """A string."""
        value = self._fields.get(name)
        if not isinstance(value, str):
            raise self.wrong(name, "text")
        return value

    def text_or_empty(self, name: str) -> str:
        """A string, empty where there is none."""
        return self.text_or_none(name) or ""

    def text_or_none(self, name: str) -> str | None:
        """A string, or null."""
        return None if self._fields.get(name) is None else self.text(name)

    def number(self, name: str) -> int:
        """An integer that the record can hold; a boolean is none."""
        value = self._fields.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not -LARGEST <= value <= LARGEST:
            raise self.wrong(name, "a whole number")
        return value

    def number_or_none(self, name: str) -> int | None:
        """An integer, or null."""
        return None if self._fields.get(name) is None else self.number(name)

    def flag(self, name: str) -> bool:
        """A boolean."""
        value = self._fields.get(name)
        if not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return value

    def object(self, name: str) -> JsonObject:
        """An object."""
        value = self._fields.get(name)
        if not isinstance(value, Mapping):
            raise self.wrong(name, "an object")
        return value

    def objects(self, name: str) -> Iterator["Fields"]:
        """The objects of a list."""
        value = self._fields.get(name)
        if not isinstance(value, list):
            raise self.wrong(name, "a list")
        for position, entry in enumerate(value):
            yield Fields(entry, f"{name}[{position}] of {self._where}")

    def objects_or_none(self, name: str) -> Iterator["Fields"]:
        """The objects of a list, none where there is no list."""
        return iter(()) if self._fields.get(name) is None else self.objects(name)

    def wrong(self, name: str, expected: str) -> ExportError:
        """The error for a field that is not what it must be."""
        return ExportError(f"The export cannot be read: {name!r} of {self._where} is not {expected}.")
