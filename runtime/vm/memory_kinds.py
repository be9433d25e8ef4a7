"""The memory type and usage that a resource needs, by its lifetime and who shares it (IR-26).

As IREE derives them for its lifetimes, where the pool lets the host map it: what goes to the
caller may be mapped and exported, what several devices share stays mapped for good, and all else
is the device's alone.
"""

from ...dialects.hal.enums import Lifetime
from ..hal.flags import BufferUsage, MemoryType


def memory_kind(
    lifetime: Lifetime, *, shared: bool, mappable: bool
) -> tuple[MemoryType, BufferUsage]:
    """What to ask of an allocator.

    Args:
        lifetime: of the resource.
        shared: whether several devices use it.
        mappable: whether the host reaches the pool in place.
    """
    memory, usage = MemoryType.DEVICE_LOCAL, BufferUsage.DEFAULT
    match lifetime:
        case Lifetime.CONSTANT:
            usage |= BufferUsage.SHARING_IMMUTABLE
        case Lifetime.EXTERNAL:
            usage |= BufferUsage.SHARING_EXPORT
        case Lifetime.STAGING:
            memory = MemoryType.HOST_LOCAL | MemoryType.DEVICE_VISIBLE
            usage |= BufferUsage.MAPPING
        case _:
            pass
    if shared:
        usage |= BufferUsage.SHARING_CONCURRENT
    if mappable and (shared or lifetime is Lifetime.EXTERNAL):
        memory |= MemoryType.HOST_VISIBLE
        usage |= BufferUsage.MAPPING
    return memory, usage


def needs_host(memory: MemoryType, usage: BufferUsage) -> bool:
    """Whether memory asked for like this has to be reached by the host in place."""
    return MemoryType.HOST_VISIBLE in memory or bool(
        usage & (BufferUsage.MAPPING_SCOPED | BufferUsage.MAPPING_PERSISTENT)
    )
