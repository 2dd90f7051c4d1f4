import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hostile import EVERY, Hostile
from ticket_cases import FITTING, UNRELATED

from assistant.builtin.drafting import CONFIGURE, Answer, answer
from assistant.builtin.saved_replies import VARIANTS, Replies, load_replies
from assistant.plan.messages import Message
from assistant.plan.rendering import TICKET_LEAD
from storage.values import Json

LATE_FR = (
    "Bonjour, ma commande n° FR-10482 du 3 mai 2025 n'est toujours pas arrivée. Où est mon hamac ?\n\nCordialement,\n"
    "Sophie Marchand"
)
WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {"draft": "draft a reply", "short": "shorter", "friendly": "friendlier", "formal": "more formal"},
    "de": {"draft": "Bitte antworten", "short": "kürzer", "friendly": "freundlicher", "formal": "formeller"},
    "fr": {
        "draft": "Rédige une réponse",
        "short": "plus court",
        "friendly": "plus chaleureux",
        "formal": "plus formel",
    },
    "es": {"draft": "Redacta una respuesta", "short": "más corto", "friendly": "más amable", "formal": "más formal"},
}
IN_LANGUAGE = {"en": "in English", "de": "auf Deutsch", "fr": "en français", "es": "en español"}


@pytest.fixture(scope="module")
def replies() -> Replies:
    return load_replies()


def ticket(
    text: str = LATE_FR,
    *,
    subject: str = "Mon hamac n'est pas arrivé",
    language: str = "fr",
    customer: str = "Sophie Marchand",
    more: Sequence[Mapping[str, Json]] = (),
) -> Message:
    shown: dict[str, Json] = {
        "id": "T-80005",
        "subject": subject,
        "customer": customer,
        "language": language,
        "messages": [{"author": customer, "role": "customer", "text": text}, *more],
    }
    return Message("user", f"{TICKET_LEAD}\n{json.dumps(shown, ensure_ascii=False)}")


def chain(replies: Replies, first: Message, *questions: str) -> list[Message]:
    """The ticket, then the questions, each but the last with its answer."""
    messages = [Message("system", "Draft replies."), first]
    for question in questions:
        if len(messages) > 2:
            messages.append(Message("assistant", answer(messages, replies).text))
        messages.append(Message("user", question))
    return messages


def ask(replies: Replies, first: Message, *questions: str) -> Answer:
    return answer(chain(replies, first, *questions), replies)


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("variant", ["short", "friendly", "formal"])
def test_each_follow_up_gives_that_version_in_the_tickets_language(
    replies: Replies, language: str, variant: str
) -> None:
    drafted = ask(replies, ticket(), WORDS[language]["draft"])
    followed = ask(replies, ticket(), WORDS[language]["draft"], WORDS[language][variant])
    assert (drafted.reply_id, drafted.language, drafted.variant) == ("late-delivery", "fr", "")
    assert (followed.reply_id, followed.language, followed.variant) == ("late-delivery", "fr", variant)
    assert followed.text != drafted.text
    assert "FR-10482" in drafted.text
    assert "FR-10482" in followed.text


@pytest.mark.parametrize(("language", "words"), IN_LANGUAGE.items())
def test_a_language_gives_the_saved_reply_of_that_language(replies: Replies, language: str, words: str) -> None:
    drafted = ask(replies, ticket(), f"draft a reply {words}")
    assert (drafted.reply_id, drafted.language) == ("late-delivery", language)
    assert "FR-10482" in drafted.text


def test_wishes_add_up_along_the_path(replies: Replies) -> None:
    followed = ask(replies, ticket(), "draft", "plus court", "friendlier", "auf Deutsch")
    assert (followed.language, followed.variant) == ("de", "short friendly")
    assert followed.text.startswith("Hallo Sophie,")


def test_the_facts_of_the_ticket_stand_in_the_draft(replies: Replies) -> None:
    text = ask(replies, ticket(), "draft").text
    assert text.startswith("Bonjour Sophie Marchand,")
    assert "3 mai 2025" in text
    assert "votre hamac" in text


def test_a_message_that_was_not_understood_changes_nothing_for_later_ones(replies: Replies) -> None:
    with_it = ask(replies, ticket(), "draft", "shorter", "add the tracking link", "in English")
    assert with_it == ask(replies, ticket(), "draft", "shorter", "in English")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("known", [True, False], ids=["with facts", "without facts"])
