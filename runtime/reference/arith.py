"""The arith dialect on numpy values, element by element.

Integers wrap; whether they are signed is the op's matter, not the type's. Where MLIR leaves the
result undefined the reference gives a fixed one: division by zero gives 0, a float outside the
range of an integer saturates and NaN becomes 0, a shift by the width or more gives 0 or the sign.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from ..element_types import Array, InputError
from .values import constant, element_dtype, holds_numbers, inherent, round_float

Elementwise: TypeAlias = Callable[..., "Array | np.generic | tuple[Array, ...]"]
"""Takes the op and one array per operand; gives the result, or a tuple of several."""


def signed(values: Array) -> Array:
    """Integers read as signed; i1's true is -1."""
    if values.dtype == np.bool_:
        return np.negative(values.astype(np.int8))
    return values.view(f"i{values.dtype.itemsize}")


def unsigned(values: Array) -> Array:
    """Integers read as unsigned; i1's true is 1."""
    if values.dtype == np.bool_:
        return values.astype(np.uint8)
    return values.view(f"u{values.dtype.itemsize}")


def wrapped(values: Array, dtype: np.dtype[Any]) -> Array:
    """The low bits of integers, as elements of `dtype`."""
    if dtype == np.bool_:
        return (values & values.dtype.type(1)).astype(np.bool_)
    return values.astype(dtype)


def _on(read: Callable[[Array], Array], function: Callable[..., Array]) -> Elementwise:
    """An op on integers of one type, read as `read` says."""

    def evaluate(_: Operation, *args: Array) -> Array:
        return wrapped(function(*(read(arg) for arg in args)), args[0].dtype)

    return evaluate


def plain(function: Callable[..., Array]) -> Elementwise:
    """An op that `function` computes from its operands as they are."""

    def evaluate(_: Operation, *args: Array) -> Array:
        return function(*args)

    return evaluate


def _divide_truncating(left: Array, right: Array) -> Array:
    return np.floor_divide(left - np.fmod(left, right), right)


def _divide_up(left: Array, right: Array) -> Array:
    quotient = np.floor_divide(left, right)
    inexact = (quotient * right != left) & (right != 0)
    return quotient + inexact.astype(quotient.dtype)


def _shift_right_signed(left: Array, right: Array) -> Array:
    # By the width or more numpy fills with the sign.
    return np.right_shift(signed(left), signed(right))


def multiply_wide(left: Array, right: Array) -> tuple[Array, Array]:
    """Low and high half of the product of two unsigned arrays of one dtype."""
    half = left.dtype.type(left.dtype.itemsize * 4)
    mask = left.dtype.type((1 << int(half)) - 1)
    low_left, high_left = left & mask, left >> half
    low_right, high_right = right & mask, right >> half
    low = low_left * low_right
    middle = high_left * low_right + (low >> half)
    other = low_left * high_right + (middle & mask)
    return left * right, high_left * high_right + (middle >> half) + (other >> half)


def _add_extended(_: Operation, left: Array, right: Array) -> tuple[Array, ...]:
    total = unsigned(left) + unsigned(right)
    if left.dtype == np.bool_:
        return wrapped(total, left.dtype), total > 1
    return wrapped(total, left.dtype), total < unsigned(left)


def _multiply_extended_unsigned(_: Operation, left: Array, right: Array) -> tuple[Array, ...]:
    if left.dtype == np.bool_:
        return left & right, np.zeros_like(left & right)
    low, high = multiply_wide(unsigned(left), unsigned(right))
    return wrapped(low, left.dtype), wrapped(high, left.dtype)


def _multiply_extended_signed(_: Operation, left: Array, right: Array) -> tuple[Array, ...]:
    if left.dtype == np.bool_:
        # -1 * -1 is 1: low bit 1, high bit 0.
        return left & right, np.zeros_like(left & right)
    low, high = multiply_wide(unsigned(left), unsigned(right))
    borrowed = np.where(signed(left) < 0, signed(right), 0) + np.where(
        signed(right) < 0, signed(left), 0
    )
    return wrapped(low, left.dtype), wrapped(signed(high) - borrowed, left.dtype)


def maximum(left: Array, right: Array) -> Array:
    """The larger float; NaN if either is, and +0 above -0."""
    larger = np.maximum(left, right)
    return np.where((left == 0) & (right == 0), np.where(np.signbit(left), right, left), larger)


