"""Integer arithmetic of the arith and math dialects on numpy arrays.

MLIR's integers wrap and carry no sign; an op reads its operands as signed or not. Arrays come in
the signed dtypes of `types`; unsigned ops view them as unsigned and view the result back. i1 is
numpy `bool`, whose `+` is "or": i1 ops have entries of their own (as signed, i1's true is -1).
Divisions by zero and over-long shifts, undefined in MLIR, give numpy's result without a warning.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation

from ..interpretation import implementation_for
from .types import (
    UNSIGNED,
    Array,
    Binary,
    Unary,
    as_unsigned,
    dtype_of,
    element_type,
    integer_width,
    wrapper,
)

Function: TypeAlias = Callable[..., Any]
"""A function of the op's operands, arrays or scalars, giving its result (a tuple for several)."""


def _shifted_i1(a: Array, b: Array) -> Array:
    return np.logical_and(a, np.logical_not(b))


def _first(a: Array, *_: Array) -> Array:
    return a


I1_FUNCTIONS: dict[type[Operation], Function] = {
    arith.AddiOp: np.logical_xor,
    arith.SubiOp: np.logical_xor,
    arith.MuliOp: np.logical_and,
    arith.AndIOp: np.logical_and,
    arith.OrIOp: np.logical_or,
    arith.XOrIOp: np.logical_xor,
    arith.MinSIOp: np.logical_or,
    arith.MaxSIOp: np.logical_and,
    arith.MinUIOp: np.logical_and,
    arith.MaxUIOp: np.logical_or,
    arith.DivSIOp: np.logical_and,
    arith.DivUIOp: np.logical_and,
    arith.ShLIOp: _shifted_i1,
    arith.ShRUIOp: _shifted_i1,
    arith.ShRSIOp: _first,
    math.AbsIOp: _first,
}


def trunc_divide(a: Array, b: Array) -> Array:
    """Signed division that rounds towards zero."""
    quotient = np.floor_divide(a, b)
    inexact = np.not_equal(np.multiply(quotient, b), a)
    opposite = np.less(np.bitwise_xor(a, b), 0)
    return np.add(quotient, np.logical_and(inexact, opposite), dtype=quotient.dtype)


def ceil_divide(a: Array, b: Array) -> Array:
    """Signed division that rounds upwards."""
    quotient = np.floor_divide(a, b)
    inexact = np.not_equal(np.multiply(quotient, b), a)
    return np.add(quotient, inexact, dtype=quotient.dtype)


def integer_power(a: Array, b: Array) -> Array:
    """`a` to the signed power `b`, wrapping; a negative power is 0 but for bases 1 and -1."""
    power = np.power(a, np.maximum(b, 0))
    unit = np.where(np.equal(np.bitwise_and(b, 1), 0), np.multiply(a, a), a)
    small = np.where(np.less_equal(np.abs(a), 1), unit, np.zeros_like(a))
    return np.where(np.less(b, 0), small, power)


SIGNED_FUNCTIONS: dict[type[Operation], Function] = {
    arith.AddiOp: np.add,
    arith.SubiOp: np.subtract,
    arith.MuliOp: np.multiply,
    arith.AndIOp: np.bitwise_and,
    arith.OrIOp: np.bitwise_or,
    arith.XOrIOp: np.bitwise_xor,
    arith.MinSIOp: np.minimum,
    arith.MaxSIOp: np.maximum,
    arith.DivSIOp: trunc_divide,
    arith.RemSIOp: np.fmod,
    arith.FloorDivSIOp: np.floor_divide,
    arith.CeilDivSIOp: ceil_divide,
    arith.ShLIOp: np.left_shift,
    arith.ShRSIOp: np.right_shift,
    math.AbsIOp: np.abs,
    math.IPowIOp: integer_power,
}

UNSIGNED_FUNCTIONS: dict[type[Operation], Function] = {
    arith.MinUIOp: np.minimum,
    arith.MaxUIOp: np.maximum,
    arith.DivUIOp: np.floor_divide,
    arith.RemUIOp: np.remainder,
    arith.CeilDivUIOp: ceil_divide,
    arith.ShRUIOp: np.right_shift,
}


def integer_function(op: Operation, op_type: type[Operation] | None = None) -> Function | None:
    """The function of an integer op of the tables above, or of one that does as `op_type` does.

    None for any other op.
    """
    kind = element_type(op.results[0].type)
    op_type = op_type or type(op)
    if kind == IntegerType(1):
        return implementation_for(I1_FUNCTIONS, op_type)
    if (signed := implementation_for(SIGNED_FUNCTIONS, op_type)) is not None:
        return wrapped_function(signed, kind)
    if (unsigned := implementation_for(UNSIGNED_FUNCTIONS, op_type)) is not None:
        return _unsigned(unsigned, kind)
    if (bits := implementation_for(BIT_COUNTS, op_type)) is not None:
        return bits(kind)
    return None


def wrapped_function(function: Function, kind: Attribute) -> Function:
    """`function` with its result brought back into an odd-sized integer type."""
    wrap = wrapper(kind)
    if wrap is None:
        return function

    def apply(*operands: Array) -> Array:
        return wrap(function(*operands))

    return apply


