"""Ops for buffer views: tensors at the program's boundary, with shape, type and encoding.

```mlir
%type = hal.element_type<f32> : i32
%encoding = hal.encoding_type<dense_row_major> : i32
hal.buffer_view.assert<%view : !hal.buffer_view> message("input0") shape([%d0, %d1])
    type(%type) encoding(%encoding)
```
"""

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    i32,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .command_checks import check_range, constant_size
from .types import BufferType, BufferViewType


@irdl_op_definition
class ElementTypeOp(IRDLOperation):
    """The runtime's number for an element type."""

    name = "hal.element_type"

    type = prop_def(TypeAttribute)
    result = result_def(i32)

    traits = traits_def(Pure())

    assembly_format = "`<` $type `>` attr-dict `:` type($result)"

    def verify_(self) -> None:
        """Check that the runtime has a number for the type."""
        type = self.type
        if isinstance(type, IntegerType | AnyFloat):
            return
        if isinstance(type, ComplexType) and isinstance(type.element_type, AnyFloat):
            return
        raise VerifyException(f"expected an integer, float or complex element type, got {type}")


@irdl_op_definition
class EncodingTypeOp(IRDLOperation):
    """The runtime's number for an encoding; dense row-major without one."""

    name = "hal.encoding_type"

    encoding = opt_prop_def(Attribute)
    result = result_def(i32)

    traits = traits_def(Pure())

    assembly_format = "`<` ($encoding^) : (`` `dense_row_major`)? `>` attr-dict `:` type($result)"

    def verify_(self) -> None:
        """Check that the runtime has a number for the encoding."""
        if self.encoding is not None:
            raise VerifyException(f"expected no encoding (dense_row_major), got {self.encoding}")


@irdl_op_definition
class BufferViewCreateOp(IRDLOperation):
    """A view of a range of a buffer as a tensor."""

    name = "hal.buffer_view.create"

    source_buffer = operand_def(BufferType)
    source_offset = operand_def(IndexType())
    """Bytes."""
    source_length = operand_def(IndexType())
    """Bytes."""
    element_type = operand_def(i32)
    encoding_type = operand_def(i32)
    shape = var_operand_def(IndexType())
    result = result_def(BufferViewType)

    traits = traits_def(Pure())

    assembly_format = (
        "`buffer` `(` $source_buffer `:` type($source_buffer) `)` "
        "`` `[` $source_offset `,` $source_length `]` `shape` `(` `[` $shape `]` `)` "
        "`type` `(` $element_type `)` `encoding` `(` $encoding_type `)` `:` type($result) "
        "attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check that a constant range lies within a buffer of constant size."""
        check_range(
            self.source_offset, self.source_length, constant_size(self.source_buffer), "viewed"
        )


@irdl_op_definition
class BufferViewAssertOp(IRDLOperation):
    """Fails with a message unless a view has the given type, encoding and shape."""

    name = "hal.buffer_view.assert"

    buffer_view = operand_def(BufferViewType)
    element_type = operand_def(i32)
    encoding_type = operand_def(i32)
    shape = var_operand_def(IndexType())
    message = prop_def(StringAttr)

    assembly_format = (
        "`<` $buffer_view `:` type($buffer_view) `>` `message` `(` $message `)` "
        "`shape` `(` `[` $shape `]` `)` `type` `(` $element_type `)` "
        "`encoding` `(` $encoding_type `)` attr-dict-with-keyword"
    )


@irdl_op_definition
class BufferViewBufferOp(IRDLOperation):
    """The buffer under a view."""

    name = "hal.buffer_view.buffer"

    buffer_view = operand_def(BufferViewType)
    result = result_def(BufferType)

    traits = traits_def(Pure())

    assembly_format = (
        "`<` $buffer_view `:` type($buffer_view) `>` `:` type($result) attr-dict-with-keyword"
    )


@irdl_op_definition
class BufferViewElementTypeOp(IRDLOperation):
    """The element type of a view, as the runtime's number."""

    name = "hal.buffer_view.element_type"

    buffer_view = operand_def(BufferViewType)
    result = result_def(i32)

    traits = traits_def(Pure())

    assembly_format = (
        "`<` $buffer_view `:` type($buffer_view) `>` `:` type($result) attr-dict-with-keyword"
    )


@irdl_op_definition
class BufferViewEncodingTypeOp(IRDLOperation):
    """The encoding of a view, as the runtime's number."""

    name = "hal.buffer_view.encoding_type"

    buffer_view = operand_def(BufferViewType)
    result = result_def(i32)

    traits = traits_def(Pure())

    assembly_format = (
        "`<` $buffer_view `:` type($buffer_view) `>` `:` type($result) attr-dict-with-keyword"
    )


@irdl_op_definition
class BufferViewRankOp(IRDLOperation):
    """The number of dimensions of a view."""

    name = "hal.buffer_view.rank"

    buffer_view = operand_def(BufferViewType)
    result = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format = (
        "`<` $buffer_view `:` type($buffer_view) `>` `:` type($result) attr-dict-with-keyword"
    )


@irdl_op_definition
class BufferViewDimOp(IRDLOperation):
    """One dimension of a view."""

    name = "hal.buffer_view.dim"

    buffer_view = operand_def(BufferViewType)
    index = prop_def(IntegerAttr.constr(IndexType()))
    """Which dimension."""
    result = result_def(IndexType())

    traits = traits_def(Pure())

    assembly_format = (
        "`<` $buffer_view `:` type($buffer_view) `>` `` `[` $index `]` `:` type($result) "
        "attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Check that the dimension is not negative."""
        if self.index.value.data < 0:
            raise VerifyException(f"expected a dimension from 0, got {self.index.value.data}")


@irdl_op_definition
class BufferViewTraceOp(IRDLOperation):
    """Prints the contents of views."""

    name = "hal.buffer_view.trace"

    views = var_operand_def(BufferViewType)
    key = prop_def(StringAttr)
    """The heading."""

    assembly_format = "$key `=` $views `:` type($views) attr-dict-with-keyword"


OPS = (
    ElementTypeOp,
    EncodingTypeOp,
    BufferViewCreateOp,
    BufferViewAssertOp,
    BufferViewBufferOp,
    BufferViewElementTypeOp,
    BufferViewEncodingTypeOp,
    BufferViewRankOp,
    BufferViewDimOp,
    BufferViewTraceOp,
)
"""The ops of this file."""
