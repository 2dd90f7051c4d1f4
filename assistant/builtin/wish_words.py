"""The words by which a follow-up is understood, in four languages; more words are added here.

Words stand folded as `fold` gives them: lower case, without accents, ß as ss.
"""

import re
import unicodedata
from typing import Final

_WORD = re.compile(r"[^\W_]+")


def fold(text: str) -> tuple[str, ...]:
    """The words of a text, in lower case and without accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(character for character in decomposed if not unicodedata.combining(character))
    return tuple(_WORD.findall(bare))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SHORTER: Final = (
    "shorter", "short", "shorten", "brief", "briefer", "concise", "more concise", "too long", "condense", "crisper",
    "kurzer", "kuerzer", "kurz", "kurzere", "kurze", "kurzen", "kuerzen", "knapp", "knapper", "zu lang", "gekurzt",
    "plus court", "plus courte", "court", "courte", "raccourcis", "raccourcir", "raccourcissez", "plus bref",
    "plus breve", "bref", "trop long", "trop longue", "plus concis", "abrege", "mas corto", "mas corta",
    "mas breve", "corto", "corta", "breve", "acorta", "acortalo", "acortala", "acortar", "demasiado largo",
    "demasiado larga",
)  # fmt: skip
LONGER: Final = (
    "longer", "in full", "full version", "full length", "more detail", "more detailed", "too short", "langer",
    "laenger", "ausfuhrlich", "ausfuhrlicher", "ausfuehrlicher", "zu kurz", "plus long", "plus longue",
    "plus detaille", "plus detaillee", "trop court", "trop courte", "mas largo", "mas larga", "mas detallado",
    "mas detallada", "demasiado corto", "demasiado corta",
)  # fmt: skip
FRIENDLIER: Final = (
    "friendlier", "friendly", "more friendly", "warmer", "warm", "kinder", "nicer", "less formal", "more personal",
    "less stiff", "freundlich", "freundlicher", "netter", "herzlicher", "warmherziger", "personlicher",
    "weniger formell", "weniger formlich", "lockerer", "plus amical", "plus amicale", "amical", "amicale",
    "plus chaleureux", "plus chaleureuse", "chaleureux", "plus sympathique", "plus sympa", "sympa", "plus aimable",
    "plus gentil", "moins formel", "moins formelle", "plus personnel", "mas amable", "amable", "mas amistoso",
    "mas amistosa", "mas cercano", "mas cercana", "mas calido", "mas calida", "mas simpatico", "menos formal",
    "mas personal",
)  # fmt: skip
MORE_FORMAL: Final = (
    "more formal", "formal", "formally", "more polite", "polite", "politer", "more official", "more businesslike",
    "less casual", "formeller", "formell", "formlicher", "formlich", "hoflicher", "offizieller", "sachlicher",
    "plus formel", "plus formelle", "formel", "formelle", "plus officiel", "plus officielle", "plus poli",
    "plus polie", "plus soutenu", "moins familier", "mas formal", "mas oficial", "mas serio", "mas seria",
    "mas educado", "mas educada",
)  # fmt: skip
NEUTRAL: Final = (
    "neutral", "more neutral", "neutraler", "neutre", "plus neutre", "neutro", "mas neutro", "mas neutral",
)  # fmt: skip
DRAFT: Final = (
    "draft", "reply", "replies", "answer", "respond", "response", "write", "compose", "entwurf", "entwerfe",
    "entwirf", "antwort", "antworte", "antworten", "beantworte", "beantworten", "schreib", "schreibe", "verfasse",
    "formuliere", "brouillon", "reponse", "reponds", "repondre", "repondez", "redige", "rediger", "redigez",
    "ecris", "ecrire", "borrador", "respuesta", "responde", "responder", "contesta", "contestar", "contestacion",
    "redacta", "redactar", "escribe", "escribir",
)  # fmt: skip

LANGUAGES: Final = {
    "en": (
        "english", "englisch", "englische", "englischen", "anglais", "anglaise", "ingles", "inglesa",
    ),
    "de": (
        "german", "deutsch", "deutsche", "deutschen", "allemand", "allemande", "aleman", "alemana",
    ),
    "fr": (
        "french", "franzosisch", "franzosische", "franzosischen", "franzoesisch", "francais", "francaise", "frances",
        "francesa",
    ),
    "es": (
        "spanish", "spanisch", "spanische", "spanischen", "espagnol", "espagnole", "espanol", "espanola", "castellano",
        "castilian",
    ),
}  # fmt: skip
LANGUAGE_NAMES: Final = {"en": "English", "de": "German", "fr": "French", "es": "Spanish"}
INTO: Final = frozenset({"in", "into", "to", "auf", "ins", "en", "al"})
"""A language after one of these is meant, also when another one is named in passing ("for my German colleague")."""

FILLERS: Final = _words(
    """
    a again all also an and as at be bit by can colleague colleagues could customer customers do e email for from
    get give hello her hi him his i in into is it just keep kindly know let letter like little ll mail make me
    message more much my need new next now of ok okay on one or our please rather rephrase reword rewrite same saved
    send shall should so some something sound still suggest team text thank thanks that the their them then this
    ticket to tone too translate translated translation try up us use using version very want we will with would you
    your yours

    an auch auf bisschen bitte danke dann das dasselbe dem den der die dies diese dieser dieses doch du ein eine
    einem einen einer einmal es etwas fassung formulier fuer fur gern gerne gespeicherte gespeicherten gib gleiche
    gleichen hallo ihm ihn ihr im in ins ist jetzt kannst koennen kollege kollegen kollegin kolleginnen konnen
    konntest kunde kunden kundin mach mache machen machst mal mehr mein meine meinen meiner mir nachricht noch
    nochmal nochmals nun sie so team text ubersetz ubersetze ubersetzen uebersetze umformulieren und uns version
    wieder

    a au aussi autre avec bonjour c ca ce cet cette chose client cliente clients collegue collegues d de des donne
    du en encore enregistree enregistrees equipe et faire fais faites fois il j je l la le les lui ma maintenant me
    meme merci mes message mets mettez mettre moi mon notre nous peu peut peux plait plus pour pourrais pourriez
    pouvez puis rendez rendre rends s stp svp te texte ton traduction traduire traduis traduisez tu un une version
    veux voudrais vous

    a ahora al clienta cliente clientes colega colegas companera companero companeros con correo de del e el equipo
    esta este esto favor gracias guardada guardadas hacer hacerla hacerlo hagas haz hazla hazlo hola la las le les
    lo los mas me mensaje mi mis misma mismo necesito nos nuevo o otra para poco podria podrias pon ponerlo ponla
    ponlo por puede puedes que quiero sea ser tambien texto tono traduccion traduce traducela traducelo traducir un
    una unos version vez y
    """
)
"""Words that change nothing about what is asked."""
