import io
import json
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.importers.json_deep import decode_deep
from storage.importers.json_stream import Entry, JsonStream, TooLarge
from storage.importers.json_values import JsonFault, JsonText, LenientDecoder
from storage.values import Json

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=20
)


class Drip:
    """Gives a few bytes at a time, whatever it is asked for."""

    def __init__(self, data: bytes, size: int) -> None:
        self._file = io.BytesIO(data)
        self._size = size

    def read(self, size: int, /) -> bytes:
        return self._file.read(min(size, self._size))


def entries(data: bytes, size: int = 7, *, limit: int = 10_000_000) -> list[Entry | TooLarge]:
    return list(JsonStream(Drip(data, size), limit=limit).entries())


def values(data: bytes, size: int = 7) -> list[Json]:
    return [entry.value for entry in entries(data, size) if isinstance(entry, Entry)]


def until_fault(data: bytes, size: int = 5) -> tuple[list[Json], str]:
    found: list[Json] = []
    stream: Iterator[Entry | TooLarge] = JsonStream(Drip(data, size), limit=1_000).entries()
    with pytest.raises(JsonFault) as caught:
        found.extend(entry.value for entry in stream if isinstance(entry, Entry))
    return found, str(caught.value)


@settings(deadline=None, max_examples=50)
@given(st.lists(VALUES), st.integers(1, 9), st.sampled_from([None, 1]), st.booleans())
def test_a_list_gives_its_elements_with_their_bytes_wherever_it_is_cut(
    made: list[Json], size: int, indent: int | None, escaped: bool
) -> None:
    data = json.dumps(made, ensure_ascii=escaped, indent=indent).encode("utf-8", "surrogatepass")

    found = [entry for entry in entries(data, size) if isinstance(entry, Entry)]

    assert [entry.value for entry in found] == made
    assert [entry.number for entry in found] == list(range(1, len(made) + 1))
    assert [json.loads(entry.raw) for entry in found] == made


@settings(deadline=None, max_examples=50)
@given(st.dictionaries(st.text().filter(lambda name: name not in ("conversations", "chats", "items", "data")), VALUES))
def test_an_object_is_one_entry_with_all_its_bytes(made: dict[str, Json]) -> None:
    data = json.dumps(made).encode()

    assert [(entry.value, entry.raw) for entry in entries(data, 3) if isinstance(entry, Entry)] == [(made, data)]


def test_an_object_that_only_wraps_a_list_gives_its_elements() -> None:
    assert values(b'{"version": 1, "conversations": [1, [2]], "chats": [], "more": {}}') == [1, [2]]


def test_values_one_after_the_other_are_all_read() -> None:
    assert values(b'{"a": 1}\n[2, 3]\n\n"four"\n5') == [{"a": 1}, 2, 3, "four", 5]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_marked_encodings_are_read(encoding: str) -> None:
    (entry,) = entries('["größe 🙂"]'.encode(encoding), 4096)

    assert isinstance(entry, Entry)
    assert entry.value == "größe 🙂"


def test_bytes_that_are_no_text_are_kept_and_told() -> None:
    stream = JsonStream(Drip(b'["gr\xf6\xdfe", "\xc3\xa9"]', 1), limit=1_000)

    found = [entry for entry in stream.entries() if isinstance(entry, Entry)]

    assert stream.is_damaged
    assert [entry.raw for entry in found] == [b'"gr\xf6\xdfe"', b'"\xc3\xa9"']
    assert found[1].value == "é"


@pytest.mark.parametrize(
    ("data", "before", "said"),
    [
        (b"[1, 2", [1, 2], "it ends too early (line 1, column 6)"),
        (b'[{"a": 1},\n\n {"a" 2}]', [{"a": 1}], "Expecting ':' delimiter (line 3, column 7)"),
        (b'[1,\n "open', [1], "a text that begins here has no end (line 2, column 2)"),
        (b"[1 2]", [1], "Expecting ',' or ']' (line 1, column 4)"),
        (b"[1, nope]", [1], "Expecting value (line 1, column 5)"),
        (b'{"a": 1, b}', [], "Expecting property name enclosed in double quotes (line 1, column 10)"),
        (b'["\\ud83"]', [], "Invalid \\uXXXX escape (line 1, column 4)"),
    ],
)
def test_a_fault_is_told_by_line_and_column_and_what_stands_before_it_is_read(
    data: bytes, before: list[Json], said: str
) -> None:
    assert until_fault(data) == (before, f"it is not valid JSON: {said}")


