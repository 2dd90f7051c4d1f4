"""`tree` and the gates: an answer that failed a check says so."""

from gated import judge
from sample_record import Desk


def test_the_outline_has_the_sign_and_the_word(desk: Desk) -> None:
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1")
        judge(store, store.node(conversation.id, desk.friendlier_answer))

    lines = desk.cli.run("tree", "T-1").stdout.splitlines()
    (failed,) = [line for line in lines if "✗ check failed" in line]
    assert "Chère Sophie !" in failed
