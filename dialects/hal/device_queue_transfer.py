"""Ops that submit transfers to a device's queues: they wait for one fence and signal another."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, i64
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    traits_def,
)

from ..access import FieldRanges, reads, writes
from ..util.types import BufferType as HostBufferType
from .command_checks import (
    check_apart,
    check_pattern_range,
)
from .device_queue import DeviceQueueOp
from .enums import (
    CopyFlag,
    FillFlag,
    ReadFlag,
    UpdateFlag,
    WriteFlag,
)
from .format import EnumConstraint, EnumValue
from .transfer_commands import PATTERN
from .types import BufferType, DeviceType, FenceType, FileType


@irdl_op_definition
class DeviceQueueFillOp(DeviceQueueOp):
    """Fills a range with a repeated pattern of 1, 2 or 4 bytes."""

    name = "hal.device.queue.fill"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues that may run it: bit q for queue q."""
    wait_fence = operand_def(FenceType)
    """It starts once this is reached."""
    signal_fence = operand_def(FenceType)
    """Reached when it is done."""
    target_buffer = operand_def(BufferType)
    target_offset = operand_def(IndexType())
    """Bytes."""
    length = operand_def(IndexType())
    """Bytes."""
    pattern = operand_def(PATTERN)
    flags = prop_def(EnumConstraint(FillFlag))

    traits = traits_def(FieldRanges((writes("target_buffer", "length", "target_offset"),)))
    custom_directives = (EnumValue,)

    assembly_format = (
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` "
        "`wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` "
        "`target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]` "
        "`length` `(` $length `)` `pattern` `(` $pattern `:` type($pattern) `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check the fences and the range, and that it is made of whole patterns."""
        super().verify_()
        check_pattern_range(self.pattern, self.target_offset, self.length)


@irdl_op_definition
class DeviceQueueUpdateOp(DeviceQueueOp):
    """Writes bytes of host memory; they are taken when it is submitted."""

    name = "hal.device.queue.update"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues that may run it: bit q for queue q."""
    wait_fence = operand_def(FenceType)
    """It starts once this is reached."""
    signal_fence = operand_def(FenceType)
    """Reached when it is done."""
    source_buffer = operand_def(HostBufferType)
    source_offset = operand_def(IndexType())
    """Bytes."""
    target_buffer = operand_def(BufferType)
    target_offset = operand_def(IndexType())
    """Bytes."""
    length = operand_def(IndexType())
    """Bytes."""
    flags = prop_def(EnumConstraint(UpdateFlag))

    traits = traits_def(FieldRanges((writes("target_buffer", "length", "target_offset"),)))
    custom_directives = (EnumValue,)

    assembly_format = (
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` "
        "`wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` "
        "`source` `(` $source_buffer `:` type($source_buffer) `)` `` `[` $source_offset `]` "
        "`target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]` "
        "`length` `(` $length `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` attr-dict-with-keyword"
    )


@irdl_op_definition
class DeviceQueueCopyOp(DeviceQueueOp):
    """Copies a range to another that does not overlap it."""

    name = "hal.device.queue.copy"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues that may run it: bit q for queue q."""
    wait_fence = operand_def(FenceType)
    """It starts once this is reached."""
    signal_fence = operand_def(FenceType)
    """Reached when it is done."""
    source_buffer = operand_def(BufferType)
    source_offset = operand_def(IndexType())
    """Bytes."""
    target_buffer = operand_def(BufferType)
    target_offset = operand_def(IndexType())
    """Bytes."""
    length = operand_def(IndexType())
    """Bytes."""
    flags = prop_def(EnumConstraint(CopyFlag))

    traits = traits_def(
        FieldRanges(
            (
                reads("source_buffer", "length", "source_offset"),
                writes("target_buffer", "length", "target_offset"),
            )
        )
    )
    custom_directives = (EnumValue,)

    assembly_format = (
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` "
        "`wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` "
        "`source` `(` $source_buffer `:` type($source_buffer) `)` `` `[` $source_offset `]` "
        "`target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]` "
        "`length` `(` $length `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check the fences and both ranges, and that they do not overlap."""
        super().verify_()
        check_apart(self)


@irdl_op_definition
class DeviceQueueReadOp(DeviceQueueOp):
    """Reads a range of a file into a buffer."""

    name = "hal.device.queue.read"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues that may run it: bit q for queue q."""
    wait_fence = operand_def(FenceType)
    """It starts once this is reached."""
    signal_fence = operand_def(FenceType)
    """Reached when it is done."""
    source_file = operand_def(FileType)
    source_offset = operand_def(i64)
    """Bytes."""
    target_buffer = operand_def(BufferType)
    target_offset = operand_def(IndexType())
    """Bytes."""
    length = operand_def(IndexType())
    """Bytes."""
    flags = prop_def(EnumConstraint(ReadFlag))

    traits = traits_def(FieldRanges((writes("target_buffer", "length", "target_offset"),)))
    custom_directives = (EnumValue,)

    assembly_format = (
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` "
        "`wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` "
        "`source` `(` $source_file `:` type($source_file) `)` `` `[` $source_offset `]` "
        "`target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]` "
        "`length` `(` $length `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` attr-dict-with-keyword"
    )


@irdl_op_definition
class DeviceQueueWriteOp(DeviceQueueOp):
    """Writes a range of a buffer into a file."""

    name = "hal.device.queue.write"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues that may run it: bit q for queue q."""
    wait_fence = operand_def(FenceType)
    """It starts once this is reached."""
    signal_fence = operand_def(FenceType)
    """Reached when it is done."""
    source_buffer = operand_def(BufferType)
    source_offset = operand_def(IndexType())
    """Bytes."""
    target_file = operand_def(FileType)
    target_offset = operand_def(i64)
    """Bytes."""
    length = operand_def(IndexType())
    """Bytes."""
    flags = prop_def(EnumConstraint(WriteFlag))

    traits = traits_def(FieldRanges((reads("source_buffer", "length", "source_offset"),)))
    custom_directives = (EnumValue,)

    assembly_format = (
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` "
        "`wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` "
        "`source` `(` $source_buffer `:` type($source_buffer) `)` `` `[` $source_offset `]` "
        "`target` `(` $target_file `:` type($target_file) `)` `` `[` $target_offset `]` "
        "`length` `(` $length `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` attr-dict-with-keyword"
    )


OPS = (
    DeviceQueueFillOp,
    DeviceQueueUpdateOp,
    DeviceQueueCopyOp,
    DeviceQueueReadOp,
    DeviceQueueWriteOp,
)
"""The ops of this file."""
