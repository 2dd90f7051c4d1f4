"""Verifies a proof of one Ticketree conversation; needs Python 3.9 or newer and nothing else.

    python3 verify_export.py ticket-T-80005.proof.json [--export FILE.json] [--anchor FILE.json]

Nothing was changed, removed, added or moved, words are those committed to or all erased, what was anchored is there,
and a JSON export says the same (no hash covers labels, origins, counts, statuses and further fields of tickets). Exit
status: 0 all holds, 1 something does not, 2 a file cannot be used. Only an anchor kept elsewhere shows one made anew.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any  # JSON, as `storage/audit/proof.py` writes it; checks yield sentences, each with its truth


def digest(said: Any, data: bytes = b"") -> str:
    """SHA-256 (hex) over data, then a text, or JSON in the one form that is hashed: keys sorted, no spaces."""
    text = said if type(said) is str else json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(data + text.encode("utf-8", "surrogateescape")).hexdigest()


def check_words(where: str, erasure: Any, expected: str, found: str, *words: Any) -> Iterator[Any]:
    """Words give the hash that stands for them; an erasure takes all of them, and nothing else takes any."""
    gone = [word is None for word in words]
    yield f"{where}: its words do not give the hash that stands for them", not any(gone) and found != expected
    yield f"{where}: its words are gone although the proof tells of no erasure", not erasure and any(gone)
    yield f"{where}: its words are there although the proof tells of an erasure", erasure and not all(gone)


def check_head(where: str, proof: Any, head: Any) -> Iterator[Any]:
    """The conversation begins with the links and requests that a head was made of."""
    for name, key, first in (("links", "hash", ""), ("requests", "requests_hash", "00" * 32)):
        hashes, count = [first, *(each["hash"] for each in proof[name])], head[name]
        yield f"{where}: it was not made of these first {count} {name}", hashes[count : count + 1] != [head[key]]


def check_proof(proof: Any, _: Any) -> Iterator[Any]:
    """The chain, the tree, and what each link commits to; then the ticket and the requests."""
    before, seq, depths, open_ids = "00" * 32, 0, {None: -1}, set[Any]()
    erasure = proof["erasure"] and all(map(proof["erasure"].get, ("agent", "erased_at", "reason", "notice")))
    names = {each["snapshot"]: {"digest": each["digest"], "snapshot": each["snapshot"]} for each in proof["snapshots"]}
    names[None] = {"agent": proof["agent"], "ticket": proof["ticket"]}
    for number, link in enumerate(proof["links"], 1):
        fields, where = link["fields"], f"link {number}"
        hashed = [link["prev_hash"], link["what"], {**fields, "commitment": link["commitment"]}]
        yield f"{where}: it is numbered {fields['link']}, so links are missing or moved", fields["link"] != number
        yield f"{where}: it does not name the hash of the link before it", link["prev_hash"] != before
        yield f"{where}: its fields do not give its hash", digest(hashed) != link["hash"]
        before = link["hash"]
        if link["what"] == "interaction":
            node, about, text, taken, seq = fields["id"], link["meta"], link["author"], fields["snapshot"], seq + 1
            is_below = fields["depth"] - depths.get(fields["parent_id"], -9) == 1 and (fields["depth"] > 0) == (seq > 1)
            is_other = about and (taken or seq == 1) and json.loads(about) != names.get(taken)
            yield f"{where}: its position is {fields['seq']} where {seq} comes next", fields["seq"] != seq
            yield f"{where}: node {node} cannot be reached from the root, or its depth is wrong", not is_below
            yield f"{where}: it names another agent, ticket or version of the ticket than the proof", is_other
            depths.update({node: fields["depth"]} if fields["external"] else {})
        else:
            node, about, text = fields["interaction_id"], link["detail"], link["content"]
            yield f"{where}: it ends node {node}, which has no beginning or a second end", node not in open_ids
        open_ids ^= {node}
        found = digest(f"{about}\0{text}", bytes.fromhex(link["salt"] or ""))
        yield from check_words(f"{where}, node {node}", erasure, link["commitment"], found, link["salt"], about, text)
    for each in proof["snapshots"]:
        where = f"version {each['snapshot']} of the ticket"
        yield from check_words(where, erasure, each["digest"], digest(each["words"]), each["words"])
    before = "00" * 32
    for each in proof["requests"]:
        fields, body, where = each["fields"], each["body"], f"request {each['fields']['id']}"
        before, is_asking = digest([before, "request", fields]), depths.get(fields["node_id"], 0) > 0
        yield f"{where}: its fields, and the requests before it, do not give its hash", before != each["hash"]
        yield f"{where}: no model is asked from node {fields['node_id']}", not is_asking
        yield from check_words(where, erasure, fields["body_sha256"], digest(body), body)
    yield from check_head("head", proof, proof["head"])


def check_export(proof: Any, export: Any) -> Iterator[Any]:
    """A JSON export says what the proof says, leaves nothing out, and says nothing twice."""
    nodes, tickets, is_path, erasure = export["nodes"], export["tickets"], export["scope"] == "path", proof["erasure"]
    starts = {link["fields"]["id"]: {**link, **link["fields"]} for link in proof["links"] if "author" in link}
    ends = {at["fields"]["interaction_id"]: {**at, **at["fields"]} for at in proof["links"] if "content" in at}
    told = [{**node, "external": 1} for node in nodes]
    told += [{**each, "external": 0, "parent": node["id"]} for node in nodes for each in node.get("internal", ())]
    here, way = [node["id"] for node in nodes], [*(node["parent"] for node in nodes), export["selected"]]
    yield "export: it is another conversation", any(export[n] != proof[n] for n in ("conversation", "agent", "ticket"))
    yield "export: its nodes are no path from the root to the one that is chosen", is_path and [None, *here] != way
    listed = [("node", node["id"]) for node in told] + [("version", each["snapshot"]) for each in tickets]
    yield "export: a node, or a version of the ticket, is in it twice", len(set(listed)) < len(listed)
    for node_id in sorted((starts.keys() & ends.keys()) - {node["id"] for node in told}):
        is_due = not is_path if starts[node_id]["external"] else starts[node_id]["parent_id"] in here and not erasure
        yield f"export: node {node_id} is not in it", is_due
    for node in told:
        start, end = starts.get(node["id"], {}), ends.get(node["id"], {})
        proved = {name: start.get(name) for name in ("seq", "kind", "created_at", "author", "external")}
        proved |= {"parent": start.get("parent_id"), "status": end.get("status"), "text": end.get("content")}
        if start.get("external"):
            proved |= {"depth": start["depth"], "replaces": start["replaces_id"], "erased": bool(erasure)}
        proved |= {"meta": json.loads(start.get("meta") or "0"), "detail": json.loads(end.get("detail") or "0")}
        if erasure:
            meta = {"snapshot": start["snapshot"]} if start.get("snapshot") else {}
            proved |= {"author": "", "text": "" if meta else erasure["notice"], "meta": meta, "detail": {}}
        is_other = {name: node.get(name, ...) for name in proved} != proved
        yield f"export: node {node['id']} does not say what the proof says", is_other
    digests = {each["snapshot"]: each["digest"] for each in proof["snapshots"]}
    taken = {starts[each]["snapshot"] for each in here if each in starts} - {None}
    yield "export: a version of the ticket is not in it", not taken <= {each["snapshot"] for each in tickets}
    for each in tickets:
        texts = {each["subject"], each["customer"], *(m[name] for m in each["messages"] for name in ("author", "text"))}
        said = {name: each[name] for name in ("id", "subject", "customer", "language", "messages")}
        for message in each["messages"]:
            message["attachments"] = [[f["name"], f["media_type"], f["size_bytes"]] for f in message["attachments"]]
        is_other = texts != {"", erasure["notice"]} if erasure else digest(said) != digests.get(each["snapshot"])
        yield f"export: version {each['snapshot']} of the ticket does not say what the proof says", is_other


def check_anchor(proof: Any, anchor: Any) -> Iterator[Any]:
    """The conversation still begins with what was anchored."""
    heads = {head["conversation"]: head for head in anchor["conversations"]}
    yield "anchor: its heads do not give its own hash", digest(anchor["conversations"]) != anchor["record"]["hash"]
    yield "anchor: it does not hold this conversation", proof["conversation"] not in heads
    yield from check_head("anchor", proof, heads.get(proof["conversation"], proof["head"]))


def main() -> int:
    """Read the files, print what does not hold, and return the exit status."""
    parser = argparse.ArgumentParser(description="Verifies a proof of one Ticketree conversation.")
    for name in ("proof", "--export", "--anchor"):
        parser.add_argument(name, metavar="FILE", type=Path)
    files, problems = vars(parser.parse_args()), list[str]()
    checks = {"proof ticketree-proof 2": check_proof, "export ticketree 2": check_export}
    checks["anchor ticketree-anchor 2"] = check_anchor
    try:
        documents = {name: json.loads(path.read_text("utf-8")) for name, path in files.items() if path}
        for name, document in documents.items():
            found = checks[f"{name} {document['format']} {document['version']}"](documents["proof"], document)
            problems.extend(json.dumps(sentence)[1:-1] for sentence, is_true in found if is_true)
        proof = documents["proof"]
        erased = f" All their words are gone: {json.dumps(proof['erasure']['notice'])}." if proof["erasure"] else ""
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        parser.exit(2, "\n".join((*problems, "A file is not there, or not in the form that this script checks.\n")))
    counts = f"Links: {len(proof['links'])}, requests: {len(proof['requests'])}.{erased}"
    print(*problems or [f"{'What is left' if erased else 'All'} of it holds. {counts}"], sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
