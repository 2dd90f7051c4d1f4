"""Which answers are stale, and what the next request takes in."""

from dataclasses import replace

from desks import Desk, a_message, a_ticket

from assistant.plan.newer_ticket import new_messages, newer_ticket, stale_answers, stale_in_tree, taking_in
from storage.interactions import Interaction, Status
from storage.sqlite_store import memory_store
from storage.store import Store
from storage.tickets import Role, Ticket, TicketMessage

FIRST = "Where is my hammock?"
NOTE = TicketMessage("Max", Role.AGENT, "Lost by the carrier.", internal=True)


def a_desk() -> tuple[Desk, int]:
    """A conversation with one answer, and the answer's id."""
    store = memory_store()
    store.save_ticket(a_ticket(messages=[a_message(FIRST, source_id="1")]))
    desk = Desk(store, store.open_conversation("camille", "T-80005"))
    return desk, desk.answer(desk.ticket_node, "On its way.").id


def grown(store: Store, *more: TicketMessage) -> Ticket:
    """The ticket once these messages have come."""
    known = store.ticket("T-80005").messages
    store.save_ticket(a_ticket(messages=[*known, *more]))
    return store.ticket("T-80005")


def branch(desk: Desk, node_id: int) -> list[Interaction]:
    return desk.store.branch(desk.id, node_id)


def test_an_answer_is_stale_once_the_customer_has_written_again() -> None:
    desk, answer_id = a_desk()
    assert stale_answers(branch(desk, answer_id), desk.store.ticket("T-80005")) == frozenset()
    newest = grown(desk.store, a_message("Forget it, send the money back.", source_id="2"))
    assert stale_answers(branch(desk, answer_id), newest) == {answer_id}


def test_answers_to_the_newer_version_are_not_stale_and_the_earlier_ones_stay_so() -> None:
    desk, answer_id = a_desk()
    newest = grown(desk.store, a_message("Forget it.", source_id="2"))
    node = desk.store.add_snapshot(desk.id, answer_id, 2)
    later = desk.answer(node.id, "We send the money back.")
    assert stale_answers(branch(desk, later.id), newest) == {answer_id}


def test_in_the_whole_tree_the_same_answers_are_stale_as_on_each_branch() -> None:
    desk, answer_id = a_desk()
    beside = desk.answer(desk.ticket_node, "Your parcel is lost.").id
    grown(desk.store, NOTE)
    noted = desk.answer(desk.store.add_snapshot(desk.id, answer_id, 2).id, "Still on its way.").id
    newest = grown(desk.store, a_message("Forget it.", source_id="2"))
    known = desk.answer(desk.store.add_snapshot(desk.id, answer_id, 3).id, "We send the money back.").id
    empty = desk.store.finish(desk.id, desk.begin(noted).id, Status.INTERRUPTED, {}).id

    stale = stale_in_tree(desk.store.nodes(desk.id), newest, lambda number: desk.store.ticket("T-80005", number))

    assert stale == {answer_id, beside, noted}
    assert stale == frozenset().union(*(stale_answers(branch(desk, leaf), newest) for leaf in (beside, known, empty)))


def test_a_note_of_a_colleague_makes_no_answer_stale_but_goes_along_all_the_same() -> None:
    desk, answer_id = a_desk()
    reply = TicketMessage("Max", Role.AGENT, "We are looking into it.", source_id="9")
    newest = grown(desk.store, NOTE, reply)
    path = branch(desk, answer_id)
    assert stale_answers(path, newest) == frozenset()
    assert newer_ticket(path, newest) == newest


def test_a_path_without_a_ticket_and_an_answer_without_words_are_never_stale() -> None:
    desk, answer_id = a_desk()
    newest = grown(desk.store, a_message("Forget it.", source_id="2"))
    path = branch(desk, answer_id)
    imported = [entry for entry in path if entry.ticket is None]
    assert stale_answers(imported, newest) == frozenset()
    assert newer_ticket(imported, newest) is None
    assert taking_in(imported, newest) == tuple(imported)
    assert stale_answers([entry._replace(content=" ") for entry in path], newest) == frozenset()


def test_the_next_request_ends_with_the_newest_version_until_it_is_taken_in() -> None:
    desk, answer_id = a_desk()
    path = branch(desk, answer_id)
    assert taking_in(path, desk.store.ticket("T-80005")) == tuple(path)
    newest = grown(desk.store, a_message("Forget it.", source_id="2"))
    *before, pending = taking_in(path, newest)
    assert before == path
    assert (pending.id, pending.ticket, pending.node.depth) == (0, newest, path[-1].node.depth + 1)
    node = desk.store.add_snapshot(desk.id, answer_id, 2)
    taken = branch(desk, node.id)
    assert taking_in(taken, newest) == tuple(taken)


def test_new_is_what_is_said_anew_or_once_more_not_what_is_laid_out_otherwise() -> None:
    desk, _ = a_desk()
    first = desk.store.ticket("T-80005")
    again = replace(first, messages=(a_message(FIRST), a_message(FIRST), NOTE))
    assert new_messages(first, again) == (a_message(FIRST),)
    assert new_messages(first, replace(first, messages=(a_message("Where  is my\nhammock?"),))) == ()
    changed = replace(first, messages=(a_message("Where is my tent?"),))
    assert new_messages(first, changed) == changed.messages
    assert new_messages(first, replace(changed, erased=True)) == ()