def test_no_reply_ever_shows_a_hole(replies: Replies, variant: str, known: bool) -> None:
    text = (
        "order no. 48213, invoice no. INV-99123, tracking number 6A12345678901, 3 May 2025, €49.90"
        if known
        else "Hello"
    )
    first = ticket(text, subject="", language="en", customer="Ada Byron" if known else "")
    wished = f"{variant} friendlier".replace("friendly friendlier", "friendly").replace("formal friendlier", "formal")
    wished = wished if variant not in ("", "short") else variant or "draft"
    for reply in replies.by_key.values():
        drafted = ask(replies, first, f"{reply.title} {wished} {IN_LANGUAGE[reply.language]}")
        assert (drafted.reply_id, drafted.language, drafted.variant) == (reply.id, reply.language, variant)
        for hole in ("{{", "}}", "[[", "]]", "|", "  ", " ,", " .", "()", "( ", "\n\n\n", ",,", ".."):
            assert hole not in drafted.text, (reply.source, hole)
        assert drafted.text == drafted.text.strip()
        if known and reply.texts[""].count("{{order}}"):
            assert ("48213" in drafted.text) == any(
                "{{order}}" in reply.texts[name] for name in _section(reply.texts, variant)
            )


def _section(texts: Mapping[str, str], variant: str) -> list[str]:
    nearest = (variant, "short", "") if variant.startswith("short") else (variant, "")
    return [next(name for name in nearest if name in texts)]


@pytest.mark.parametrize(("language", "subject", "text", "reply_id"), FITTING)
def test_a_ticket_without_a_language_is_answered_in_its_own(
    replies: Replies, language: str, subject: str, text: str, reply_id: str
) -> None:
    drafted = ask(replies, ticket(text, subject=subject, language=""), "draft")
    assert (drafted.reply_id, drafted.language) == (reply_id, language)


def test_a_ticket_in_another_language_is_refused_and_the_languages_are_named(replies: Replies) -> None:
    refused = ask(replies, ticket("La mia amaca non è arrivata.", language="it"), "draft")
    assert refused.reply_id == ""
    assert "“it”" in refused.text
    assert "German, English, Spanish, French" in refused.text
    named = ask(replies, ticket("La mia amaca non è arrivata.", language="it"), "Late delivery, in English")
    assert (named.reply_id, named.language) == ("late-delivery", "en")


def test_a_reply_that_exists_in_one_language_only_is_not_translated(replies: Replies, tmp_path: Path) -> None:
    (tmp_path / "own.md").write_text(
        "---\nid: gift-card\nlanguage: en\ntitle: Gift card lost\nkeywords: gift card, voucher, lost card\n---\n"
        "{{greeting}}\n\nWe look for your card.\n\n{{closing}}\n",
        "utf-8",
    )
    own = load_replies(tmp_path)
    first = ticket("I lost my gift card, the voucher is gone.", subject="Gift card", language="en")
    assert ask(own, first, "draft").reply_id == "gift-card"
    refused = ask(own, first, "draft", "auf Deutsch")
    assert refused.reply_id == ""
    assert "no saved reply “Gift card lost” in German; it exists in English" in refused.text
    unchanged = ask(own, first, "draft", "shorter")
    assert "“Gift card lost” has no other version" in unchanged.text
    assert ask(own, first, "draft", "friendlier").text.startswith("Hi Sophie,")


def test_asking_for_what_is_there_already_says_so(replies: Replies) -> None:
    again = ask(replies, ticket(), "draft", "shorter", "plus court")
    assert again.reply_id == ""
    assert "has no other version" in again.text
    assert ask(replies, ticket(), "draft", "shorter", "draft a reply").reply_id == "late-delivery"


def test_a_draft_that_something_else_wrote_is_not_taken_for_the_saved_reply(replies: Replies) -> None:
    handed = [ticket(), Message("user", "shorter"), Message("assistant", "Chère Sophie, …"), Message("user", "shorter")]
    assert answer(handed, replies).variant == "short"


def test_a_ticket_without_a_question_is_answered(replies: Replies) -> None:
    assert ask(replies, ticket()).reply_id == "late-delivery"


