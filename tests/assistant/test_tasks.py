import hashlib
from pathlib import Path

import pytest

from assistant.counters import TiktokenCounter
from assistant.errors import TaskError
from assistant.tasks import SHIPPED_FOLDER, load_task

OWN = "---\nname: draft-reply\ntitle: Our reply\n---\n\nAnswer as our desk does.\n"


def test_the_shipped_task_drafts_a_reply() -> None:
    task = load_task()
    assert (task.name, task.title, task.source) == ("draft-reply", "Draft reply", "shipped")
    assert task.system.startswith("You draft replies to customers")
    assert "---" not in task.system


def test_the_shipped_system_message_is_small() -> None:
    assert TiktokenCounter("o200k_base").text(load_task().system) <= 350


@pytest.mark.parametrize("file", sorted(SHIPPED_FOLDER.glob("*.md")), ids=lambda file: file.stem)
def test_every_shipped_task_can_be_loaded(file: Path) -> None:
    assert load_task(file.stem).name == file.stem


def test_the_teams_own_file_comes_first(tmp_path: Path) -> None:
    (tmp_path / "draft-reply.md").write_text(OWN, encoding="utf-8")
    task = load_task("draft-reply", tmp_path)
    assert (task.title, task.system) == ("Our reply", "Answer as our desk does.")
    assert task.source == str(tmp_path / "draft-reply.md")


def test_a_folder_without_the_file_leaves_the_shipped_one(tmp_path: Path) -> None:
    assert load_task("draft-reply", tmp_path).source == "shipped"
    assert load_task("draft-reply", tmp_path / "none").source == "shipped"


def test_the_version_follows_the_content(tmp_path: Path) -> None:
    file = tmp_path / "draft-reply.md"
    file.write_bytes(OWN.encode())
    first = load_task("draft-reply", tmp_path).version
    assert first == hashlib.sha256(OWN.encode()).hexdigest()[:12]
    file.write_bytes(OWN.encode() + b"Be brief.\n")
    assert load_task("draft-reply", tmp_path).version != first


@pytest.mark.parametrize("data", ["\ufeff" + OWN, OWN.replace("\n", "\r\n"), OWN.replace("---\n", "--- \n", 1)])
def test_what_editors_add_does_no_harm(tmp_path: Path, data: str) -> None:
    (tmp_path / "draft-reply.md").write_bytes(data.encode())
    assert load_task("draft-reply", tmp_path).system == "Answer as our desk does."


def test_a_body_may_hold_rules_and_colons(tmp_path: Path) -> None:
    (tmp_path / "draft-reply.md").write_text(OWN + "\n---\nnote: keep this\n", encoding="utf-8")
    assert load_task("draft-reply", tmp_path).system.endswith("---\nnote: keep this")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Answer politely.", "must begin with its name and title"),
        ("", "must begin with its name and title"),
        ("---\nname: draft-reply\ntitle: T\nAnswer.", "must begin with its name and title"),
        ("---\ntitle: T\n---\nAnswer.", "lacks its name"),
        ("---\nname: draft-reply\ntitle:\n---\nAnswer.", "lacks its title"),
        ("---\nname: draft-reply\ntitle: T\n---\n \n", "holds no system message"),
        ("---\nname: other\ntitle: T\n---\nAnswer.", "name the file other.md"),
        ("---\nname: draft-reply\ntitle: T\nmodel: x\n---\nAnswer.", "'model: x' that means nothing"),
        ("---\nname: draft-reply\nname: draft-reply\ntitle: T\n---\nA.", "stands once"),
        ("---\nname: draft-reply\nwhatever\ntitle: T\n---\nA.", "'whatever' that means nothing"),
    ],
)
def test_a_file_that_is_no_task_is_refused_with_what_to_do(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "draft-reply.md"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(TaskError) as caught:
        load_task("draft-reply", tmp_path)
    assert sentence in str(caught.value)
    assert str(file) in str(caught.value)


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "draft-reply.md").write_bytes(OWN.replace("desk", "büro").encode("latin-1"))
    with pytest.raises(TaskError, match="save it as UTF-8"):
        load_task("draft-reply", tmp_path)


def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "draft-reply.md").mkdir()
    with pytest.raises(TaskError, match="cannot be read"):
        load_task("draft-reply", tmp_path)


def test_an_unknown_task_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"no task 'praise' .* add a file praise\.md"):
        load_task("praise", tmp_path)


@pytest.mark.parametrize("name", ["../draft-reply", "/etc/passwd", "", "Draft", "a--b", "a\n"])
def test_a_name_is_never_a_path(name: str) -> None:
    with pytest.raises(TaskError, match="cannot be a task's name"):
        load_task(name)
