"""Names of exported files are ours, whatever a ticket is called."""

import re

import pytest
from exports import texts
from hostile import EVERY, Hostile
from hypothesis import given, settings

from storage.exporters.file_names import file_name

SAFE = re.compile(r"ticket(-[A-Za-z0-9_]+)*\.md")


def test_a_plain_id_stands_in_the_name() -> None:
    assert file_name("T-80005", ".json") == "ticket-T-80005.json"


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_no_id_leads_anywhere(case: Hostile) -> None:
    name = file_name(case.text, ".md")

    assert SAFE.fullmatch(name)
    assert len(name) < 90


@settings(max_examples=40)
@given(texts, texts)
def test_two_ids_have_two_names(one: str, other: str) -> None:
    assert (file_name(one, ".md") == file_name(other, ".md")) == (one == other)
    assert SAFE.fullmatch(file_name(one, ".md"))


def test_names_that_mean_a_device_are_not_made() -> None:
    for name in ("CON", "nul", "..", ".", "", "-", "aux.md"):
        assert file_name(name, ".md").startswith("ticket")
