"""What the kinds of `linalg.elementwise` compute, as regions of scalar ops."""

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr
from xdsl.ir import Operation, SSAValue

from .builders import (
    ADD,
    DIV,
    DIV_UNSIGNED,
    MAX,
    MAX_UNSIGNED,
    MIN,
    MIN_UNSIGNED,
    MUL,
    SUB,
    Body,
    Kinds,
    RegionBuilder,
)


def _unary(*ops: Callable[..., Operation]) -> Body:
    def body(build: RegionBuilder, values: Sequence[SSAValue]) -> SSAValue:
        value = build.cast(values[0], values[-1].type)
        for op in ops:
            value = build.add_op(op(value))
        return value

    return body


def _binary(kinds: Kinds) -> Body:
    def body(build: RegionBuilder, values: Sequence[SSAValue]) -> SSAValue:
        left, right, out = values
        return build.binary(kinds, build.cast(left, out.type), build.cast(right, out.type))

    return body


def _reciprocal(build: RegionBuilder, values: Sequence[SSAValue]) -> SSAValue:
    value = build.cast(values[0], values[-1].type)
    one = build.add_op(arith.ConstantOp(FloatAttr(1.0, cast(AnyFloat, value.type))))
    return build.add_op(arith.DivfOp(one, value))


def _square(build: RegionBuilder, values: Sequence[SSAValue]) -> SSAValue:
    value = build.cast(values[0], values[-1].type)
    return build.binary(MUL, value, value)


def _select(build: RegionBuilder, values: Sequence[SSAValue]) -> SSAValue:
    condition, yes, no, _ = values
    return build.add_op(arith.SelectOp(condition, yes, no))


ELEMENTWISE_KINDS: dict[str, Body] = {
    "abs": _unary(math.AbsFOp),
    "add": _binary(ADD),
    "ceil": _unary(math.CeilOp),
    "div": _binary(DIV),
    "div_unsigned": _binary(DIV_UNSIGNED),
    "erf": _unary(math.ErfOp),
    "exp": _unary(math.ExpOp),
    "floor": _unary(math.FloorOp),
    "log": _unary(math.LogOp),
    "max_signed": _binary(MAX),
    "max_unsigned": _binary(MAX_UNSIGNED),
    "min_signed": _binary(MIN),
    "min_unsigned": _binary(MIN_UNSIGNED),
    "mul": _binary(MUL),
    "negf": _unary(arith.NegfOp),
    "powf": _binary(Kinds(math.PowFOp, None)),
    "reciprocal": _reciprocal,
    "round": _unary(math.RoundOp),
    "rsqrt": _unary(math.RsqrtOp),
    "select": _select,
    "sqrt": _unary(math.SqrtOp),
    "square": _square,
    "sub": _binary(SUB),
    "tanh": _unary(math.TanhOp),
}
"""By the kind of `linalg.elementwise`."""
