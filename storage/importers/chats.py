"""Exports of chat programs, told from tickets so that none is taken for one."""

from collections.abc import Sequence

from storage.values import Json


def chats_found(programs: Sequence[str], entries: int) -> str:
    """Say that some of a file's entries are chats."""
    count = "a chat" if len(programs) == 1 else f"{len(programs)} chats"
    among = f" among its {entries} entries" if entries > len(programs) else ""
    names = " and ".join(sorted(set(programs)))
    return f"it holds {count} exported from {names}{among}; only tickets can be imported, no chats yet"


def chat_program(value: Json) -> str:
    """Return the program that a JSON value was exported from, "" where it is no chat."""
    if not isinstance(value, dict):
        return ""
    match value:
        case {"mapping": dict() | None, **others} if {"title", "create_time", "current_node"} & others.keys():
            return "ChatGPT"
        case {"chat_messages": _}:
            return "Claude"
        case {"chat": {"history": dict()}} | {"chat": {"messages": list()}}:
            return "Open WebUI"
        case {"conversationId": _, "messages": list()}:
            return "LibreChat"
        case {"messages": [{"content": _, "role": "system" | "user" | "assistant"}, *_]} if "id" not in value:
            return "a chat program"
        case _:
            return ""
