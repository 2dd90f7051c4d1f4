"""Importing tickets: mails, mailboxes and folders of them, JSON, JSONL and CSV.

`import_paths` reads and saves, `ImportReport` says what it did; a new format is a line in `registry`.
"""

from storage.importers.importing import Progress, import_paths
from storage.importers.report import ImportReport, RepairedLine, SkippedLine

__all__ = ["ImportReport", "Progress", "RepairedLine", "SkippedLine", "import_paths"]
