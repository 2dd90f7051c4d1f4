"""Finding where each part of a request came from.

Nothing is taken on trust: what the plan names is rendered from the record anew, and a part has an origin only where
these are exactly its words. So words of another conversation have no origin here, whatever the plan says.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from assistant.audit.origins import Evidence, Origin, OriginKind, Part, Planned
from assistant.plan.files import FileForm
from assistant.plan.plan import CHECK, HISTORY, SYSTEM, Fate
from assistant.plan.rendering import check_text, history_text, read_history, render
from assistant.turn.tool_traffic import traffic_message
from storage.attachments.attachment import attachment_in
from storage.interactions import Interaction, SentRequest
from storage.kinds import COMPACTION
from storage.store import Store
from storage.tickets import Ticket
from storage.values import Json, JsonObject

SystemOf: TypeAlias = Callable[[str, str], str | None]
"""The system message of a task by name and version; None where its file is no longer here."""

_OF_TOOLS: Final = frozenset({"tool_calls", "tool_call_id"})


def trace_answer(store: Store, conversation_id: int, node_id: int, system_of: SystemOf) -> list[Evidence]:
    """Take apart the requests that were made for one answer, oldest first; none where it was not asked for here.

    Raises:
        NotFoundError: no such node in this conversation.
    """
    path = store.branch(conversation_id, node_id)
    tracer = Tracer({interaction.id: interaction for interaction in path}, system_of)
    return [tracer.trace(request) for request in store.requests(conversation_id, node_id)]


class Tracer:
    """Traces the requests of one conversation; what an interaction renders to is kept, as many requests repeat it.

    Args:
        interactions: the conversation's by id, with those that hang on nodes; at least those on the paths that were
            sent.
        system_of: the tasks that are here.
    """

    def __init__(self, interactions: Mapping[int, Interaction], system_of: SystemOf) -> None:
        self._interactions = interactions
        self._system_of = system_of
        self._rendered: dict[tuple[int, bool, FileForm | None], str | None] = {}

    def trace(self, request: SentRequest) -> Evidence:
        """Take a request apart."""
        body = request.body
        document = _document(body)
        messages = document.get("messages")
        planned = _planned(request.plan)
        sent = [item for item in planned if item.fate is Fate.SENT]
        path = self._path(request.node_id)
        parts = [
            self._part(number, message, sent[number - 1] if number <= len(sent) else None, path, request)
            for number, message in enumerate(messages if isinstance(messages, list) else [], 1)
        ]
        return Evidence(
            request=request,
            is_erased=body is None,
            digest_holds=body is not None and hashlib.sha256(body).hexdigest() == request.body_sha256,
            parts=tuple(parts),
            left_out=tuple(item for item in planned if item.fate is not Fate.SENT),
            settings={name: value for name, value in document.items() if name != "messages"},
        )

    def _part(
        self, number: int, message: Json, item: Planned | None, path: frozenset[int], request: SentRequest
    ) -> Part:
        match message:
            case {"role": str(role), "content": str(content), **more} if not more:
                origin = self._origin(role, content, item, path, request)
                return Part(number, role, content, item.tokens if item else None, origin)
            case Mapping() as traffic if traffic.keys() & _OF_TOOLS:
                origin = self._of_traffic(traffic, item, request)
                return Part(
                    number, str(traffic.get("role", "")), _traffic_text(traffic), item.tokens if item else None, origin
                )
            case _:
                content = json.dumps(message, ensure_ascii=False)
                return Part(number, "", content, None, _unknown("it is no message with a role and a content."))

    def _origin(
        self, role: str, content: str, item: Planned | None, path: frozenset[int], request: SentRequest
    ) -> Origin:
        if item is None:
            return _unknown("the plan of this request does not know it.")
        if item.kind == SYSTEM:
            return self._of_task(role, content, request)
        if item.kind == HISTORY:
            return self._of_history(role, content, path, request)
        if item.kind == CHECK:
            return self._of_check(role, content, item, request)
        if item.node_id is None or not self._is_on(path, item.node_id):
            return _unknown(f"the plan names node {item.node_id}, which is not on the path to this answer.")
        interaction = self._interactions[item.node_id]
        for with_notes in (False, True):
            if self._render(interaction, with_notes, item.form) == f"{role}\n{content}":
                return _of_interaction(interaction, with_notes, item.form)
        return _unknown(f"these are not the words of node {item.node_id}, which the plan names.")

    def _is_on(self, path: frozenset[int], interaction_id: int) -> bool:
        """It is a node of the path, or hangs on one."""
        interaction = self._interactions.get(interaction_id)
        if interaction is None:
            return False
        return (interaction.id if interaction.is_external else interaction.node.parent_id) in path

    def _of_history(self, role: str, content: str, path: frozenset[int], request: SentRequest) -> Origin:
        """Compare the turns to summarise with those that the plan says the summary stands for."""
        covered = [item for item in _planned(request.plan) if item.fate is Fate.SUMMARISED]
        # A summary is asked for at the last node that it covers, which so belongs to it.
        above = path | {request.node_id}
        said = []
        for item in covered:
            if item.node_id is None or not self._is_on(above, item.node_id):
                return _unknown(f"the plan names node {item.node_id}, which is not on the path to this summary.")
            said.append(render(self._interactions[item.node_id], form=item.form))
        read = read_history(content)
        if read is None or (role, content) != ("user", history_text(filter(None, said), read[0])):
            return _unknown("these are not the words of the turns that the plan names.")
        last_id = covered[-1].node_id if covered else None
        detail = f"{len(said)} messages to summarise (up to node {last_id})"
        return Origin(OriginKind.HISTORY, detail, node_id=last_id)

    def _of_traffic(self, message: JsonObject, item: Planned | None, request: SentRequest) -> Origin:
        """Compare a call of tools, or what one gave back, with what hangs on the answer that the request is for."""
        interaction = self._interactions.get(item.node_id) if item is not None and item.node_id is not None else None
        if interaction is None or interaction.node.parent_id != request.node_id:
            return _unknown("the plan of this request names no call of a tool for this answer in its place.")
        kept = traffic_message(interaction)
        if kept is None or kept.as_json() != message:
            return _unknown(f"these are not the words of entry {interaction.id}, which the plan names.")
        what = "calls of tools" if kept.tool_calls else f"what {interaction.node.author} gave back"
        detail = f"{what} for node {request.node_id} (entry {interaction.id})"
        return Origin(OriginKind.TOOL, detail, node_id=interaction.id, node_kind=interaction.kind)

    def _of_check(self, role: str, content: str, item: Planned, request: SentRequest) -> Origin:
        """Compare what is checked with the answer that the request is for, and with what that answers."""
        answer = self._interactions.get(request.node_id)
        question = self._interactions.get(answer.node.parent_id or 0) if answer is not None else None
        if answer is None or question is None or item.node_id != answer.id:
            return _unknown(f"the plan names node {item.node_id}, which is not the answer that is checked.")
        if (role, content) != ("user", check_text(question, answer)):
            return _unknown(f"these are not the words of node {answer.id} and of what it answers.")
        return Origin(OriginKind.CHECK, f"node {answer.id} and its request, to be checked", node_id=answer.id)

    def _of_task(self, role: str, content: str, request: SentRequest) -> Origin:
        name = f"task {request.task}, version {request.task_version}"
        expected = self._system_of(request.task, request.task_version)
        if role != "system" or expected not in (None, content):
            return _unknown(f"these are not the words of {name}.")
        is_here = expected is not None
        return Origin(
            OriginKind.TASK,
            name if is_here else f"{name}, whose file is no longer here to compare",
            is_verified=is_here,
            task=request.task,
            task_version=request.task_version,
        )

    def _render(self, interaction: Interaction, with_notes: bool, form: FileForm | None) -> str | None:
        key = (interaction.id, with_notes, form)
        if key not in self._rendered:
            message = render(interaction, include_notes=with_notes, form=form)
            self._rendered[key] = f"{message.role}\n{message.content}" if message else None
        return self._rendered[key]

    def _path(self, node_id: int) -> frozenset[int]:
        """The nodes above an answer: all that a request for it may hold."""
        above = []
        at = self._interactions.get(node_id)
        while at is not None and at.node.parent_id is not None:
            above.append(at.node.parent_id)
            at = self._interactions.get(at.node.parent_id)
        return frozenset(above)


def _of_interaction(interaction: Interaction, with_notes: bool, form: FileForm | None) -> Origin:
    node, ticket = interaction.node, interaction.ticket
    if form is not None and (attachment := attachment_in(interaction)) is not None:
        file = attachment.file
        detail = f"attachment {attachment.id} ({form.value} of {file.name}, {file.size}), on node {node.parent_id}"
        return Origin(OriginKind.ATTACHMENT, detail, node_id=node.id, node_kind=node.kind)
    if node.kind == COMPACTION.name:
        detail = f"summary {node.id} by {node.author}, on node {node.parent_id}"
        return Origin(OriginKind.SUMMARY, detail, node_id=node.id, node_kind=node.kind)
    if ticket is None:
        detail = f"node {node.id} ({node.kind.replace('_', ' ')} by {node.author})"
        return Origin(OriginKind.INTERACTION, detail, node_id=node.id, node_kind=node.kind)
    messages = _sent_messages(ticket, with_notes)
    return Origin(
        OriginKind.TICKET,
        f"ticket {ticket.id}, version {ticket.snapshot}, messages {', '.join(map(str, messages)) or 'none'}"
        f" (node {node.id})",
        node_id=node.id,
        node_kind=node.kind,
        ticket_id=ticket.id,
        snapshot=ticket.snapshot,
        messages=messages,
    )


def _sent_messages(ticket: Ticket, with_notes: bool) -> tuple[int, ...]:
    """The positions of the messages that were sent; internal notes only where they were asked for."""
    return tuple(number for number, message in enumerate(ticket.messages, 1) if with_notes or not message.internal)


def _traffic_text(message: JsonObject) -> str:
    """A message of tools as people read it: what was said, and each call on a line, or what came back."""
    said, calls = message.get("content"), message.get("tool_calls")
    lines = [said] if isinstance(said, str) and said else []
    for call in calls if isinstance(calls, list) else []:
        match call:
            case {"function": {"name": str(name), "arguments": str(arguments)}}:
                lines.append(f"{name} {arguments}")
    return "\n".join(lines)


def _unknown(why: str) -> Origin:
    return Origin(OriginKind.UNKNOWN, f"no origin in the record, because {why}", is_verified=False)


def _document(body: bytes | None) -> JsonObject:
    """Read a body; nothing where it is no JSON object."""
    try:
        document = json.loads(body) if body is not None else {}
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _planned(plan: JsonObject) -> list[Planned]:
    """Read the interactions of a plan as request rows keep it."""
    entries = plan.get("interactions")
    planned = []
    for entry in entries if isinstance(entries, list) else []:
        match entry:
            case {"id": int() | None as node_id, "kind": str(kind), "tokens": int(tokens), "fate": str(fate)}:
                planned.append(Planned(node_id, kind, tokens, Fate(fate), _form(entry.get("form"))))
    return planned


def _form(name: Json) -> FileForm | None:
    return FileForm(name) if isinstance(name, str) and name in set(FileForm) else None
