"""A ticket with a word of its own in every place where words can be, and a look for words in the record's files."""

import subprocess
import sys
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from desks import A_REQUEST, NOON, Desk, a_desk, a_ticket

from storage.attachments.attachment import AttachedFile, Attachment, AttachmentState
from storage.attachments.states import add_state
from storage.interactions import Draft, IncomingNode, Status
from storage.kinds import ASSISTANT_RESPONSE, InteractionKind
from storage.store import Store
from storage.tickets import IncomingTicket, RawSource, Role, TicketAttachment, TicketMessage

PLACES = (
    "subject", "customer", "author", "text", "note", "attachment", "mediatype", "messageid", "extra", "status", "raw",
    "filename", "question", "answer", "later", "detail", "advice", "draft", "setting", "body", "response", "usage",
    "failure", "internal", "internalmeta", "branch", "branchauthor", "branchmeta", "branchdetail", "othersquestion",
    "othersanswer", "newtext", "label", "earlierlabel", "attachedtext",
    "attachedname", "attachednote", "attachedreason",
)  # fmt: skip
"""What holds a word of its own in `a_full_desk`."""


def canary(place: str) -> str:
    """Return the word of a place, which no other text holds."""
    return f"zq{place}canary"


def canaries() -> list[str]:
    """Return all of them."""
    return [canary(place) for place in PLACES]


def traces(database: Path, words: Collection[str]) -> set[str]:
    """Return which words stand anywhere in the record's files.

    Another process reads them: closing a plain handle on the database would end this process's locks on it.
    """
    script = (
        "import sys; from pathlib import Path; db, *words = sys.argv[1:]; db = Path(db)\n"
        "files = [file for file in db.parent.iterdir() if file.name.startswith(db.name)]\n"
        "data = b''.join(file.read_bytes() for file in files).lower()\n"
        "print(*(word for word in words if any(word.encode(code) in data for code in ('utf-8', 'utf-16-le'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(database), *words], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def full_ticket(ticket_id: str = "T-1") -> IncomingTicket:
    """Return a ticket with a canary in each of its fields."""
    message = TicketMessage(
        canary("author"),
        Role.CUSTOMER,
        canary("text"),
        created_at=NOON,
        attachments=(TicketAttachment(canary("attachment"), canary("mediatype"), 7),),
        source_id=canary("messageid"),
    )
    note = TicketMessage("camille", Role.AGENT, canary("note"), internal=True)
    return IncomingTicket(
        ticket_id,
        canary("subject"),
        canary("customer"),
        (message, note),
        status=canary("status"),
        sources=(RawSource(canary("filename"), "eml", canary("raw").encode()),),
        extra={"field": canary("extra")},
    )


def a_full_desk(store: Store, ticket_id: str = "T-1") -> tuple[Desk, Desk]:
    """Fill every place, in the conversations of two agents on one ticket."""
    desk = a_desk(store, agent="camille", ticket=full_ticket(ticket_id))
    failed = desk.begin(desk.say(desk.ticket_node, canary("question")).id)
    store.add_text(desk.id, failed.id, canary("answer"))
    store.add_text(desk.id, failed.id, f" {canary('later')}")
    request = store.record_request(
        desk.id,
        failed.id,
        replace(A_REQUEST, provider="p", base_url="http://x", model="m", body=canary("body").encode()),
    )
    store.record_response(
        desk.id, request, response=canary("response").encode(), status_code=500, usage={"said": canary("usage")},
        latency_ms=1, error=canary("failure"),
    )  # fmt: skip
    error = {"kind": "server", "message": canary("detail"), "advice": canary("advice")}
    store.finish(desk.id, failed.id, Status.ERROR, {"error": error})
    observation = InteractionKind("observation", False)
    store.add_internal(
        desk.id, failed.id, observation, "x", text=canary("internal"), meta={"of": canary("internalmeta")}
    )
    file = AttachedFile(canary("attachedname"), "text/plain", 9, "0" * 64)
    attached = Attachment("a", failed.id, 0, AttachmentState.PROCESSED, file, text=canary("attachedtext"), words=1)
    add_state(store, desk.conversation, replace(attached, notes=(canary("attachednote"),)))
    failed_file = replace(attached, id="b", state=AttachmentState.FAILED, text="", reason=canary("attachedreason"))
    add_state(store, desk.conversation, failed_file)
    branch = IncomingNode(
        ASSISTANT_RESPONSE.name, None, canary("branchauthor"), canary("branch"),
        detail={"why": canary("branchdetail")}, meta={"from": canary("branchmeta")},
    )  # fmt: skip
    store.add_branch(desk.id, [branch])
    store.set_setting(desk.id, "note", canary("setting"))
    store.set_label(desk.id, failed.id, canary("earlierlabel"))
    store.set_label(desk.id, failed.id, canary("label"))
    store.save_draft("camille", ticket_id, Draft(canary("draft")))
    other = a_desk(store, agent="noah", ticket=full_ticket(ticket_id))
    other.answer(other.say(other.ticket_node, canary("othersquestion")).id, canary("othersanswer"))
    newer = TicketMessage("Sophie", Role.CUSTOMER, canary("newtext"), source_id="2")
    store.save_ticket(a_ticket(ticket_id, messages=[newer], customer=canary("customer"), status=canary("status")))
    return desk, other
