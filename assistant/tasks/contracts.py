"""Contracts: the JSON Schema that a task's answers must fit. Text that still arrives is shown by it, and is no data."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from storage.values import Json, JsonObject

if TYPE_CHECKING:
    import jsonschema

_LEAD: Final = "Return one JSON document and nothing before or after it. It must fit this JSON Schema:"
_FENCED: Final = re.compile(r"\s*```(?:json)?[ \t]*\n(.*?)\n?[ \t]*```\s*", re.DOTALL | re.IGNORECASE)
_MOST_PROBLEMS: Final = 5
_PATTERN_S: Final = 0.5
"""A pattern that takes longer on one text is given up; some take for ever."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer read by its contract.

    Attributes:
        data: the document; None where it is none.
        problems: what breaks the contract, one line each; empty where nothing does.
    """

    data: Json
    problems: tuple[str, ...] = ()

    @property
    def fits(self) -> bool:
        """The answer keeps the contract."""
        return not self.problems


class BrokenContractError(ValueError):
    """The contract itself is no JSON Schema that can be used; says what is wrong with it."""


def contract_words(contract: JsonObject) -> str:
    """What the system message says about a contract, to every server, whether it can enforce a schema or not."""
    return f"{_LEAD}\n{json.dumps(contract, ensure_ascii=False, separators=(',', ':'))}"


def check_contract(contract: JsonObject) -> None:
    """Let a contract pass that is a JSON Schema and refers to nothing outside itself.

    Raises:
        BrokenContractError: it is not, or names fields by a pattern.
    """
    import jsonschema
    from referencing import Registry
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import DRAFT202012

    try:
        jsonschema.Draft202012Validator.check_schema(contract)
    except jsonschema.SchemaError as error:
        place = _place(error.absolute_path)
        raise BrokenContractError(f"{f'{place}: ' if place else ''}{_short(error.message)}") from None
    if next(_values(contract, "patternProperties"), None) is not None:
        raise BrokenContractError("it has patternProperties; name each field below properties")
    inside = Registry().with_resource("", DRAFT202012.create_resource(contract)).resolver()
    for reference in _values(contract, "$ref", "$dynamicRef"):
        if not isinstance(reference, str):
            continue
        if not reference.startswith("#"):
            raise BrokenContractError(f"it refers to {reference!r}, and nothing is fetched; write it out")
        try:
            inside.lookup(reference)
        except Unresolvable:
            raise BrokenContractError(f"it refers to {reference!r}, which is not in it") from None


def read_answer(text: str, contract: JsonObject) -> Reading:
    """Read an answer that has ended; a Markdown fence around the document does no harm.

    Raises:
        BrokenContractError: the contract cannot be used.
    """
    from referencing import Registry

    data = parsed(text)
    if data is None:
        return Reading(None, ("the answer is no JSON document",))
    check_contract(contract)
    validator = _validator_class()(contract, registry=Registry())
    try:
        errors = sorted(validator.iter_errors(data), key=lambda error: list(map(str, error.absolute_path)))
    except RecursionError:
        return Reading(None, ("the document is nested too deep",))
    return Reading(data, tuple(_problem(error) for error in errors[:_MOST_PROBLEMS]))


@cache
def _validator_class() -> "type[jsonschema.protocols.Validator]":
    """The validator of contracts: as the standard has it, but no pattern can hold the program up."""
    import jsonschema
    import regex

    def pattern(
        validator: "jsonschema.protocols.Validator", wanted: str, found: object, schema: object
    ) -> "Iterator[jsonschema.ValidationError]":
        del validator, schema
        if not isinstance(found, str):
            return
        try:
            if not regex.search(wanted, found, timeout=_PATTERN_S):
                yield jsonschema.ValidationError(f"{found!r} does not match {wanted!r}")
        except TimeoutError:
            yield jsonschema.ValidationError(
                f"the pattern {wanted!r} takes too long on this text; write it more simply"
            )

    made: type[jsonschema.protocols.Validator] = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
        jsonschema.Draft202012Validator, {"pattern": pattern}
    )
    return made


def parsed(text: str) -> JsonObject | None:
    """The object that an answer is, None where it is none."""
    fenced = _FENCED.fullmatch(text)
    try:
        data = json.loads(fenced[1] if fenced else text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def arrived(text: str, *, is_whole: bool = False) -> JsonObject:
    """The fields of an answer as far as they have come, also within a text; nothing where it is no such document.

    Of an answer that has ended (`is_whole`), one that breaks off is no document.
    """
    if is_whole:
        return parsed(text) or {}
    import jiter

    start = text.find("{")
    if start < 0 or text[:start].strip().lower() not in ("", "```", "```json"):
        return {}
    try:
        data = jiter.from_json(text[start:].encode("utf-8", "replace"), partial_mode="trailing-strings")
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def reply_in(text: str, field: str) -> str | None:
    """The reply that an answer holds in one of its fields; None where it does not."""
    data = parsed(text) if field else None
    reply = data.get(field) if data is not None else None
    return reply if isinstance(reply, str) else None


def response_format(name: str, contract: JsonObject) -> JsonObject:
    """What asks a server to keep to a contract; strictly, where the contract has the form which that needs."""
    schema: JsonObject = {"name": name, "schema": contract, "strict": _is_strict(contract)}
    return {"type": "json_schema", "json_schema": schema}


def _is_strict(schema: Json) -> bool:
    """Every object names all its fields as required and takes no others, as OpenAI's strict mode wants it."""
    match schema:
        case Mapping():
            properties = schema.get("properties")
            if isinstance(properties, Mapping):
                required = schema.get("required")
                named = set(required) if isinstance(required, list) else set()
                if schema.get("additionalProperties") is not False or named != set(properties):
                    return False
                return all(map(_is_strict, properties.values()))
            return all(map(_is_strict, schema.values()))
        case list():
            return all(map(_is_strict, schema))
        case _:
            return True


def _values(schema: Json, *keys: str) -> Iterator[Json]:
    """What stands behind these keys, anywhere in a schema."""
    match schema:
        case Mapping():
            yield from (schema[key] for key in keys if key in schema)
            for value in schema.values():
                yield from _values(value, *keys)
        case list():
            for value in schema:
                yield from _values(value, *keys)
        case _:
            return


def _problem(error: "jsonschema.ValidationError") -> str:
    place = _place(error.absolute_path)
    return f"{f'{place}: ' if place else ''}{_short(error.message)}"


def _place(path: Iterable[str | int]) -> str:
    return ".".join(map(str, path))


def _short(words: str, most: int = 160) -> str:
    words = " ".join(words.split())
    return words if len(words) <= most else f"{words[: most - 1]}…"


def _no_number(word: str) -> Json:
    raise ValueError(f"{word} is no JSON")
