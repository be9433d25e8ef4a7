"""Tensors as values: constants, views, copies, transfers, slices and updates.

All ops are without effects; how much is really copied is decided when flow becomes stream. Every
operand or result with a dynamic shape is followed by the values of its dynamic dimensions.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    AnyFloatConstr,
    ComplexType,
    IndexType,
    IntegerType,
    NoneType,
    TensorType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, MemoryAllocEffect, Pure
from xdsl.utils.exceptions import VerifyException

from ..access import TiedResults
from ..shapes import element_count, element_type_of, verify_dynamic_dims
from ..storage import type_bytes
from ..util.attributes import parse_self_type, print_self_type
from ..util.globals import typed_attribute_type
from .canonicalized import Canonicalized
from .verify import check_element

INDEX = IndexType()
RANKED = base(TensorType)
ELEMENT = (
    base(IntegerType) | base(IndexType) | AnyFloatConstr | base(ComplexType) | base(VectorType)
)


@irdl_custom_directive
class TypedValue(CustomDirective):
    """A value whose type is that of the result."""

    value: AttributeVariable
    type: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parses the directive."""
        start = parser.pos
        value = parser.parse_attribute()
        type = typed_attribute_type(value)
        if type is None:
            type = parse_self_type(parser)
        if isinstance(type, NoneType):
            parser.raise_error(f"expected a value with a type, got {value}", start, parser.pos)
        self.value.set(state, value)
        self.type.set(state, (type,))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Prints the directive."""
        state.print_whitespace(printer)
        value = self.value.get(op)
        assert value is not None
        printer.print_attribute(value)
        if typed_attribute_type(value) is None:
            print_self_type(printer, self.type.get(op)[0])


@irdl_op_definition
class TensorConstantOp(IRDLOperation):
    """A constant of a static shape, treated as if it were dynamic where passes ask."""

    name = "flow.tensor.constant"

    value = prop_def()

    result = result_def(base(TensorType) | base(UnrankedTensorType))

    custom_directives = (TypedValue,)
    traits = traits_def(Pure(), ConstantLike())

    assembly_format = "attr-dict custom<TypedValue>($value, type($result))"


@irdl_op_definition
class TensorDynamicConstantOp(IRDLOperation):
    """A constant whose shape is hidden from the passes."""

    name = "flow.tensor.dynamic_constant"

    value = prop_def()

    result = result_def(base(TensorType) | base(UnrankedTensorType))

    assembly_format = "attr-dict $value `->` type($result)"


@irdl_op_definition
class TensorTieShapeOp(IRDLOperation):
    """States the dynamic dimensions of a tensor."""

    name = "flow.tensor.tie_shape"

    T: ClassVar = VarConstraint("T", RANKED)

    operand = operand_def(T)
    dynamic_dims = var_operand_def(INDEX)
    """Dynamic dimensions of operand and result."""

    result = result_def(T)

    traits = traits_def(Pure())

    assembly_format = "$operand attr-dict `:` type($result) (`{` $dynamic_dims^ `}`)?"

    def verify_(self) -> None:
        """Dynamic dimensions are stated."""
        verify_dynamic_dims("the operand", [self.operand], self.dynamic_dims)


class _ViewOp(IRDLOperation):
    """Views a tensor in another shape or element type, sharing its storage."""

    source = operand_def(RANKED)
    source_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the source."""
    result_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the result."""

    result = result_def(RANKED)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure(), TiedResults("source"), Canonicalized())

    assembly_format = (
        "$source `:` type($source) (`{` $source_dims^ `}`)? `->` "
        "type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Dynamic dimensions are stated."""
        verify_dynamic_dims("the source", [self.source], self.source_dims)
        verify_dynamic_dims("the result", [self.result], self.result_dims)


@irdl_op_definition
class TensorReshapeOp(_ViewOp):
    """Views the elements of a tensor in another shape."""

    name = "flow.tensor.reshape"

    def verify_(self) -> None:
        """Dynamic dimensions are stated; the elements are of one type and, where known, as many."""
        super().verify_()
        source, result = self.source.type, self.result.type
        if element_type_of(source) != element_type_of(result):
            raise VerifyException(
                f"expected elements of one type, got {source} and {result}; use flow.tensor.bitcast"
            )
        counts = element_count(source), element_count(result)
        if None not in counts and counts[0] != counts[1]:
            raise VerifyException(
                f"expected as many elements in both shapes, got {source} and {result}"
            )


