"""What a variable holds before anything is stored to it."""

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from ...dialects import stream
from ...dialects.hal.types import FenceType
from ..hal.semaphore import NULL_FENCE


def default_value(type: Attribute) -> object:
    """Zero for a number, a fence that is reached from the start; None (null) for other objects."""
    if isinstance(type, FenceType | stream.TimepointType):
        return NULL_FENCE
    if isinstance(type, AnyFloat):
        return FloatAttr(0.0, type)
    if isa(type, IntegerType) or isinstance(type, IndexType):
        return IntegerAttr(0, type)
    return None
