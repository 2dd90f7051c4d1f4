"""What each program's messages become."""

import json

import pytest
from chat_exports import ChatDesk, a_chatgpt_chain, a_chatgpt_message, source_of, text_content

from storage.importers import json_tickets
from storage.interactions import Status
from storage.values import Json, JsonObject


def user(text: str = "Q", **more: Json) -> dict[str, Json]:
    return a_chatgpt_message("u", "user", text_content(text), **more)


def answer(content: Json = None, **more: Json) -> dict[str, Json]:
    return a_chatgpt_message("a", "assistant", content or text_content("A"), **more)


def contents(desk: ChatDesk) -> list[str]:
    return [text for _, _, text in desk.tree()]


# ChatGPT


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        (a_chatgpt_message("x", "system", text_content("be kind")), "observation"),
        (a_chatgpt_message("x", "tool", text_content("42")), "tool_result"),
        (a_chatgpt_message("x", "hologram", text_content("42")), "observation"),
        (answer(text_content("search()"), recipient="browser"), "tool_call"),
        (answer(text_content("hm"), channel="analysis"), "observation"),
        (answer({"content_type": "thoughts", "thoughts": [{"content": "hm"}]}), "observation"),
        (user("about me", metadata={"is_visually_hidden_from_conversation": True}), "observation"),
        (answer(text_content("")), "observation"),
        (answer({"content_type": "text", "parts": None}), "observation"),
    ],
)
def test_what_the_program_does_not_show_hangs_on_the_nearest_shown_message_with_its_json(
    message: JsonObject, kind: str, desk: ChatDesk
) -> None:
    desk.bring(a_chatgpt_chain(None, user(), message, answer()))

    question, after = desk.nodes()
    (hidden,) = desk.hidden()
    assert (hidden.kind, hidden.parent_id) == (kind, question.id)
    assert json.loads(hidden.text) == message
    assert after.parent_id == question.id
    assert desk.shown() == ["Q", "A"]


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ({"content_type": "code", "language": "python", "text": "a = '```'"}, "````python\na = '```'\n````"),
        ({"content_type": "code", "language": "unknown", "text": "x"}, "```\nx\n```"),
        ({"content_type": "execution_output", "text": "1"}, "1"),
        ({"content_type": "citable_code_output", "output_str": "L0"}, "L0"),
        ({"content_type": "tether_quote", "title": "T", "url": "http://x", "text": "q"}, "T\nhttp://x\nq"),
        ({"content_type": "tether_browsing_display", "summary": None, "result": "r"}, "r"),
        ({"content_type": "system_error", "name": "E", "text": "boom"}, "E: boom"),
        ({"content_type": "computer_output", "screenshot": {}}, "[image]"),
        ({"content_type": "n" * 99}, f"[content of the kind {'n' * 80!r} cannot be shown; it is kept]"),
        ({"content_type": "multimodal_text", "parts": [{"content_type": "audio_asset_pointer"}]}, "[sound]"),
        (
            {"content_type": "multimodal_text", "parts": ["a", {"content_type": "smell"}]},
            "a\n[content of the kind 'smell' cannot be shown; it is kept]",
        ),
        ({"text": "without a type"}, "without a type"),
    ],
)
def test_every_content_is_shown_as_text_and_kept_whole(content: JsonObject, shown: str, desk: ChatDesk) -> None:
    desk.bring(a_chatgpt_chain(user(), answer(content)))

    assert desk.shown() == ["Q", shown]
    kept = source_of(desk.nodes()[1]).get("raw")
    assert shown == content.get("text") or json.loads(str(kept))["content"] == content


def test_files_and_pictures_are_named(desk: ChatDesk) -> None:
    picture = {"name": "roof.png", "mime_type": "image/png"}
    files: Json = [{"name": "in\nvoice.pdf", "mime_type": "application/pdf"}, picture]
    pointer: JsonObject = {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}, "see"]}
    with_both = a_chatgpt_message("u", "user", pointer, metadata={"attachments": files})
    desk.bring(a_chatgpt_chain(user(metadata={"attachments": files}), answer(), with_both))

    assert desk.shown() == ["Q\n[file: in voice.pdf]\n[image: roof.png]", "A", "[image]\nsee\n[file: in voice.pdf]"]


