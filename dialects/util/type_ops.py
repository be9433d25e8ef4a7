"""Values of any type: null, casts, comparison, numeric narrowing."""

from typing import ClassVar

from xdsl.dialects.builtin import (
    AnyFloatConstr,
    IntegerAttr,
    IntegerType,
    TensorType,
    i1,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    MessageConstraint,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Commutative, ConstantLike, Pure
from xdsl.utils.exceptions import VerifyException

from ..access import TiedResults
from ..format_properties import PropDict2
from .canonicalized import Canonicalized
from .types import ObjectType, is_object_compatible


@irdl_op_definition
class NullOp(IRDLOperation):
    """A null value of any type that has one."""

    name = "util.null"

    result = result_def()

    traits = traits_def(Pure(), ConstantLike())

    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, type: Attribute) -> None:
        super().__init__(result_types=[type])


@irdl_op_definition
class CastOp(IRDLOperation):
    """Views an object as another type; the result is the operand itself."""

    name = "util.cast"

    operand = operand_def()

    result = result_def()

    traits = traits_def(Pure(), TiedResults("operand"), Canonicalized())

    assembly_format = "$operand attr-dict `:` type($operand) `to` type($result)"

    def verify_(self) -> None:
        """Both sides are objects, and equal or one of them opaque."""
        source, result = self.operand.type, self.result.type
        for side, type in (("operand", source), ("result", result)):
            if not is_object_compatible(type):
                raise VerifyException(
                    f"expected an object to cast, got {side} type {type}; use arith for numbers"
                )
        if source != result and ObjectType() not in (source, result):
            raise VerifyException(
                f"expected equal types or !util.object on one side, got {source} to {result}"
            )


class _CompareOp(IRDLOperation):
    """Compares two values of one type by identity."""

    T: ClassVar = VarConstraint("T", AnyAttr())

    lhs = operand_def(T)
    rhs = operand_def(T)

    result = result_def(i1)

    traits = traits_def(Pure(), Commutative(), Canonicalized())

    assembly_format = "operands attr-dict `:` type($lhs)"


@irdl_op_definition
class CmpEQOp(_CompareOp):
    """Whether two values are the same."""

    name = "util.cmp.eq"


@irdl_op_definition
class CmpNEOp(_CompareOp):
    """Whether two values differ."""

    name = "util.cmp.ne"


NUMBER = base(IntegerType) | AnyFloatConstr


@irdl_op_definition
class NumericOptionalNarrowOp(IRDLOperation):
    """Notes that the values of the operand fit a narrower type; the value is unchanged."""

    name = "util.numeric.optional_narrow"

    T: ClassVar = VarConstraint(
        "T",
        MessageConstraint(
            NUMBER | TensorType.constr(NUMBER),
            "expected an integer, a float or a tensor of these",
        ),
    )

    operand = operand_def(T)

    semantic_type = prop_def()
    """The narrow type that the values fit."""
    min_value = opt_prop_def(IntegerAttr)
    """The least value, where known."""
    max_value = opt_prop_def(IntegerAttr)
    """The greatest value, where known."""

    result = result_def(T)

    custom_directives = (PropDict2,)
    traits = traits_def(Pure())

    assembly_format = (
        "$operand `:` type($operand) `as` $semantic_type "
        "custom<PropDict2>($min_value, $max_value) attr-dict"
    )
