"""What can go wrong around the screen and the command line; every message is a sentence that says what to do.

::

    TuiError
    ├── CopyError        a text could not be copied anywhere (`tui.clipboard`)
    ├── OutputError      a result could not be written into the file that was named
    └── SetupError       an option, the configuration file or the environment holds something that cannot be used
"""


class TuiError(Exception):
    """Something between the person and the assistant failed; the message is meant for the agent."""


class SetupError(TuiError):
    """An option, the configuration file or the environment holds something that cannot be used."""


class OutputError(TuiError):
    """A result could not be written into the file that was named."""
