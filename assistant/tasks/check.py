"""Everything that can be said against a task file before anybody uses it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from assistant.gates.rule import Value
from assistant.plan.messages import Message
from assistant.tasks.contracts import BrokenContractError, check_contract
from assistant.tasks.fields import TaskFields
from assistant.tasks.file import examine
from assistant.tasks.front_matter import Problem, read_front_matter
from assistant.tasks.task import Task
from assistant.tokens.counter import Counter


@dataclass(frozen=True, slots=True)
class TaskCheck:
    """What was found in a task file.

    Attributes:
        task: None where it cannot even be read as one.
        problems: by line; none where it may be used.
        tokens: what its system message takes of every request; 0 where it cannot be read.
        budget: what it was held against.
    """

    task: Task | None
    problems: tuple[Problem, ...]
    tokens: int
    budget: int

    @property
    def holds(self) -> bool:
        """It may be used."""
        return not self.problems


def check_task(
    file: Path, *, counter: Counter, budget: int, rules: Mapping[str, Mapping[str, Value]], tools: Collection[str]
) -> TaskCheck:
    """Check a task file.

    Args:
        file: where it is.
        counter: counts its system message.
        budget: of a request, in tokens.
        rules: the rules that there are, each with its parameters and what may stand for them.
        tools: the names of the tools that there are.

    Raises:
        TaskError: the file cannot be read, or is no text.
    """
    task, problems = examine(file, source=str(file))
    if task is None:
        return TaskCheck(None, tuple(problems), 0, budget)
    fields = TaskFields(read_front_matter(task.text))
    for position, rule in enumerate(task.rules):
        line, known = fields.line("rules", position), rules.get(rule.name)
        if known is None:
            problems.append(Problem(line, _unknown("rule", rule.name, rules)))
            continue
        for name, value in rule.parameters.items():
            if name not in known:
                problems.append(Problem(line, _unknown(f"parameter of {rule.name}", name, known)))
            elif not known[name].admits(value):
                problems.append(Problem(line, f"{name} of {rule.name} is {known[name]}."))
    for position, tool in enumerate(task.tools):
        if tool not in tools:
            problems.append(Problem(fields.line("tools", position), _unknown("tool", tool, tools)))
    if not task.rules and "rules" in fields.keys:
        what = "There is no rule below rules; name one, or leave rules out, and the usual ones hold."
        problems.append(Problem(fields.line("rules"), what))
    if task.contract is not None:
        try:
            check_contract(task.contract)
        except BrokenContractError as error:
            problems.append(
                Problem(fields.line("contract"), f"The contract is no JSON Schema that can be used: {error}.")
            )
    tokens = counter.message(Message("system", task.system)) + counter.reply_overhead
    if tokens >= budget:
        what = f"It takes {tokens:,} tokens of a request's {budget:,}, so that nothing else fits; shorten it."
        problems.append(Problem(1, what))
    return TaskCheck(task, tuple(sorted(problems, key=lambda problem: problem.line)), tokens, budget)


def _unknown(what: str, name: str, known: Collection[str]) -> str:
    return f"There is no {what} {name!r}; there are {', '.join(sorted(known)) or 'none'}."
