"""The vector dialect with those ops that xDSL lacks and programs for IREE often have."""

from typing import ClassVar

from xdsl.dialects import vector
from xdsl.dialects.builtin import DenseArrayBase, VectorType, i64
from xdsl.dialects.vector import CombiningKindAttr
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    RangeOf,
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

from ..shapes import element_count, element_type_of
from .extension import extended

VECTOR = base(VectorType)
I64_ARRAY = DenseArrayBase.constr(i64)


@irdl_op_definition
class ShapeCastOp(IRDLOperation):
    """The elements of a vector in another shape."""

    name = "vector.shape_cast"

    source = operand_def(VECTOR)

    result = result_def(VECTOR)

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def verify_(self) -> None:
        """Elements are of one type and as many."""
        source, result = self.source.type, self.result.type
        if element_count(source) != element_count(result) or element_type_of(
            source
        ) != element_type_of(result):
            raise VerifyException(
                f"expected as many elements of one type, got {source} and {result}"
            )


@irdl_op_definition
class InterleaveOp(IRDLOperation):
    """The elements of two vectors in turn."""

    name = "vector.interleave"

    T: ClassVar = VarConstraint("T", VECTOR)

    lhs = operand_def(T)
    rhs = operand_def(T)

    result = result_def(VECTOR)

    traits = traits_def(Pure())

    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"


@irdl_op_definition
class DeinterleaveOp(IRDLOperation):
    """The even and the odd elements of a vector."""

    name = "vector.deinterleave"

    T: ClassVar = VarConstraint("T", VECTOR)

    source = operand_def(VECTOR)

    res1 = result_def(T)
    """The even elements."""
    res2 = result_def(T)
    """The odd elements."""

    traits = traits_def(Pure())

    assembly_format = "$source attr-dict `:` type($source) `->` type($res1)"


@irdl_op_definition
class MultiDimReductionOp(IRDLOperation):
    """Reduces a vector along dimensions."""

    name = "vector.multi_reduction"

    T: ClassVar = VarConstraint("T", AnyAttr())

    source = operand_def(VECTOR)
    acc = operand_def(T)
    """The value to start from."""

    kind = prop_def(CombiningKindAttr)
    reduction_dims = prop_def(I64_ARRAY)

    dest = result_def(T)

    traits = traits_def(Pure())

    assembly_format = (
        "$kind `,` $source `,` $acc $reduction_dims attr-dict `:` type($source) `to` type($dest)"
    )


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """A vector with its dimensions in another order."""

    name = "vector.transpose"

    vector = operand_def(VECTOR)

    permutation = prop_def(I64_ARRAY)
    """For each dimension of the result, the one of the operand."""

    result = result_def(VECTOR)

    traits = traits_def(Pure())

    assembly_format = "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)"


@irdl_op_definition
class ConstantMaskOp(IRDLOperation):
    """A mask that is set in a box at the origin."""

    name = "vector.constant_mask"

    mask_dim_sizes = prop_def(I64_ARRAY)
    """How large the box is, for each dimension."""

    result = result_def(VECTOR)

    traits = traits_def(Pure())

    assembly_format = "$mask_dim_sizes attr-dict `:` type($result)"


@irdl_op_definition
class FromElementsOp(IRDLOperation):
    """A vector of given elements."""

    name = "vector.from_elements"

    T: ClassVar = VarConstraint("T", AnyAttr())

    elements = var_operand_def(RangeOf(T))

    dest = result_def(VectorType.constr(T))

    traits = traits_def(Pure())

    assembly_format = "$elements attr-dict `:` type($dest)"


@irdl_op_definition
class StepOp(IRDLOperation):
    """The vector 0, 1, 2, …"""

    name = "vector.step"

    result = result_def(VECTOR)

    traits = traits_def(Pure())

    assembly_format = "attr-dict `:` type($result)"


Vector = extended(
    vector.Vector,
    [
        ConstantMaskOp,
        DeinterleaveOp,
        FromElementsOp,
        InterleaveOp,
        MultiDimReductionOp,
        ShapeCastOp,
        StepOp,
        TransposeOp,
    ],
)
