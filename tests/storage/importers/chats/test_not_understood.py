"""Messages of a shape that nobody foresaw: shown where it is plain who speaks, else kept and told; no row vanishes."""

import json

import pytest
from chat_exports import ChatDesk, a_chatgpt_chain, a_chatgpt_message, text_content

from storage.importers.report import ImportReport
from storage.values import Json, JsonObject

UNKNOWN = "1 message of an unknown kind is kept, not shown: "
STRAY = "1 row is no message; kept with the source alone"


def chatgpt(message: Json) -> Json:
    """Return a chat of a question, a message, and an answer to it."""
    question, answer = (a_chatgpt_message(role, role, text_content(role[0])) for role in ("user", "assistant"))
    chat = a_chatgpt_chain(question, {}, answer)
    mapping = chat["mapping"]
    assert isinstance(mapping, dict)
    node = mapping["n1"]
    assert isinstance(node, dict)
    node["message"] = message
    return chat


def chatgpt_node(node: Json) -> Json:
    chat = a_chatgpt_chain(a_chatgpt_message("u", "user", text_content("u")), chat="c")
    mapping = chat["mapping"]
    assert isinstance(mapping, dict)
    mapping["zz"] = node
    return chat


def claude(row: Json) -> Json:
    question: JsonObject = {"uuid": "u", "sender": "human", "text": "u"}
    return {"uuid": "c", "chat_messages": [question, row, {"uuid": "a", "sender": "assistant", "text": "a"}]}


def libre(row: Json) -> Json:
    question: JsonObject = {"messageId": "u", "isCreatedByUser": True, "text": "u"}
    answer: JsonObject = {"messageId": "a", "isCreatedByUser": False, "text": "a"}
    return {"conversationId": "c", "messages": [question, row, answer]}


def webui(row: Json) -> Json:
    question: JsonObject = {"id": "u", "role": "user", "content": "u"}
    return {"id": "c", "chat": {"messages": [question, row, {"id": "a", "role": "assistant", "content": "a"}]}}


def webui_map(row: Json) -> Json:
    messages: JsonObject = {
        "u": {"role": "user", "content": "u", "parentId": None, "childrenIds": ["x"]},
        "x": row,
        "a": {"role": "assistant", "content": "a", "parentId": "u", "childrenIds": []},
    }
    return {"id": "c", "chat": {"history": {"messages": messages, "currentId": "a"}}}


def libre_sender(**message: Json) -> Json:
    return libre({"messageId": "x", "text": "words", **message})


def told(report: ImportReport) -> list[str]:
    """Return what the report says of messages that were not understood."""
    return [line.what for line in report.repaired if "unknown kind" in line.what or "no message" in line.what]


@pytest.mark.parametrize(
    ("export", "shown"),
    [
        (chatgpt(a_chatgpt_message("x", "user", "words")), "words"),
        (chatgpt(a_chatgpt_message("x", "user", ["one", {"text": "two"}, 3])), "one\ntwo\n3"),
        (chatgpt(a_chatgpt_message("x", "user", {"content_type": "text", "parts": "words"})), "words"),
        (chatgpt(a_chatgpt_message("x", "user", {"content_type": "text", "text": "words"})), "words"),
        (chatgpt({**a_chatgpt_message("x", "", text_content("words")), "author": "User"}), "words"),
        (claude({"uuid": "x", "sender": "Human", "text": "words"}), "words"),
        (claude({"uuid": "x", "sender": "bot", "text": "words"}), "words"),
        (claude({"uuid": "x", "sender": "human", "text": 17}), "17"),
        (claude({"uuid": "x", "sender": "human", "content": "words"}), "words"),
        (claude({"uuid": "x", "sender": "human", "text": {"text": "words"}}), "words"),
        (claude({"uuid": "x", "sender": "human", "content": ["words", {"type": "text", "text": 5}]}), "words\n\n5"),
        (libre_sender(isCreatedByUser="false"), "words"),
        (libre_sender(isCreatedByUser=" True "), "words"),
        (libre_sender(sender="User"), "words"),
        (libre_sender(sender="Some Model", model="gpt-4o"), "words"),
        (libre({"messageId": "x", "isCreatedByUser": True, "content": "words"}), "words"),
        (libre({"messageId": "x", "isCreatedByUser": True, "text": 17}), "17"),
        (webui({"id": "x", "role": "model", "content": "words"}), "words"),
        (webui({"id": "x", "role": "user", "content": 17}), "17"),
        (webui({"id": "x", "role": "user", "content": {"text": "words"}}), "words"),
    ],
)
def test_a_message_of_an_unforeseen_shape_is_shown_where_it_is_plain_who_speaks(
    export: Json, shown: str, desk: ChatDesk
) -> None:
    report = desk.bring(export)

    assert desk.shown() == ["u", shown, "a"]
    assert (told(report), desk.hidden()) == ([], [])


def test_what_stands_in_place_of_a_text_is_told_and_kept(desk: ChatDesk) -> None:
    desk.bring(claude({"uuid": "x", "sender": "human", "text": {"smell": "roses"}}))

    assert desk.shown() == ["u", "[content of the kind 'without a name' cannot be shown; it is kept]", "a"]
    assert "roses" in json.dumps(desk.nodes()[1].meta)


