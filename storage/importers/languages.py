"""A guess at the language of a text, "" when unsure; a reader's eye is better, this only saves it a look."""

import re
from collections import Counter
from typing import Final

_STOPWORDS: Final = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the and is are was were have has had not you your this that with for from they would could when what "
        "please my our been it of to hello thanks",
        "fr": "le la les des du une est sont je vous nous pas que qui dans avec pour sur mon ma mes votre vos été avez "
        "ai bonjour merci et mais cette au ne",
        "de": "der die das und ist sind nicht ich sie wir mit für auf den dem ein eine einen mein meine ihre habe "
        "haben wurde bitte hallo danke aber auch von zu noch",
        "es": "el la los las una es son está yo usted no que con para por mi mis su sus pero muy he ha hola gracias "
        "del y como esta este pedido",
        "it": "il lo la gli una è sono non che con per mio mia miei sua ho ha hanno ma anche come questo questa della "
        "del di buongiorno grazie e le ordine",
        "nl": "de het een en is zijn niet ik u wij we met voor op mijn uw heb heeft werd maar ook van naar nog hallo "
        "bedankt dat die graag",
        "pt": "o os as uma é são não que com para por meu minha meus sua foi mas também como este esta da do das dos "
        "olá obrigado obrigada e em você",
        "sv": "och att det är inte jag du vi med för på min mitt mina er har hade blev men också av till hej tack en "
        "ett som",
        "da": "og at det er ikke jeg du vi med for på min mit mine har havde blev men også af til hej tak en et som",
        "pl": "i w na nie jest są się z do że to mój moja moje proszę dzień dobry dziękuję ale jak po od już przez",
    }.items()
}
_LANGUAGES_OF: Final = {
    word: tuple(language for language, words in _STOPWORDS.items() if word in words)
    for word in frozenset().union(*_STOPWORDS.values())
}
_SCRIPTS: Final = (
    (re.compile("[぀-ヿ]"), "ja"),
    (re.compile("[가-힣]"), "ko"),
    (re.compile("[Ͱ-Ͽ]"), "el"),
    (re.compile("[֐-׿]"), "he"),
    (re.compile("[฀-๿]"), "th"),
)
_FOREIGN: Final = re.compile("[\u0370-\uffff]")
_WORD: Final = re.compile(r"[^\W\d_]+")
_SAMPLE_CHARS: Final = 2_000
_FEWEST_WORDS: Final = 3
_LEAD: Final = 1.4


def guess_language(text: str) -> str:
    """Return an ISO 639-1 code, or "" where the text does not say clearly enough."""
    sample = text[:_SAMPLE_CHARS].lower()
    if _FOREIGN.search(sample):
        letters = sum(character.isalpha() for character in sample)
        for script, language in _SCRIPTS:
            if len(script.findall(sample)) * 4 > letters > 0:
                return language
    scores: Counter[str] = Counter()
    for word in _WORD.findall(sample):
        scores.update(_LANGUAGES_OF.get(word, ()))
    (language, best), (_, second) = [*scores.most_common(2), ("", 0), ("", 0)][:2]
    return language if best >= _FEWEST_WORDS and best >= second * _LEAD else ""


def language_code(value: str) -> str:
    """Return the ISO 639-1 code that a tag such as "fr-CA" begins with, or ""."""
    found = re.match(r"\s*([A-Za-z]{2})(?![A-Za-z])", value)
    return found[1].lower() if found else ""
