"""The trait of flow ops that have canonicalization patterns."""

from dataclasses import dataclass

from ..canonicalized import CanonicalizedByTable, PatternTable


@dataclass(frozen=True)
class Canonicalized(CanonicalizedByTable):
    """Ops with rows in the table of the flow dialect."""

    @classmethod
    def table(cls) -> PatternTable:
        """The table."""
        from .canonicalization import PATTERNS

        return PATTERNS
