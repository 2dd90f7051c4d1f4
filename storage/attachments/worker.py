"""The process that reads one attachment: the file on standard input, JSON on standard output.

Whatever a damaged file does to a reader, it happens here: beyond its time, its memory, or a fault of the reader this
process ends, and the app goes on.
"""

import json
import resource
import sys
from contextlib import suppress

from storage.attachments.limits import MAX_MEMORY_BYTES, TIME_LIMIT_S
from storage.attachments.media import MediaType
from storage.attachments.readers.registry import read_file
from storage.errors import ReadingError
from storage.values import JsonObject


def answer(data: bytes, media_type: MediaType) -> JsonObject:
    """Read a file; give its text with notes, or the reason why not."""
    try:
        read = read_file(data, media_type)
    except ReadingError as error:
        return {"reason": str(error)}
    except MemoryError:
        return {"reason": "reading it takes too much memory; attach a part of it"}
    except Exception as error:  # the one boundary of this process: a damaged file can make a reader raise anything
        return {"reason": f"it is damaged, or not of the format that it seems to be ({type(error).__name__})"}
    return {"text": read.text, "notes": list(read.notes)}


def main() -> None:
    """Read what comes on standard input as the media type that the first argument names."""
    for limit, value in (
        (resource.RLIMIT_AS, MAX_MEMORY_BYTES),
        (resource.RLIMIT_CPU, int(TIME_LIMIT_S) + 1),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):  # some systems do not keep every limit
            resource.setrlimit(limit, (value, value))
    document = answer(sys.stdin.buffer.read(), MediaType(sys.argv[1]))
    sys.stdout.buffer.write(json.dumps(document).encode("ascii"))


if __name__ == "__main__":
    main()
