"""What the formats for people say of a message besides its own words."""

from typing import Final

from storage.interactions import Status

EMPTY: Final = "(empty)"

ENDS: Final = {
    Status.INTERRUPTED: "stopped before its end",
    Status.LENGTH: "ended at the length limit",
    Status.ERROR: "failed",
    Status.CRASHED: "broke off",
}
"""How an answer ended that is not complete."""
