"""Gates: checks of a complete answer, each with the words that decided; nothing is ever altered."""
