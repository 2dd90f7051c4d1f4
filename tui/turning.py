"""Puts the turns of a run together; what else happens in a turn, before it and after, is one line here."""

from assistant.gates.contract import ContractKept
from assistant.gates.gating import BusinessRules
from assistant.tokens.measuring import Measuring
from assistant.tokens.window_lessons import WindowLessons
from assistant.tools.handbook import HandbookTool
from assistant.tools.recall import RecallTool
from assistant.tools.toolbox import Toolbox
from assistant.turn.observing import Observing
from assistant.turn.self_check import SelfCheck
from assistant.turn.summarising import Summariser
from assistant.turn.turns import Turns
from tui.services import Services


def turns_for(services: Services) -> Turns:
    """The turns of the app and of the command line alike."""
    store, provider, counter = services.store, services.provider, services.counter
    after = (Measuring(counter), WindowLessons(services.limits), ContractKept(), BusinessRules())
    return Turns(
        store,
        provider,
        counter,
        toolbox=toolbox_for(services),
        limits=services.turn_limits,
        before=(summariser_for(services),),
        after=after,
        checker=SelfCheck(store, provider, services.tasks, counter) if services.self_check else None,
    )


def toolbox_for(services: Services) -> Toolbox:
    """The tools that are here; a task says which of them its answers may use."""
    search = (HandbookTool(services.handbook),) if services.handbook is not None else ()
    return Toolbox((*search, RecallTool()))


def observing_for(services: Services) -> Observing:
    """Lets observers look at the answers of a run."""
    return Observing(services.store, services.provider, services.counter)


def summariser_for(services: Services) -> Summariser:
    """Makes the summaries of a run, when a plan needs one or by hand."""
    return Summariser(services.store, services.provider, services.tasks, services.counter)