@pytest.mark.parametrize(("language", "subject", "text"), UNRELATED)
def test_where_no_reply_fits_the_nearest_are_named_and_can_be_asked_for(
    replies: Replies, language: str, subject: str, text: str
) -> None:
    first = ticket(text, subject=subject, language=language)
    refused = ask(replies, first, "draft")
    assert refused.reply_id == ""
    titles = [line.removeprefix("- ") for line in refused.text.splitlines() if line.startswith("- ")]
    assert len(titles) == 3
    chosen = ask(replies, first, "draft", titles[0])
    reply = replies.get(chosen.reply_id, language)
    assert reply is not None
    assert reply.title == titles[0]


def test_without_the_ticket_it_says_that_it_cannot_see_it(replies: Replies) -> None:
    handed = [Message("system", "Draft."), Message("user", "shorter")]
    assert answer(handed, replies).text.startswith("I cannot see the ticket")


@pytest.mark.parametrize(
    "content",
    [f"{TICKET_LEAD}\n[1]", f"{TICKET_LEAD}\nnonsense", f"{TICKET_LEAD}", f"{TICKET_LEAD}\n" + "[" * 100_000],
)
def test_what_is_no_ticket_is_not_taken_for_one(replies: Replies, content: str) -> None:
    assert answer([Message("user", content)], replies).reply_id == ""


def test_a_ticket_with_fields_of_the_wrong_kind_is_read_as_far_as_it_goes(replies: Replies) -> None:
    content = f'{TICKET_LEAD}\n{{"id": 5, "subject": null, "messages": [7, {{"role": "customer", "text": 3}}, {{}}]}}'
    assert answer([Message("user", content), Message("user", "draft")], replies).reply_id == ""


def test_an_unknown_follow_up_says_what_was_not_understood_and_what_can_be_done(replies: Replies) -> None:
    refused = ask(replies, ticket(), "draft", "shorter, and mention Friday")
    assert refused.reply_id == ""
    assert "not a language model" in refused.text
    assert "“mention”, “friday”" in refused.text
    for known in ("shorter", "friendlier", "more formal", "in English", "auf Deutsch", "en français", "en español"):
        assert known in refused.text
    assert CONFIGURE in refused.text
    assert "OPENAI_API_KEY" in CONFIGURE
    assert "--base-url" in CONFIGURE


def test_a_draft_holds_nothing_about_the_assistant(replies: Replies) -> None:
    for question in ("draft", "shorter", "in English"):
        text = ask(replies, ticket(), question).text
        assert "language model" not in text
        assert "saved repl" not in text


def test_words_of_agents_of_internal_notes_and_of_quoted_mail_are_no_facts(replies: Replies) -> None:
    more: list[Mapping[str, Json]] = [
        {"author": "jonas", "role": "agent", "text": "Do you mean order 77777?"},
        {"author": "jonas", "role": "customer", "internal": True, "text": "order 66666"},
        {"author": "Sophie", "role": "customer", "text": "> order 55555\n\nOn Monday jonas wrote:\norder 44444"},
    ]
    text = ask(replies, ticket("Where is my parcel? It has not arrived.", language="en", more=more), "draft").text
    assert not any(number in text for number in ("77777", "66666", "55555", "44444"))


def test_the_newest_ticket_of_the_chain_counts(replies: Replies) -> None:
    handed = [ticket(), Message("user", "draft"), Message("assistant", "…")]
    handed += [ticket("Commande n° FR-20000, toujours pas arrivée."), Message("user", "draft")]
    assert "FR-20000" in answer(handed, replies).text


def test_the_same_chain_gives_the_same_answer(replies: Replies) -> None:
    handed = chain(replies, ticket(), "draft", "shorter")
    assert answer(handed, replies) == answer(handed, load_replies())


@pytest.mark.parametrize("hostile", EVERY, ids=str)
def test_hostile_text_anywhere_is_answered_and_no_mark_of_it_reaches_the_greeting(
    replies: Replies, hostile: Hostile
) -> None:
    first = ticket(
        f"My parcel has not arrived.\n{hostile.text}", subject=hostile.text, customer=hostile.text, language="en"
    )
    drafted = ask(replies, first, "Late delivery")
    assert re.match(r"Hello( [^\W\d_][\w.'\u2019 -]*)?,\n", drafted.text)
    assert ask(replies, first, hostile.text).text
