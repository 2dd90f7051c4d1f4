"""Markdown exports: foreign words read as words and change nothing of the document."""

import re

import pytest
from desks import Desk, a_desk, a_ticket
from exports import branches, one_node_export, text_of, texts, the_two_branch_sample
from hostile import EVERY, Hostile
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from storage.exporters.export import one_path, whole_tree
from storage.exporters.printable import printable
from storage.interactions import IncomingNode, Status
from storage.tickets import Role, Ticket, TicketAttachment, TicketMessage

FORGERIES = [
    "0\n\xa0", "\x1f", "---\nticket: x\n---", "# heading", "  ## heading", "heading\n===", "heading\n---", "> quote",
    ">", "- item", "1. item", "12) item", "+ x", "***", "- - -", "```\ncode", "~~~", "    code", "\tcode", "<h1>x</h1>",
    "<!-- say", "<script>", "</blockquote>", "&lt;", "&#35;", "[a](http://evil.example)", "![x](https://evil.example/?d=1)",
    "[x]: http://evil.example", "<http://evil.example>", "| a | b |\n|---|---|\n| 1 | 2 |", "a\n: definition",
    "*a* _b_", "`code`", "~~x~~", "ends in \\", "\\", "\\\\\nx", "a  \nb", "a\n\n\n\nb", "\n\n a", "$$x$$", "{{ x }}",
    "[^1]", "x #", "a\rb", "a\u2028b", "\u00a0\n\u3000", "{.class}", "1.", "2024-01-02", "...", "-", "=",
]  # fmt: skip

_COMMONMARK = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_FRONT_MATTER_LINE = re.compile(r'[a-z]+: (?:\d+|"(?:[^"\\\x00-\x1f\x7f-\x9f]|\\[\\"nt])*")')
_NAMES = [
    "format", "version", "ticket", "subject", "customer", "language", "status", "agent", "scope", "selected", "messages"
]  # fmt: skip


def split(text: str) -> tuple[dict[str, str], list[Token]]:
    """Return the front matter and the tokens of what follows, and check that only our front matter is there."""
    assert text.startswith("---\n")
    head, separator, body = text[4:].partition("\n---\n")
    assert separator
    values = {}
    for line in head.split("\n"):
        assert _FRONT_MATTER_LINE.fullmatch(line), line
        name, _, value = line.partition(": ")
        values[name] = value
    assert list(values) == _NAMES
    return values, _COMMONMARK.parse(body)


def headings(tokens: list[Token]) -> list[tuple[str, str]]:
    return [
        (token.tag, shown(tokens[position + 1]))
        for position, token in enumerate(tokens)
        if token.type == "heading_open"
    ]


def shown(inline: Token) -> str:
    """The text of an inline token that may hold nothing but text and line breaks."""
    children = inline.children or []
    assert {child.type for child in children} <= {"text", "hardbreak"}, [child.type for child in children]
    return "".join("\n" if child.type == "hardbreak" else child.content for child in children)


def quotes(tokens: list[Token]) -> list[str]:
    """The texts of all block quotes, which may hold paragraphs only."""
    found: list[list[str]] = []
    inside = False
    for token in tokens:
        match token.type:
            case "blockquote_open":
                assert not inside
                inside = True
                found.append([])
            case "blockquote_close":
                inside = False
            case "inline" if inside:
                found[-1].append(shown(token))
            case kind if inside:
                assert kind in ("paragraph_open", "paragraph_close"), kind
            case _:
                pass
    return ["\n\n".join(paragraphs) for paragraphs in found]


def words(text: str) -> str:
    """A text as Markdown can show it: blanks around lines do not count, nor do more empty lines than one."""
    lines = "\n".join(line.strip() for line in printable(text).split("\n"))
    return re.sub("\n{2,}", "\n\n", lines).strip()


def check_one_message(text: str) -> None:
    _, tokens = split(text_of(one_node_export(text), "markdown"))

    *_, last = quotes(tokens) if words(text) else ["", ""]
    assert words(last) == words(text)
    assert [tag for tag, _ in headings(tokens)] == ["h1", "h2", "h3", "h2"]


@pytest.mark.parametrize("text", FORGERIES + [case.text for case in EVERY], ids=lambda text: ascii(text)[:24])
def test_a_message_reads_as_its_own_words_and_makes_no_structure(text: str) -> None:
    check_one_message(text)


@settings(deadline=None)
@given(st.one_of(texts, st.text("#>-+*=_`~|<>[]()!&;:.\\$ \t\n\r1aéx\u00a0")))
def test_any_text_reads_as_its_own_words(text: str) -> None:
    check_one_message(text)