def test_times_models_names_and_endings_are_kept(desk: ChatDesk) -> None:
    metadata: JsonObject = {"model_slug": "gpt-4o", "finish_details": {"type": "max_tokens"}}
    named = {**user(create_time=1_700_000_000.25), "author": {"role": "user", "name": "Cam"}}
    desk.bring(a_chatgpt_chain(named, answer(metadata=metadata, update_time=1_700_000_009)))

    question, reply = desk.nodes()
    assert (question.author, question.created_at, question.meta["author"]) == ("camille", 1_700_000_000_250_000, "Cam")
    assert source_of(question) == {
        "program": "ChatGPT", "chat": "c1", "node": "n0", "create_time": 1_700_000_000.25, "recipient": "all"
    }  # fmt: skip
    assert (reply.author, reply.meta["model"], reply.status) == ("gpt-4o", "gpt-4o", Status.LENGTH)
    assert source_of(reply)["update_time"] == 1_700_000_009


def test_an_answer_without_a_model_is_the_program_s(desk: ChatDesk) -> None:
    desk.bring(a_chatgpt_chain(user(), answer()))

    assert desk.nodes()[1].author == "ChatGPT"


def test_the_ticket_made_for_a_chat_is_closed_without_a_customer_and_keeps_the_source(desk: ChatDesk) -> None:
    chat = a_chatgpt_chain(user(), title="  Hammock \n late ")
    desk.bring([{"no": "chat"}, chat])

    (summary,) = desk.store.tickets("camille")
    ticket = desk.store.ticket(summary.id)
    assert (summary.subject, summary.customer, summary.status) == ("Hammock late", "", "closed")
    assert len(summary.id) == len("C-") + 8
    assert [message.text for message in ticket.messages] == ["A chat with ChatGPT, imported."]
    assert ticket.created_at == 1_700_000_000_000_000
    assert ticket.extra == {"program": "ChatGPT", "chat": "c1"}
    ((name, kind, raw),) = desk.store.sources(summary.id)
    assert name.endswith("export.json#2")
    assert (kind, json.loads(raw)) == ("chatgpt", chat)


def test_a_current_message_that_is_hidden_shows_the_nearest_shown_one_above(desk: ChatDesk) -> None:
    report = desk.bring(a_chatgpt_chain(user(), answer(), a_chatgpt_message("t", "tool", text_content("x"))))

    assert (desk.shown(), report.repaired) == (["Q", "A"], ())


def test_without_a_current_message_the_newest_end_by_time_is_shown(desk: ChatDesk) -> None:
    mapping: dict[str, Json] = {
        "u": {"parent": None, "children": ["a", "b"], "message": user()},
        "a": {"parent": "u", "children": [], "message": answer(text_content("newer"), create_time=1_700_000_009)},
        "b": {"parent": "u", "children": [], "message": answer(text_content("older"), create_time=1_700_000_001)},
    }
    report = desk.bring({"title": "t", "id": "c", "mapping": mapping})

    assert desk.shown() == ["Q", "newer"]
    assert [line.what for line in report.repaired] == [
        "it names no current message; the newest end of a branch is shown"
    ]


def test_a_chat_of_nothing_but_hidden_messages_is_kept(desk: ChatDesk) -> None:
    report = desk.bring(a_chatgpt_chain(a_chatgpt_message("s", "system", text_content("be kind"))))

    assert (report.imported, desk.nodes(), len(desk.hidden())) == (1, [], 1)


def test_an_object_that_wraps_the_chats_is_read(desk: ChatDesk) -> None:
    chats: list[Json] = [a_chatgpt_chain(user(), chat="1"), a_chatgpt_chain(user(), chat="2")]

    assert desk.bring({"version": 2, "conversations": chats}).imported == 2


def test_a_chat_without_an_id_is_known_again(desk: ChatDesk) -> None:
    chat = {name: value for name, value in a_chatgpt_chain(user()).items() if name != "conversation_id"}

    first, again = desk.bring(chat), desk.bring(chat)

    assert [line.what for line in first.repaired] == [
        "it names no id; it is known by when it began and by its first message"
    ]
    assert (first.imported, again.imported, again.unchanged) == (1, 0, 1)


