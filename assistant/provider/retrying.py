"""When a failed call is tried again by itself, and after how long."""

from typing import Final

from assistant.errors import Fault, ProviderError

MAX_ATTEMPTS: Final = 3
LONGEST_WAIT_S: Final = 20.0
"""A server that asks for a longer wait is not asked again; the agent decides."""

_PASSING: Final = frozenset({Fault.RATE, Fault.SERVER, Fault.REFUSED, Fault.CUT})
_WAITS_S: Final = (1.0, 3.0)


def retry_delay_s(error: ProviderError, failures: int) -> float | None:
    """Return the seconds to wait after so many failures, or None when it is not to be tried again.

    Only for calls that gave out no text: what was shown never changes, so nothing may be said twice.
    """
    if error.fault not in _PASSING or failures >= MAX_ATTEMPTS:
        return None
    delay_s = _WAITS_S[failures - 1] if error.retry_after_s is None else error.retry_after_s
    return delay_s if delay_s <= LONGEST_WAIT_S else None
