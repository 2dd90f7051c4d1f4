"""How much of one file is read; whatever is larger fails with a reason that names the limit."""

from typing import Final

from storage.importers.limits import MIB

MAX_FILE_BYTES: Final = 32_000_000
"""A larger file is not opened."""

MAX_TEXT_CHARACTERS: Final = 500_000
"""What is read out of a file; about 125,000 tokens of English."""

MAX_PAGES: Final = 500
"""Pages of a PDF document."""

MAX_XML_BYTES: Final = 64 * MIB
"""The unpacked text of a Word document."""

TIME_LIMIT_S: Final = 30.0
"""How long reading may take."""

MAX_MEMORY_BYTES: Final = 1024 * MIB
"""Address space of the process that reads."""