def _unsigned(function: Function, kind: Attribute) -> Function:
    """`function` on operands read without sign, its result viewed as signed again."""
    signed = dtype_of(kind)

    def apply(a: Array, b: Array) -> Array:
        return function(as_unsigned(a, kind), as_unsigned(b, kind)).view(signed)

    return wrapped_function(apply, kind)


def _width(kind: Attribute) -> int:
    return integer_width(kind) or 64


def _count_ones(kind: Attribute) -> Unary:
    dtype = dtype_of(kind)
    return lambda value: np.bitwise_count(as_unsigned(value, kind)).astype(dtype)


def _count_leading_zeros(kind: Attribute) -> Unary:
    dtype, width = dtype_of(kind), _width(kind)

    def apply(value: Array) -> Array:
        bits = as_unsigned(value, kind)
        shift = 1
        while shift < width:
            bits = np.bitwise_or(bits, np.right_shift(bits, bits.dtype.type(shift)))
            shift *= 2
        return np.subtract(dtype.type(width), np.bitwise_count(bits).astype(dtype))

    return apply


def _count_trailing_zeros(kind: Attribute) -> Unary:
    dtype, width = dtype_of(kind), _width(kind)

    def apply(value: Array) -> Array:
        below = np.bitwise_and(np.invert(value), np.subtract(value, dtype.type(1)))
        count = np.bitwise_count(below.view(UNSIGNED[dtype])).astype(dtype)
        return np.minimum(count, dtype.type(width))

    return apply


BIT_COUNTS: dict[type[Operation], Callable[[Attribute], Unary]] = {
    math.CtPopOp: _count_ones,
    math.CountLeadingZerosOp: _count_leading_zeros,
    math.CountTrailingZerosOp: _count_trailing_zeros,
}


_COMPARISONS: tuple[Binary, ...] = (
    np.equal,
    np.not_equal,
    np.less,
    np.less_equal,
    np.greater,
    np.greater_equal,
)
"""By predicate of `arith.cmpi`: eq, ne, slt, sle, sgt, sge; ult to uge follow with 6 to 9."""
_SWAPPED = (0, 1, 4, 5, 2, 3)
"""Signed comparisons of i1 are the unsigned ones with the operands exchanged."""


def compare_integers(op: arith.CmpiOp) -> Binary:
    """The function of an `arith.cmpi`."""
    kind = element_type(op.lhs.type)
    predicate = op.predicate.value.data
    signed = predicate < 6
    base = predicate if signed else predicate - 4
    if kind == IntegerType(1):
        return _COMPARISONS[_SWAPPED[base] if signed else base]
    if signed:
        return _COMPARISONS[base]
    function = _COMPARISONS[base]
    return lambda a, b: function(as_unsigned(a, kind), as_unsigned(b, kind))


Pair: TypeAlias = Callable[[Array, Array], tuple[Array, Array]]
"""The function of an op with two results."""


def add_with_carry(op: arith.AddUIExtendedOp) -> Pair:
    """`arith.addui_extended`: the wrapped sum and whether it overflowed without sign."""
    kind = element_type(op.sum.type)
    if kind == IntegerType(1):
        return lambda a, b: (np.logical_xor(a, b), np.logical_and(a, b))
    total = wrapped_function(np.add, kind)

    def apply(a: Array, b: Array) -> tuple[Array, Array]:
        result = total(a, b)
        return result, np.less(as_unsigned(result, kind), as_unsigned(a, kind))

    return apply


def multiply_extended(op: arith.MulSIExtendedOp | arith.MulUIExtendedOp) -> Pair:
    """`arith.mulsi_extended`, `arith.mului_extended`: low and high half of the full product."""
    kind = element_type(op.low.type)
    signed = isinstance(op, arith.MulSIExtendedOp)
    width = _width(kind)
    if width > 32:
        return lambda a, b: (np.multiply(a, b), _high_half(a, b, signed))
    dtype = dtype_of(kind)
    wrap = wrapper(kind)

    def low_bits(value: Array) -> Array:
        if width == 1:
            return np.bitwise_and(value, 1).astype(dtype)
        narrow = value.astype(dtype)
        return narrow if wrap is None else wrap(narrow)

    def apply(a: Array, b: Array) -> tuple[Array, Array]:
        product = np.multiply(_widened(a, kind, signed), _widened(b, kind, signed))
        return low_bits(product), low_bits(np.right_shift(product, np.int64(width)))

    return apply


def _widened(value: Array, kind: Attribute, signed: bool) -> Array:
    """An integer of at most 32 bits as int64."""
    wide = (value if signed else as_unsigned(value, kind)).astype(np.int64)
    return np.negative(wide) if signed and kind == IntegerType(1) else wide


def _high_half(a: Array, b: Array, signed: bool) -> Array:
    """The upper 64 bits of a 64-bit by 64-bit product, by 32-bit halves."""
    mask, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    ua, ub = a.view(np.uint64), b.view(np.uint64)
    a0, a1 = ua & mask, ua >> shift
    b0, b1 = ub & mask, ub >> shift
    middle = a1 * b0 + (a0 * b0 >> shift)
    carry = (a0 * b1 + (middle & mask)) >> shift
    high = (a1 * b1 + (middle >> shift) + carry).view(np.int64)
    if not signed:
        return high
    zero = np.int64(0)
    return high - np.where(a < 0, b, zero) - np.where(b < 0, a, zero)