@pytest.mark.parametrize("text", FORGERIES + [case.text for case in EVERY], ids=lambda text: ascii(text)[:24])
def test_hostile_names_subjects_and_files_stay_where_they_are_told(text: str) -> None:
    message = TicketMessage(text, Role.CUSTOMER, text, attachments=(TicketAttachment(text, text, 1_234),))
    ticket = Ticket(text, 1, 1, text, text, text, text, None, (message,), "")

    values, tokens = split(text_of(one_node_export("hello", author=text, ticket=ticket), "markdown"))

    assert [tag for tag, _ in headings(tokens)] == ["h1", "h2", "h3", "h2"]
    *of_ticket, of_message = quotes(tokens)
    assert [words(quote) for quote in of_ticket] == [words(text)] * bool(words(text))
    assert of_message == "hello"
    assert sum(token.type == "list_item_open" for token in tokens) == 1
    assert values["selected"] == "3"
    for token in tokens:
        if token.type == "inline":
            shown(token)


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_no_control_character_is_left(case: Hostile) -> None:
    text = text_of(one_node_export(case.text, author=case.text), "markdown")

    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]", text
    )


def test_a_path_has_a_heading_for_each_message_and_the_facts_below_it(desk: Desk) -> None:
    first = desk.say(desk.ticket_node, "one")
    edit = desk.say(desk.ticket_node, "two\nlines", replaces_id=first.id)
    answer = desk.answer(edit.id, "Dear", status=Status.INTERRUPTED)

    text = text_of(one_path(desk.store, desk.conversation), "markdown")

    assert f"\n## {edit.id} · camille · agent\n\n2025-06-15 15:06:44 UTC · 2 of 2 · instead of {first.id}\n" in text
    assert "\n> two\\\n> lines\n" in text
    assert f"## {answer.id} · built-in · assistant" in text
    assert "stopped before its end" in text
    assert "one" not in quotes(split(text)[1])


def test_a_whole_tree_tells_what_each_message_follows_and_which_path_is_shown(desk: Desk) -> None:
    nodes = the_two_branch_sample(desk)
    anew = desk.say(desk.root, "anew")
    desk.store.select(desk.id, nodes["fourth"].id)

    values, tokens = split(text_of(whole_tree(desk.store, desk.conversation), "markdown"))

    facts = {
        int(shown(tokens[position + 1]).split(" · ")[0]): shown(tokens[position + 4])
        for position, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag == "h2"
    }
    assert values["scope"] == '"tree"'
    assert values["messages"] == "10"
    assert [node_id for node_id, told in facts.items() if "follows" in told] == [nodes["third"].parent_id]
    assert "starts anew" in facts[anew.id]
    assert sum(told.endswith("shown") for told in facts.values()) == 7
    assert facts[nodes["second"].id].endswith("UTC")


def test_a_ticket_shows_every_message_its_notes_and_files() -> None:
    messages = [
        TicketMessage(
            "Sophie", Role.CUSTOMER, "Where?", 0, attachments=(TicketAttachment("a.png", "image/png", 1_234),)
        ),
        TicketMessage("Ann", Role.AGENT, "", internal=True),
    ]
    desk = a_desk(ticket=a_ticket(messages=messages))

    text = text_of(whole_tree(desk.store, desk.conversation), "markdown")

    assert "### Sophie · customer · 1970-01-01 00:00:00 UTC\n\n> Where?\n\n* a.png (image/png, 1,234 bytes)\n" in text
    assert "### Ann · agent · internal note\n\n(empty)\n" in text


def test_why_an_answer_failed_is_told(desk: Desk) -> None:
    node = desk.begin(desk.ticket_node)
    detail = {"error": {"kind": "busy", "message": "The server is *busy*.", "advice": "Wait."}}
    desk.store.finish(desk.id, node.id, Status.ERROR, detail)

    text = text_of(one_path(desk.store, desk.conversation), "markdown")

    assert "Error: The server is \\*busy\\*. Wait." in text
    assert "(empty)" in text


@settings(max_examples=25, deadline=None)
@given(branches())
def test_any_tree_has_one_heading_for_each_message(nodes: list[IncomingNode]) -> None:
    desk = a_desk()
    desk.store.add_branch(desk.id, nodes)

    _, tokens = split(text_of(whole_tree(desk.store, desk.conversation), "markdown"))

    assert [tag for tag, _ in headings(tokens)] == ["h1", "h2", "h3"] + ["h2"] * len(nodes)
    desk.store.close()
