from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hostile import EVERY, Hostile
from painted import HARMFUL
from rich.cells import cell_len
from sample_views import SAMPLE_TIME, a_customer_message, a_ticket, a_ticket_item, an_item

from assistant.plan.plan import Fate
from storage.interactions import Status
from storage.kinds import AGENT_MESSAGE
from storage.tickets import Role, TicketAttachment, TicketMessage
from tui.chat_items import ChatItem, Failure
from tui.message_lines import divider, message_lines

NOW = datetime(2024, 5, 3, 18, tzinfo=UTC)


def shown(item: ChatItem, width: int = 60, note: str = "") -> list[str]:
    return [line.plain for line in message_lines(item, width, NOW, note=note)]


def test_the_header_names_author_tokens_sibling_time_and_what_is_the_matter() -> None:
    item = an_item(4, "Bonjour", tokens=1_077, author="gpt-4.1-mini", status=Status.INTERRUPTED)
    item = replace(item, node=item.node._replace(n=2, m=3))
    assert shown(item, 80)[0] == "gpt-4.1-mini · 1,077 tokens · ‹2/3› · 14:00 · ■ stopped"


def test_what_is_the_matter_stands_in_a_narrow_header_too() -> None:
    item = an_item(4, "Bonjour", tokens=1_077, author="gpt-4.1-mini", status=Status.INTERRUPTED)
    item = replace(item, node=item.node._replace(meta={"task_title": "Translate"}), stale=True)
    assert shown(item, 80)[0] == "gpt-4.1-mini · Translate · 1,077 tokens · 14:00 · ■ stopped · ◌ stale"
    assert shown(item, 60)[0] == "gpt-4.1-mini · Translate · 14:00 · ■ stopped · ◌ stale"
    assert shown(item, 50)[0] == "gpt-4.1-mini · Translate · ■ stopped · ◌ stale"
    assert shown(item, 40)[0] == "gpt-4.1-mini · ■ stopped · ◌ stale"


def test_the_header_shows_what_the_agent_called_the_message() -> None:
    item = an_item(4, "Bonjour", author="built-in")
    item = replace(item, node=item.node._replace(label="refund\x1b version"))
    assert shown(item)[0] == "built-in · # refund␛ version · 14:00"


def test_an_edited_message_says_so() -> None:
    item = an_item(4, "shorter", AGENT_MESSAGE)
    item = replace(item, node=item.node._replace(replaces_id=3))
    assert shown(item)[0] == "› camille · edited · 14:00"


def test_a_cut_message_is_marked_by_sign_word_and_line_and_dimmed() -> None:
    header, body, _ = message_lines(an_item(4, "Bonjour", fate=Fate.CUT, tokens=86), 60, NOW)
    assert "✂ cut ┄┄┄" in header.plain
    assert header.cell_length == 60
    assert body.spans
    (_, sent, _) = message_lines(an_item(4, "Bonjour", fate=Fate.SENT), 60, NOW)
    assert not sent.spans


def test_what_the_agent_wrote_is_no_markdown() -> None:
    assert shown(an_item(4, "# make *it* shorter", AGENT_MESSAGE))[1] == "# make *it* shorter"


def test_a_ticket_shows_its_messages_notes_attachments_and_hidden_characters() -> None:
    ticket = a_ticket(
        TicketMessage(
            "Sophie\u200b",
            Role.CUSTOMER,
            "Bonjour,\n\u200b\u200bmon hamac",
            SAMPLE_TIME,
            attachments=(TicketAttachment("facture.pdf", "application/pdf", 123_456), TicketAttachment("a", "", 12)),
            hidden_count=2,
        ),
        TicketMessage("Marc", Role.AGENT, "Be gentle.", None, internal=True),
        subject="Hamac",
    )
    assert shown(a_ticket_item(ticket)) == [
        "ticket T-80005 · 14:00",
        "Hamac",
        "",
        "Sophie · 14:00",
        "Bonjour,",
        "mon hamac",
        "↳ facture.pdf (application/pdf, 123 kB)",
        "↳ a (12 bytes)",
        "⚠ 5 hidden characters",
        "",
        "▎ Marc · colleague · internal note · not sent",
        "▎ Be gentle.",
        "",
    ]
    sent = shown(replace(a_ticket_item(ticket), notes_sent=True))
    assert "▎ Marc · colleague · internal note · sent too" in sent


def test_a_failed_answer_says_what_happened_and_what_to_do() -> None:
    item = an_item(4, "Dear So", status=Status.ERROR)
    lines = shown(replace(item, failure=Failure("The server refused the key.", "Check OPENAI_API_KEY.")))
    assert lines[1:] == ["Dear So", "", "┃ The server refused the key.", "┃ Check OPENAI_API_KEY.", ""]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (Status.ERROR, "The answer failed."),
        (Status.LENGTH, "The answer ended at the model's length limit."),
        (Status.CRASHED, "The app ended while this answer was being written"),
    ],
)
def test_an_answer_that_ended_badly_says_so_without_words_of_the_record(status: Status, words: str) -> None:
    assert words in "\n".join(shown(an_item(4, "", status=status), 100))


def test_a_running_answer_says_what_it_waits_for() -> None:
    item = an_item(4, "", status=Status.STREAMING)
    assert shown(item)[1] == "… waiting for the first words"
    assert shown(item, note="Server busy; again in 3 s.")[1] == "… Server busy; again in 3 s."
    assert "waiting" not in "".join(shown(replace(item, text="Dear")))


def test_the_divider_fills_its_width() -> None:
    assert [line.cell_length for line in divider(60)] == [60, 0]
    assert "sent from here on" in divider(60)[0].plain
    assert divider(10)[0].cell_length <= 10


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_hostile_text_is_plain_and_fits_in_every_part_of_a_message(case: Hostile) -> None:
    message = replace(
        a_customer_message(case.text, author=case.text),
        attachments=(TicketAttachment(case.text, case.text, 3),),
        internal=True,
    )
    ticket = a_ticket_item(a_ticket(message, subject=case.text, ticket_id=case.text))
    answer = replace(an_item(4, case.text, author=case.text), failure=Failure(case.text, case.text))
    question = an_item(5, case.text, AGENT_MESSAGE, fate=Fate.CUT)
    for item in (ticket, answer, question):
        for line in shown(item, 40, note=case.text):
            assert not HARMFUL.search(line.replace("\t", " "))
            assert cell_len(line) <= 40
