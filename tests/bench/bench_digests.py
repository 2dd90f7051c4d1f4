"""1,000 requests with retries, streams and failures: what a loopback server receives is what the record holds.

Run with `uv run python tests/bench/bench_digests.py [REQUESTS]`.
"""

import asyncio
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from many_requests import many_requests

from storage.audit.verification import verify
from storage.sqlite_store import open_store

REQUESTS = 1_000


def main() -> None:
    """Ask, compare, and print how many digests agree."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS
    with tempfile.TemporaryDirectory() as folder, closing(open_store(Path(folder) / "desk.db")) as store:
        start = time.perf_counter()
        received = asyncio.run(many_requests(store, wanted))
        took_s = time.perf_counter() - start
        rows = store.audited(lambda rows: sorted(rows.requests(), key=lambda row: row.id))
        agree = sum(
            (row.body, row.body_sha256) == (got.body, got.sha256) for row, got in zip(rows, received, strict=True)
        )
        found = verify(store)
    print(f"requests received {len(received):,} in {took_s:.1f} s, digests that agree {agree:,} (to reach: all)")
    print(f"attempts after the first {sum(row.attempt > 1 for row in rows):,}, record holds: {found.holds}")


if __name__ == "__main__":
    main()