# Claude


def claude(*messages: JsonObject, **more: Json) -> Json:
    return [{"uuid": "c", "name": "t", "chat_messages": list(messages), **more}]


def said(uuid: str, sender: str, text: str = "", *blocks: JsonObject, **more: Json) -> JsonObject:
    return {"uuid": uuid, "sender": sender, "text": text, "content": list(blocks), **more}


def test_blocks_of_claude_show_their_text_and_keep_thinking_and_tools(desk: ChatDesk) -> None:
    blocks: list[JsonObject] = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "name": "search", "input": {"q": "x"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "found"}]},
        {"type": "text", "text": "Found."},
        {"type": "hologram"},
    ]
    desk.bring(claude(said("1", "human", "Q"), said("2", "assistant", "unused", *blocks)))

    assert desk.shown() == ["Q", "I look.\n\nFound.\n\n[content of the kind 'hologram' cannot be shown; it is kept]"]
    assert json.loads(str(source_of(desk.nodes()[1])["raw"]))["content"] == blocks


def test_a_message_of_claude_with_nothing_but_a_tool_is_hidden(desk: ChatDesk) -> None:
    call: JsonObject = {"type": "tool_use", "name": "search"}
    desk.bring(claude(said("1", "human", "Q"), said("2", "assistant", "", call), said("3", "assistant", "A")))

    assert desk.shown() == ["Q", "A"]
    assert [each.kind for each in desk.hidden()] == ["tool_call"]


def test_files_of_claude_are_named(desk: ChatDesk) -> None:
    files: Json = [{"file_kind": "image", "file_name": "roof.png"}]
    message = said("1", "human", "Q", attachments=[{"file_name": "a.txt", "extracted_content": "long"}], files=files)
    desk.bring(claude(message))

    assert desk.shown() == ["Q\n[file: a.txt]\n[image: roof.png]"]
    assert "extracted_content" in str(source_of(desk.nodes()[0])["raw"])


def test_messages_of_claude_without_an_id_are_known_by_their_place(desk: ChatDesk) -> None:
    report = desk.bring(claude(said("", "human", "Q"), said("", "assistant", "A"), said("", "system", "S")))

    assert desk.shown() == ["Q", "A"]
    assert [line.what for line in report.repaired] == ["3 of its messages have no id; they are known by their place"]


# LibreChat


def libre(*messages: JsonObject) -> Json:
    return {"conversationId": "c", "title": "t", "messages": list(messages)}


def test_messages_of_librechat_without_parents_are_a_chain(desk: ChatDesk) -> None:
    desk.bring(
        libre(
            {"messageId": "1", "isCreatedByUser": True, "text": "Q", "sender": "User"},
            {"messageId": "2", "isCreatedByUser": False, "text": "A", "model": "gpt-4o", "unfinished": True},
        )
    )

    assert desk.shown() == ["Q", "A"]
    question, reply = desk.nodes()
    assert (question.author, question.meta["author"]) == ("camille", "User")
    assert (reply.author, reply.status) == ("gpt-4o", Status.INTERRUPTED)


def test_parts_of_librechat_show_their_text_and_keep_the_rest(desk: ChatDesk) -> None:
    parts: Json = [
        {"type": "think", "think": "hm"},
        {"type": "text", "text": {"value": "one"}},
        {"type": "tool_call", "tool_call": {"name": "search"}},
        {"type": "text", "text": "two"},
        {"type": "image_file"},
        {"type": "smell"},
    ]
    files: Json = [{"filename": "a.pdf", "type": "application/pdf"}]
    desk.bring(libre({"messageId": "1", "isCreatedByUser": False, "content": parts, "files": files}))

    assert desk.shown() == [
        "one\n\ntwo\n\n[image]\n\n[content of the kind 'smell' cannot be shown; it is kept]\n[file: a.pdf]"
    ]
    assert "tool_call" in str(source_of(desk.nodes()[0])["raw"])


