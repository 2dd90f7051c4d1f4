"""What says that a ticket is closed: an agent who closed it here, or a status that its source uses for that."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from storage.tickets import CLOSED


@dataclass(frozen=True, slots=True)
class ClosedMeans:
    """The one place that decides whether a status means closed.

    Attributes:
        by_format: for a format of sources, the statuses that mean closed, lower case; "closed" alone where none are
            named.
    """

    by_format: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def says_closed(self, status: str, formats: Collection[str], *, imported: bool) -> bool:
        """Tell whether a status means that its ticket is closed.

        Args:
            status: one entry of the ticket's log.
            formats: of everything that the ticket was read from.
            imported: a source named the status; what an agent does here needs no interpretation.
        """
        named = [self.by_format[each] for each in formats if each in self.by_format] if imported else []
        return status in frozenset[str]().union(*named) if named else status == CLOSED


UNCONFIGURED: Final = ClosedMeans()
"""Only "closed" means closed."""
