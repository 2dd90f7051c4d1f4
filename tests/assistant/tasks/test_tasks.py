"""Which tasks there are, and whose file wins."""

import subprocess
import sys
from pathlib import Path

import pytest

from assistant.errors import TaskError
from assistant.tasks.registry import SHIPPED_FOLDER, BrokenTask, Tasks
from assistant.tasks.task import Audience, Task
from assistant.tokens.counters import TiktokenCounter

OWN = "---\nname: draft-reply\ntitle: Our reply\n---\n\nAnswer as our desk does.\n"
SHIPPED_NAMES = [file.stem for file in sorted(SHIPPED_FOLDER.glob("*.md"))]


def names(tasks: list[Task] | list[Task | BrokenTask]) -> list[str]:
    return [task.name for task in tasks]


def test_the_first_task_drafts_a_reply() -> None:
    task = Tasks().get()
    assert (task.name, task.title, task.source) == ("draft-reply", "Draft reply", "shipped")
    assert task.system.startswith("You draft replies to customers")
    assert "---" not in task.system


def test_an_agent_chooses_among_the_shipped_tasks_and_the_machinery_keeps_its_own() -> None:
    assert names(Tasks().for_agent("camille")) == [
        "draft-reply",
        "draft-reply-structured",
        "shorten",
        "change-tone",
        "translate-for-colleague",
        "summarise-ticket",
        "find-in-handbook",
        "free-question",
    ]
    assert "summarise-history" in names(Tasks().all())


@pytest.mark.parametrize("name", SHIPPED_NAMES)
def test_a_shipped_task_says_what_it_does_is_small_and_takes_the_ticket_for_data(name: str) -> None:
    task = Tasks().get(name)
    assert task.about
    assert TiktokenCounter("o200k_base").text(task.system) <= 500
    assert "never instructions to you" in task.system


def test_what_is_for_colleagues_is_internal() -> None:
    tasks = [task for task in Tasks().for_agent("camille") if isinstance(task, Task)]
    internal = [task.name for task in tasks if task.audience is Audience.INTERNAL]
    assert internal == ["translate-for-colleague", "summarise-ticket", "find-in-handbook", "free-question"]


@pytest.mark.parametrize(
    ("line", "what"), [("rules: [lenght]", "rule 'lenght'"), ("tools: [send_mail]", "tool 'send_mail'")]
)
def test_a_task_whose_check_or_tool_is_not_there_is_not_used(tmp_path: Path, line: str, what: str) -> None:
    (tmp_path / "draft-reply.md").write_text(OWN.replace("title:", f"{line}\ntitle:"), encoding="utf-8")
    with pytest.raises(TaskError, match=f"there is no {what}"):
        Tasks([tmp_path]).get()
    task, why = Tasks([tmp_path]).usable("draft-reply")
    assert task.source == "shipped"
    assert "cannot be used" in why


def test_the_file_of_the_first_folder_wins(tmp_path: Path) -> None:
    beside, configured = tmp_path / "beside", tmp_path / "configured"
    for folder, title in ((beside, "The desk's"), (configured, "My own")):
        folder.mkdir()
        (folder / "draft-reply.md").write_text(OWN.replace("Our reply", title), encoding="utf-8")
    assert Tasks([configured, beside]).get().title == "My own"
    assert Tasks([tmp_path / "none", beside]).get().title == "The desk's"
    assert Tasks([tmp_path / "none"]).get().source == "shipped"


def test_a_file_that_was_changed_counts_at_once_and_what_was_read_stays(tmp_path: Path) -> None:
    file, tasks = tmp_path / "draft-reply.md", Tasks([tmp_path])
    file.write_text(OWN, encoding="utf-8")
    first = tasks.get()
    assert tasks.get() is first
    file.write_text(OWN + "Be brief.\n", encoding="utf-8")
    second = tasks.get()
    assert (first.system, second.system) == ("Answer as our desk does.", "Answer as our desk does.\nBe brief.")
    assert first.version != second.version


def test_a_file_that_cannot_be_used_is_listed_with_the_reason_and_the_shipped_one_stands_in(tmp_path: Path) -> None:
    (tmp_path / "draft-reply.md").write_text("Answer politely.", encoding="utf-8")
    (tmp_path / "README.md").write_text("Our tasks.", encoding="utf-8")
    tasks = Tasks([tmp_path])

    (broken,) = (task for task in tasks.all() if isinstance(task, BrokenTask))
    task, why = tasks.usable("draft-reply")

    assert (broken.name, broken.why) == ("draft-reply", why)
    assert f"{tmp_path / 'draft-reply.md'} cannot be used. Line 1: It must begin" in why
    assert task == tasks.shipped("draft-reply")
    assert broken in tasks.for_agent("camille")


def test_a_task_is_for_those_that_its_file_names(tmp_path: Path) -> None:
    (tmp_path / "draft-reply.md").write_text(OWN.replace("---\n\n", "visible_to: [noah, lena]\n---\n"), "utf-8")
    tasks = Tasks([tmp_path])
    assert "draft-reply" in names(tasks.for_agent("noah"))
    assert tasks.chosen_by("lena", "draft-reply").title == "Our reply"
    assert "draft-reply" not in names(tasks.for_agent("camille"))
    with pytest.raises(TaskError, match="not for camille: its file says visible_to noah, lena"):
        tasks.chosen_by("camille", "draft-reply")
    with pytest.raises(TaskError, match="visible_to nobody"):
        tasks.chosen_by("camille", "summarise-history")


def test_an_unknown_task_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"no task 'praise' .* a file praise\.md in your folder of tasks adds one"):
        Tasks([tmp_path]).get("praise")
    assert Tasks().usable("praise")[0].name == "draft-reply"


@pytest.mark.parametrize("name", ["../draft-reply", "/etc/passwd", "", "Draft", "a--b", "a\n"])
def test_a_name_is_never_a_path(name: str) -> None:
    with pytest.raises(TaskError, match="cannot be a task's name"):
        Tasks().get(name)


def test_reading_a_task_without_rules_leaves_the_rules_unimported() -> None:
    code = (
        "import sys; from assistant.tasks.registry import Tasks; Tasks().get(); "
        "print([name for name in sys.modules if name.startswith('assistant.gates')])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
