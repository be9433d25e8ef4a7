"""The bit fields of the HAL with IREE's values, so that the host VM passes integers through.

Text forms are those of IREE's attributes: `"DeviceVisible|DeviceLocal"`, `"None"`.
"""

import re
from enum import IntFlag
from typing import TypeVar


class MemoryType(IntFlag):
    """Where a buffer lives and who sees it."""

    NONE = 0
    OPTIMAL = 1
    HOST_VISIBLE = 2
    HOST_COHERENT = 4
    HOST_CACHED = 8
    HOST_LOCAL = HOST_VISIBLE | 64
    DEVICE_VISIBLE = 16
    DEVICE_LOCAL = DEVICE_VISIBLE | 32


class MemoryAccess(IntFlag):
    """What may be done to the contents of a buffer or mapping."""

    NONE = 0
    READ = 1
    WRITE = 2
    DISCARD = 4
    DISCARD_WRITE = WRITE | DISCARD
    MAY_ALIAS = 8
    UNALIGNED = 16
    ANY = 32
    ALL = READ | WRITE | DISCARD


class BufferUsage(IntFlag):
    """What a buffer may be used for."""

    NONE = 0
    TRANSFER_SOURCE = 1
    TRANSFER_TARGET = 2
    TRANSFER = TRANSFER_SOURCE | TRANSFER_TARGET
    DISPATCH_INDIRECT_PARAMETERS = 1 << 8
    DISPATCH_UNIFORM_READ = 1 << 9
    DISPATCH_STORAGE_READ = 1 << 10
    DISPATCH_STORAGE_WRITE = 1 << 11
    DISPATCH_STORAGE = DISPATCH_STORAGE_READ | DISPATCH_STORAGE_WRITE
    DISPATCH_IMAGE_READ = 1 << 12
    DISPATCH_IMAGE_WRITE = 1 << 13
    DISPATCH_IMAGE = DISPATCH_IMAGE_READ | DISPATCH_IMAGE_WRITE
    SHARING_EXPORT = 1 << 16
    SHARING_REPLICATE = 1 << 17
    SHARING_CONCURRENT = 1 << 18
    SHARING_IMMUTABLE = 1 << 19
    MAPPING_SCOPED = 1 << 24
    MAPPING_PERSISTENT = 1 << 25
    MAPPING_OPTIONAL = 1 << 26
    MAPPING_ACCESS_RANDOM = 1 << 27
    MAPPING_ACCESS_SEQUENTIAL_WRITE = 1 << 28
    MAPPING = MAPPING_SCOPED | MAPPING_PERSISTENT | MAPPING_ACCESS_RANDOM
    DEFAULT = TRANSFER | DISPATCH_STORAGE


class ExecutionStage(IntFlag):
    """A stage of command execution that a barrier names.

    Commands access memory in `DISPATCH` and `TRANSFER` alone; the others are stages that no
    command is in, and count only where two barriers chain (docs/memory-model.md, section 3).
    """

    NONE = 0
    COMMAND_ISSUE = 1
    COMMAND_PROCESS = 2
    DISPATCH = 4
    TRANSFER = 8
    COMMAND_RETIRE = 16
    HOST = 32


class CommandCategory(IntFlag):
    """Which commands a command buffer may hold."""

    NONE = 0
    TRANSFER = 1
    DISPATCH = 2
    ANY = TRANSFER | DISPATCH


class CommandBufferMode(IntFlag):
    """How a command buffer will be used. Inline execution is allowed, never done (IR-33)."""

    NONE = 0
    ONE_SHOT = 1
    ALLOW_INLINE_EXECUTION = 16
    UNVALIDATED = 32
    UNRETAINED = 64
    RETAIN_PROFILE_METADATA = 128
    RETAIN_DISPATCH_METADATA = 256


FlagT = TypeVar("FlagT", bound=IntFlag)


def parse_flags(kind: type[FlagT], text: str) -> FlagT:
    """`text` in IREE's form, `"Dispatch|Transfer"`, as flags; ValueError for an unknown name."""
    result = kind(0)
    for name in text.split("|"):
        member = kind.__members__.get(_CAMEL.sub("_", name.strip()).upper())
        if member is None:
            raise ValueError(f"unknown {kind.__name__} `{name.strip()}`")
        result |= member
    return result


def flags_text(flags: IntFlag) -> str:
    """Flags in IREE's form; composites are spelled out, unless a bit of theirs has no name."""
    members = [member for member in type(flags).__members__.values() if member and member in flags]
    single = [member for member in members if member.bit_count() == 1]
    unnamed = int(flags) & ~sum(single)
    names = single + [member for member in members if member & unnamed]
    return "|".join(_camel(member.name or "") for member in names) or "None"


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
