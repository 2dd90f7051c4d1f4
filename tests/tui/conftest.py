"""What all tests of the terminal share."""

import pytest
from settling import settle
from textual.pilot import Pilot

_PAUSE = Pilot.pause


async def _pause(pilot: Pilot[object], delay: float | None = None) -> None:
    if delay is None:
        await settle(pilot)
    else:
        await _PAUSE(pilot, delay)


@pytest.fixture(autouse=True)
def settled_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pause without a length lasts until the app has come to rest."""
    monkeypatch.setattr(Pilot, "pause", _pause)
