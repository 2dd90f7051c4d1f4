"""Token vocabularies that ship inside this package, and which model uses which; never the network."""

import gzip
import hashlib
import re
import zlib
from binascii import a2b_base64
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from assistant.errors import VocabularyError

if TYPE_CHECKING:
    from tiktoken import Encoding

VOCABULARY_FOLDER: Final = Path(__file__).parent / "vocabulary"

EncodingName: TypeAlias = Literal["o200k_base", "cl100k_base"]
Accuracy: TypeAlias = Literal["exact", "near", "calibrated", "estimate"]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What defines one encoding besides the ranks in its file.

    Attributes:
        sha256: of the file once unpacked (hex).
        special_tokens: texts with a rank of their own; counting never looks for them.
        pattern: the regular expression that cuts a text into the pieces that are encoded one by one.
    """

    name: EncodingName
    sha256: str
    special_tokens: tuple[tuple[str, int], ...]
    pattern: str


_WORD_TAIL: Final = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"

VOCABULARIES: Final[dict[EncodingName, Vocabulary]] = {
    "o200k_base": Vocabulary(
        name="o200k_base",
        sha256="446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        special_tokens=(("<|endoftext|>", 199_999), ("<|endofprompt|>", 200_018)),
        pattern="|".join(
            (
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+" + _WORD_TAIL,
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*" + _WORD_TAIL,
                r"\p{N}{1,3}",
                r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
                r"\s*[\r\n]+",
                r"\s+(?!\S)",
                r"\s+",
            )
        ),
    ),
    "cl100k_base": Vocabulary(
        name="cl100k_base",
        sha256="223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        special_tokens=(
            ("<|endoftext|>", 100_257),
            ("<|fim_prefix|>", 100_258),
            ("<|fim_middle|>", 100_259),
            ("<|fim_suffix|>", 100_260),
            ("<|endofprompt|>", 100_276),
        ),
        pattern="|".join(
            (
                r"'(?i:[sdmt]|ll|ve|re)",
                r"[^\r\n\p{L}\p{N}]?+\p{L}++",
                r"\p{N}{1,3}+",
                r" ?[^\s\p{L}\p{N}]++[\r\n]*+",
                r"\s++$",
                r"\s*[\r\n]",
                r"\s+(?!\S)",
                r"\s",
            )
        ),
    ),
}

_O200K_MODEL: Final = re.compile(r"(gpt-5|gpt-4\.1|gpt-4\.5|gpt-4o|chatgpt-4o|o1|o3|o4)([-.:@].*)?")
_CL100K_MODEL: Final = re.compile(r"(gpt-4|gpt-3\.5|gpt-35)([-:@].*)?")
_OPENAI_GATEWAYS: Final = {"openai", "azure"}


def encoding_for(model: str) -> tuple[EncodingName, Accuracy]:
    """Name the encoding of a model, and how close its counts come to what the model's server counts.

    OpenAI's chat models are exact, whatever their date, fine-tuning ("ft:gpt-4.1-mini:desk::1") or gateway prefix
    ("openai/gpt-4o"). Every other name, the built-in assistant's too, is near by cl100k_base: the vocabularies of open
    models are closer to it, it seldom counts less than they do, and it takes half the memory of o200k_base.
    """
    *gateway, name = model.strip().lower().split("/")
    name = name.removeprefix("ft:")
    if not gateway or gateway[-1] in _OPENAI_GATEWAYS:
        if _O200K_MODEL.fullmatch(name):
            return "o200k_base", "exact"
        if _CL100K_MODEL.fullmatch(name):
            return "cl100k_base", "exact"
    return "cl100k_base", "near"


_loading: Final = Lock()


def load(name: EncodingName) -> "Encoding":
    """Return an encoding, read on first use (a few tenths of a second) and kept; may be called from any thread.

    Raises:
        VocabularyError: the file of this installation is missing or damaged.
    """
    with _loading:
        return _load(name)


@cache
def _load(name: EncodingName) -> "Encoding":
    return build(VOCABULARIES[name], VOCABULARY_FOLDER / f"{name}.tiktoken.gz")


def build(vocabulary: Vocabulary, file: Path) -> "Encoding":
    """Build an encoding from its file.

    The encoding can count and encode only: its table of ranks in Python, a third of its memory, is emptied.

    Raises:
        VocabularyError: the file is missing or damaged.
    """
    from tiktoken import Encoding

    ranks = _ranks(vocabulary, file)
    encoding = Encoding(
        vocabulary.name,
        pat_str=vocabulary.pattern,
        mergeable_ranks=ranks,
        special_tokens=dict(vocabulary.special_tokens),
    )
    ranks.clear()
    return encoding


def _ranks(vocabulary: Vocabulary, file: Path) -> dict[bytes, int]:
    advice = "Install Ticketree again, or count with the estimate."
    try:
        data = gzip.decompress(file.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise VocabularyError(
            f"The token vocabulary {vocabulary.name} of this installation cannot be read ({error}). {advice}"
        ) from error
    if hashlib.sha256(data).hexdigest() != vocabulary.sha256:
        raise VocabularyError(
            f"The token vocabulary {vocabulary.name} of this installation is not the published one. {advice}"
        )
    # A loop in Python, because one long call in C would keep every other thread waiting.
    return {a2b_base64(token): int(rank) for token, _, rank in (line.partition(b" ") for line in data.splitlines())}
