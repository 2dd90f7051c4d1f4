import pytest

from storage.kinds import ROOT, define, kind_named


def test_a_kind_is_found_by_its_name() -> None:
    assert kind_named("root") is ROOT


def test_a_name_is_defined_once() -> None:
    with pytest.raises(ValueError, match="already defined"):
        define("root", external=True)
