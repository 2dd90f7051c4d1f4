"""`tree` and the gates: an answer that failed a check says so."""

from gated import PASSED, judge
from sample_record import Desk


def test_the_outline_has_the_sign_and_the_word(desk: Desk) -> None:
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1")
        judge(store, store.node(conversation.id, desk.friendlier_answer))

    lines = desk.cli.run("tree", "T-1").stdout.splitlines()
    (failed,) = [line for line in lines if "✗ check failed" in line]
    assert "Chère Sophie !" in failed


def test_it_has_them_off_the_chosen_path_as_well_until_a_check_passes(desk: Desk) -> None:
    with desk.store() as store:
        answer = store.node(store.conversation("camille", "T-1").id, desk.shorter_answer)
        judge(store, answer)
        failed = [line for line in desk.cli.run("tree", "T-1").stdout.splitlines() if "✗ check failed" in line]
        judge(store, answer, PASSED)

    assert ["Il arrive." in line for line in failed] == [True]
    assert "✗" not in desk.cli.run("tree", "T-1").stdout


def test_an_answer_that_does_not_know_the_newest_words_of_the_customer_is_stale_on_every_branch(desk: Desk) -> None:
    with desk.store() as store:
        desk.write_again(store)

    lines = desk.cli.run("tree", "T-1").stdout.splitlines()
    stale = [line for line in lines if "◌ stale" in line]
    assert [any(text in line for line in stale) for text in ("votre hamac", "Il arrive.", "Chère Sophie")] == [True] * 3
    assert len(stale) == 3
