"""Searching a folder of files, and what is skipped of it."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.errors import HandbookError
from assistant.handbook import files as handbook_files
from assistant.handbook import handbook as handbook_module
from assistant.handbook.files import HandbookFile, Skipped
from assistant.handbook.handbook import Handbook

RETURNS = """# Returns

## How long

Goods may be sent back within 30 days.

## Refunds

The money goes back the way it came, within 14 days after the parcel has arrived.
"""
DELIVERY = "# Lieferung\n\nPakete nach Österreich brauchen drei Werktage. Größere Möbel kommen mit der Spedition.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "handbook"
    (made / "de").mkdir(parents=True)
    (made / "returns.md").write_text(RETURNS)
    (made / "de" / "lieferung.md").write_text(DELIVERY)
    return made


@pytest.fixture(params=["memory", "cache"])
def handbook(folder: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Handbook]:
    made = Handbook(folder, tmp_path / "cache" if request.param == "cache" else None)
    yield made
    made.close()


def sources(handbook: Handbook, query: str) -> list[str]:
    return [passage.source for passage in handbook.search(query)]


def test_the_best_passage_comes_first_and_is_cited_by_file_and_heading(handbook: Handbook) -> None:
    assert sources(handbook, "when does the refund arrive")[0] == "returns.md › Returns › Refunds"
    assert sources(handbook, "back within 30 days")[0] == "returns.md › Returns › How long"


@pytest.mark.parametrize("query", ["Österreich", "osterreich", "ÖSTERREICH", "O\u0308sterreich", "größere", "GROSSERE"])
def test_case_and_accents_do_not_count(handbook: Handbook, query: str) -> None:
    assert sources(handbook, query) == ["de/lieferung.md › Lieferung"]


def test_words_are_found_by_their_stem(handbook: Handbook) -> None:
    assert sources(handbook, "refunded") == ["returns.md › Returns › Refunds"]


def test_signs_of_scripts_without_spaces_are_found(folder: Path, handbook: Handbook) -> None:
    (folder / "ja.md").write_text("# 返品\n\n三十日以内に返品できます。\n")

    assert sources(handbook, "返品") == ["ja.md › 返品"]


@pytest.mark.parametrize(
    "query",
    ['"', "refunds\" OR 1", "refunds NOT back", "heading:refunds", "{text}: refunds", "NEAR(refunds", "^refunds",
     "refunds*", "refunds)", "'; DROP TABLE passage;--", "refunds\0back", "\udcff refunds", "-refunds", "AND OR NOT"],
)  # fmt: skip
def test_a_query_is_literal_whatever_it_holds(handbook: Handbook, query: str) -> None:
    found = handbook.search(query)

    assert [passage.file for passage in found[:1]] in ([], ["returns.md"])
    assert bool(found) == ("refunds" in query)
    assert handbook.contents().passages == 3


@pytest.mark.parametrize("query", ["", "   ", "?!", "kettle", "\u200b"])
def test_what_is_not_there_is_not_found(handbook: Handbook, query: str) -> None:
    assert handbook.search(query) == []


def test_words_that_nearly_every_passage_has_do_not_decide(folder: Path, handbook: Handbook) -> None:
    for number in range(12):
        (folder / f"page{number}.md").write_text(
            f"# Page {number}\n\nThe words of the page, and the page of the words.\n"
        )

    assert sources(handbook, "the refund of the kettle") == ["returns.md › Returns › Refunds"]
    assert len(handbook.search("the page")) == 5


@pytest.mark.parametrize("query", ["when is the refund to be had", "wann kommt der refund", "quand est-ce que refund"])
def test_what_every_question_is_made_of_does_not_decide(folder: Path, handbook: Handbook, query: str) -> None:
    (folder / "questions.md").write_text("# When is the; wann der; quand est-ce que\n\nWhen? Wann? Quand?\n")

    assert sources(handbook, query) == ["returns.md › Returns › Refunds"]
    assert sources(handbook, "when")[0].startswith("questions.md")


def test_so_many_passages_are_given_as_were_asked_for(handbook: Handbook) -> None:
    assert len(handbook.search("days back drei", limit=2)) == 2


def test_changes_of_the_files_count_at_the_next_search(folder: Path, handbook: Handbook) -> None:
    assert sources(handbook, "kettles") == []
    (folder / "kettles.md").write_text("# Kettles\n\nDescale them.\n")
    assert sources(handbook, "kettles") == ["kettles.md › Kettles"]
    (folder / "kettles.md").write_text("# Pots\n\nNothing any more about those.\n")
    assert sources(handbook, "descale") == []
    (folder / "returns.md").unlink()
    assert sources(handbook, "refunds") == []
    assert handbook.contents().files == 2


def test_an_index_is_kept_and_files_that_did_not_change_are_not_read_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Handbook(folder, tmp_path / "cache")
    first.search("refunds")
    first.close()
    read: list[str] = []

    def watched(file: HandbookFile) -> str | Skipped:
        read.append(file.name)
        return handbook_files.read_text(file)

    monkeypatch.setattr(handbook_module, "read_text", watched)
    os.utime(folder / "de" / "lieferung.md", ns=(1, 1))
    again = Handbook(folder, tmp_path / "cache")

    assert sources(again, "refunds") == ["returns.md › Returns › Refunds"]
    assert sources(again, "Österreich") == ["de/lieferung.md › Lieferung"]
    assert read == ["de/lieferung.md"]
    assert again.contents().cached
    again.close()


def test_the_kept_index_is_readable_for_its_owner_alone_and_another_folder_has_another(
    folder: Path, tmp_path: Path
) -> None:
    for place in (folder, folder / "de"):
        handbook = Handbook(place, tmp_path / "cache")
        handbook.search("refunds")
        handbook.close()

    kept = sorted((tmp_path / "cache").iterdir())
    assert len(kept) == 2
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}


@pytest.mark.parametrize("data", [b"this is no database" * 100, b""], ids=["rubbish", "empty"])
def test_a_kept_index_that_is_none_is_made_anew(folder: Path, tmp_path: Path, data: bytes) -> None:
    first = Handbook(folder, tmp_path / "cache")
    first.search("refunds")
    first.close()
    (kept,) = (tmp_path / "cache").iterdir()
    kept.write_bytes(data)

    again = Handbook(folder, tmp_path / "cache")

    assert sources(again, "refunds") == ["returns.md › Returns › Refunds"]
    assert again.contents().cached
    again.close()


def test_without_a_place_to_keep_it_the_index_is_in_memory(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    handbook = Handbook(folder, tmp_path / "cache")

    assert sources(handbook, "refunds") == ["returns.md › Returns › Refunds"]
    assert not handbook.contents().cached
    handbook.close()


def test_an_index_that_breaks_while_it_is_used_is_left_for_one_in_memory(folder: Path, tmp_path: Path) -> None:
    handbook = Handbook(folder, tmp_path / "cache")
    handbook.search("refunds")
    (kept,) = (tmp_path / "cache").iterdir()
    with kept.open("r+b") as opened:
        opened.write(b"x" * kept.stat().st_size)
    (folder / "kettles.md").write_text("# Kettles\n\nDescale them.\n")

    assert sources(handbook, "kettles") == ["kettles.md › Kettles"]
    assert not handbook.contents().cached
    handbook.close()


def test_what_cannot_be_read_is_skipped_with_its_reason(
    folder: Path, tmp_path: Path, handbook: Handbook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handbook_files, "MOST_BYTES", 1024**2)
    secret = tmp_path / "secret.md"
    secret.write_text("# Secret\n\nThe password.\n")
    (folder / "link.md").symlink_to(secret)
    (folder / "inner.md").symlink_to(folder / "returns.md")
    (folder / "gone.md").symlink_to(tmp_path / "nothing")
    (folder / "outside").symlink_to(tmp_path)
    (folder / "latin.md").write_bytes("Rückgabe".encode("latin-1"))
    (folder / "picture.md").write_bytes(b"\x89PNG\0\0")
    (folder / "huge.md").write_bytes(b"x" * (1024**2 + 1))
    os.mkfifo(folder / "pipe.md")
    (folder / "notes.docx").write_bytes(b"PK")
    (folder / ".hidden.md").write_text("hidden refunds")
    (folder / "utf16.md").write_text("# Überweisung\n\nDas dauert.\n", encoding="utf-16")
    (folder / "bom.txt").write_text("Umtausch", encoding="utf-8-sig")

    contents = handbook.contents()

    assert [(skipped.name, skipped.reason) for skipped in contents.skipped] == [
        ("gone.md", "is a link to nothing"),
        ("huge.md", "is larger than 1 MiB"),
        ("latin.md", "is not UTF-8 text; save it as UTF-8"),
        ("link.md", "is a link that leads out of the folder"),
        ("outside", "is a link that leads out of the folder"),
        ("picture.md", "is binary, no text"),
        ("pipe.md", "is no ordinary file"),
    ]
    assert contents.files == 4
    assert sources(handbook, "password hidden") == []
    assert sources(handbook, "uberweisung") == ["utf16.md › Überweisung"]
    assert [passage.text for passage in handbook.search("umtausch")] == ["Umtausch"]


def test_a_file_that_was_put_right_is_not_skipped_any_more(folder: Path, handbook: Handbook) -> None:
    (folder / "latin.md").write_bytes("Rückgabe".encode("latin-1"))
    assert [skipped.name for skipped in handbook.contents().skipped] == ["latin.md"]
    (folder / "latin.md").write_text("Rückgabe und Umtausch")

    assert handbook.contents().skipped == ()
    assert sources(handbook, "umtausch") == ["latin.md"]


def test_without_the_folder_it_says_how_to_name_one(tmp_path: Path) -> None:
    for missing in (tmp_path / "none", tmp_path / "file.md"):
        (tmp_path / "file.md").write_text("a file")
        with pytest.raises(HandbookError, match="--handbook"):
            Handbook(missing).search("refunds")
