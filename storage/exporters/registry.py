"""The formats that conversations go out in: a new one is a module with an `EXPORTER`, and one line here."""

from typing import Final

from storage.exporters import json_export, markdown_export, mermaid_export
from storage.exporters.export import Exporter

EXPORTERS: Final[dict[str, Exporter]] = {
    exporter.name: exporter
    for exporter in (
        json_export.EXPORTER,
        markdown_export.EXPORTER,
        mermaid_export.EXPORTER,
    )
}
"""By name, in the order in which they are told to people."""
