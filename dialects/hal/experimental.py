"""Ops that IREE calls experimental."""

from xdsl.dialects.builtin import IndexType, i32, i64
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def

from ..util.types import BufferType as HostBufferType
from .enums import MemoryAccess
from .format import EnumConstraint, EnumValue
from .types import DeviceType, FileType


@irdl_op_definition
class ExFileFromMemoryOp(IRDLOperation):
    """A range of host memory as a file."""

    name = "hal.ex.file.from_memory"

    device = operand_def(DeviceType)
    queue_affinity = operand_def(i64)
    """Queues that read or write it: bit q for queue q."""
    buffer = operand_def(HostBufferType)
    offset = operand_def(IndexType())
    """Bytes."""
    length = operand_def(IndexType())
    """Bytes."""
    flags = operand_def(i32)
    """0."""
    access = prop_def(EnumConstraint(MemoryAccess))
    result = result_def(FileType)

    custom_directives = (EnumValue,)

    assembly_format = (
        "`device` `(` $device `:` type($device) `)` `affinity` `(` $queue_affinity `)` "
        "`access` `(` custom<EnumValue>($access) `)` `buffer` `(` $buffer `:` type($buffer) `)` "
        "`` `[` $offset `for` $length `]` `flags` `(` $flags `)` `:` type($result) "
        "attr-dict-with-keyword"
    )


OPS = (ExFileFromMemoryOp,)
"""The ops of this file."""
