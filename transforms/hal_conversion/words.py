"""Scalars as push constants: i32 words, those of 64 bits and `index` in two, low word first."""

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    FixedBitwidthType,
    IndexType,
    IntegerAttr,
    IntegerType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

Emit = Callable[[Operation], None]
"""Inserts an op."""


def word_count(type: Attribute) -> int | None:
    """How many words a scalar takes; None for a type that cannot be passed."""
    if isinstance(type, IndexType):
        return 2
    if not isinstance(type, FixedBitwidthType) or type.bitwidth > 64:
        return None
    return 2 if type.bitwidth == 64 else 1


def split_words(value: SSAValue, emit: Emit) -> list[SSAValue]:
    """The words of a scalar, on the host's side."""
    type = value.type
    if isinstance(type, IndexType):
        value = _emit(emit, arith.IndexCastOp(value, i64))
    elif isinstance(type, AnyFloat):
        value = _emit(emit, arith.BitcastOp(value, IntegerType(type.bitwidth)))
    width = _width(value)
    if width < 32:
        return [_emit(emit, arith.ExtUIOp(value, i32))]
    if width == 32:
        return [value]
    shift = _emit(emit, arith.ConstantOp(IntegerAttr(32, i64)))
    high = _emit(emit, arith.ShRUIOp(value, shift))
    return [_emit(emit, arith.TruncIOp(part, i32)) for part in (value, high)]


def join_words(words: list[SSAValue], type: Attribute, emit: Emit) -> SSAValue:
    """The scalar of `type` that `words` hold, on the kernel's side."""
    if len(words) == 2:
        low, high = (_emit(emit, arith.ExtUIOp(word, i64)) for word in words)
        shift = _emit(emit, arith.ConstantOp(IntegerAttr(32, i64)))
        shifted = _emit(emit, arith.ShLIOp(high, shift))
        value = _emit(emit, arith.OrIOp(low, shifted))
    else:
        value = words[0]
    if isinstance(type, IndexType):
        return _emit(emit, arith.IndexCastOp(value, type))
    assert isinstance(type, FixedBitwidthType)
    if type.bitwidth < 32:
        value = _emit(emit, arith.TruncIOp(value, IntegerType(type.bitwidth)))
    if isinstance(type, AnyFloat):
        value = _emit(emit, arith.BitcastOp(value, type))
    return value


def _width(value: SSAValue) -> int:
    assert isinstance(value.type, FixedBitwidthType)
    return value.type.bitwidth


def _emit(emit: Emit, op: Operation) -> SSAValue:
    emit(op)
    return op.results[0]
