"""The index dialect: arithmetic on one type, without stating it. xDSL has none of it.

```mlir
%2 = index.mul %0, %1
%3 = index.casts %2 : index to i32
```

Does not have: `cmp`, `sizeof`, `bool.constant`, which IREE does not leave in dispatches.
"""

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Dialect
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import ConstantLike, Pure

INDEX = IndexType()
NUMBER = base(IndexType) | base(IntegerType)


class _BinaryOp(IRDLOperation):
    """Two numbers in, one out."""

    lhs = operand_def(INDEX)
    rhs = operand_def(INDEX)

    result = result_def(INDEX)

    traits = traits_def(Pure())

    assembly_format = "$lhs `,` $rhs attr-dict"


class _CastOp(IRDLOperation):
    """To or from an integer of some width."""

    input = operand_def(NUMBER)

    output = result_def(NUMBER)

    traits = traits_def(Pure())

    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """A number."""

    name = "index.constant"

    value = prop_def(IntegerAttr[IndexType])

    result = result_def(INDEX)

    traits = traits_def(Pure(), ConstantLike())

    assembly_format = "attr-dict $value"


@irdl_op_definition
class CastSOp(_CastOp):
    """With the sign."""

    name = "index.casts"


@irdl_op_definition
class CastUOp(_CastOp):
    """With zeros."""

    name = "index.castu"


@irdl_op_definition
class AddOp(_BinaryOp):
    """The sum."""

    name = "index.add"


@irdl_op_definition
class SubOp(_BinaryOp):
    """The difference."""

    name = "index.sub"


@irdl_op_definition
class MulOp(_BinaryOp):
    """The product."""

    name = "index.mul"


@irdl_op_definition
class DivSOp(_BinaryOp):
    """The quotient of signed numbers, towards zero."""

    name = "index.divs"


@irdl_op_definition
class DivUOp(_BinaryOp):
    """The quotient of unsigned numbers."""

    name = "index.divu"


@irdl_op_definition
class CeilDivSOp(_BinaryOp):
    """The quotient of signed numbers, rounded up."""

    name = "index.ceildivs"


@irdl_op_definition
class CeilDivUOp(_BinaryOp):
    """The quotient of unsigned numbers, rounded up."""

    name = "index.ceildivu"


@irdl_op_definition
class FloorDivSOp(_BinaryOp):
    """The quotient of signed numbers, rounded down."""

    name = "index.floordivs"


@irdl_op_definition
class RemSOp(_BinaryOp):
    """The remainder of signed numbers, with the sign of the first."""

    name = "index.rems"


@irdl_op_definition
class RemUOp(_BinaryOp):
    """The remainder of unsigned numbers."""

    name = "index.remu"


@irdl_op_definition
class MaxSOp(_BinaryOp):
    """The greater of signed numbers."""

    name = "index.maxs"


@irdl_op_definition
class MaxUOp(_BinaryOp):
    """The greater of unsigned numbers."""

    name = "index.maxu"


@irdl_op_definition
class MinSOp(_BinaryOp):
    """The lesser of signed numbers."""

    name = "index.mins"


@irdl_op_definition
class MinUOp(_BinaryOp):
    """The lesser of unsigned numbers."""

    name = "index.minu"


@irdl_op_definition
class ShlOp(_BinaryOp):
    """Shifted to the left."""

    name = "index.shl"


@irdl_op_definition
class ShrSOp(_BinaryOp):
    """Shifted to the right, the sign kept."""

    name = "index.shrs"


@irdl_op_definition
class ShrUOp(_BinaryOp):
    """Shifted to the right, zeros taken in."""

    name = "index.shru"


@irdl_op_definition
class AndOp(_BinaryOp):
    """Bits that both have."""

    name = "index.and"


@irdl_op_definition
class OrOp(_BinaryOp):
    """Bits that either has."""

    name = "index.or"


@irdl_op_definition
class XOrOp(_BinaryOp):
    """Bits that one of both has."""

    name = "index.xor"


Index = Dialect(
    "index",
    [
        AddOp,
        AndOp,
        CastSOp,
        CastUOp,
        CeilDivSOp,
        CeilDivUOp,
        ConstantOp,
        DivSOp,
        DivUOp,
        FloorDivSOp,
        MaxSOp,
        MaxUOp,
        MinSOp,
        MinUOp,
        MulOp,
        OrOp,
        RemSOp,
        RemUOp,
        ShlOp,
        ShrSOp,
        ShrUOp,
        SubOp,
        XOrOp,
    ],
)
