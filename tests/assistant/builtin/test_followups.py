import pytest

from assistant.builtin.followups import Wish, read_request
from assistant.builtin.saved_replies import load_replies
from assistant.builtin.wish_words import fold

TITLES = {fold(name): reply.id for reply in load_replies().by_key.values() for name in (reply.title, reply.id)}
BASE = Wish()


@pytest.mark.parametrize(
    "message",
    [
        "shorter", "make it shorter", "Could you make it a bit shorter, please?", "more concise", "too long",
        "kürzer", "Bitte etwas kürzer", "mach es kuerzer", "zu lang",
        "plus court", "Rends-le plus court s'il te plaît", "trop long", "raccourcis",
        "más corto", "Hazlo más breve, por favor", "demasiado largo", "acórtalo",
    ],
)  # fmt: skip
def test_shorter_is_understood_in_four_languages(message: str) -> None:
    request = read_request(message, BASE, TITLES)
    assert request.understood
    assert request.wish == Wish(short=True)
    assert not request.asks_draft


@pytest.mark.parametrize(
    "message",
    [
        "friendlier", "make it friendlier", "Please make it sound warmer", "less formal",
        "freundlicher", "Kannst du das bitte etwas herzlicher machen?", "weniger förmlich",
        "plus amical", "Peux-tu le rendre plus chaleureux ?", "moins formel",
        "más amable", "¿Puedes hacerlo más cercano?", "menos formal",
    ],
)  # fmt: skip
def test_friendlier_is_understood_in_four_languages(message: str) -> None:
    request = read_request(message, BASE, TITLES)
    assert request.understood
    assert request.wish == Wish(tone="friendly")


@pytest.mark.parametrize(
    "message",
    [
        "more formal", "make it more formal please", "politer", "formeller", "Bitte förmlicher", "höflicher",
        "plus formel", "un peu plus soutenu, merci", "más formal", "Ponlo más formal",
    ],
)  # fmt: skip
def test_more_formal_is_understood_in_four_languages(message: str) -> None:
    request = read_request(message, BASE, TITLES)
    assert request.understood
    assert request.wish == Wish(tone="formal")


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("in English", "en"), ("now the same in English for my colleague", "en"),
        ("Please translate it into German", "de"),
        ("auf Deutsch", "de"), ("Und jetzt auf Englisch für meine Kollegin", "en"),
        ("übersetze es ins Französische", "fr"),
        ("en français", "fr"), ("en anglais pour ma collègue", "en"), ("Traduis en allemand, s'il te plaît", "de"),
        ("en español", "es"), ("ahora en inglés para un compañero", "en"), ("tradúcelo al francés", "fr"),
        ("in English for my German colleague", "en"), ("castellano", "es"),
    ],
)  # fmt: skip
def test_a_language_is_understood_in_four_languages(message: str, language: str) -> None:
    request = read_request(message, BASE, TITLES)
    assert request.understood
    assert request.wish == Wish(language=language)


@pytest.mark.parametrize(
    "message",
    [
        "draft", "Draft a reply, please", "Write an answer to this customer", "reply",
        "Bitte antworten", "Schreib einen Entwurf", "Beantworte das Ticket",
        "Rédige une réponse", "Réponds à ce client", "brouillon",
        "Redacta una respuesta", "Responde a la clienta, por favor", "borrador",
    ],
)  # fmt: skip
def test_a_request_for_a_draft_is_understood_in_four_languages(message: str) -> None:
    request = read_request(message, BASE, TITLES)
    assert request.understood
    assert request.asks_draft
    assert request.wish == BASE


@pytest.mark.parametrize(
    ("message", "wish"),
    [
        ("shorter and in English", Wish(short=True, language="en")),
        ("kürzer und freundlicher", Wish(short=True, tone="friendly")),
        ("plus court, plus formel et en espagnol", Wish(short=True, tone="formal", language="es")),
        ("más corto y en alemán", Wish(short=True, language="de")),
        ("Draft a short, friendly reply in French", Wish(short=True, tone="friendly", language="fr")),
    ],
)
def test_several_wishes_in_one_message_are_followed_together(message: str, wish: Wish) -> None:
    request = read_request(message, BASE, TITLES)
    assert request.understood
    assert request.wish == wish


def test_wishes_add_up_along_the_path_and_the_newest_wins() -> None:
    wish = BASE
    for message in ("shorter", "friendlier", "in English", "more formal", "longer"):
        wish = read_request(message, wish, TITLES).wish
    assert wish == Wish(short=False, tone="formal", language="en")


def test_a_saved_reply_is_named_by_its_title_in_any_language_or_by_its_id() -> None:
    for message in (
        "use the saved reply “Return and refund”",
        "Rücksendung und Erstattung, bitte",
        "return-and-refund",
    ):
        request = read_request(message, BASE, TITLES)
        assert request.understood
        assert request.asks_draft
        assert request.wish.reply_id == "return-and-refund"


@pytest.mark.parametrize(
    ("message", "unknown"),
    [
        ("mention that we deliver on Friday", ("mention", "deliver", "friday")),
        ("shorter, and add the tracking link", ("add", "tracking", "link")),
        ("don't make it shorter", ("don", "t")),
        ("in Italian", ("italian",)),
        ("in English and in German", ("english", "german")),
        ("Schreib, dass wir Freitag liefern", ("dass", "wir", "freitag", "liefern")),
        ("ajoute la date", ("ajoute", "date")),
        ("añade la fecha", ("anade", "fecha")),
        ("?!", ("",)),
    ],
)
def test_what_is_not_understood_is_named_word_by_word(message: str, unknown: tuple[str, ...]) -> None:
    request = read_request(message, BASE, TITLES)
    assert not request.understood
    assert request.unknown == unknown
