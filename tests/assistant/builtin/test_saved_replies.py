from pathlib import Path

import pytest

from assistant.builtin import reply_text
from assistant.builtin.saved_replies import Replies, load_replies
from assistant.errors import RepliesError

LANGUAGES = ("de", "en", "es", "fr")
SITUATIONS = 12
GOOD = """---
id: gift-card
language: en
title: Gift card lost
keywords: gift card, voucher
fields: order
---
{{greeting}}

We look for [[the card of order {{order}}|your card]].

{{closing}}
"""


@pytest.fixture(scope="module")
def replies() -> Replies:
    return load_replies()


def test_the_starter_set_has_every_situation_in_every_language(replies: Replies) -> None:
    assert replies.languages == LANGUAGES
    for language in LANGUAGES:
        ids = {reply_id for reply_id, spoken in replies.by_key if spoken == language}
        assert len(ids) == SITUATIONS
        assert ids == {reply_id for reply_id, _ in replies.by_key}


def test_every_shipped_reply_has_a_short_a_friendly_and_a_formal_version(replies: Replies) -> None:
    for reply in replies.by_key.values():
        assert set(reply.texts) >= {"", "short", "friendly", "formal"}, reply.source
        assert len(set(reply.texts.values())) == len(reply.texts), reply.source
        assert len(reply.texts["short"]) < 0.75 * len(reply.texts[""]), reply.source


def test_every_shipped_text_greets_and_closes(replies: Replies) -> None:
    for reply in replies.by_key.values():
        for text in reply.texts.values():
            assert text.startswith("{{greeting}}"), reply.source
            assert text.endswith("{{closing}}"), reply.source


def test_every_shipped_title_can_be_asked_for(replies: Replies) -> None:
    titles = [reply.title for reply in replies.by_key.values()]
    assert len(set(titles)) == len(titles)
    assert all(len(title.split()) > 1 for title in titles)


def test_a_shipped_text_uses_typographic_marks_alone(replies: Replies) -> None:
    for reply in replies.by_key.values():
        for text in (*reply.texts.values(), *replies.phrases[reply.language].values()):
            assert "'" not in text, reply.source
            assert "  " not in text, reply.source


def test_ones_own_reply_is_added_and_takes_the_place_of_a_shipped_one(tmp_path: Path, replies: Replies) -> None:
    (tmp_path / "gift.md").write_text(GOOD, "utf-8")
    (tmp_path / "late.md").write_text(GOOD.replace("id: gift-card", "id: late-delivery"), "utf-8")
    own = load_replies(tmp_path)
    assert len(own.by_key) == len(replies.by_key) + 1
    late = own.get("late-delivery", "en")
    assert late is not None
    assert late.title == "Gift card lost"


def test_ones_own_phrases_replace_those_of_the_language(tmp_path: Path) -> None:
    (tmp_path / "phrases.md").write_text("---\nlanguage: en\n---\n## greeting\n\nMoin\n\n## closing\n\nBye\n", "utf-8")
    assert load_replies(tmp_path).phrases["en"] == {"greeting": "Moin", "closing": "Bye"}


def test_another_language_comes_with_its_own_phrases(tmp_path: Path) -> None:
    (tmp_path / "it.md").write_text(GOOD.replace("language: en", "language: it"), "utf-8")
    with pytest.raises(RepliesError, match=r"'it' has no greeting yet"):
        load_replies(tmp_path)
    (tmp_path / "phrases.md").write_text("---\nlanguage: it\n---\n## greeting\n\nCiao\n\n## closing\n\nA presto\n")
    assert "it" in load_replies(tmp_path).languages


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("Hello", r"own\.md, line 1: begin the file with its front matter"),
        ("---\nid gift\n---\nHello", r"own\.md, line 2: write the front matter as"),
        (GOOD.replace("title: Gift card lost\n", ""), r"own\.md, line 1: the front matter lacks “title”"),
        (GOOD.replace("language: en", "language: English"), r"own\.md, line 3: 'English' cannot be a language"),
        (GOOD.replace("keywords: gift card, voucher\n", ""), "list the “keywords”"),
        (GOOD.replace("fields: order", "fields: date"), r"own\.md, line 7: the text uses order"),
        (GOOD.replace("[[the card of order {{order}}|your card]]", "{{order}}"), r"own\.md, line 10: .* leave a hole"),
        (GOOD + "\n## funny\n\nHa\n", r"own\.md, line 14: there is no section 'funny'"),
        (GOOD + "\n## short\n\nA\n\n## short\n\nB\n", r"own\.md, line 18: there is a section 'short' already"),
        (GOOD + "\n## short\n", r"own\.md, line 14: the section 'short' is empty"),
        ("---\n---\n## short\n\nA\n", "write the reply below the front matter"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_its_line(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "own.md").write_text(content, "utf-8")
    with pytest.raises(RepliesError, match=says):
        load_replies(tmp_path)


def test_two_files_for_the_same_situation_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(GOOD, "utf-8")
    (tmp_path / "b.md").write_text(GOOD, "utf-8")
    with pytest.raises(RepliesError, match=r"b\.md.*a\.md has the id 'gift-card'"):
        load_replies(tmp_path)


def test_a_file_that_is_not_utf8_and_a_folder_that_is_missing_are_named(tmp_path: Path) -> None:
    with pytest.raises(RepliesError, match="is no folder"):
        load_replies(tmp_path / "none")
    (tmp_path / "latin.md").write_bytes(b"---\nid: \xe9\n---\n")
    with pytest.raises(RepliesError, match=r"latin\.md is not UTF-8"):
        load_replies(tmp_path)


def test_the_example_in_the_guide_is_a_reply_that_loads(tmp_path: Path) -> None:
    guide = (Path(reply_text.__file__).parent / "replies" / "README.md").read_text("utf-8")
    example = guide.split("```markdown\n")[1].split("```")[0].replace("id: late-delivery", "id: from-the-guide")
    (tmp_path / "example.md").write_text(example.replace("…", "Short."), "utf-8")
    assert load_replies(tmp_path).get("from-the-guide", "en") is not None
