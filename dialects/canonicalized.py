"""Canonicalization patterns by op class, in tables that are loaded when first asked for."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.ir import Operation
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import HasCanonicalizationPatternsTrait

PatternTable = Mapping[type[Operation], tuple[RewritePattern, ...]]


@dataclass(frozen=True)
class CanonicalizedByTable(HasCanonicalizationPatternsTrait):
    """Ops with rows in a table of their dialect."""

    @classmethod
    @abstractmethod
    def table(cls) -> PatternTable:
        """The table; imported here, so that reading modules does not load it."""

    def get_patterns(self, op: type[Operation]) -> tuple[RewritePattern, ...]:
        """The patterns of `op`."""
        return self.table()[op]

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """None that all ops share."""
        return ()
