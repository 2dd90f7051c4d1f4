"""Figures that a benchmark has to reach: each is printed with its limit, and a miss is an exit status that is not 0."""

import sys


class Limits:
    """Prints figures, and keeps what they missed."""

    def __init__(self) -> None:
        self._missed: list[str] = []

    def at_most(self, what: str, value: float, limit: float, unit: str = "") -> None:
        """Print a figure that must not be larger."""
        self._told(what, value, f"at most {limit:,}", unit, is_met=value <= limit)

    def at_least(self, what: str, value: float, limit: float, unit: str = "") -> None:
        """Print a figure that must not be smaller."""
        self._told(what, value, f"at least {limit:,}", unit, is_met=value >= limit)

    def ahead(self, what: str, ours: float, others: dict[str, float], unit: str = "") -> None:
        """Print a figure that must not be larger than that of any other."""
        for name, theirs in others.items():
            self.at_most(f"{what}, ours by that of {name} ({ours:,.2f} by {theirs:,.2f}{unit})", ours / theirs, 1)

    def end(self) -> None:
        """Leave with an exit status that is not 0 where something was missed."""
        if self._missed:
            sys.exit(f"missed: {'; '.join(self._missed)}")

    def _told(self, what: str, value: float, limit: str, unit: str, *, is_met: bool) -> None:
        print(f"{what:<76} {value:>12,.2f}{unit:<5} ({limit}){'' if is_met else '   MISSED'}", flush=True)
        if not is_met:
            self._missed.append(what)