def test_a_value_above_the_limit_is_passed_over_and_the_next_one_read() -> None:
    large = json.dumps({"text": 'a "quoted" \\ [ { ' * 200_000, "more": [[], {}]})
    data = f"[1, {large}, 2, [{large}], 3]".encode()

    found = entries(data, 1 << 16, limit=2_000_000)

    assert found == [Entry(1, 1, b"1"), TooLarge(2), Entry(3, 2, b"2"), TooLarge(4), Entry(5, 3, b"3")]


@pytest.mark.parametrize("before", [b"", b"1, "])
def test_the_limit_holds_to_the_byte_however_much_is_read_at_once(before: bytes) -> None:
    limit = 2_500_000
    fits, large = (b'"' + "ä".encode() * (limit // 2 - 1) + end + b'"' for end in (b"", b"."))

    found = entries(b"[" + before + fits + b", " + large + b", 2]", 1 << 30, limit=limit)

    *_, first, second, third = found
    assert isinstance(first, Entry)
    assert len(first.raw) == limit
    assert isinstance(second, TooLarge)
    assert isinstance(third, Entry)
    assert third.value == 2


def test_the_limit_holds_for_a_single_object_too() -> None:
    data = json.dumps({"text": "x" * 1_500_000, "more": "y" * 900_000}).encode()

    assert len(entries(data + b" " * 9, 1 << 30, limit=len(data))) == 1
    with pytest.raises(JsonFault, match=r"one object of more than 2\.3 MiB"):
        entries(data + b" " * 9, 1 << 30, limit=len(data) - 1)


def test_a_single_object_above_the_limit_is_refused() -> None:
    data = json.dumps({f"name {number}": "x" * 50_000 for number in range(60)}).encode()

    with pytest.raises(JsonFault, match=r"one object of more than 1\.9 MiB"):
        entries(data, 1 << 16, limit=2_000_000)


def test_blanks_are_passed_over_without_being_kept() -> None:
    assert values(b"[" + b" " * 3_000_000 + b"1]", 1 << 20) == [1]


def test_what_is_nested_very_deeply_is_read_all_the_same() -> None:
    depth = 50_000
    (value,) = values(b"[" * depth + b"7" + b"]" * depth, 1 << 20)

    for _ in range(depth - 1):
        assert isinstance(value, list)
        (value,) = value
    assert value == 7


@settings(deadline=None, max_examples=50)
@given(VALUES, st.sampled_from([None, 2]))
def test_the_decoder_without_recursion_reads_as_the_standard_one_does(made: Json, indent: int | None) -> None:
    text = json.dumps(made, indent=indent)

    found = decode_deep(LenientDecoder(), text, 0)

    assert (found.value, found.end) == (made, len(text))


@settings(deadline=None, max_examples=50)
@given(st.text(alphabet='[]{}",:1a \\'))
def test_no_decoder_takes_what_the_other_refuses(text: str) -> None:
    try:
        expected: Json | None = JsonText(text).value(0).value
    except JsonFault:
        with pytest.raises(json.JSONDecodeError):
            decode_deep(LenientDecoder(), text, 0)
    else:
        assert decode_deep(LenientDecoder(), text, 0).value == expected


@settings(deadline=None, max_examples=50)
@given(st.binary(max_size=60) | st.text(alphabet='[]{}",:1an \\').map(str.encode), st.integers(1, 5))
def test_whatever_a_file_holds_reading_ends_with_values_or_a_fault(data: bytes, size: int) -> None:
    with suppress(JsonFault):
        assert all(isinstance(entry, Entry) for entry in entries(data, size))
