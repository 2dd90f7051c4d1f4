"""Short tickets with the saved reply that fits each, and some that none fits."""

from typing import Final

FITTING: Final = (
    ("en", "Where is my order?", "I ordered two weeks ago and the parcel has not arrived.", "late-delivery"),
    ("en", "Mug broken", "The mug arrived broken, it is in pieces. The box was crushed.", "damaged-item"),
    ("en", "Wrong colour", "I ordered the green one but received the wrong colour, a red one.", "wrong-item"),
    ("en", "Return", "The jacket does not fit. How do I send it back and get my money back?", "return-and-refund"),
    ("en", "Please cancel", "I ordered by mistake, please cancel my order.", "cancel-order"),
    ("en", "Address", "We have moved. Can you send it to our new address instead?", "change-address"),
    ("en", "Invoice", "Could you send me a copy of the invoice with our VAT number?", "invoice-copy"),
    ("en", "Cannot log in", "I forgot my password and the reset link is expired.", "account-access"),
    ("en", "Question", "When will the blue lamp be back in stock?", "product-availability"),
    ("en", "Kettle", "The kettle stopped working after three months. It leaks and smells burnt.", "warranty-claim"),
    ("en", "Complaint", "This is unacceptable, nobody answers my emails. Terrible service.", "complaint-apology"),
    ("en", "Re: solved", "It works now, thank you so much! You can close this.", "closing-thanks"),
    ("de", "Wo bleibt mein Paket?", "Ich warte seit zwei Wochen, das Paket ist nicht angekommen.", "late-delivery"),
    ("de", "Transportschaden", "Die Vase kam zerbrochen an, der Karton war eingedrückt.", "damaged-item"),
    ("de", "Falscher Artikel", "Sie haben mir die falsche Farbe geschickt, ich hatte Grün bestellt.", "wrong-item"),
    ("de", "Rückgabe", "Die Jacke passt nicht, ich möchte sie zurücksenden.", "return-and-refund"),
    ("de", "Stornieren", "Ich habe aus Versehen doppelt bestellt, bitte stornieren.", "cancel-order"),
    ("de", "Umzug", "Wir sind umgezogen, bitte ändern Sie die Lieferadresse.", "change-address"),
    ("de", "Rechnung", "Bitte schicken Sie mir eine Kopie der Rechnung für die Buchhaltung.", "invoice-copy"),
    ("de", "Anmeldung", "Ich habe mein Passwort vergessen und bin ausgesperrt.", "account-access"),
    ("de", "Frage", "Ist die Lampe in Blau wieder lieferbar oder ausverkauft?", "product-availability"),
    ("de", "Wasserkocher", "Der Wasserkocher funktioniert nicht mehr, er tropft und riecht.", "warranty-claim"),
    ("de", "Beschwerde", "Eine Frechheit, niemand antwortet. Ich bin sehr enttäuscht.", "complaint-apology"),
    ("de", "Danke", "Hat geklappt, heute angekommen, herzlichen Dank! Alles bestens.", "closing-thanks"),
    ("fr", "Hamac", "Ma commande n'est toujours pas arrivée, où est mon colis ?", "late-delivery"),
    ("fr", "Vase cassé", "Le vase est arrivé cassé et le carton était enfoncé.", "damaged-item"),
    ("fr", "Erreur", "Vous m'avez envoyé le mauvais article, pas la bonne couleur.", "wrong-item"),
    ("fr", "Retour", "Je souhaite renvoyer la veste et me faire rembourser.", "return-and-refund"),
    ("fr", "Annuler", "J'ai commandé deux fois par erreur, merci d'annuler une commande.", "cancel-order"),
    ("fr", "Adresse", "Nous avons déménagé, voici notre nouvelle adresse de livraison.", "change-address"),
    ("fr", "Facture", "Pouvez-vous m'envoyer un duplicata de la facture pour ma comptable ?", "invoice-copy"),
    ("fr", "Connexion", "J'ai oublié mon mot de passe et mon compte est bloqué.", "account-access"),
    ("fr", "Question", "La lampe bleue est-elle de nouveau disponible ?", "product-availability"),
    ("fr", "Bouilloire", "Ma bouilloire ne marche plus, elle fuit et sent mauvais.", "warranty-claim"),
    ("fr", "Réclamation", "C'est inadmissible, personne ne répond. Je suis très déçue.", "complaint-apology"),
    ("fr", "Merci", "C'est réglé, tout est en ordre, un grand merci ! Vous pouvez clôturer.", "closing-thanks"),
    ("es", "Pedido", "Mi pedido todavía no ha llegado, ¿dónde está el paquete?", "late-delivery"),
    ("es", "Jarrón roto", "El jarrón ha llegado roto y la caja venía aplastada.", "damaged-item"),
    ("es", "Error", "Me han enviado otro color, no es lo que pedí.", "wrong-item"),
    ("es", "Devolución", "La chaqueta no me queda bien, quiero devolverla y el reembolso.", "return-and-refund"),
    ("es", "Anular", "Hice el pedido dos veces por error, quiero cancelar uno.", "cancel-order"),
    ("es", "Dirección", "Nos hemos mudado, esta es la nueva dirección de entrega.", "change-address"),
    ("es", "Factura", "¿Pueden enviarme una copia de la factura con el NIF?", "invoice-copy"),
    ("es", "Acceso", "He olvidado la contraseña y no puedo entrar en mi cuenta.", "account-access"),
    ("es", "Consulta", "¿Cuándo volverán a tener la lámpara azul? Sale agotada.", "product-availability"),
    ("es", "Hervidor", "El hervidor ha dejado de funcionar, gotea y huele a quemado.", "warranty-claim"),
    ("es", "Queja", "Es una vergüenza, nadie contesta. Estoy muy decepcionada.", "complaint-apology"),
    ("es", "Gracias", "Ya ha llegado, todo perfecto, ¡mil gracias! Pueden cerrar.", "closing-thanks"),
)
"""(language, subject, text, id of the saved reply)."""

POLITE: Final = {
    "en": (
        "Hello,\n\nI hope you are well.",
        "Many thanks for your help, and have a lovely day!\n\nKind regards,\nAda Byron",
    ),
    "de": (
        "Guten Tag,\n\nich hoffe, es geht Ihnen gut.",
        "Vielen herzlichen Dank für Ihre Hilfe!\n\nViele Grüße\nAda Byron",
    ),
    "fr": ("Bonjour,\n\nJ'espère que vous allez bien.", "Un grand merci pour votre aide !\n\nCordialement,\nAda Byron"),
    "es": ("Buenos días:\n\nEspero que estén bien.", "¡Muchas gracias por su ayuda!\n\nUn cordial saludo,\nAda Byron"),
}
"""What people write before and after what they want, and which says nothing about it."""

UNRELATED: Final = (
    ("en", "Meeting", "Shall we have lunch with the architects on Tuesday?"),
    ("en", "asdf", "qwertz uiop"),
    ("de", "Probe", "Der Chor singt am Sonntag in der Kirche."),
    ("fr", "Chorale", "La chorale chante dimanche soir avec les enfants."),
    ("es", "Coro", "El coro canta el domingo con los niños."),
)
"""(language, subject, text) that no saved reply fits."""
