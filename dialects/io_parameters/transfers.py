"""Ops that load, gather and scatter parameters."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, i32, i64
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    var_operand_def,
    var_result_def,
)

from ..hal.types import BufferType, DeviceType, FenceType
from ..stream.format_parameters import ParameterLoadOperations
from ..stream.verify import check_count
from ..util.types import BufferType as HostBufferType
from .format import ParameterGatherOperations, ParameterScatterOperations

_QUEUE = (
    "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` "
    "`wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` "
)


@irdl_op_definition
class ParametersLoadOp(IRDLOperation):
    """Makes buffers that hold parameters, or parts of them, of one archive."""

    name = "io_parameters.load"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues that may run it: bit q for queue q."""
    wait_fence = operand_def(FenceType)
    """It starts once this is reached."""
    signal_fence = operand_def(FenceType)
    """Reached when it is done."""
    source_scope = opt_operand_def(HostBufferType)
    """Names the archive."""
    source_keys = var_operand_def(HostBufferType)
    """Name the parameters."""
    source_offsets = var_operand_def(i64)
    """Bytes from the start of each parameter."""
    memory_types = operand_def(i32)
    """Bits of `MemoryType`."""
    buffer_usage = operand_def(i32)
    """Bits of `BufferUsage`."""
    lengths = var_operand_def(IndexType())
    """Bytes of each buffer."""
    result_buffers = var_result_def(BufferType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (ParameterLoadOperations,)
    assembly_format = (
        _QUEUE + "`type` `(` $memory_types `)` `usage` `(` $buffer_usage `)` `{` "
        "custom<ParameterLoadOperations>($source_scope, $source_keys, $source_offsets, "
        "type($result_buffers), $lengths) `}` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check that each key has an offset, a length and a buffer."""
        count = len(self.source_keys)
        check_count("source offsets", len(self.source_offsets), count)
        check_count("lengths", len(self.lengths), count)
        check_count("results", len(self.result_buffers), count)


@irdl_op_definition
class ParametersGatherOp(IRDLOperation):
    """Reads ranges of a buffer from parameters of one archive."""

    name = "io_parameters.gather"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues that may run it: bit q for queue q."""
    wait_fence = operand_def(FenceType)
    """It starts once this is reached."""
    signal_fence = operand_def(FenceType)
    """Reached when it is done."""
    source_scope = opt_operand_def(HostBufferType)
    """Names the archive."""
    source_keys = var_operand_def(HostBufferType)
    """Name the parameters."""
    source_offsets = var_operand_def(i64)
    """Bytes from the start of each parameter."""
    target_buffer = operand_def(BufferType)
    target_offsets = var_operand_def(IndexType())
    """Where each range starts, in bytes from the start of the buffer."""
    target_lengths = var_operand_def(IndexType())
    """Bytes of each range."""

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (ParameterGatherOperations,)
    assembly_format = (
        _QUEUE + "`{` custom<ParameterGatherOperations>($source_scope, $source_keys, "
        "$source_offsets, $target_buffer, type($target_buffer), $target_offsets, "
        "$target_lengths) `}` attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check that each key has an offset and a range."""
        count = len(self.source_keys)
        check_count("source offsets", len(self.source_offsets), count)
        check_count("target offsets", len(self.target_offsets), count)
        check_count("target lengths", len(self.target_lengths), count)


@irdl_op_definition
class ParametersScatterOp(IRDLOperation):
    """Writes ranges of a buffer to parameters of one archive."""

    name = "io_parameters.scatter"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues that may run it: bit q for queue q."""
    wait_fence = operand_def(FenceType)
    """It starts once this is reached."""
    signal_fence = operand_def(FenceType)
    """Reached when it is done."""
    source_buffer = operand_def(BufferType)
    source_offsets = var_operand_def(IndexType())
    """Where each range starts, in bytes from the start of the buffer."""
    source_lengths = var_operand_def(IndexType())
    """Bytes of each range."""
    target_scope = opt_operand_def(HostBufferType)
    """Names the archive."""
    target_keys = var_operand_def(HostBufferType)
    """Name the parameters."""
    target_offsets = var_operand_def(i64)
    """Bytes from the start of each parameter."""

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (ParameterScatterOperations,)
    assembly_format = (
        _QUEUE + "`{` custom<ParameterScatterOperations>($source_buffer, type($source_buffer), "
        "$source_offsets, $source_lengths, $target_scope, $target_keys, $target_offsets) `}` "
        "attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check that each key has an offset and a range."""
        count = len(self.target_keys)
        check_count("target offsets", len(self.target_offsets), count)
        check_count("source offsets", len(self.source_offsets), count)
        check_count("source lengths", len(self.source_lengths), count)