@irdl_op_definition
class TensorBitCastOp(_ViewOp):
    """Views the bytes of a tensor as elements of another type."""

    name = "flow.tensor.bitcast"

    def verify_(self) -> None:
        """Dynamic dimensions are stated, and both are as many bytes where that is known."""
        super().verify_()
        source, result = self.source.type, self.result.type
        sizes = type_bytes(source), type_bytes(result)
        if None not in sizes and sizes[0] != sizes[1]:
            raise VerifyException(
                f"expected tensors of one size, got {source} of {sizes[0]} bytes and {result} of "
                f"{sizes[1]} bytes"
            )


@irdl_op_definition
class TensorLoadOp(IRDLOperation):
    """One element of a tensor, read by the host."""

    name = "flow.tensor.load"

    E: ClassVar = VarConstraint("E", ELEMENT)

    source = operand_def(TensorType.constr(E))
    source_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the source."""
    indices = var_operand_def(INDEX)
    """An index for each dimension."""

    result = result_def(E)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    assembly_format = (
        "$source (`[` $indices^ `]`)? `:` type($source) (`{` $source_dims^ `}`)? "
        "attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Dynamic dimensions are stated, and indices lie within the tensor."""
        verify_dynamic_dims("the source", [self.source], self.source_dims)
        check_element("the source", self.source, self.indices)


@irdl_op_definition
class TensorStoreOp(IRDLOperation):
    """A tensor with one element replaced by a value of the host."""

    name = "flow.tensor.store"

    E: ClassVar = VarConstraint("E", ELEMENT)
    T: ClassVar = VarConstraint("T", TensorType.constr(E))

    value = operand_def(E)
    target = operand_def(T)
    target_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the target."""
    indices = var_operand_def(INDEX)
    """An index for each dimension."""

    result = result_def(T)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    assembly_format = (
        "$value `,` $target (`[` $indices^ `]`)? `:` type($target) (`{` $target_dims^ `}`)? "
        "attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Dynamic dimensions are stated, and indices lie within the tensor."""
        verify_dynamic_dims("the target", [self.target], self.target_dims)
        check_element("the target", self.target, self.indices)


class _NewTensorOp(IRDLOperation):
    """A tensor made of nothing."""

    result_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the result."""

    result = result_def(RANKED)

    assembly_format = "`:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword"

    def __init__(self, type: TensorType[Attribute], result_dims: Sequence[SSAValue] = ()) -> None:
        super().__init__(operands=[result_dims], result_types=[type])

    def verify_(self) -> None:
        """Dynamic dimensions are stated."""
        verify_dynamic_dims("the result", [self.result], self.result_dims)


@irdl_op_definition
class TensorAllocaOp(_NewTensorOp):
    """A tensor of undefined contents with storage of its own."""

    name = "flow.tensor.alloca"

    traits = traits_def(MemoryAllocEffect())


@irdl_op_definition
class TensorEmptyOp(_NewTensorOp):
    """A tensor of undefined contents; only its shape matters."""

    name = "flow.tensor.empty"

    traits = traits_def(Pure())


@irdl_op_definition
class TensorSplatOp(IRDLOperation):
    """A tensor that holds one value everywhere."""

    name = "flow.tensor.splat"

    E: ClassVar = VarConstraint("E", ELEMENT)

    value = operand_def(E)
    result_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the result."""

    result = result_def(TensorType.constr(E))

    traits = traits_def(Pure())

    assembly_format = "$value `:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword"

    def __init__(
        self, value: SSAValue, type: TensorType[Attribute], result_dims: Sequence[SSAValue] = ()
    ) -> None:
        super().__init__(operands=[value, result_dims], result_types=[type])

    def verify_(self) -> None:
        """Dynamic dimensions are stated."""
        verify_dynamic_dims("the result", [self.result], self.result_dims)
