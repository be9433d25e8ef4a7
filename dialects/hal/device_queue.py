"""Ops that submit work to a device's queues.

A submission waits for one fence and signals another; submissions to one queue are ordered by
nothing else.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, i32, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    SameVariadicOperandSize,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from ..format import SizeAwareType
from ..util import NullOp
from ..verify import constant_index
from .command_checks import (
    check_buffer_ranges,
    check_range,
    constant_size,
    declared_slots,
)
from .enums import (
    AllocaFlag,
    DeallocaFlag,
    ExecuteFlag,
)
from .format import Bindings, EnumConstraint, EnumValue
from .types import BufferType, CommandBufferType, DeviceType, FenceType

WAIT_FENCE = 2
SIGNAL_FENCE = 3
"""Where the fences stand among the operands of a submission."""


class DeviceQueueOp(IRDLOperation):
    """What all submissions check. Each states the fields itself, since their order counts."""

    def fences(self) -> tuple[SSAValue, SSAValue]:
        """The fence that it waits for and the one that it signals."""
        wait, signal = self.operands[WAIT_FENCE : SIGNAL_FENCE + 1]
        return wait, signal

    def verify_(self) -> None:
        """Check that it does not wait for itself, and constant ranges."""
        wait, signal = self.fences()
        if wait is signal and not isinstance(wait.owner, NullOp):
            raise VerifyException(
                "expected two fences, got one to wait for and to signal; it would never start"
            )
        check_buffer_ranges(self)


def check_table(command_buffer: SSAValue, count: int) -> None:
    """Check that a table of `count` buffers fills the slots; raises VerifyException (B57)."""
    declared = declared_slots(command_buffer)
    if declared is not None and count < declared:
        raise VerifyException(
            f"expected buffers for the {declared} binding slots of the command buffer, got {count}"
        )


@irdl_op_definition
class DeviceQueueAllocaOp(DeviceQueueOp):
    """Memory of a device, usable by what is ordered after the signal fence."""

    name = "hal.device.queue.alloca"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues that may run it: bit q for queue q."""
    wait_fence = operand_def(FenceType)
    """It starts once this is reached."""
    signal_fence = operand_def(FenceType)
    """Reached when it is done."""
    pool = operand_def(i64)
    """Which memory pool; 0 is the default one."""
    memory_types = operand_def(i32)
    """Bits of `MemoryType`."""
    buffer_usage = operand_def(i32)
    """Bits of `BufferUsage`."""
    result_size = operand_def(IndexType())
    """Bytes."""
    flags = prop_def(EnumConstraint(AllocaFlag))
    result = result_def(BufferType)

    custom_directives = (EnumValue, SizeAwareType)

    assembly_format = (
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` "
        "`wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` "
        "`pool` `(` $pool `)` `type` `(` $memory_types `)` `usage` `(` $buffer_usage `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` `:` "
        "custom<SizeAwareType>(type($result), $result_size) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check the fences and the size."""
        super().verify_()
        size = constant_index(self.result_size)
        if size is not None and size < 0:
            raise VerifyException(f"expected a size in bytes, got {size}")


@irdl_op_definition
class DeviceQueueDeallocaOp(DeviceQueueOp):
    """Gives memory back; nothing may use it that is not ordered before."""

    name = "hal.device.queue.dealloca"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues that may run it: bit q for queue q."""
    wait_fence = operand_def(FenceType)
    """It starts once this is reached."""
    signal_fence = operand_def(FenceType)
    """Reached when it is done."""
    buffer = operand_def(BufferType)
    flags = prop_def(EnumConstraint(DeallocaFlag))

    custom_directives = (EnumValue,)

    assembly_format = (
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` "
        "`wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` "
        "`buffer` `(` $buffer `:` type($buffer) `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` attr-dict-with-keyword"
    )


@irdl_op_definition
class DeviceQueueBarrierOp(DeviceQueueOp):
    """Signals a fence once another is reached."""

    name = "hal.device.queue.barrier"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues that may run it: bit q for queue q."""
    wait_fence = operand_def(FenceType)
    """It starts once this is reached."""
    signal_fence = operand_def(FenceType)
    """Reached when it is done."""
    flags = prop_def(EnumConstraint(ExecuteFlag))

    custom_directives = (EnumValue,)

    assembly_format = (
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` "
        "`wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` attr-dict-with-keyword"
    )


@irdl_op_definition
class DeviceQueueExecuteOp(DeviceQueueOp):
    """Runs a command buffer that has no binding table."""

    name = "hal.device.queue.execute"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues that may run it: bit q for queue q."""
    wait_fence = operand_def(FenceType)
    """It starts once this is reached."""
    signal_fence = operand_def(FenceType)
    """Reached when it is done."""
    command_buffer = operand_def(CommandBufferType)
    flags = prop_def(EnumConstraint(ExecuteFlag))

    custom_directives = (EnumValue,)

    assembly_format = (
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` "
        "`wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` "
        "`commands` `(` $command_buffer `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check the fences, and that the command buffer needs no binding table."""
        super().verify_()
        check_table(self.command_buffer, 0)


@irdl_op_definition
class DeviceQueueExecuteIndirectOp(DeviceQueueOp):
    """Runs a command buffer with the buffers of its binding table."""

    name = "hal.device.queue.execute.indirect"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues that may run it: bit q for queue q."""
    wait_fence = operand_def(FenceType)
    """It starts once this is reached."""
    signal_fence = operand_def(FenceType)
    """Reached when it is done."""
    command_buffer = operand_def(CommandBufferType)
    binding_buffers = var_operand_def(BufferType)
    """Slot i's is the i-th."""
    binding_offsets = var_operand_def(IndexType())
    """Bytes."""
    binding_lengths = var_operand_def(IndexType())
    """Bytes."""
    flags = prop_def(EnumConstraint(ExecuteFlag))

    irdl_options = (SameVariadicOperandSize(),)
    custom_directives = (Bindings, EnumValue)

    assembly_format = (
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` "
        "`wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` "
        "`commands` `(` $command_buffer `)` "
        "`bindings` `(` `[` custom<Bindings>($binding_buffers, type($binding_buffers), "
        "$binding_offsets, $binding_lengths) `]` `)` "
        "`flags` `(` custom<EnumValue>($flags) `)` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check the fences, and that each slot of the command buffer has its buffer."""
        super().verify_()
        check_table(self.command_buffer, len(self.binding_buffers))
        for buffer, offset, length in zip(
            self.binding_buffers, self.binding_offsets, self.binding_lengths, strict=True
        ):
            check_range(offset, length, constant_size(buffer), "bound")


@irdl_op_definition
class DeviceQueueFlushOp(IRDLOperation):
    """Makes a device start on what it was given; has nothing to do with caches."""

    name = "hal.device.queue.flush"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Which queues: bit q for queue q."""

    assembly_format = (
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` "
        "attr-dict-with-keyword"
    )


OPS = (
    DeviceQueueAllocaOp,
    DeviceQueueDeallocaOp,
    DeviceQueueBarrierOp,
    DeviceQueueExecuteOp,
    DeviceQueueExecuteIndirectOp,
    DeviceQueueFlushOp,
)
"""The ops of this file."""
