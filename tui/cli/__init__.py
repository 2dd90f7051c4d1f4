"""The command line: `main` is the installed `ticketree`."""


def main() -> None:
    """Run the command line of this process and leave with its exit status."""
    from tui.cli.program import ticketree

    try:
        ticketree(prog_name="ticketree")
    except Exception as error:  # the outermost boundary: whatever it is, a person reads a sentence
        import os
        import sys

        from tui.cli.output import remark

        if os.environ.get("TICKETREE_TRACEBACK"):
            raise
        remark(f"Something unexpected happened ({type(error).__name__}: {error}); TICKETREE_TRACEBACK=1 shows where.")
        sys.exit(2)
