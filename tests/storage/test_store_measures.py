"""What is learned about models is kept per server and model, in order, without words, and an erasure leaves it."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from desks import A_REQUEST, Clock, Desk, a_desk
from raw_record import raw
from sqlite_utils.migrations import Migrations

from storage.audit.verification import verify
from storage.errors import NotFoundError, RefusedError
from storage.measures import LearnedWindow, PromptCount
from storage.sqlite.driver import sqlite3
from storage.sqlite.schema import versions
from storage.sqlite_store import open_store
from storage.store import Store

URL = "http://localhost:8000/v1"
COUNTS = [PromptCount(messages, 100 * messages, 130 * messages) for messages in range(1, 5)]


def sent(desk: Desk, model: str = "qwen3", base_url: str = URL) -> int:
    """Add an answer with a request, and return the request's id."""
    return desk.store.record_request(
        desk.id, desk.answer(desk.ticket_node).id, replace(A_REQUEST, task_version="3", base_url=base_url, model=model)
    )


def test_the_newest_counts_of_a_model_come_oldest_first_with_the_number_of_all(desk: Desk) -> None:
    for count in COUNTS:
        desk.store.add_prompt_count(desk.id, sent(desk), "cl100k_base", count)

    assert desk.store.prompt_counts(URL, "qwen3", "cl100k_base", 3) == (4, COUNTS[1:])
    assert desk.store.prompt_counts(URL, "qwen3", "cl100k_base", 9) == (4, COUNTS)


def test_counts_are_apart_by_server_model_and_encoding(desk: Desk) -> None:
    desk.store.add_prompt_count(desk.id, sent(desk), "cl100k_base", COUNTS[0])
    desk.store.add_prompt_count(desk.id, sent(desk, "llama3"), "cl100k_base", COUNTS[1])
    desk.store.add_prompt_count(desk.id, sent(desk), "o200k_base", COUNTS[2])

    assert desk.store.prompt_counts(URL, "qwen3", "cl100k_base", 9) == (1, [COUNTS[0]])
    assert desk.store.prompt_counts(URL, "qwen3", "o200k_base", 9) == (1, [COUNTS[2]])
    assert desk.store.prompt_counts("http://elsewhere/v1", "qwen3", "cl100k_base", 9) == (0, [])


def test_what_refusals_taught_comes_in_order(desk: Desk) -> None:
    windows = [LearnedWindow(8_000, True, None), LearnedWindow(4_096, False, 16_384)]
    for window in windows:
        desk.store.learn_window(desk.id, sent(desk), window)

    assert desk.store.learned_windows(URL, "qwen3") == windows
    assert desk.store.learned_windows(URL, "llama3") == []


def test_a_request_teaches_once_and_only_in_its_conversation(store: Store) -> None:
    mine, others = a_desk(store), a_desk(store, agent="noah")
    request_id = sent(mine)
    store.add_prompt_count(mine.id, request_id, "cl100k_base", COUNTS[0])
    store.learn_window(mine.id, request_id, LearnedWindow(4_096, False, None))

    with pytest.raises(RefusedError, match="already"):
        store.add_prompt_count(mine.id, request_id, "cl100k_base", COUNTS[1])
    with pytest.raises(RefusedError, match="already"):
        store.learn_window(mine.id, request_id, LearnedWindow(2_048, False, None))
    with pytest.raises(NotFoundError):
        store.add_prompt_count(others.id, request_id, "cl100k_base", COUNTS[0])


def test_an_erasure_leaves_what_was_learned(desk: Desk) -> None:
    desk.store.add_prompt_count(desk.id, sent(desk), "cl100k_base", COUNTS[0])
    desk.store.learn_window(desk.id, sent(desk), LearnedWindow(4_096, False, None))

    desk.store.erase("T-80005", "camille", "asked for")

    assert desk.store.prompt_counts(URL, "qwen3", "cl100k_base", 9) == (1, [COUNTS[0]])
    assert desk.store.learned_windows(URL, "qwen3") == [LearnedWindow(4_096, False, None)]


PROMPT_COUNT = "INSERT INTO prompt_count VALUES (:request, :conversation, :url, 'qwen3', 'o200k_base', 1, 1, 1, 1)"
LEARNED = "INSERT INTO learned_window VALUES (:request, :conversation, :url, 'qwen3', 0, 4096, 0, 0)"


@pytest.mark.parametrize(
    ("sql", "refusal"),
    [
        (PROMPT_COUNT.replace(":conversation", "999"), "refused:foreign"),
        (PROMPT_COUNT.replace("'qwen3'", "'llama3'"), "refused:foreign"),
        (PROMPT_COUNT.replace("'o200k_base', 1,", "'o200k_base', 2,"), "refused:order"),
        (PROMPT_COUNT.replace(", 1, 1, 1)", ", 1, 1, 0)"), "CHECK"),
        (LEARNED.replace(":url", "'http://elsewhere/v1'"), "refused:foreign"),
        ("UPDATE prompt_count SET reported = 9", "refused:immutable"),
        ("DELETE FROM prompt_count", "refused:immutable"),
        ("UPDATE learned_window SET tokens = 9", "refused:immutable"),
        ("DELETE FROM learned_window", "refused:immutable"),
    ],
)
def test_what_ordinary_sql_may_not_do(file_desk: Desk, database: Path, sql: str, refusal: str) -> None:
    first, second = sent(file_desk), sent(file_desk)
    file_desk.store.add_prompt_count(file_desk.id, first, "cl100k_base", COUNTS[0])
    file_desk.store.learn_window(file_desk.id, first, LearnedWindow(4_096, False, None))

    with raw(database) as connection, pytest.raises(sqlite3.IntegrityError, match=refusal):
        connection.execute(sql, {"request": second, "conversation": file_desk.id, "url": URL})


def test_a_record_from_before_takes_what_is_learned(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        before.setattr(versions, "VERSIONS", versions.VERSIONS[:6])
        before.setattr(versions, "migrations", Migrations("ticketree"))
        for version in versions.VERSIONS:
            versions.migrations()(version)
        open_store(database).close()
        with raw(database) as connection:
            assert connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'prompt_count'").fetchone() is None

    with closing(open_store(database, clock=Clock())) as store:
        desk = a_desk(store)
        store.add_prompt_count(desk.id, sent(desk), "cl100k_base", COUNTS[0])
        assert verify(store).holds, "the schema is that of a new record"
        assert store.prompt_counts(URL, "qwen3", "cl100k_base", 1) == (1, [COUNTS[0]])