def minimum(left: Array, right: Array) -> Array:
    """The smaller float; NaN if either is, and -0 below +0."""
    smaller = np.minimum(left, right)
    return np.where((left == 0) & (right == 0), np.where(np.signbit(left), left, right), smaller)


def _maxnum(_: Operation, left: Array, right: Array) -> Array:
    return np.where(np.isnan(left), right, np.where(np.isnan(right), left, maximum(left, right)))


def _minnum(_: Operation, left: Array, right: Array) -> Array:
    return np.where(np.isnan(left), right, np.where(np.isnan(right), left, minimum(left, right)))


_INTEGER_ORDER: tuple[tuple[Callable[[Array], Array], Callable[..., Array]], ...] = (
    (signed, np.equal),
    (signed, np.not_equal),
    (signed, np.less),
    (signed, np.less_equal),
    (signed, np.greater),
    (signed, np.greater_equal),
    (unsigned, np.less),
    (unsigned, np.less_equal),
    (unsigned, np.greater),
    (unsigned, np.greater_equal),
)
"""By the number of arith.cmpi's predicate: eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge."""

_FLOAT_ORDER: tuple[Callable[..., Array], ...] = (
    np.equal,
    np.greater,
    np.greater_equal,
    np.less,
    np.less_equal,
    np.not_equal,
)
"""eq, gt, ge, lt, le, ne: arith.cmpf's predicates 1…6 ordered, 8…13 unordered."""


def _predicate(op: Operation) -> int:
    return cast(IntegerAttr, inherent(op, "predicate")).value.data


def _compare_integers(op: Operation, left: Array, right: Array) -> Array:
    read, function = _INTEGER_ORDER[_predicate(op)]
    return function(read(left), read(right))


def _compare_floats(op: Operation, left: Array, right: Array) -> Array:
    predicate = _predicate(op)
    unordered = np.isnan(left) | np.isnan(right)
    if predicate in (0, 15):
        return np.full_like(unordered, predicate == 15)
    if predicate == 7:
        return ~unordered
    if predicate == 14:
        return unordered
    if predicate < 7:
        return _FLOAT_ORDER[predicate - 1](left, right) & ~unordered
    return _FLOAT_ORDER[predicate - 8](left, right) | unordered


def _select(op: Operation, condition: Array, left: Any, right: Any) -> Any:
    if holds_numbers(op.results[0].type):
        return cast(Any, np.where)(condition, left, right)
    return left if condition else right


def _result_dtype(op: Operation) -> np.dtype[Any]:
    return element_dtype(op.results[0].type)


def _extend(read: Callable[[Array], Array]) -> Elementwise:
    def evaluate(op: Operation, values: Array) -> Array:
        # Through the reading's own sign: widening keeps it, narrowing drops high bits.
        return wrapped(read(values), _result_dtype(op))

    return evaluate


def _integer_to_float(read: Callable[[Array], Array]) -> Elementwise:
    def evaluate(op: Operation, values: Array) -> Array:
        dtype, numbers = _result_dtype(op), read(values)
        if dtype.kind == "V":
            return round_float(numbers.astype(np.float64), dtype)
        return numbers.astype(dtype)

    return evaluate


def _float_to_integer(kind: str) -> Elementwise:
    def evaluate(op: Operation, values: Array) -> Array:
        dtype = _result_dtype(op)
        bits = 1 if dtype == np.bool_ else dtype.itemsize * 8
        low = -(2.0 ** (bits - 1)) if kind == "i" else 0.0
        past = 2.0 ** (bits - 1 if kind == "i" else bits)
        wide = np.dtype(f"{kind}8")
        whole = np.trunc(np.nan_to_num(values.astype(np.float64), nan=0.0))
        inside = (whole >= low) & (whole < past)
        numbers = np.where(inside, whole, 0.0).astype(wide)
        numbers = np.where(whole < low, wide.type(int(low)), numbers)
        return wrapped(np.where(whole >= past, wide.type(int(past) - 1), numbers), dtype)

    return evaluate


def _convert_float(op: Operation, values: Array) -> Array:
    return round_float(values, _result_dtype(op))


