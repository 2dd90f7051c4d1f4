"""An exact count that a server contradicts again and again is told; what differs now and then is not."""

import pytest

from assistant.tokens.offset import Offset, offset
from storage.measures import PromptCount

SENT = (200, 350, 500, 900, 1_400, 2_000)


def counted(*more: int) -> list[PromptCount]:
    """Requests of which the server reported so many tokens more than were sent."""
    return [
        PromptCount(3, tokens, tokens + 3 * 4 + 3 + extra)
        for tokens, extra in zip(SENT[: len(more)], more, strict=True)
    ]


def test_text_that_a_gateway_adds_to_each_request_is_found() -> None:
    assert offset(counted(212, 212, 212, 212, 212, 212)) == Offset(212, 6)
    assert offset(counted(212, 212, 211, 212, 0, 212)) == Offset(212, 6)


def test_a_server_that_counts_fewer_each_time_is_found() -> None:
    assert offset(counted(-90, -80, -100, -90, -95)) == Offset(-90, 5)


@pytest.mark.parametrize(
    "more",
    [(0, 0, 0, 0, 0, 0), (9, 4, 7, 9, 16, 2), (300, 0, 0, 0, 0, 0), (200, -200, 200, -200, 200, -200), (212,) * 4],
)
def test_nothing_is_said_of_small_rare_or_contradicting_differences(more: tuple[int, ...]) -> None:
    assert offset(counted(*more)) is None
