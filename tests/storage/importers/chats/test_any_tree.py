"""Random trees in the shape of each program come in as they are, and no damage to an export raises anything."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from chat_exports import SHAPES, ChatDesk, Said
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storage.importers.chats.programs import program_of
from storage.importers.chats.reading import read_chat
from storage.importers.findings import FoundChat
from storage.sqlite_store import memory_store
from storage.values import Json

TEXTS = st.text(min_size=1, max_size=12).filter(str.strip)
SETTINGS = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def trees(draw: st.DrawFn) -> list[Said]:
    size = draw(st.integers(1, 9))
    return [
        Said(
            id=f"m{place}",
            above=draw(st.none() | st.integers(0, place - 1)) if place else None,
            by_user=draw(st.booleans()),
            text=draw(TEXTS),
        )
        for place in range(size)
    ]


def in_preorder(said: list[Said]) -> list[int]:
    waiting = [place for place in reversed(range(len(said))) if said[place].above is None]
    order = []
    while waiting:
        order.append(place := waiting.pop())
        waiting += [other for other in reversed(range(len(said))) if said[other].above == place]
    return order


def as_recorded(said: list[Said]) -> list[tuple[int | None, bool, str]]:
    order = in_preorder(said)
    return [
        (None if (above := said[place].above) is None else order.index(above), said[place].by_user, said[place].text)
        for place in order
    ]


@pytest.mark.parametrize("shape", SHAPES)
@SETTINGS
@given(said=trees(), data=st.data())
def test_a_tree_comes_in_equal_and_again_as_nothing(
    shape: str, said: list[Said], data: st.DataObject, tmp_path: Path
) -> None:
    current = data.draw(st.integers(0, len(said) - 1))
    export = SHAPES[shape](said, current)
    with closing(memory_store()) as store:
        desk = ChatDesk(store, tmp_path)
        report = desk.bring(export)
        recorded = desk.tree()
        again = desk.bring(export)

        assert report.imported == 1
        assert recorded == as_recorded(said)
        assert desk.hidden() == []
        if not shape.startswith("LibreChat"):
            assert desk.shown()[-1] == said[current].text
        assert (again.imported, again.unchanged) == (0, 1)
        assert desk.tree() == recorded


def places_of(value: Json, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places_of(inner, (*path, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from places_of(inner, (*path, number))


def replaced(value: Json, path: tuple[str | int, ...], by: Json) -> Json:
    if not path:
        return by
    first, rest = path[0], path[1:]
    if isinstance(value, dict) and isinstance(first, str):
        return {**value, first: replaced(value[first], rest, by)}
    assert isinstance(value, list)
    assert isinstance(first, int)
    return [*value[:first], replaced(value[first], rest, by), *value[first + 1 :]]


ANYTHING: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["", "m0", "m1", "\ud83d", "root"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["id", "text", "type"]), inner),
    max_leaves=4,
)


@pytest.mark.parametrize("shape", SHAPES)
@settings(SETTINGS, max_examples=60)
@given(said=trees(), data=st.data())
def test_no_damage_to_an_export_raises_and_what_is_read_is_a_tree(
    shape: str, said: list[Said], data: st.DataObject
) -> None:
    export = SHAPES[shape](said, 0)
    for _ in range(data.draw(st.integers(1, 4))):
        export = replaced(export, data.draw(st.sampled_from(sorted(places_of(export), key=str))), data.draw(ANYTHING))

    for value in export if isinstance(export, list) else [export]:
        for found in read_chat(value, "x", b""):
            if isinstance(found, FoundChat):
                nodes = found.chat.nodes
                assert all(node.parent is None or node.parent < place for place, node in enumerate(nodes))
                assert len({node.source_id for node in nodes}) == len(nodes)
                assert found.chat.current is None or found.chat.current < len(nodes)


@pytest.mark.parametrize("shape", SHAPES)
@settings(SETTINGS, max_examples=10)
@given(said=trees(), data=st.data())
def test_a_damaged_export_is_imported_or_skipped_and_the_good_one_beside_it_is_imported(
    shape: str, said: list[Said], data: st.DataObject, tmp_path: Path
) -> None:
    bad = SHAPES[shape](said, 0)
    bad = bad[0] if isinstance(bad, list) else bad
    for _ in range(2):
        bad = replaced(bad, data.draw(st.sampled_from(sorted(places_of(bad), key=str))), data.draw(ANYTHING))
    good = SHAPES["ChatGPT"]([Said("m0", None, True, "good")], 0)
    assert isinstance(good, list)
    text = json.dumps([{**good[0], "conversation_id": "good"}, bad]).encode()

    with closing(memory_store()) as store:
        report = ChatDesk(store, tmp_path).bring(text)

        assert report.imported >= 1
        assert report.imported + len(report.skipped) == 2
    assert program_of(bad) is None or report.found >= 1
