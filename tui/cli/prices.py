"""`ticketree prices`: the file of prices that is used."""

import click

from tui.cli.options import pass_run
from tui.cli.output import say
from tui.cli.run import Run


@click.command(short_help="Print the prices of models that are used.")
@pass_run
def prices(run: Run) -> None:
    """Print the file of prices that is used: your own beside the configuration file, else that of this installation.

    To change a price, write what this prints to prices.toml beside config.toml, and change it there.
    """
    from assistant.money.price_file import prices_text

    say(prices_text(run.setup.prices_file).removesuffix("\n"))
