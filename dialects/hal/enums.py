"""The enumerations of the `hal` dialect; `enum_base` says how ops keep and print them."""

from enum import unique

from .enum_base import HalEnum, HalFlags, HalFlags32


class AllocaFlag(HalFlags):
    """Behaviour of a queue-ordered allocation."""

    NONE = 0
    INDETERMINATE_LIFETIME = 1


class BufferUsage(HalFlags32):
    """What a buffer may be used for."""

    NONE = 0
    TRANSFER_SOURCE = 0x1
    TRANSFER_TARGET = 0x2
    TRANSFER = 0x3
    DISPATCH_INDIRECT_PARAMETERS = 0x100
    DISPATCH_UNIFORM_READ = 0x200
    DISPATCH_STORAGE_READ = 0x400
    DISPATCH_STORAGE_WRITE = 0x800
    DISPATCH_STORAGE = 0xC00
    DISPATCH_IMAGE_READ = 0x1000
    DISPATCH_IMAGE_WRITE = 0x2000
    DISPATCH_IMAGE = 0x3000
    SHARING_EXPORT = 0x10000
    SHARING_REPLICATE = 0x20000
    SHARING_CONCURRENT = 0x40000
    SHARING_IMMUTABLE = 0x80000
    MAPPING_SCOPED = 0x1000000
    MAPPING_PERSISTENT = 0x2000000
    MAPPING_OPTIONAL = 0x4000000
    MAPPING_ACCESS_RANDOM = 0x8000000
    MAPPING_ACCESS_SEQUENTIAL_WRITE = 0x10000000
    MAPPING = 0x9000000


class ChannelFlag(HalFlags):
    """Behaviour of a collective channel."""

    NONE = 0
    RESERVED = 1


class CommandBufferMode(HalFlags32):
    """How often a command buffer is submitted and whether it may run while it is recorded."""

    NONE = 0
    ONE_SHOT = 0x1
    ALLOW_INLINE_EXECUTION = 0x10


class CommandCategory(HalFlags32):
    """Which kinds of commands a command buffer may hold."""

    NONE = 0
    TRANSFER = 0x1
    DISPATCH = 0x2


class CopyFlag(HalFlags):
    """Behaviour of a copy."""

    NONE = 0
    RESERVED = 1


class DeallocaFlag(HalFlags):
    """Behaviour of a queue-ordered deallocation."""

    NONE = 0
    PREFER_ORIGIN = 1


class DescriptorFlags(HalFlags32):
    """Access of a dispatch to one binding."""

    NONE = 0
    READ_ONLY = 1
    INDIRECT = 2


class DispatchFlags(HalFlags):
    """Behaviour of a dispatch."""

    NONE = 0
    RESERVED = 1


class ExecuteFlag(HalFlags):
    """Behaviour of the execution of a command buffer or barrier."""

    NONE = 0
    RESERVED = 1


class ExecutionStage(HalFlags32):
    """Stages of a command's execution that a barrier orders."""

    NONE = 0
    COMMAND_ISSUE = 0x1
    COMMAND_PROCESS = 0x2
    DISPATCH = 0x4
    TRANSFER = 0x8
    COMMAND_RETIRE = 0x10
    HOST = 0x20


class ExecutionBarrierFlag(HalFlags):
    """Behaviour of an execution barrier."""

    NONE = 0
    RESERVED = 1


class FenceFlag(HalFlags):
    """Behaviour of a fence."""

    NONE = 0
    RESERVED = 1


class FillFlag(HalFlags):
    """Behaviour of a fill."""

    NONE = 0
    RESERVED = 1


class MaintenanceFlag(HalFlags):
    """Behaviour of a flush, invalidate or discard."""

    NONE = 0
    RESERVED = 1


class MemoryAccess(HalFlags32):
    """Accesses that a mapping or import allows."""

    NONE = 0
    READ = 0x1
    WRITE = 0x2
    DISCARD = 0x4
    MAY_ALIAS = 0x8
    UNALIGNED = 0x10
    ANY = 0x20


class MemoryType(HalFlags32):
    """Who sees a buffer's memory, and how."""

    NONE = 0
    OPTIMAL = 0x1
    HOST_VISIBLE = 0x2
    HOST_COHERENT = 0x4
    HOST_CACHED = 0x8
    HOST_LOCAL = 0x46
    DEVICE_VISIBLE = 0x10
    DEVICE_LOCAL = 0x30


class PipelineLayoutFlags(HalFlags32):
    """Behaviour of all bindings of a layout."""

    NONE = 0
    INDIRECT = 1


class ReadFlag(HalFlags):
    """Behaviour of a read from a file."""

    NONE = 0
    RESERVED = 1


class UpdateFlag(HalFlags):
    """Behaviour of an update from host memory."""

    NONE = 0
    RESERVED = 1


class WaitFlag(HalFlags):
    """Behaviour of a wait of the host."""

    NONE = 0
    RESERVED = 1


class WriteFlag(HalFlags):
    """Behaviour of a write to a file."""

    NONE = 0
    RESERVED = 1


@unique
class DescriptorType(HalEnum):
    """How a dispatch sees one binding."""

    UNIFORM_BUFFER = 6
    STORAGE_BUFFER = 7


@unique
class ExecutionModel(HalEnum):
    """Whether calls of a function are ordered by fences."""

    SYNCHRONOUS = 0
    COARSE_FENCES = 1


@unique
class Lifetime(HalEnum):
    """How long a resource lives and who shares it."""

    UNKNOWN = 0
    EXTERNAL = 1
    STAGING = 2
    TRANSIENT = 3
    VARIABLE = 4
    CONSTANT = 5

    @property
    def spelling(self) -> str:
        """How IREE writes the member; an unknown lifetime is `*`."""
        return "*" if self is Lifetime.UNKNOWN else self.name.lower()


@unique
class CollectiveKind(HalEnum):
    """What a collective does."""

    ALL_GATHER = 0
    ALL_REDUCE = 1
    ALL_TO_ALL = 2
    BROADCAST = 3
    REDUCE = 4
    REDUCE_SCATTER = 5
    SEND = 6
    RECV = 7
    SEND_RECV = 8


@unique
class CollectiveReduction(HalEnum):
    """How a collective combines elements."""

    NONE = 0
    SUM = 1
    PRODUCT = 2
    MINIMUM = 3
    MAXIMUM = 4
    AVERAGE = 5


@unique
class CollectiveElementType(HalEnum):
    """Element type of a collective's buffers."""

    SI8 = 0
    UI8 = 1
    SI16 = 2
    UI16 = 3
    SI32 = 4
    UI32 = 5
    SI64 = 6
    UI64 = 7
    F16 = 8
    F32 = 9
    F64 = 10
    BF16 = 11
    F8E5M2 = 12
    F8E4M3FN = 13
    F8E5M2FNUZ = 14
    F8E4M3FNUZ = 15

    @property
    def spelling(self) -> str:
        """How IREE writes the member: as the builtin type, `F8E5M2` as `f8E5M2`."""
        letters = self.name.rstrip("0123456789") if "E" not in self.name else "F"
        return letters.lower() + self.name[len(letters) :]
