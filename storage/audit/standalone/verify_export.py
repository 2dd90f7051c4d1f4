"""Verifies a proof of one Ticketree conversation; needs Python 3.9 or newer and nothing else.

    python3 verify_export.py ticket-T-80005.proof.json [--export FILE.json] [--anchor FILE.json]

Every hash is computed anew: no entry was changed, removed, added or moved, contents are those that were committed to,
requests and ticket versions give their digests. With --export the JSON export must say the same; with --anchor the
conversation must begin with what was anchored. Exit status: 0 all holds, 1 something does not, 2 a file cannot be used.
Whoever had the whole record could have written it anew with all hashes; only an anchor kept elsewhere shows that.
"""

import argparse
import base64
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any  # JSON, in the form that `storage/audit/proof.py` writes


def canonical(value: Any) -> bytes:
    """Write a value as JSON in the one way that is hashed: keys sorted, no spaces, characters as themselves."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "surrogateescape")


def digest(data: bytes) -> str:
    """SHA-256, hex."""
    return hashlib.sha256(data).hexdigest()


def check_links(proof: Any) -> Iterator[str]:
    """The chain, the tree, and what each link commits to."""
    before, seq, open_ids, named = "00" * 32, 0, set(), {"agent": proof["agent"], "ticket": proof["ticket"]}
    depths: dict[Any, int] = {None: -1}
    for number, link in enumerate(proof["links"], 1):
        fields, where = link["fields"], f"link {number}"
        if fields["link"] != number:
            yield f"{where}: it is numbered {fields['link']}, so links are missing or moved"
        if link["prev_hash"] != before:
            yield f"{where}: it does not name the hash of the link before it"
        hashed = [link["prev_hash"], link["what"], {**fields, "commitment": link["commitment"]}]
        if digest(canonical(hashed)) != link["hash"]:
            yield f"{where}: its fields do not give its hash"
        before = link["hash"]
        if link["what"] == "interaction":
            node, parent, seq = fields["id"], fields["parent_id"], seq + 1
            if fields["seq"] != seq:
                yield f"{where}: its position is {fields['seq']} where {seq} comes next"
            if fields["depth"] != depths.get(parent, -9) + 1 or (parent is None) != (seq == 1):
                yield f"{where}: node {node} cannot be reached from the root, or its depth is wrong"
            if fields["external"]:
                depths[node] = fields["depth"]
            open_ids.add(node)
            words = f"{link['meta']}\0{link['author']}".encode("utf-8", "surrogateescape")
            if parent is None and link["meta"] is not None and json.loads(link["meta"]) != named:
                yield f"{where}: the conversation was opened by another agent, or on another ticket, than this one"
        else:
            node = fields["interaction_id"]
            if node not in open_ids:
                yield f"{where}: it ends node {node}, which has no beginning or a second end"
            open_ids.discard(node)
            words = f"{link['detail']}\0{link['content']}".encode("utf-8", "surrogateescape")
        if link["salt"] is None and not proof["erased"]:
            yield f"{where}: the words of node {node} are gone"
        elif link["salt"] is not None and digest(bytes.fromhex(link["salt"]) + words) != link["commitment"]:
            yield f"{where}: the words of node {node} are not those that were committed to"
    if [len(proof["links"]), before] != [proof["head"]["links"], proof["head"]["hash"]]:
        yield "head: it is not that of the last link"


def check_digests(proof: Any) -> Iterator[str]:
    """Versions of the ticket, and the bodies of requests."""
    digests, chained = {}, bytes(32)
    for snapshot in proof["snapshots"]:
        number, words = snapshot["snapshot"], snapshot["words"]
        digests[number] = digest(canonical(words))
        if words is not None and digests[number] != snapshot["digest"]:
            yield f"version {number} of the ticket: its words do not give its digest"
    for link in proof["links"]:
        number = link["fields"].get("snapshot")
        if number and link["meta"] and json.loads(link["meta"])["digest"] != digests.get(number):
            yield f"node {link['fields']['id']}: the ticket that it took in is not version {number} of this proof"
    for request in proof["requests"]:
        chained = hashlib.sha256(chained + request["body_sha256"].encode()).digest()
        if request["body"] is None and not proof["erased"]:
            yield f"request {request['id']}: its body is gone"
        elif request["body"] is not None and digest(base64.b64decode(request["body"])) != request["body_sha256"]:
            yield f"request {request['id']}: its body does not give its digest"
    if (len(proof["requests"]), chained.hex()) != (proof["head"]["requests"], proof["head"]["requests_hash"]):
        yield "head: it is not that of the requests"


def check_export(proof: Any, export: Any) -> Iterator[str]:
    """A JSON export says what the proof says."""
    starts = {link["fields"]["id"]: link for link in proof["links"] if link["what"] == "interaction"}
    ends = {link["fields"]["interaction_id"]: link for link in proof["links"] if link["what"] == "final"}
    told = [each for node in export["nodes"] for each in (node, *node.get("internal", ()))]
    if any(export[name] != proof[name] for name in ("conversation", "agent", "ticket")):
        yield "export: it is of another conversation"
    is_whole = export["scope"] == "tree" and not proof["erased"]
    for node_id in sorted(ends.keys() - {node["id"] for node in told}) if is_whole else ():
        yield f"export: node {node_id} is not in it"
    for node in told:
        if node["id"] not in ends:
            yield f"export: node {node['id']} is not in the proof, or has no end there"
            continue
        start, end = starts[node["id"]], ends[node["id"]]
        proved = {**start["fields"], "status": end["fields"]["status"], "parent": start["fields"]["parent_id"]}
        if start["salt"] is not None:
            proved |= {"author": start["author"], "text": end["content"]}
            proved |= {"meta": json.loads(start["meta"]), "detail": json.loads(end["detail"])}
        if any(node[name] != proved[name] for name in node.keys() & proved.keys()):
            yield f"export: node {node['id']} does not say what the proof says"
    words = {snapshot["snapshot"]: snapshot["words"] for snapshot in proof["snapshots"] if snapshot["words"]}
    for ticket in export["tickets"]:
        if any(ticket[name] != said for name, said in words.get(ticket["snapshot"], {}).items()):
            yield f"export: version {ticket['snapshot']} of the ticket does not say what the proof says"


def check_anchor(proof: Any, anchor: Any) -> Iterator[str]:
    """The conversation still begins with what was anchored."""
    heads, links = {head["conversation"]: head for head in anchor["conversations"]}, proof["links"]
    if (head := heads.get(proof["conversation"])) is None:
        yield "anchor: it does not hold this conversation"
    elif len(links) < head["links"] or links[head["links"] - 1]["hash"] != head["hash"]:
        yield f"anchor: link {head['links']} is not the one that was anchored"


def main() -> int:
    """Read the files, print what does not hold, and return the exit status."""
    parser = argparse.ArgumentParser(description="Verifies a proof of one Ticketree conversation.")
    for name in ("proof", "--export", "--anchor"):
        parser.add_argument(name, metavar="FILE", type=Path)
    given = parser.parse_args()
    try:
        proof = json.loads(given.proof.read_text("utf-8"))
        problems = [*check_links(proof), *check_digests(proof)]
        for path, check in ((given.export, check_export), (given.anchor, check_anchor)):
            problems += check(proof, json.loads(path.read_text("utf-8"))) if path else []
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        print(f"A file is not there or not in the form of a proof: {type(error).__name__} {error}", file=sys.stderr)
        return 2
    counts = f"Links: {len(proof['links'])}, requests: {len(proof['requests'])}."
    print(*problems or [f"All of it holds. {counts}"], sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
