"""The words of a greeting, in the languages of help desks; more words are added here."""

import re
from typing import Final

from assistant.facts.people import TITLES

GREETING: Final = re.compile(
    r"(?:(?:madame|monsieur|mesdames|messieurs)(?=[^\n]{0,60},[ \t]*(?:\n|$))|"
    r"hi|hello|hey|dear|good (?:morning|afternoon|evening|day)|greetings|hallo|hi|moin|servus|grüezi|grüß gott|"
    r"gruess gott|guten (?:tag|morgen|abend)|liebe[rs]?|sehr geehrte[rs]?|werte[rs]?|bonjour|bonsoir|salut|"
    r"ch[eè]re?s?|coucou|hola|buen(?:os|as) (?:días|dias|tardes|noches)|buen día|estimad[oa]s?|querid[oa]s?|"
    r"apreciad[oa]s?|ciao|salve|buon(?:giorno|asera)|gentile|gentilissim[oa]|egregio|car[oa]|beste|geachte|"
    r"goede(?:morgen|middag|navond|ndag)|dag|olá|ola|bom dia|boa (?:tarde|noite)|prezad[oa]|hej|"
    r"hei|bästa|kære|kjære|god (?:dag|morgen|aften|morgon)|dzień dobry|szanown[ay]|drog[ai]|dobrý den|vážen[áý]|"
    r"kedves|tisztelt|say\u0131n|merhaba|ahoj|bună(?: ziua)?|stimate?|stimată)(?!\w)[ ,]*",
    re.IGNORECASE,
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NOBODY: Final = _words(
    """
    there all team everyone everybody sir madam sirs customer customers colleague colleagues guest friend friends you
    again damen herren herrschaften kunde kundin kunden zusammen kollegen kolleginnen ihr sie client cliente clients
    messieurs mesdames tous toutes vous clientes usuario señores todos equipo équipe tutti klant lezer dame heer
    """
)
"""Whom a greeting addresses without knowing a name."""

LINKS: Final = _words("and und et y e og och & von van de der den del la le di da dos zu zur du")
"""What stands between the parts of a name, or between two names."""

FORMS_OF_ADDRESS: Final = TITLES | _words(
    """
    mister mademoiselle herrn familie family famille familia ing dipl sig signor signora dott dottoressa meneer
    mevrouw pan pani senhor senhora lady
    """
)
"""What stands before a name and is none, without full stops."""

SHORTENED: Final = ("Mr", "Mrs", "Ms", "Dr", "Prof", "Hr", "Fr", "Sr", "Sra", "Srta", "Mme", "Mlle", "Sig", "Ing", "St")
"""Forms of address, and parts of a name, after which a full stop ends no sentence."""
