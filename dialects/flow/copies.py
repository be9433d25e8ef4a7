"""Copies of tensors: clones, transfers between devices, slices and updates."""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    AnyFloatConstr,
    ComplexType,
    IndexType,
    IntegerType,
    StringAttr,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
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
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..access import TiedResults
from ..devices import verify_devices_declared
from ..format import ShapedOperandList, ShapedTiedResult
from ..shapes import are_compatible_shapes, shape_of, verify_dynamic_dims
from ..verify import constant_index
from .canonicalized import Canonicalized
from .verify import check_part, static_lengths

INDEX = IndexType()
RANKED = base(TensorType)
ELEMENT = (
    base(IntegerType) | base(IndexType) | AnyFloatConstr | base(ComplexType) | base(VectorType)
)


class _DimsOfOperandOp(IRDLOperation):
    """An op whose result is as its operand."""

    T: ClassVar = VarConstraint("T", RANKED)

    operand = operand_def(T)
    operand_dims = var_operand_def(INDEX)
    """Dynamic dimensions of operand and result."""

    result = result_def(T)

    def verify_(self) -> None:
        """Dynamic dimensions are stated."""
        verify_dynamic_dims("the operand", [self.operand], self.operand_dims)


@irdl_op_definition
class TensorCloneOp(_DimsOfOperandOp):
    """A tensor with the same contents, which may be updated without changing the operand."""

    name = "flow.tensor.clone"

    traits = traits_def(Pure())

    assembly_format = "$operand `:` type($result) (`{` $operand_dims^ `}`)? attr-dict-with-keyword"

    def __init__(self, operand: SSAValue, operand_dims: Sequence[SSAValue] = ()) -> None:
        super().__init__(operands=[operand, operand_dims], result_types=[operand.type])


