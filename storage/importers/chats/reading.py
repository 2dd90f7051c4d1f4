"""One chat of a file: recognised, linked, and ready for the record."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Final

from storage.chats import IncomingChat
from storage.importers.chats.branching import branch_of
from storage.importers.chats.fields import name_of
from storage.importers.chats.linking import link
from storage.importers.chats.notes import named
from storage.importers.chats.program import ChatProgram
from storage.importers.chats.programs import program_of
from storage.importers.chats.source import SourceChat
from storage.importers.findings import FoundChat, Repaired, Skip, Skipped
from storage.importers.limits import mebibytes
from storage.text import storable
from storage.tickets import CLOSED, IncomingTicket, RawSource, Role, TicketMessage
from storage.values import Json

UNTITLED: Final = "untitled"

_LONGEST_TITLE: Final = 300


def read_chat(value: Json, name: str, raw: bytes) -> Iterator[FoundChat | Skipped | Repaired]:
    """Yield the chat that a JSON value is, with what had to be repaired, or why it is none."""
    program = program_of(value)
    if program is None or not isinstance(value, Mapping):
        yield Skipped(name, "it is no chat of a program that is known", Skip.TICKET)
        return
    source = program.read(value)
    if not any(node.message for node in source.nodes):
        what = f"this chat of {program.name} holds no messages"
        if source.strays:
            yield Skipped(name, f"{what}: {_strays(source.strays)}", Skip.TICKET)
        else:
            yield Skipped(name, what, Skip.NOTHING)
        return
    forest = link(source.nodes)
    chat_id, id_note = _id(source)
    branch = branch_of(program.name, chat_id, source, forest)
    for note in (*source.notes, *_not_understood(source), *id_note, *forest.notes, *branch.notes):
        yield Repaired(name, note)
    chat = IncomingChat(
        program=program.name,
        id=chat_id,
        nodes=branch.nodes,
        current=branch.current,
        ticket=_ticket(program, source),
        source=RawSource(name, program.format, raw),
    )
    yield FoundChat(name, chat, forest.roots)


def _not_understood(source: SourceChat) -> Iterator[str]:
    if unknown := [node.id for node in source.nodes if node.message and node.message.is_unknown]:
        what = (
            "1 message of an unknown kind is"
            if len(unknown) == 1
            else f"{len(unknown):,} messages of an unknown kind are"
        )
        yield f"{what} kept, not shown: {named(unknown)}"
    if source.strays:
        yield f"{_strays(source.strays)}; kept with the source alone"


def _strays(count: int) -> str:
    return "1 row is no message" if count == 1 else f"{count:,} rows are no messages"


def too_large(limit: int) -> str:
    """Say why a chat of more than so many bytes is not read."""
    return f"it is larger than {mebibytes(limit)}, and a chat may have that"


def _id(source: SourceChat) -> tuple[str, tuple[str, ...]]:
    """Return the chat's id; where it names none, one that comes from what a later export will hold too."""
    if source.id:
        return source.id, ()
    first = next(node for node in source.nodes if node.message)
    same = f"{source.created_at}\0{first.id}\0{first.message.text if first.message else ''}"
    digest = hashlib.sha256(storable(same).encode()).hexdigest()
    return f"sha256:{digest}", ("it names no id; it is known by when it began and by its first message",)


def _ticket(program: ChatProgram, source: SourceChat) -> IncomingTicket:
    """The ticket that stands for the chat: a customer takes no part in it, and nobody waits for an answer."""
    title = " ".join(storable(source.title).split())[:_LONGEST_TITLE] or UNTITLED
    message = TicketMessage(
        program.name, Role.SYSTEM, f"A chat with {program.name}, imported.", created_at=source.created_at
    )
    return IncomingTicket(
        id="",
        subject=title,
        customer="",
        messages=(message,),
        status=CLOSED,
        created_at=source.created_at,
        extra={"program": program.name, "chat": name_of(source.id)},
    )
