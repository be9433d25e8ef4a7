"""What stream types become: resources buffers, timepoints fences, files and channels their like."""

from xdsl.ir import Attribute, SSAValue

from ...dialects import stream
from ...dialects.hal.types import BufferType, ChannelType, FenceType, FileType

_LOWERED: dict[type[Attribute], Attribute] = {
    stream.ResourceType: BufferType(),
    stream.TimepointType: FenceType(),
    stream.FileType: FileType(),
    stream.ChannelType: ChannelType(),
}


def lowered_type(type: Attribute) -> Attribute:
    """The hal type of a stream type; any other type as it is."""
    return _LOWERED.get(type.__class__, type)


def is_lowered(value: SSAValue) -> bool:
    """Whether a value has a type that stays as it is."""
    return value.type.__class__ not in _LOWERED