def test_a_recursive_export_of_librechat_may_be_deep_and_lack_ids(desk: ChatDesk) -> None:
    depth = 3_000
    # The standard encoder follows no such depth.
    opening = [b'{"isCreatedByUser": true, "text": "m%d", "children": [' % number for number in range(1, depth + 1)]
    export = b'{"conversationId": "c", "messagesTree": [' + b"".join(opening) + b"]}" * depth + b"]}"

    report = desk.bring(export)

    assert (report.imported, len(desk.shown())) == (1, depth)
    assert desk.shown()[-1] == f"m{depth}"


# Open WebUI


def test_open_webui_keeps_models_errors_files_and_unfinished_answers(desk: ChatDesk) -> None:
    messages: dict[str, Json] = {
        "u": {
            "parentId": None,
            "childrenIds": ["a"],
            "role": "user",
            "content": [{"type": "text", "text": "Q"}, {"type": "image_url"}, {"type": "smell"}],
            "files": [{"type": "file", "name": "a.pdf"}],
        },
        "a": {
            "parentId": "u", "childrenIds": ["s"], "role": "assistant", "content": "half", "model": "llama3",
            "done": False, "error": {"content": "out of memory"}, "timestamp": 1_700_000_000,
        },
        "s": {"parentId": "a", "childrenIds": [], "role": "system", "content": "be kind"},
    }  # fmt: skip
    desk.bring([{"id": "o", "chat": {"title": "T", "history": {"messages": messages, "currentId": "s"}}}])

    unknown = "[content of the kind 'smell' cannot be shown; it is kept]"
    assert desk.shown() == [f"Q\n[image]\n{unknown}\n[file: a.pdf]", "half\nout of memory"]
    _, reply = desk.nodes()
    assert (reply.author, reply.status, reply.created_at) == ("llama3", Status.INTERRUPTED, 1_700_000_000_000_000)
    assert [each.kind for each in desk.hidden()] == ["observation"]


def test_open_webui_without_a_history_has_its_list_of_messages(desk: ChatDesk) -> None:
    messages: Json = [{"id": "1", "role": "user", "content": "Q"}, {"id": "2", "role": "assistant", "content": "A"}]
    desk.bring([{"id": "o", "chat": {"title": "T", "messages": messages}}])

    assert desk.shown() == ["Q", "A"]


# among tickets


def test_chats_and_tickets_in_one_file_are_each_what_they_are(desk: ChatDesk) -> None:
    report = desk.bring([{"id": "T-1", "body": "Where is it?"}, a_chatgpt_chain(user())])

    assert (report.found, report.imported) == (2, 2)
    assert {ticket.nodes for ticket in desk.store.tickets("camille")} == {0, 2}


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("export.json", {"title": "t", "mapping": []}),
        ("export.json", {"uuid": "c", "chat_messages": None}),
        ("export.json", {"conversationId": "c", "title": "t"}),
        ("conversations.json", {"title": "t", "id": "c"}),
    ],
)
@pytest.mark.parametrize("others", [[], [{"id": "T-1", "body": "Where is it?"}]])
def test_a_chat_that_cannot_be_read_is_told_as_a_chat_where_no_other_is(
    name: str, bad: Json, others: list[Json], desk: ChatDesk
) -> None:
    report = desk.bring([*others, bad], name)

    assert [line.reason for line in report.skipped] == ["it is no chat of a program that is known"]
    assert (report.found, report.imported) == (1 + len(others), len(others))


def test_a_chat_above_the_limit_among_tickets_is_named_and_the_others_are_read(
    desk: ChatDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_tickets, "MAX_MESSAGE_BYTES", 2_000_000)
    report = desk.bring([{"id": "T-1", "body": "Where is it?"}, a_chatgpt_chain(user("x" * 2_000_000))])

    assert (report.found, report.imported) == (2, 1)
    assert [line.reason for line in report.skipped] == ["it is larger than 1.9 MiB, and a chat may have that"]


def test_chats_one_a_line_are_read(desk: ChatDesk) -> None:
    lines = [json.dumps(a_chatgpt_chain(user(), chat=str(number))) for number in range(3)]

    assert desk.bring("\n".join(lines).encode()).imported == 3