@pytest.mark.parametrize(
    ("export", "name"),
    [
        (chatgpt({"content": text_content("words")}), "n1"),
        (chatgpt({"author": None, "content": text_content("words")}), "n1"),
        (chatgpt({"author": {"role": 7}, "content": text_content("words")}), "n1"),
        (chatgpt(a_chatgpt_message("x", "critic", text_content("words"))), "n1"),
        (chatgpt("words"), "n1"),
        (chatgpt_node("words"), "zz"),
        (claude({"uuid": "x", "sender": "customer", "text": "words"}), "x"),
        (claude({"uuid": "x", "text": "words"}), "x"),
        (claude("words"), "#2"),
        (libre_sender(), "x"),
        (libre_sender(sender="Some Model"), "x"),
        (libre_sender(isCreatedByUser="perhaps"), "x"),
        (libre("words"), "#2"),
        (libre({"messageId": "x", "isCreatedByUser": True, "children": "words"}), "#3"),
        (webui({"id": "x", "role": "critic", "content": "words"}), "x"),
        (webui("words"), "#2"),
        (webui_map("words"), "x"),
    ],
)
def test_words_of_nobody_known_are_kept_not_shown_and_told(export: Json, name: str, desk: ChatDesk) -> None:
    report = desk.bring(export)

    assert (report.imported, told(report)) == (1, [f"{UNKNOWN}{name!r}"])
    assert set(desk.shown()) <= {"u", "a"}
    assert any("words" in each.text for each in desk.hidden())


@pytest.mark.parametrize(
    "export",
    [
        chatgpt([]),
        chatgpt_node(None),
        chatgpt_node(["words"]),
        chatgpt_node(7),
        claude(None),
        claude(["words"]),
        claude(" "),
        libre(None),
        libre({"messageId": "x", "isCreatedByUser": True, "text": "x", "children": [None]}),
        webui(None),
        webui_map(None),
        webui_map(7),
    ],
)
def test_what_is_no_message_at_all_is_counted(export: Json, desk: ChatDesk) -> None:
    report = desk.bring(export)

    assert (report.imported, told(report)) == (1, [STRAY])
    assert desk.hidden() == []


@pytest.mark.parametrize(
    "export",
    [
        chatgpt(a_chatgpt_message("x", "system", text_content("be kind"))),
        chatgpt(a_chatgpt_message("x", "critic", text_content(""))),
        chatgpt({"author": None, "content": {"content_type": "thoughts", "thoughts": []}}),
        claude({"uuid": "x", "sender": "system", "text": "be kind"}),
        claude({"uuid": "x", "sender": "human", "text": ""}),
        webui({"id": "x", "role": "system", "content": "be kind"}),
    ],
)
def test_what_is_known_to_be_hidden_or_says_nothing_is_not_told(export: Json, desk: ChatDesk) -> None:
    report = desk.bring(export)

    assert (desk.shown(), len(desk.hidden()), told(report)) == (["u", "a"], 1, [])


def test_many_are_counted(desk: ChatDesk) -> None:
    words: list[Json] = [{"uuid": f"x{number}", "sender": "customer", "text": "words"} for number in range(5)]
    report = desk.bring({"uuid": "c", "chat_messages": [*words, None, None, {"sender": "human", "text": "u"}]})

    assert told(report) == [
        "5 messages of an unknown kind are kept, not shown: 'x0', 'x1', 'x2' and 2 more",
        "2 rows are no messages; kept with the source alone",
    ]


def test_a_chat_of_nothing_but_rows_that_are_no_messages_is_no_success(desk: ChatDesk) -> None:
    report = desk.bring({"uuid": "c", "chat_messages": [None, 7]})

    assert [line.reason for line in report.skipped] == ["this chat of Claude holds no messages: 2 rows are no messages"]
    assert (report.found, report.exit_status) == (1, 2)


def rows(*more: Json) -> Json:
    return {"uuid": "c", "chat_messages": [{"uuid": "d", "sender": "human", "text": "one"}, *more]}


SECOND: JsonObject = {"uuid": "d", "sender": "assistant", "text": "two"}


def test_messages_of_one_id_are_all_kept_in_their_order_and_known_again(desk: ChatDesk) -> None:
    export = rows(SECOND, {"uuid": "e", "sender": "human", "text": "three"})
    report, again = desk.bring(export), desk.bring(export)

    assert desk.shown() == ["one", "two", "three"]
    assert [line.what for line in report.repaired] == [
        "'d' has an id that another message has too; all of them are kept"
    ]
    assert (again.imported, again.unchanged) == (0, 1)


def test_messages_of_one_id_stand_beside_each_other_where_parents_are_named(desk: ChatDesk) -> None:
    below: JsonObject = {"uuid": "e", "sender": "human", "text": "three", "parent_message_uuid": "d"}
    desk.bring(rows(SECOND, below))

    assert desk.tree() == [(None, True, "one"), (0, True, "three"), (None, False, "two")]


def test_a_row_that_comes_again_word_for_word_is_kept_once(desk: ChatDesk) -> None:
    report = desk.bring(rows(SECOND, SECOND, {"uuid": "d", "sender": "human", "text": "one"}))

    assert desk.shown() == ["one", "two"]
    assert [line.what for line in report.repaired] == [
        "'d' has an id that another message has too; all of them are kept",
        "'d' has a row that comes again word for word; it is kept once",
    ]
