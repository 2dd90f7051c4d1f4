"""Options of the commands that plan a request."""

import click

from assistant.plan import StrategyName

budget_option = click.option(
    "--budget", metavar="N", type=click.IntRange(min=1), help="The largest number of input tokens of the request."
)
strategy_option = click.option(
    "--strategy", type=click.Choice([name.value for name in StrategyName]), help="How history is kept."
)
