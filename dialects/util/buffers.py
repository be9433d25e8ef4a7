"""Buffers of bytes in host memory. Sizes, offsets, lengths and alignments are in bytes."""

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import (
    ConstantLike,
    MemoryAllocEffect,
    MemoryFreeEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
)
from xdsl.utils.exceptions import VerifyException

from ..access import FieldRanges, TiedResults, reads, writes
from ..format_properties import OptionalString, PropDict, PropDict2
from .arithmetic import PRIMITIVE
from .types import BufferType

INDEX = IndexType()
BUFFER = BufferType()

_SOURCE = reads("source", "length", "source_offset")
_SLICED = reads("source", "result_size", "source_offset")
_TARGET = writes("target", "length", "target_offset")
_LHS = reads("lhs", "length", "lhs_offset")
_RHS = reads("rhs", "length", "rhs_offset")


def _verify_alignment(alignment: IntegerAttr[IndexType] | None) -> None:
    """An alignment is a power of two, where there is one."""
    value = 0 if alignment is None else alignment.value.data
    if value > 0 and value & (value - 1):
        raise VerifyException(f"expected a power of two as alignment, got {value}")


@irdl_op_definition
class BufferConstantOp(IRDLOperation):
    """A constant buffer in the program image."""

    name = "util.buffer.constant"

    constant_name = opt_prop_def(StringAttr, prop_name="name")
    """A name for people."""
    value = prop_def()
    """The contents; elements, a string or an attribute that can be stored as bytes."""
    alignment = opt_prop_def(IntegerAttr[IndexType])
    """The least alignment of the storage."""
    mime_type = opt_prop_def(StringAttr)
    """The kind of contents, for tools."""

    result = result_def(BUFFER)

    custom_directives = (OptionalString, PropDict2)
    traits = traits_def(Pure(), ConstantLike())

    assembly_format = (
        "custom<OptionalString>($name) custom<PropDict2>($alignment, $mime_type) attr-dict `:` "
        "type($result) `=` $value"
    )

    def verify_(self) -> None:
        """The value can be stored as bytes."""
        _verify_alignment(self.alignment)
        if not is_serializable(self.value):
            raise VerifyException(
                f"expected elements, a string or an attribute with bytes, got {self.value}"
            )


def is_serializable(value: Attribute) -> bool:
    """Whether an attribute has contents that can be stored as bytes.

    Builtin numbers, arrays and the like have none; attributes of dialects may.
    """
    if isinstance(value, DenseIntOrFPElementsAttr | DenseResourceAttr | StringAttr):
        return True
    return "." in value.name


@irdl_op_definition
class BufferAllocOp(IRDLOperation):
    """Allocates a buffer with undefined contents."""

    name = "util.buffer.alloc"

    storage_size = operand_def(INDEX)

    alignment = opt_prop_def(IntegerAttr[IndexType])
    """The least alignment of the storage."""

    result = result_def(BUFFER)

    custom_directives = (PropDict,)
    traits = traits_def(MemoryAllocEffect())

    assembly_format = (
        "`uninitialized` custom<PropDict>($alignment) attr-dict `:` "
        "type($result) `` `{` $storage_size `}`"
    )

    def verify_(self) -> None:
        """The alignment is a power of two."""
        _verify_alignment(self.alignment)


@irdl_op_definition
class BufferDeallocOp(IRDLOperation):
    """Gives up a buffer."""

    name = "util.buffer.dealloc"

    operand = operand_def(BUFFER)
    operand_size = operand_def(INDEX)

    traits = traits_def(MemoryFreeEffect())

    assembly_format = "$operand `:` type($operand) `{` $operand_size `}` attr-dict-with-keyword"


@irdl_op_definition
class BufferSliceOp(IRDLOperation):
    """A new buffer with the contents of a range of another."""

    name = "util.buffer.slice"

    source = operand_def(BUFFER)
    source_size = operand_def(INDEX)
    source_offset = operand_def(INDEX)
    result_size = operand_def(INDEX)

    alignment = opt_prop_def(IntegerAttr[IndexType])
    """The least alignment of the storage."""

    result = result_def(BUFFER)

    custom_directives = (PropDict,)
    traits = traits_def(
        MemoryAllocEffect(),
        MemoryReadEffect(),
        FieldRanges((_SLICED,)),
    )

    assembly_format = (
        "$source `[` $source_offset `]` custom<PropDict>($alignment) attr-dict `:` "
        "type($source) `` `{` $source_size `}` `->` "
        "type($result) `` `{` $result_size `}`"
    )


@irdl_op_definition
class BufferSubspanOp(IRDLOperation):
    """A range of a buffer, sharing its storage."""

    name = "util.buffer.subspan"

    source = operand_def(BUFFER)
    source_size = operand_def(INDEX)
    source_offset = operand_def(INDEX)
    result_size = operand_def(INDEX)

    result = result_def(BUFFER)

    traits = traits_def(Pure(), TiedResults("source"))

    assembly_format = (
        "$source `[` $source_offset `]` `:` type($source) `` `{` $source_size `}` `->` "
        "type($result) `` `{` $result_size `}` attr-dict-with-keyword"
    )


