"""What gates decided, as internal interactions on the answer, and what agents did about it."""

import hashlib
import json
from collections.abc import Iterable, Sequence

from assistant.gates.results import Gate, GateResult, Outcome, Words
from assistant.tasks.task import Task
from storage.interactions import Interaction
from storage.kinds import COPY, GATE, OVERRIDE, REPAIR
from storage.store import Store
from storage.values import Json, JsonObject


def record_results(
    store: Store, conversation_id: int, answer_id: int, gate: Gate, task: Task, results: Sequence[GateResult]
) -> None:
    """Hang what a gate decided on the answer: the words as its text, what holds no words as its meta.

    Raises:
        StorageError: the record cannot be written.
    """
    text = json.dumps([_with_words(result) for result in results], ensure_ascii=False, separators=(",", ":"))
    outcomes: list[Json] = [
        {"rule": result.rule, "version": result.version, "result": result.result.value} for result in results
    ]
    meta: JsonObject = {
        "gate": gate.value,
        "task": task.name,
        "task_version": task.version,
        "results": outcomes,
    }
    store.add_internal(conversation_id, answer_id, GATE, f"gate {gate.value}", text=text, meta=meta)


def record_override(store: Store, conversation_id: int, answer_id: int, agent: str, reason: str) -> None:
    """Keep why an agent uses an answer that failed a gate.

    Raises:
        StorageError: the record cannot be written.
    """
    store.add_internal(conversation_id, answer_id, OVERRIDE, agent, text=reason, meta={})


def record_copy(store: Store, conversation_id: int, answer_id: int, agent: str, copied: str, *, whole: bool) -> None:
    """Keep that a reply was copied: the digest of what was, and whether that was the whole reply; not the words again.

    Raises:
        StorageError: the record cannot be written.
    """
    digest = hashlib.sha256(copied.encode("utf-8", "surrogatepass")).hexdigest()
    store.add_internal(conversation_id, answer_id, COPY, agent, text="", meta={"sha256": digest, "whole": whole})


def record_repair(store: Store, conversation_id: int, answer_id: int, agent: str, failed: Sequence[GateResult]) -> None:
    """Keep that a repair of an answer was asked for.

    Raises:
        StorageError: the record cannot be written.
    """
    rules: list[Json] = [result.rule for result in failed]
    store.add_internal(conversation_id, answer_id, REPAIR, agent, text="", meta={"rules": rules})


def is_repaired(hanging: Iterable[Interaction]) -> bool:
    """A repair of this answer was asked for."""
    return any(entry.kind == REPAIR.name for entry in hanging)


def results_on(hanging: Iterable[Interaction]) -> tuple[GateResult, ...]:
    """What the gates decided about an answer, from what hangs on it; of a gate that decided twice, the last."""
    newest: dict[Gate, tuple[GateResult, ...]] = {}
    for entry in hanging:
        if entry.kind == GATE.name and (gate := _gate(entry)) is not None:
            newest[gate] = tuple(_results(entry, gate))
    return tuple(result for gate in Gate for result in newest.get(gate, ()))


def failed_once(hanging: Iterable[Interaction]) -> bool:
    """A gate failed this answer, whatever was decided since; takes far less time than to read what it said."""
    return any(
        isinstance(outcome, dict) and outcome.get("result") == Outcome.FAIL
        for entry in hanging
        if entry.kind == GATE.name and isinstance(outcomes := entry.node.meta.get("results"), list)
        for outcome in outcomes
    )


def stopped_by(hanging: Sequence[Interaction]) -> tuple[GateResult, ...]:
    """The rules that stop an answer from being copied: those that failed and were not overridden since."""
    since: list[Interaction] = []
    for entry in hanging:
        match entry.kind:
            case GATE.name:
                since = [each for each in since if each.kind == GATE.name]
                since.append(entry)
            case OVERRIDE.name:
                since.append(entry)
    if any(entry.kind == OVERRIDE.name for entry in since):
        return ()
    return tuple(result for result in results_on(since) if result.result is Outcome.FAIL)


def _with_words(result: GateResult) -> dict[str, Json]:
    return {
        "rule": result.rule,
        "detail": result.detail,
        "words": [[words.start, words.end, words.text] for words in result.words],
    }


def _gate(entry: Interaction) -> Gate | None:
    name = entry.node.meta.get("gate")
    return Gate(name) if isinstance(name, str) and name in set(Gate) else None


def _results(entry: Interaction, gate: Gate) -> Iterable[GateResult]:
    """Read results back; nothing of an entry whose words were erased."""
    outcomes = entry.node.meta.get("results")
    details = _details(entry.content)
    for outcome in outcomes if isinstance(outcomes, list) else []:
        match outcome:
            case {"rule": str(rule), "version": int(version), "result": str(result)} if result in set(Outcome):
                detail, words = details.get(rule, ("", ()))
                yield GateResult(gate, rule, version, Outcome(result), detail, words)


def _details(text: str) -> dict[str, tuple[str, tuple[Words, ...]]]:
    try:
        entries: Json = json.loads(text)
    except ValueError:
        return {}
    found: dict[str, tuple[str, tuple[Words, ...]]] = {}
    for entry in entries if isinstance(entries, list) else []:
        match entry:
            case {"rule": str(rule), "detail": str(detail), "words": list(words)}:
                found[rule] = (detail, tuple(_words(words)))
    return found


def _words(entries: Sequence[Json]) -> Iterable[Words]:
    for entry in entries:
        match entry:
            case [int(start), int(end), str(text)]:
                yield Words(start, end, text)
