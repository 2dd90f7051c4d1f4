"""A task: what the assistant is asked to do, kept in a file that a team edits without touching code."""

from dataclasses import dataclass, field
from enum import StrEnum

from storage.task_versions import TaskVersion
from storage.values import JsonObject


class Audience(StrEnum):
    """Whom a task's answers are for; what is internal is never copied as a reply.

    A task for the observer is no answer at all: it says something about one (`assistant.turn.observing`).
    """

    CUSTOMER = "customer"
    INTERNAL = "internal"
    OBSERVER = "observer"


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """One line of a task's `rules:`.

    Attributes:
        name: the rule's ("amounts"); `assistant.gates` knows them all.
        parameters: what the rule takes, {} for none.
    """

    name: str
    parameters: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """One task, as read from its file.

    Attributes:
        name: "draft-reply".
        title: what people read ("Draft reply").
        version: first 12 hex digits of the file's SHA-256, so that a changed file is a new version by itself.
        system: the system message, with its placeholders filled in and the contract below it.
        source: where it came from, for `doctor`: "shipped" or the file's path.
        about: one sentence on what it does.
        label: what the team calls this version ("2", "spring"); for people only.
        contract: the JSON Schema of an answer, None where an answer is plain text.
        reply_field: the field of the contract that is copied as the reply; "" where there is none.
        rules: what gate 2 checks.
        tools: the names of the tools that the assistant may use.
        model: the model to ask, "" for the one that is configured.
        visible_to: the agents who may choose it, None for all; nobody for one that the machinery uses.
        text: the whole file, as the record keeps it with the answers that were made with it.
    """

    name: str
    title: str
    version: str
    system: str
    source: str
    about: str = ""
    label: str = ""
    audience: Audience = Audience.CUSTOMER
    contract: JsonObject | None = None
    reply_field: str = ""
    rules: tuple[RuleChoice, ...] = ()
    tools: tuple[str, ...] = ()
    model: str = ""
    visible_to: tuple[str, ...] | None = None
    text: str = field(default="", repr=False)

    @property
    def is_internal(self) -> bool:
        """Its answers are for colleagues and not for the customer."""
        return self.audience is Audience.INTERNAL

    def may_choose(self, agent: str) -> bool:
        """This agent may choose it."""
        return not self.is_observer and self.is_visible_to(agent)

    @property
    def is_observer(self) -> bool:
        """It observes the answers of others, and is not chosen."""
        return self.audience is Audience.OBSERVER

    def is_visible_to(self, agent: str) -> bool:
        """This agent may use it."""
        return self.visible_to is None or agent in self.visible_to

    @property
    def facts(self) -> JsonObject:
        """What an answer keeps about the task that made it; `reply_field` is there where it has a contract."""
        facts: JsonObject = {
            "task": self.name,
            "task_title": self.title,
            "task_version": self.version,
            "audience": self.audience.value,
        }
        return facts if self.contract is None else {**facts, "reply_field": self.reply_field}

    @property
    def kept(self) -> TaskVersion:
        """The version as the record keeps it."""
        return TaskVersion(self.name, self.version, self.system, self.text)
