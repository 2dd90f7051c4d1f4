"""Puts the turns of a run together; what else happens in a turn, before it and after, is one line here."""

from assistant.gates.gating import BusinessRules
from assistant.summarising import Summariser
from assistant.turns import Turns
from tui.services import Services


def turns_for(services: Services) -> Turns:
    """The turns of the app and of the command line alike."""
    return Turns(services.store, services.provider, services.counter, before=(summariser_for(services),), after=(BusinessRules(),))


def summariser_for(services: Services) -> Summariser:
    """Makes the summaries of a run, when a plan needs one or by hand."""
    return Summariser(services.store, services.provider, services.tasks, services.counter)
