"""The thing a ticket is about, where the customer calls it their own and the subject names it too."""

import re
from typing import Final

_OWN: Final = {
    "en": re.compile(
        r"\bmy ((?:[a-z-]+ ){0,2}?[a-z-]+)(?=[.,;:!?()\n]| \(|$| (?:has|have|had|is|was|did|does|will|would|can|came|"
        r"arrived|broke|stopped|leaks|from|that|which|with|and|or|but|to|in|on|for|by|yet|not|never|still|now)\b)",
        re.IGNORECASE,
    ),
    "de": re.compile(r"\b(?:[Mm]ein|[Uu]nser)(?:e|en|em|er|es)?(?: [a-zäöüß]+e[nrs]?)? ([A-ZÄÖÜ][\w-]+)"),
    "fr": re.compile(r"\b(?:mon|ma|notre) ([a-zà-ÿœ-]+)", re.IGNORECASE),
    "es": re.compile(r"\b(?:mi|nuestro|nuestra) ([a-zà-ÿ-]+)", re.IGNORECASE),
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NO_PRODUCT: Final = _words(
    """
    account address bill card complaint customer data delivery details email invoice item message money name number
    order orders package parcel password payment purchase question receipt refund request return shipment ticket
    adresse anfrage auftrag bestellung daten frage geld konto kundenkonto lieferadresse lieferung name nummer paket
    passwort rechnung reklamation retoure rückgabe sendung zahlung zugang
    achat adresse argent colis commande compte demande facture livraison mot nom nouveau nouvel nouvelle numéro
    paiement paquet question remboursement retour réclamation
    clave compra consulta contraseña correo cuenta devolución dinero dirección envío factura nombre nueva nuevo número
    pago paquete pedido pregunta queja reembolso solicitud
    """
)


def find_products(subject: str, text: str, language: str) -> list[str]:
    """The things that the text calls its writer's own and that the subject names, in the order of their mention."""
    pattern = _OWN.get(language)
    if pattern is None:
        return []
    subject = subject.casefold()
    names = (match[1] if language == "de" else match[1].lower() for match in pattern.finditer(text))
    return list(
        dict.fromkeys(
            name for name in names if name.casefold() in subject and not _NO_PRODUCT & set(name.casefold().split())
        )
    )
