"""Collective attributes of stream as those of hal, which number what stream names."""

from xdsl.dialects.builtin import IntAttr, NoneAttr

from ...dialects import stream
from ...dialects.hal import CollectiveAttr
from ...dialects.hal.enums import CollectiveElementType, CollectiveKind, CollectiveReduction


def hal_collective(attribute: stream.CollectiveAttr) -> CollectiveAttr:
    """The same kind, reduction and element type."""
    collective = attribute.data
    reduction = collective.reduction
    elements = {element.spelling.upper(): element for element in CollectiveElementType}
    return CollectiveAttr(
        IntAttr(CollectiveKind[collective.kind.upper()]),
        NoneAttr() if reduction is None else IntAttr(CollectiveReduction[reduction.upper()]),
        IntAttr(elements[collective.element_type.upper()]),
    )
