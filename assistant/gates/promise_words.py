"""What sounds like a promise, as `promises.toml` beside this file lists it, and what takes a promise back."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).parent / "promises.toml"
_BETWEEN: Final = r"(?:\S+ ){0,6}?"
_SOON: Final = {
    "@EN@": r"(?:(?:today|tomorrow|tonight|this week|next week)(?!\w) ?"
    r"|(?:by|on|before|until|within|in|no later than|at the latest) )",
    "@DE@": r"(?:(?:heute|morgen|übermorgen|diese woche|nächste woche)(?!\w) ?"
    r"|(?:bis|am|vor|innerhalb|binnen|spätestens|in) )",
    "@FR@": r"(?:(?:aujourd'hui|demain|cette semaine)(?!\w) ?|(?:avant|le|d'ici|dans|sous|au plus tard) )",
    "@ES@": r"(?:(?:hoy|mañana|esta semana)(?!\w) ?|(?:antes|el|en|dentro|a más tardar) )",
}

NEGATIONS: Final = re.compile(
    r"(?<!\w)(?:not(?! later than)|no(?! later than| cost| charge| extra)|without(?! fail| charge| cost)|never|cannot|"
    r"(?:ca|wo|would|do|does|is|are|have|has|could)n't|unable|neither|nor|refuse|ne|n'\w+|pas|jamais|aucune?|"
    r"impossible|ni|nunca|ningún|ninguna|tampoco|imposible)(?!\w)"
)
"""What takes a promise back when it stands before it."""

NEGATIONS_ANYWHERE: Final = re.compile(
    r"(?<!\w)(?:nicht(?! später als)|kein(?:e[nmr]?)?|nie|niemals|weder|ohne(?! kosten| weiteres))(?!\w)"
)
"""What takes a promise back wherever it stands in the clause: "Wir erstatten den Betrag nicht"."""

CONDITIONS: Final = re.compile(
    r"(?<!\w)(?:if|unless|should|(?<!at )once(?! d[ií]as)|as soon as(?! possible)|in case|provided|when|whether|"
    r"falls|wenn|sollten?|sobald(?! (?:wie |als )?möglich)|sofern|ob|si|s'ils?|s'elles?|dès qu(?:e(?! possible)|'\w+)|"
    r"lorsque|quand|au cas où|une fois|cuando|en cuanto(?! sea posible)|siempre que|en caso|"
    r"then|on receipt|dann|danach|nach erhalt|dès réception|à réception|ensuite|después|entonces|al recibir)(?!\w)"
)
"""A sentence that holds one of these says what happens under a condition, or after something else."""


@dataclass(frozen=True, slots=True)
class PromiseKind:
    """One kind of promise.

    Attributes:
        name: as in "promises a refund".
        wordings: what makes it, in one clause.
        grants: words of an agent or the handbook by which it may be made.
    """

    name: str
    wordings: re.Pattern[str]
    grants: re.Pattern[str]


@cache
def promise_kinds() -> tuple[PromiseKind, ...]:
    """The kinds of promise; their file is read once."""
    document = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return tuple(
        PromiseKind(kind["name"], _wordings(kind["wordings"]), re.compile(rf"(?<!\w)(?:{kind['grants']})"))
        for kind in document["kind"]
    )


def _wordings(lines: str) -> re.Pattern[str]:
    patterns = []
    for line in filter(None, map(str.strip, lines.splitlines())):
        for mark, soon in _SOON.items():
            line = line.replace(mark, soon)
        patterns.append(line.replace("… ", _BETWEEN))
    return re.compile("|".join(rf"(?<!\w)(?:{pattern})" for pattern in patterns))
