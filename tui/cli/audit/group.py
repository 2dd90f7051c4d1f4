"""`ticketree audit` and where its commands are found."""

from typing import Final

import click

from tui.cli.lazy import LazyGroup

COMMANDS: Final = {
    "verify": "tui.cli.audit.verify:verify",
    "anchor": "tui.cli.audit.anchor:anchor",
    "request": "tui.cli.audit.request:request",
    "isolation": "tui.cli.audit.isolation:isolation",
    "proof": "tui.cli.audit.proof:proof",
}


@click.group(cls=LazyGroup, lazy_commands=COMMANDS)
def audit() -> None:
    """Prove the record: that it is whole, what was sent, and that nothing crossed.

    The exit status is 0 when all holds, and 3 when something does not.
    """
