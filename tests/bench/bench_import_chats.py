"""Memory and time of importing a large ChatGPT export, and of importing it again.

Run with `uv run python tests/bench/bench_import_chats.py [MB]`; it makes an export of 200 MB in a temporary folder, and
imports it in a process of its own, whose peak memory is read when it has ended. Fails where that is above 300 MB.
"""

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

SIZE_MB = 200
LIMIT_MB = 300
TEXT = (
    "the parcel left on Monday and should be there by now, please have a look at the invoice of last week; could you "
    "write to the carrier again, wäre das möglich, merci bien 🙂"
)
WORDS = TEXT.split()


def chat(number: int, chance: random.Random) -> dict[str, object]:
    """One chat: mostly a chain, with forks, hidden nodes and tool output, between 4 and 200 messages."""
    size = round(chance.paretovariate(1.1) * 4) % 197 + 4
    nodes: dict[str, dict[str, object]] = {"root": {"id": "root", "parent": None, "children": [], "message": None}}
    above = "root"
    for place in range(size):
        node_id = f"{number:08x}-0000-4000-8000-{place:012x}"
        role = "tool" if place % 9 == 8 else "user" if place % 2 == 0 else "assistant"
        length = round(chance.paretovariate(1.3) * 30) % 2_000 + 3
        text = " ".join(chance.choices(WORDS, k=length))
        nodes[node_id] = {
            "id": node_id,
            "parent": above,
            "children": [],
            "message": {
                "id": node_id,
                "author": {"role": role, "name": "python" if role == "tool" else None, "metadata": {}},
                "create_time": 1_700_000_000.25 + number * 60 + place,
                "update_time": None,
                "content": {"content_type": "text", "parts": [text]},
                "status": "finished_successfully",
                "end_turn": role == "assistant",
                "weight": 1.0,
                "metadata": {"model_slug": "gpt-4o", "request_id": node_id, "timestamp_": "absolute"},
                "recipient": "all",
                "channel": None,
            },
        }
        children = nodes[above]["children"]
        assert isinstance(children, list)
        children.append(node_id)
        above = above if chance.random() < 0.05 and above != "root" else node_id
    return {
        "title": f"Chat {number}",
        "create_time": 1_700_000_000.25 + number * 60,
        "update_time": 1_700_000_100.5 + number * 60,
        "mapping": nodes,
        "current_node": above,
        "conversation_id": f"{number:08x}-0000-4000-8000-000000000000",
    }


def write_export(path: Path, size_bytes: int) -> tuple[int, int]:
    """Write an export of about this size; returns how many chats and messages it holds."""
    chance = random.Random(7)
    chats = messages = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        while file.tell() < size_bytes:
            made = chat(chats, chance)
            mapping = made["mapping"]
            assert isinstance(mapping, dict)
            file.write((",\n" if chats else "") + json.dumps(made, ensure_ascii=chats % 2 == 0))
            chats += 1
            messages += len(mapping) - 1
        file.write("]")
    return chats, messages


def lines_of(database: Path, export: Path) -> Iterator[str]:
    """Import twice, each time as a user does; yields what is to be printed."""
    program = [sys.executable, "-c", "from tui.cli import main; main()"]
    command = [*program, "--db", str(database), "--agent", "camille", "import", str(export)]
    for what in ("import", "the same again"):
        start = time.perf_counter()
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        seconds = time.perf_counter() - start
        yield f"{what:>15}: {seconds:6.1f} s   {done.stdout.splitlines()[0]}"


def main() -> None:
    """Make the export, import it, print what it took."""
    size_mb = int(sys.argv[1]) if len(sys.argv) > 1 else SIZE_MB
    with tempfile.TemporaryDirectory() as folder:
        export, database = Path(folder) / "conversations.json", Path(folder) / "desk.db"
        chats, messages = write_export(export, size_mb * 1_000_000)
        print(f"export: {export.stat().st_size / 1e6:.0f} MB, {chats:,} chats, {messages:,} messages")
        for line in lines_of(database, export):
            print(line)
        print(f"database: {database.stat().st_size / 1e6:.0f} MB")
    # Linux counts in kibibytes, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    peak_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit / 1e6
    print(f"peak memory of the importing process: {peak_mb:.0f} MB (limit {LIMIT_MB})")
    if peak_mb > LIMIT_MB:
        sys.exit("more memory than the limit")


if __name__ == "__main__":
    main()