@irdl_op_definition
class BufferSizeOp(IRDLOperation):
    """The size of a buffer."""

    name = "util.buffer.size"

    operand = operand_def(BUFFER)

    result = result_def(INDEX)

    traits = traits_def(Pure())

    assembly_format = "$operand `:` type($operand) attr-dict-with-keyword"


@irdl_op_definition
class BufferStorageOp(IRDLOperation):
    """The storage under a buffer and where in it the buffer starts."""

    name = "util.buffer.storage"

    operand = operand_def(BUFFER)
    operand_size = operand_def(INDEX)

    result = result_def(base(MemRefType))
    """The whole storage."""
    offset = result_def(INDEX)
    """Where in the storage the buffer starts."""

    traits = traits_def(Pure())

    assembly_format = (
        "$operand `:` type($operand) `` `{` $operand_size `}` `->` "
        "`(` type($result) `,` type($offset) `)` attr-dict-with-keyword"
    )


@irdl_op_definition
class BufferCopyOp(IRDLOperation):
    """Copies a range of one buffer to a range of another."""

    name = "util.buffer.copy"

    source = operand_def(BUFFER)
    source_size = operand_def(INDEX)
    source_offset = operand_def(INDEX)
    target = operand_def(BUFFER)
    target_size = operand_def(INDEX)
    target_offset = operand_def(INDEX)
    length = operand_def(INDEX)

    traits = traits_def(
        MemoryReadEffect(),
        MemoryWriteEffect(),
        FieldRanges(
            (
                _SOURCE,
                _TARGET,
            )
        ),
    )

    assembly_format = (
        "$source `[` $source_offset `]` `,` $target `[` $target_offset `]` `,` $length `:` "
        "type($source) `` `{` $source_size `}` `->` type($target) `` `{` $target_size `}` "
        "attr-dict-with-keyword"
    )


@irdl_op_definition
class BufferCompareOp(IRDLOperation):
    """Whether ranges of two buffers hold the same bytes."""

    name = "util.buffer.compare"

    lhs = operand_def(BUFFER)
    lhs_size = operand_def(INDEX)
    lhs_offset = operand_def(INDEX)
    rhs = operand_def(BUFFER)
    rhs_size = operand_def(INDEX)
    rhs_offset = operand_def(INDEX)
    length = operand_def(INDEX)

    result = result_def(i1)

    traits = traits_def(
        MemoryReadEffect(),
        FieldRanges((_LHS, _RHS)),
    )

    assembly_format = (
        "$lhs `[` $lhs_offset `]` `,` $rhs `[` $rhs_offset `]` `,` $length `:` "
        "type($lhs) `` `{` $lhs_size `}` `,` type($rhs) `` `{` $rhs_size `}` "
        "attr-dict-with-keyword"
    )


@irdl_op_definition
class BufferFillOp(IRDLOperation):
    """Fills a range of a buffer with a repeated value."""

    name = "util.buffer.fill"

    pattern = operand_def(PRIMITIVE)
    """The value to repeat; offset and length are multiples of its size."""
    target = operand_def(BUFFER)
    target_size = operand_def(INDEX)
    target_offset = operand_def(INDEX)
    length = operand_def(INDEX)

    traits = traits_def(MemoryWriteEffect(), FieldRanges((_TARGET,)))

    assembly_format = (
        "$pattern `,` $target `[` $target_offset `for` $length `]` `:` "
        "type($pattern) `->` type($target) `` `{` $target_size `}` attr-dict-with-keyword"
    )


class _BufferReadOp(IRDLOperation):
    """Reads a range of a buffer."""

    source = operand_def(BUFFER)
    source_size = operand_def(INDEX)
    source_offset = operand_def(INDEX)
    length = operand_def(INDEX)

    traits = traits_def(MemoryReadEffect(), FieldRanges((_SOURCE,)))

    assembly_format = (
        "$source `[` $source_offset `for` $length `]` `:` "
        "type($source) `` `{` $source_size `}` `->` type($result) attr-dict-with-keyword"
    )


@irdl_op_definition
class BufferLoadOp(_BufferReadOp):
    """Reads a number from a buffer."""

    name = "util.buffer.load"

    result = result_def(PRIMITIVE)


@irdl_op_definition
class BufferHashOp(_BufferReadOp):
    """A hash of a range of a buffer."""

    name = "util.buffer.hash"

    result = result_def(i64)


@irdl_op_definition
class BufferStoreOp(IRDLOperation):
    """Writes a number to a buffer."""

    name = "util.buffer.store"

    source = operand_def(PRIMITIVE)
    target = operand_def(BUFFER)
    target_size = operand_def(INDEX)
    target_offset = operand_def(INDEX)
    length = operand_def(INDEX)

    traits = traits_def(MemoryWriteEffect(), FieldRanges((_TARGET,)))

    assembly_format = (
        "$source `,` $target `[` $target_offset `for` $length `]` `:` "
        "type($source) `->` type($target) `` `{` $target_size `}` attr-dict-with-keyword"
    )
