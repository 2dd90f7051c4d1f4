"""What the built-in assistant does for each task; for one that it does not know it says so and pretends nothing."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from assistant.builtin.drafting import CONFIGURE, Answer, answer
from assistant.builtin.extracting import extract
from assistant.builtin.handed_ticket import HandedTicket, find_ticket
from assistant.builtin.saved_replies import Replies
from assistant.plan.messages import Message
from assistant.tasks.registry import DRAFT_REPLY
from assistant.tasks.task import Task
from storage.values import Json, JsonObject

_SAID_BEFORE: Final[Mapping[str, str]] = {"shorten": "shorter", "change-tone": "friendlier"}
"""What a task asks for by itself, as a follow-up in words that are understood; the agent's own words come after it."""

_SUMMARY_WORDS: Final = 150
_GAP: Final = re.compile(r"\[([^\[\]\n]{1,80})\]")
_NO_MODEL: Final = "I am the built-in assistant, not a language model"


def answer_task(chain: Sequence[Message], task: Task | None, replies: Replies) -> Answer:
    """Answer a chain as a task wants it; the same chain, task and replies always give the same answer."""
    name = task.name if task is not None else DRAFT_REPLY
    if task is not None and task.contract is not None:
        return _in_fields(answer(chain, replies), task, task.contract)
    match name:
        case "summarise-history":
            return answer(chain, replies)
        case _ if name == DRAFT_REPLY or name in _SAID_BEFORE:
            return answer(chain, replies, said_before=_SAID_BEFORE.get(name, ""))
        case "summarise-ticket":
            ticket = find_ticket(chain)
            return Answer(_summary(ticket)) if ticket is not None else answer(chain, replies)
        case "translate-for-colleague":
            return Answer(
                f"{_NO_MODEL}: I cannot translate.\n\nA saved reply that exists in the other language I can hand out: "
                f"choose the task “Draft reply” and name the language. {CONFIGURE}"
            )
        case "free-question":
            return Answer(f"{_NO_MODEL}, and answer no questions: I hand out saved replies.\n\n{CONFIGURE}")
        case _:
            title = task.title if task is not None else name
            return Answer(
                f"{_NO_MODEL}, and cannot follow the instructions of the task “{title}”.\n\n"
                f"What I can do are the tasks “Draft reply”, “Shorten”, “Change the tone”, “Summarise the ticket” and "
                f"“Find it in the handbook”. "
                f"{CONFIGURE}"
            )


def _summary(ticket: HandedTicket) -> str:
    """Who writes, about what, and an extract of what the customer wrote."""
    who = f"Customer: {ticket.customer or 'unknown'}{f' ({ticket.language})' if ticket.language else ''}"
    said = [("customer", text) for text in ticket.texts]
    return f"{who}\nSubject: {ticket.subject}\n\n{extract(said, _SUMMARY_WORDS)}"


def _in_fields(draft: Answer, task: Task, contract: JsonObject) -> Answer:
    """A draft in the fields of a contract, where the built-in assistant knows them all; else what it cannot do."""
    if not draft.reply_id:
        return draft
    properties = contract.get("properties")
    fields = _fields(draft, task.reply_field, properties if isinstance(properties, Mapping) else {})
    if fields is None:
        return Answer(
            f"{_NO_MODEL}, and cannot fill in the fields that the task “{task.title}” asks for.\n\n"
            f"The task “Draft reply” gives you the saved reply as plain text. {CONFIGURE}"
        )
    return Answer(json.dumps(fields, ensure_ascii=False), draft.reply_id, draft.language, draft.variant)


def _fields(draft: Answer, reply_field: str, properties: JsonObject) -> dict[str, Json] | None:
    """Fill in what a saved reply tells; a choice that needs judgement gets the word that claims least."""
    values: dict[str, Json] = {
        reply_field: draft.text,
        "language": draft.language,
        "missing": list(dict.fromkeys(_GAP.findall(draft.text))),
        "confidence": "low",
        "team": "other",
    }
    if not properties or any(name not in values for name in properties):
        return None
    for name, schema in properties.items():
        choices = schema.get("enum") if isinstance(schema, Mapping) else None
        if isinstance(choices, list) and values[name] not in choices:
            return None
    return {name: values[name] for name in properties}
