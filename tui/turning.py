"""Puts the turns of a run together; what else happens in a turn, before it and after, is one line here."""

from assistant.gates.gating import BusinessRules
from assistant.turns import Turns
from tui.services import Services


def turns_for(services: Services) -> Turns:
    """The turns of the app and of the command line alike."""
    return Turns(services.store, services.provider, services.counter, before=(), after=(BusinessRules(),))