@irdl_op_definition
class TensorEncodeOp(IRDLOperation):
    """A tensor with the same contents in another encoding."""

    name = "flow.tensor.encode"

    E: ClassVar = VarConstraint("E", AnyAttr())

    operand = operand_def(TensorType.constr(E))
    operand_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the operand."""
    result_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the result."""

    result = result_def(TensorType.constr(E))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    assembly_format = (
        "$operand `:` type($operand) (`{` $operand_dims^ `}`)? `->` "
        "type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Dynamic dimensions are stated, and both shapes can be one."""
        verify_dynamic_dims("the operand", [self.operand], self.operand_dims)
        verify_dynamic_dims("the result", [self.result], self.result_dims)
        lhs, rhs = shape_of(self.operand.type), shape_of(self.result.type)
        if not are_compatible_shapes(lhs, rhs):
            raise VerifyException(
                f"expected operand and result of one shape, got {self.operand.type} and "
                f"{self.result.type}"
            )


@irdl_op_definition
class TensorBarrierOp(_DimsOfOperandOp):
    """Pins a tensor to an affinity without moving it: it is made and used there."""

    name = "flow.tensor.barrier"

    target = prop_def()
    """The affinity."""

    traits = traits_def(Pure(), TiedResults("operand"), Canonicalized())

    assembly_format = (
        "$operand `:` type($result) (`{` $operand_dims^ `}`)? `on` $target attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """The target can be an affinity of declared devices."""
        super().verify_()
        _verify_target(self, self.target)


def _verify_target(op: Operation, target: Attribute) -> None:
    """A target is an affinity of declared devices."""
    if "." not in target.name and not isinstance(target, StringAttr):
        raise VerifyException(
            f"expected device affinity as target, got {target}; write #hal.device.affinity<@device>"
        )
    verify_devices_declared(op, target)


TRANSFER_KIND = "stream.transfer_kind"
"""The discardable attribute of transfers that says whether they copy or alias."""


@irdl_op_definition
class TensorTransferOp(_DimsOfOperandOp):
    """The tensor for use by another device.

    Whether it is copied or the devices share its storage follows from the topology, unless the
    discardable attribute `stream.transfer_kind` says "copy" or "alias".

    ```mlir
    %1 = flow.tensor.transfer %0 : tensor<16xf32> to #hal.device.affinity<@b> attributes {stream.transfer_kind = "alias"}
    ```
    """  # noqa: E501

    name = "flow.tensor.transfer"

    target = prop_def()
    """The affinity of the device that the result is for."""

    traits = traits_def(Pure(), Canonicalized())

    assembly_format = (
        "$operand `:` type($result) (`{` $operand_dims^ `}`)? `to` $target attr-dict-with-keyword"
    )

    def __init__(
        self,
        operand: SSAValue,
        target: Attribute,
        operand_dims: Sequence[SSAValue] = (),
        kind: str | None = None,
    ) -> None:
        super().__init__(
            operands=[operand, operand_dims],
            properties={"target": target},
            attributes={} if kind is None else {TRANSFER_KIND: StringAttr(kind)},
            result_types=[operand.type],
        )

    @property
    def transfer_kind(self) -> str | None:
        """`copy`, `alias`, or None where it is left open (IR-22)."""
        kind = self.attributes.get(TRANSFER_KIND)
        return kind.data if isinstance(kind, StringAttr) else None

    def verify_(self) -> None:
        """The target can be an affinity of declared devices, and the kind is one of two.

        A string stands for an affinity in programs that are not lowered.
        """
        super().verify_()
        _verify_target(self, self.target)
        kind = self.attributes.get(TRANSFER_KIND)
        if kind is not None and kind not in (StringAttr("copy"), StringAttr("alias")):
            raise VerifyException(f"expected copy or alias as {TRANSFER_KIND}, got {kind}")


@irdl_op_definition
class TensorSliceOp(IRDLOperation):
    """A copy of a part of a tensor."""

    name = "flow.tensor.slice"

    E: ClassVar = VarConstraint("E", AnyAttr())

    source = operand_def(TensorType.constr(E))
    source_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the source."""
    start_indices = var_operand_def(INDEX)
    """Where the part starts, for each dimension, in elements."""
    lengths = var_operand_def(INDEX)
    """How large the part is, for each dimension, in elements."""
    result_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the result."""

    result = result_def(TensorType.constr(E))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    assembly_format = (
        "$source `[` $start_indices `for` $lengths `]` `:` "
        "type($source) (`{` $source_dims^ `}`)? `->` "
        "type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Dynamic dimensions are stated."""
        verify_dynamic_dims("the source", [self.source], self.source_dims)
        verify_dynamic_dims("the result", [self.result], self.result_dims)
        lengths = [constant_index(length) for length in self.lengths]
        check_part("the source", self.source, self.start_indices, lengths)
        for dimension, (size, length) in enumerate(
            zip(static_lengths(self.result), lengths, strict=False)
        ):
            if None not in (size, length) and size != length:
                raise VerifyException(
                    f"expected length {size} of dimension {dimension} as in the result, "
                    f"got {length}"
                )
        _verify_rank("source and result", self.source, self.result)


@irdl_op_definition
class TensorUpdateOp(IRDLOperation):
    """The target with a part replaced by the update; in place where nobody sees the difference."""

    name = "flow.tensor.update"

    E: ClassVar = VarConstraint("E", AnyAttr())
    T: ClassVar = VarConstraint("T", TensorType.constr(E))

    target = operand_def(T)
    target_dims = var_operand_def(INDEX)
    """Dynamic dimensions of target and result."""
    start_indices = var_operand_def(INDEX)
    """Where the part starts, for each dimension, in elements."""
    update = operand_def(TensorType.constr(E))
    update_dims = var_operand_def(INDEX)
    """Dynamic dimensions of the update."""

    result = result_def(T)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (ShapedTiedResult,)
    traits = traits_def(Pure(), TiedResults("target"))

    assembly_format = (
        "$update `,` $target `[` $start_indices `]` `:` type($update) (`{` $update_dims^ `}`)? "
        "`->` custom<ShapedTiedResult>(type($result), $target_dims) attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Dynamic dimensions are stated."""
        verify_dynamic_dims("the update", [self.update], self.update_dims)
        verify_dynamic_dims("the target", [self.target], self.target_dims)
        _verify_rank("update and target", self.update, self.target)
        check_part("the target", self.target, self.start_indices, static_lengths(self.update))


def _verify_rank(what: str, lhs: SSAValue, rhs: SSAValue) -> None:
    """Both tensors have as many dimensions."""
    if len(shape_of(lhs.type)) != len(shape_of(rhs.type)):
        raise VerifyException(f"expected {what} of one rank, got {lhs.type} and {rhs.type}")


@irdl_op_definition
class TensorTraceOp(IRDLOperation):
    """Prints tensors at run time."""

    name = "flow.tensor.trace"

    values = var_operand_def(RANKED)
    value_dims = var_operand_def(INDEX)
    """Dynamic dimensions of all values, in order."""

    key = prop_def(StringAttr)
    """What to print before the values."""

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (ShapedOperandList,)

    assembly_format = (
        "$key `=` `[` custom<ShapedOperandList>($values, type($values), $value_dims) `]` "
        "attr-dict-with-keyword"
    )

    def verify_(self) -> None:
        """Dynamic dimensions are stated."""
        verify_dynamic_dims("the values", self.values, self.value_dims)
