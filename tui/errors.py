"""What can go wrong around the screen and the command line; every message is a sentence that says what to do.

::

    TuiError
    ├── CopyError        a text could not be copied anywhere (`tui.clipboard`)
    └── SetupError       an option, the configuration file or the environment holds something that cannot be used
"""


class TuiError(Exception):
    """Something between the person and the assistant failed; the message is meant for the agent."""


class SetupError(TuiError):
    """An option, the configuration file or the environment holds something that cannot be used."""
