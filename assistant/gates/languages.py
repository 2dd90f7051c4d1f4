"""Which language a short text is in, by two witnesses: the common words, and langdetect's letters.

langdetect (55 languages) is sure of itself also where it is wrong on a few words, and the common words know ten
languages only; so a language counts where both say so, or one where the text is long enough for it alone.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from storage.importers.languages import guess_language, language_code

if TYPE_CHECKING:
    from langdetect.detector_factory import DetectorFactory
    from langdetect.language import Language

_NO_WORD: Final = re.compile(r"[@\d{}]|://|^www\.")
"""In what is the same in every language: links, addresses, numbers, ids, placeholders."""
_ASCII: Final = re.compile(r"[!-~]+")
_LETTER: Final = re.compile(r"[^\W\d_]")
_FEWEST_LETTERS: Final = 30
_LETTERS_FOR_ONE: Final = 80
_SURE: Final = 0.9
_LONGEST: Final = 4_000
_CLOSE: Final = (
    frozenset({"no", "nb", "nn", "da", "sv"}),
    frozenset({"hr", "sr", "bs", "sl"}),
    frozenset({"cs", "sk"}),
    frozenset({"es", "pt", "gl", "ca"}),
    frozenset({"bg", "mk", "ru", "uk", "be"}),
    frozenset({"id", "ms"}),
    frozenset({"nl", "af"}),
)
"""Languages that are taken for each other."""

_loading: Final = Lock()


@dataclass(frozen=True, slots=True)
class Spoken:
    """What the witnesses say of a text.

    Attributes:
        language: ISO 639-1, "" where they are not sure.
        candidates: all that one of them names.
    """

    language: str
    candidates: frozenset[str] = frozenset()

    def may_be(self, language: str) -> bool:
        """One of the witnesses names this language, or one that is taken for it."""
        return any(are_close(language, candidate) for candidate in self.candidates)


def are_close(one: str, other: str) -> bool:
    """The same, or taken for each other."""
    return one == other or any(one in group and other in group for group in _CLOSE)


def spoken(text: str) -> Spoken:
    """Tell the language of a text; the same text always gives the same answer."""
    plain = " ".join(map(_words_alone, text[:_LONGEST].split()))
    letters = len(_LETTER.findall(plain))
    by_words = guess_language(plain)
    by_letters, share = _detected(plain)
    named = frozenset(filter(None, (by_words, by_letters)))
    if letters < _FEWEST_LETTERS and not _is_dense(plain):
        return Spoken("", named)
    if by_words and (not by_letters or are_close(by_words, by_letters)):
        return Spoken(by_words, named)
    if not by_words and share >= _SURE and (letters >= _LETTERS_FOR_ONE or _is_dense(plain)):
        return Spoken(by_letters, named)
    return Spoken("", named)


def _words_alone(part: str) -> str:
    """What stands between two blanks, without what is no word; a whole sentence in scripts that need no blanks."""
    if not _NO_WORD.search(part):
        return part
    return _ASCII.sub(" ", part) if _is_dense(part) else ""


def _is_dense(text: str) -> bool:
    """Chinese, Japanese, Korean or Thai: a few signs say as much as many letters."""
    return len(re.findall("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]", text)) >= 8


def _detected(text: str) -> tuple[str, float]:
    """Ask langdetect: a language with its share of certainty, ("", 0.0) where it finds no letters."""
    from langdetect.lang_detect_exception import LangDetectException

    detector = _factory().create()
    detector.append(text)
    try:
        found: list[Language] = detector.get_probabilities()
    except LangDetectException:
        return "", 0.0
    return (language_code(found[0].lang), found[0].prob) if found else ("", 0.0)


def _factory() -> "DetectorFactory":
    """The profiles, read once, in the order of their names and with a fixed seed; about 0.4 s and 2 MB."""
    with _loading:
        return _loaded_factory()


@cache
def _loaded_factory() -> "DetectorFactory":
    from langdetect.detector_factory import PROFILES_DIRECTORY, DetectorFactory

    factory = DetectorFactory()
    factory.set_seed(0)
    files = sorted(Path(PROFILES_DIRECTORY).iterdir())
    factory.load_json_profile([file.read_text(encoding="utf-8") for file in files if file.is_file()])
    return factory
