"""Files to hal, and channels of collectives."""

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ...dialects import stream, util
from ...dialects.hal.channel import ChannelCreateOp, ChannelRankAndCountOp, ChannelSplitOp
from ...dialects.hal.device_queue_transfer import DeviceQueueReadOp, DeviceQueueWriteOp
from ...dialects.hal.enum_base import enum_attr
from ...dialects.hal.enums import MemoryAccess
from ...dialects.hal.experimental import ExFileFromMemoryOp
from ...dialects.hal.types import ChannelType, FileType
from ..build import INDEX
from .commands import NO_FLAGS
from .host import HostLowering


def lower_file_constant(host: HostLowering, op: stream.FileConstantOp) -> None:
    """A file over memory of the host."""
    file = host.make(
        ExFileFromMemoryOp,
        [FileType()],
        device=host.first_device(op.affinity),
        queue_affinity=host.any_queue(),
        buffer=op.source,
        offset=op.source_offset,
        length=op.source_length,
        flags=host.integer(0, i32),
        access=enum_attr(MemoryAccess, MemoryAccess.READ),
    )
    host.others[op.result] = file.result


def lower_file_read(host: HostLowering, op: stream.FileReadOp) -> None:
    """A queue operation that reads a file."""
    device = host.first_device(op.affinity)
    found = host.range_of(op.target)
    host.make(
        DeviceQueueReadOp,
        **host.queued(device, op.await_timepoint, op.result_timepoint),
        source_file=host.value_of(op.source),
        source_offset=op.source_offset,
        target_buffer=found.buffer,
        target_offset=host.indices.add(found.offset, op.target_offset, op),
        length=op.length,
        flags=NO_FLAGS,
    )


def lower_file_write(host: HostLowering, op: stream.FileWriteOp) -> None:
    """A queue operation that writes a file."""
    device = host.first_device(op.affinity)
    found = host.range_of(op.source)
    host.make(
        DeviceQueueWriteOp,
        **host.queued(device, op.await_timepoint, op.result_timepoint),
        source_buffer=found.buffer,
        source_offset=host.indices.add(found.offset, op.source_offset, op),
        target_file=host.value_of(op.target),
        target_offset=op.target_offset,
        length=op.length,
        flags=NO_FLAGS,
    )


def lower_channel_create(host: HostLowering, op: stream.ChannelCreateOp) -> None:
    """A participant; what is not given the runtime knows."""
    no_bytes = host.make(util.NullOp, [util.BufferType()]).result
    group = no_bytes
    if op.group is not None:
        group = host.make(util.BufferConstantOp, [util.BufferType()], value=op.group).result
    created = host.make(
        ChannelCreateOp,
        [ChannelType()],
        device=host.first_device(op.affinity),
        queue_affinity=host.any_queue(),
        id=op.id or no_bytes,
        group=group,
        rank=_narrow(host, op.rank),
        count=_narrow(host, op.count),
        flags=NO_FLAGS,
    )
    host.others[op.result] = created.result


def lower_channel_split(host: HostLowering, op: stream.ChannelSplitOp) -> None:
    """A part of a group."""
    split = host.make(
        ChannelSplitOp,
        [ChannelType()],
        channel=host.value_of(op.channel),
        color=_narrow(host, op.color),
        key=_narrow(host, op.key),
        flags=NO_FLAGS,
    )
    host.others[op.result] = split.result


def lower_channel_rank(
    host: HostLowering, op: stream.ChannelRankOp | stream.ChannelCountOp
) -> None:
    """The number of a participant, or of participants."""
    asked = host.make(ChannelRankAndCountOp, [i32, i32], channel=host.value_of(op.channel))
    value = asked.rank if isinstance(op, stream.ChannelRankOp) else asked.count
    wide = arith.IndexCastOp(value, INDEX)
    host.insert(wide)
    op.result.replace_all_uses_with(wide.result)


def _narrow(host: HostLowering, value: SSAValue | None) -> SSAValue:
    """An index as i32; -1, for what the runtime knows, where there is none."""
    if value is None:
        return host.integer(-1, i32)
    narrow = arith.IndexCastOp(value, i32)
    host.insert(narrow)
    return narrow.result
