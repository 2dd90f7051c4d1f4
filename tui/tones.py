"""How strongly text speaks, as styles for `Content`.

`$text-muted` is no use there: as a style of a span it loses its alpha and comes out brighter than plain text.
"""

from typing import Final

MUTED: Final = "$foreground 65%"
"""Beside the point: times, counts, branches that are not shown."""

FAINT: Final = "$foreground 38%"
"""Lines and guides, and room that is free."""

WARNING: Final = "$text-warning"
GOOD: Final = "$text-success"
LEAD: Final = "$text-primary"
ACCENT: Final = "$text-accent"
