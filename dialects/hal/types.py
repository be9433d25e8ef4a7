"""Types of the `hal` dialect: opaque handles of runtime objects, none with parameters."""

from xdsl.ir import ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition


@irdl_attr_definition
class AllocatorType(ParametrizedAttribute, TypeAttribute):
    """Allocates buffers in the memory of one device."""

    name = "hal.allocator"


@irdl_attr_definition
class BufferType(ParametrizedAttribute, TypeAttribute):
    """A range of memory that devices read and write; owned by reference count."""

    name = "hal.buffer"


@irdl_attr_definition
class BufferViewType(ParametrizedAttribute, TypeAttribute):
    """A buffer with shape, element type and encoding: a tensor at the program's boundary."""

    name = "hal.buffer_view"


@irdl_attr_definition
class ChannelType(ParametrizedAttribute, TypeAttribute):
    """One participant's end of a group of devices that run collectives together."""

    name = "hal.channel"


@irdl_attr_definition
class CommandBufferType(ParametrizedAttribute, TypeAttribute):
    """Recorded commands; they take effect when a queue executes them, never at recording."""

    name = "hal.command_buffer"


@irdl_attr_definition
class DeviceType(ParametrizedAttribute, TypeAttribute):
    """A logical device; which one is decided when its global is initialised."""

    name = "hal.device"


@irdl_attr_definition
class EventType(ParametrizedAttribute, TypeAttribute):
    """An ordering point inside one command buffer."""

    name = "hal.event"


@irdl_attr_definition
class ExecutableType(ParametrizedAttribute, TypeAttribute):
    """Kernels loaded on a device and ready to be dispatched."""

    name = "hal.executable"


@irdl_attr_definition
class FenceType(ParametrizedAttribute, TypeAttribute):
    """A set of semaphore timepoints; reached when all are. It orders and does not flush."""

    name = "hal.fence"


@irdl_attr_definition
class FileType(ParametrizedAttribute, TypeAttribute):
    """A file that queue operations read into buffers or write from them."""

    name = "hal.file"


@irdl_attr_definition
class SemaphoreType(ParametrizedAttribute, TypeAttribute):
    """A timeline: a value that only grows."""

    name = "hal.semaphore"


TYPES = (
    AllocatorType,
    BufferType,
    BufferViewType,
    ChannelType,
    CommandBufferType,
    DeviceType,
    EventType,
    ExecutableType,
    FenceType,
    FileType,
    SemaphoreType,
)
"""All types of the dialect."""