def _bitcast(op: Operation, values: Array) -> Array:
    dtype = _result_dtype(op)
    if np.bool_ in (values.dtype, dtype):
        return wrapped(unsigned(values), dtype)
    if values.dtype.itemsize != dtype.itemsize:
        raise InputError(f"cannot see {values.dtype} as {dtype}")
    return np.ascontiguousarray(values).view(dtype).reshape(values.shape)


def constant_value(op: Operation) -> Array | np.generic:
    """The value of a constant op."""
    value = inherent(op, "value")
    if value is None:
        raise InputError("a constant without a value")
    return constant(value, op.results[0].type)


ARITH: dict[str, Elementwise] = {
    "arith.constant": constant_value,
    "arith.addi": _on(signed, np.add),
    "arith.subi": _on(signed, np.subtract),
    "arith.muli": _on(signed, np.multiply),
    "arith.divsi": _on(signed, _divide_truncating),
    "arith.divui": _on(unsigned, np.floor_divide),
    "arith.floordivsi": _on(signed, np.floor_divide),
    "arith.ceildivsi": _on(signed, _divide_up),
    "arith.ceildivui": _on(unsigned, _divide_up),
    "arith.remsi": _on(signed, np.fmod),
    "arith.remui": _on(unsigned, np.fmod),
    "arith.maxsi": _on(signed, np.maximum),
    "arith.maxui": _on(unsigned, np.maximum),
    "arith.minsi": _on(signed, np.minimum),
    "arith.minui": _on(unsigned, np.minimum),
    "arith.andi": _on(unsigned, np.bitwise_and),
    "arith.ori": _on(unsigned, np.bitwise_or),
    "arith.xori": _on(unsigned, np.bitwise_xor),
    "arith.shli": _on(unsigned, np.left_shift),
    "arith.shrui": _on(unsigned, np.right_shift),
    "arith.shrsi": _on(signed, _shift_right_signed),
    "arith.addui_extended": _add_extended,
    "arith.mului_extended": _multiply_extended_unsigned,
    "arith.mulsi_extended": _multiply_extended_signed,
    "arith.cmpi": _compare_integers,
    "arith.cmpf": _compare_floats,
    "arith.select": _select,
    "arith.addf": plain(np.add),
    "arith.subf": plain(np.subtract),
    "arith.mulf": plain(np.multiply),
    "arith.divf": plain(np.true_divide),
    "arith.remf": plain(np.fmod),
    "arith.negf": plain(np.negative),
    "arith.maximumf": plain(maximum),
    "arith.minimumf": plain(minimum),
    "arith.maxnumf": _maxnum,
    "arith.minnumf": _minnum,
    "arith.extsi": _extend(signed),
    "arith.extui": _extend(unsigned),
    "arith.trunci": _extend(unsigned),
    "arith.index_cast": _extend(signed),
    "arith.index_castui": _extend(unsigned),
    "arith.sitofp": _integer_to_float(signed),
    "arith.uitofp": _integer_to_float(unsigned),
    "arith.fptosi": _float_to_integer("i"),
    "arith.fptoui": _float_to_integer("u"),
    "arith.extf": _convert_float,
    "arith.truncf": _convert_float,
    "arith.bitcast": _bitcast,
    "index.constant": constant_value,
    "index.add": _on(signed, np.add),
    "index.sub": _on(signed, np.subtract),
    "index.mul": _on(signed, np.multiply),
    "index.divs": _on(signed, _divide_truncating),
    "index.divu": _on(unsigned, np.floor_divide),
    "index.ceildivs": _on(signed, _divide_up),
    "index.ceildivu": _on(unsigned, _divide_up),
    "index.floordivs": _on(signed, np.floor_divide),
    "index.rems": _on(signed, np.fmod),
    "index.remu": _on(unsigned, np.fmod),
    "index.maxs": _on(signed, np.maximum),
    "index.maxu": _on(unsigned, np.maximum),
    "index.mins": _on(signed, np.minimum),
    "index.minu": _on(unsigned, np.minimum),
    "index.and": _on(unsigned, np.bitwise_and),
    "index.or": _on(unsigned, np.bitwise_or),
    "index.xor": _on(unsigned, np.bitwise_xor),
    "index.shl": _on(unsigned, np.left_shift),
    "index.shru": _on(unsigned, np.right_shift),
    "index.shrs": _on(signed, _shift_right_signed),
    "index.casts": _extend(signed),
    "index.castu": _extend(unsigned),
}
"""The arith dialect, and the index dialect, which is the same on one type."""
