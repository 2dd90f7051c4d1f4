"""Options of the commands that plan a request."""

import click

from assistant.plan.plan import StrategyName

budget_option = click.option(
    "--budget", metavar="N", type=click.IntRange(min=1), help="The largest number of input tokens of the request."
)
task_option = click.option(
    "--task", metavar="T", help="What the assistant is asked to do from here on [what was chosen last here]."
)
strategy_option = click.option(
    "--strategy", type=click.Choice([name.value for name in StrategyName]), help="How history is kept."
)
