"""Terminators that the text leaves out."""

from xdsl.irdl import IRDLOperation
from xdsl.traits import SingleBlockImplicitTerminator, ensure_terminator


class ImplicitTerminatorOp(IRDLOperation):
    """An op whose single-block region ends in a terminator that the text may leave out.

    Regions without blocks stay so: an op that is being cloned gets its blocks later.
    """

    def __post_init__(self) -> None:
        """Add the terminator where there is none."""
        if all(region.blocks for region in self.regions):
            for trait in self.get_traits_of_type(SingleBlockImplicitTerminator):
                ensure_terminator(self, trait)
