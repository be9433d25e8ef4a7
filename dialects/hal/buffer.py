"""Ops for buffers: ranges of device memory, seen from the host program."""

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerType,
    StringAttr,
    VectorType,
    i1,
    i32,
)
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import ConstantLike, Pure

from .command_checks import check_range, constant_size
from .enums import BufferUsage, MemoryType
from .format import EnumConstraint, EnumValue
from .types import AllocatorType, BufferType

PRIMITIVE = IndexType | IntegerType | AnyFloat | ComplexType
"""Scalars that the host program loads and stores."""


@irdl_op_definition
class BufferAssertOp(IRDLOperation):
    """Fails with a message unless a buffer is long enough and of the given kind."""

    name = "hal.buffer.assert"

    buffer = operand_def(BufferType)
    allocator = operand_def(AllocatorType)
    """The buffer must be usable with its device."""
    minimum_length = operand_def(IndexType())
    """Bytes."""
    message = prop_def(StringAttr)
    memory_types = prop_def(EnumConstraint(MemoryType))
    buffer_usage = prop_def(EnumConstraint(BufferUsage))

    custom_directives = (EnumValue,)

    assembly_format = (
        "`<` $buffer `:` type($buffer) `>` `message` `(` $message `)` "
        "`allocator` `(` $allocator `:` type($allocator) `)` "
        "`minimum_length` `(` $minimum_length `)` "
        "`type` `(` custom<EnumValue>($memory_types) `)` "
        "`usage` `(` custom<EnumValue>($buffer_usage) `)` attr-dict-with-keyword"
    )


@irdl_op_definition
class BufferAllocationPreserveOp(IRDLOperation):
    """Takes a share in the ownership of a buffer's allocation."""

    name = "hal.buffer.allocation.preserve"

    buffer = operand_def(BufferType)

    assembly_format = "`<` $buffer `:` type($buffer) `>` attr-dict-with-keyword"


@irdl_op_definition
class BufferAllocationDiscardOp(IRDLOperation):
    """Gives up a share in the ownership of a buffer's allocation; true for the last one."""

    name = "hal.buffer.allocation.discard"

    buffer = operand_def(BufferType)
    result = result_def(i1)

    assembly_format = "`<` $buffer `:` type($buffer) `>` `:` type($result) attr-dict-with-keyword"


@irdl_op_definition
class BufferAllocationIsTerminalOp(IRDLOperation):
    """Whether nobody else owns a share in a buffer's allocation."""

    name = "hal.buffer.allocation.is_terminal"

    buffer = operand_def(BufferType)
    result = result_def(i1)

    assembly_format = "`<` $buffer `:` type($buffer) `>` `:` type($result) attr-dict-with-keyword"


@irdl_op_definition
class BufferSubspanOp(IRDLOperation):
    """A range of a buffer; both share memory."""

    name = "hal.buffer.subspan"

    source_buffer = operand_def(BufferType)
    source_offset = operand_def(IndexType())
    """Bytes."""
    length = operand_def(IndexType())
    """Bytes."""
    result = result_def(BufferType)

    traits = traits_def(Pure())

    assembly_format = (
        "`<` $source_buffer `:` type($source_buffer) `>` `` `[` $source_offset `,` $length `]` "
        "`:` type($result) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check that a constant range lies within a buffer of constant size."""
        check_range(self.source_offset, self.length, constant_size(self.source_buffer), "subspan")


@irdl_op_definition
class BufferLengthOp(IRDLOperation):
    """Bytes of a buffer."""

    name = "hal.buffer.length"

    buffer = operand_def(BufferType)
    result = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format = "`<` $buffer `:` type($buffer) `>` `:` type($result) attr-dict-with-keyword"


@irdl_op_definition
class BufferLoadOp(IRDLOperation):
    """Reads one element from the host, through a mapping."""

    name = "hal.buffer.load"

    source_buffer = operand_def(BufferType)
    source_offset = operand_def(IndexType())
    """Bytes."""
    result = result_def(PRIMITIVE | VectorType)

    assembly_format = (
        "`<` $source_buffer `:` type($source_buffer) `>` `` `[` $source_offset `]` "
        "`:` type($result) attr-dict-with-keyword"
    )


@irdl_op_definition
class BufferStoreOp(IRDLOperation):
    """Writes one element from the host, through a mapping."""

    name = "hal.buffer.store"

    value = operand_def(PRIMITIVE | VectorType)
    target_buffer = operand_def(BufferType)
    target_offset = operand_def(IndexType())
    """Bytes."""

    assembly_format = (
        "`<` $target_buffer `:` type($target_buffer) `>` `` `[` $target_offset `]` "
        "`value` `(` $value `:` type($value) `)` attr-dict-with-keyword"
    )


@irdl_op_definition
class BufferUsageOp(IRDLOperation):
    """Usage bits as a value."""

    name = "hal.buffer_usage"

    usage = prop_def(EnumConstraint(BufferUsage))
    result = result_def(i32)

    traits = traits_def(ConstantLike(), Pure())
    custom_directives = (EnumValue,)

    assembly_format = "`<` custom<EnumValue>($usage) `>` attr-dict `:` type($result)"


@irdl_op_definition
class MemoryTypeOp(IRDLOperation):
    """Memory type bits as a value."""

    name = "hal.memory_type"

    type = prop_def(EnumConstraint(MemoryType))
    result = result_def(i32)

    traits = traits_def(ConstantLike(), Pure())
    custom_directives = (EnumValue,)

    assembly_format = "`<` custom<EnumValue>($type) `>` attr-dict `:` type($result)"


OPS = (
    BufferAssertOp,
    BufferAllocationPreserveOp,
    BufferAllocationDiscardOp,
    BufferAllocationIsTerminalOp,
    BufferSubspanOp,
    BufferLengthOp,
    BufferLoadOp,
    BufferStoreOp,
    BufferUsageOp,
    MemoryTypeOp,
)
"""The ops of this file."""
