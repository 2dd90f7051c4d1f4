import pytest
from ticket_cases import FITTING, POLITE, UNRELATED

from assistant.builtin.reply_index import rank
from assistant.builtin.saved_replies import Replies, load_replies


@pytest.fixture(scope="module")
def replies() -> Replies:
    return load_replies()


@pytest.mark.parametrize(("language", "subject", "text", "reply_id"), FITTING)
def test_the_reply_that_fits_comes_first(
    replies: Replies, language: str, subject: str, text: str, reply_id: str
) -> None:
    best = rank(list(replies.by_key.values()), f"{subject}\n{text}")[0]
    assert (best.reply.id, best.reply.language) == (reply_id, language)
    assert best.fits


@pytest.mark.parametrize(("language", "subject", "text", "reply_id"), FITTING)
def test_politeness_changes_nothing_about_it(
    replies: Replies, language: str, subject: str, text: str, reply_id: str
) -> None:
    before, after = POLITE[language]
    best = rank(list(replies.by_key.values()), f"{subject}\n{before}\n\n{text}\n\n{after}")[0]
    assert (best.reply.id, best.reply.language) == (reply_id, language)


@pytest.mark.parametrize("language", POLITE)
def test_politeness_alone_is_no_situation(replies: Replies, language: str) -> None:
    assert not rank(list(replies.by_key.values()), "\n".join(POLITE[language]))[0].fits


@pytest.mark.parametrize(("language", "subject", "text"), UNRELATED)
def test_no_reply_fits_what_is_about_something_else(replies: Replies, language: str, subject: str, text: str) -> None:
    assert not rank(list(replies.by_key.values()), f"{subject}\n{text}")[0].fits


@pytest.mark.parametrize("words", ["", "12345 !?", 'NEAR("a" AND * ^', "\x00\ud800", "' OR 1=1 --", "x" * 200_000])
def test_any_text_is_ranked_without_an_error_and_ties_stand_in_the_order_of_their_names(
    replies: Replies, words: str
) -> None:
    matches = rank(list(replies.by_key.values()), words)
    assert not matches[0].fits
    assert [(match.reply.language, match.reply.id) for match in matches if match.score == 0] == sorted(
        (match.reply.language, match.reply.id) for match in matches if match.score == 0
    )


def test_the_order_in_which_replies_are_given_changes_nothing(replies: Replies) -> None:
    given = list(replies.by_key.values())
    words = "my parcel arrived broken and I want my money back"
    assert rank(given, words) == rank(given[::-1], words)
