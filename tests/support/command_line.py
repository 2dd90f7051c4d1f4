"""Runs the command line inside the test's process, on a database of the test's own."""

import json
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner, Result

from storage.sqlite_store import open_store
from storage.values import Json
from tui.cli.program import ticketree


@dataclass(frozen=True)
class CommandLine:
    """`ticketree` with its database and agent already given."""

    db: Path
    agent: str = "camille"

    def run(self, *arguments: str, stdin: str | bytes | None = None) -> Result:
        """Run a command and return what it did."""
        return self.run_bare("--db", str(self.db), "--agent", self.agent, *arguments, stdin=stdin)

    def run_bare(self, *arguments: str, stdin: str | bytes | None = None) -> Result:
        """Run the program with these arguments and no others."""
        result = CliRunner().invoke(ticketree, list(arguments), input=stdin, prog_name="ticketree")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    def make(self) -> None:
        """Make a record without anything in it."""
        open_store(self.db).close()

    def json(self, *arguments: str, stdin: str | None = None, status: int = 0) -> Json:
        """Run a command that prints one JSON document and return it."""
        result = self.run(*arguments, "--json", stdin=stdin)
        assert result.exit_code == status, result.output
        document: Json = json.loads(result.stdout)
        return document


def sentence(result: Result) -> str:
    """Return the one sentence on stderr of a command that failed."""
    assert result.stdout == ""
    assert result.stderr.startswith("ticketree: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("ticketree: ").rstrip("\n")
