"""What the built-in assistant does for each task."""

import pytest

from assistant.builtin.drafting import Answer
from assistant.builtin.saved_replies import load_replies
from assistant.builtin.tasks import answer_task
from assistant.plan.messages import Message
from assistant.plan.rendering import TICKET_LEAD
from assistant.tasks.registry import Tasks
from assistant.tasks.task import Audience, Task

TICKET = Message(
    "user",
    f'{TICKET_LEAD}\n{{"id": "T-1", "subject": "Where is my parcel?", "customer": "Ada Byron", "language": "en", '
    '"messages": [{"author": "Ada", "role": "customer", "text": "My order 4711 has not arrived. It is late."}]}',
)
REPLIES = load_replies()
TASKS = Tasks()


def asked(name: str, *questions: str, draft: str = "") -> Answer:
    chain = [Message("system", "…"), TICKET]
    if draft:
        chain += [Message("user", "draft a reply"), Message("assistant", draft)]
    chain += [Message("user", question) for question in questions]
    return answer_task(chain, TASKS.get(name), REPLIES)


def test_without_a_task_it_drafts_as_ever() -> None:
    assert answer_task([TICKET], None, REPLIES) == asked("draft-reply", "draft a reply")
    assert asked("draft-reply").reply_id == "late-delivery"


@pytest.mark.parametrize("question", ["", "draft a reply", "shorter"])
def test_shorten_gives_the_short_version_whatever_is_asked_plainly(question: str) -> None:
    short = asked("shorten", *([question] if question else []))
    assert (short.reply_id, short.variant) == ("late-delivery", "short")
    assert len(short.text) < len(asked("draft-reply").text)


def test_change_tone_is_friendlier_unless_another_tone_is_named() -> None:
    draft = asked("draft-reply").text
    assert asked("change-tone", "draft a reply", draft=draft).variant == "friendly"
    assert asked("change-tone", "more formal", draft=draft).variant == "formal"


def test_what_is_not_understood_is_said_in_every_task() -> None:
    assert "I did not understand “hedgehog”" in asked("shorten", "hedgehog").text


def test_a_summary_is_an_extract_that_says_so() -> None:
    summary = asked("summarise-ticket", "sum up")
    assert summary.reply_id == ""
    lines = summary.text.splitlines()
    assert lines[:2] == ["Customer: Ada Byron (en)", "Subject: Where is my parcel?"]
    assert "no language model" in summary.text
    assert "4711" in summary.text


def test_a_translation_is_not_pretended() -> None:
    given = asked("translate-for-colleague", "now in English for my colleague", draft="Bonjour")
    assert given.text.startswith("I am the built-in assistant, not a language model: I cannot translate.")
    assert given.reply_id == ""


@pytest.mark.parametrize("name", ["free-question", "find-in-handbook"])
def test_a_question_is_not_answered(name: str) -> None:
    given = asked(name, "Is the customer angry?")
    assert given.reply_id == ""
    assert "not a language model" in given.text


def test_of_a_teams_own_task_it_says_what_it_can_do_instead() -> None:
    own = Task("praise", "Praise [/b]", "1", "Praise.", "own", audience=Audience.CUSTOMER)
    given = answer_task([TICKET, Message("user", "go")], own, REPLIES)
    assert "cannot follow the instructions of the task “Praise [/b]”" in given.text
    assert given.reply_id == ""
