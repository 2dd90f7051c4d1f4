"""What a person sees: the full-screen app and the command line."""

__version__ = "0.1.0"
