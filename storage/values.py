"""Types shared by everything that is stored."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
"""Anything that JSON can hold."""

JsonObject: TypeAlias = Mapping[str, Json]
