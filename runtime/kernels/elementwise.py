"""The ops that map scalars to scalars, as functions that take whole arrays in their place.

The same function serves an op on scalars of the dispatch (shapes, offsets) and an op in the
region of a structured op, where each value stands for all points of the iteration space at once.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from xdsl.dialects import affine, arith
from xdsl.dialects import complex as complex_dialect
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.ir import Attribute, Operation

from .affine_maps import evaluator
from .attributes import attribute
from .complexes import COMPLEX_FUNCTIONS
from .conversion import CONVERSIONS
from .floating import FLOAT_FUNCTIONS, NAMED_FLOAT_FUNCTIONS, compare_floats
from .integer import (
    BIT_COUNTS,
    I1_FUNCTIONS,
    SIGNED_FUNCTIONS,
    UNSIGNED_FUNCTIONS,
    Function,
    add_with_carry,
    compare_integers,
    integer_function,
    multiply_extended,
)
from .program import Compiler, Lowering, check_type, emit_function
from .types import Array, UnsupportedTypeError, constant, dtype_of


def lower_constant(compiler: Compiler, op: Operation) -> None:
    """`arith.constant`, `complex.constant`: known before any step runs."""
    found = attribute(op, "value")
    assert found is not None
    is_pair = op.name == complex_dialect.ConstantOp.name
    value = _complex_constant(op, found) if is_pair else constant(found)
    slot = compiler.slot(op.results[0])

    def step(env: list[Any]) -> None:
        env[slot] = value

    compiler.emit(step, (), (slot,))


def _complex_constant(op: Operation, found: Attribute) -> Array:
    parts: list[float] = [part.value.data for part in cast(ArrayAttr[Any], found)]
    return np.asarray(complex(*parts), dtype_of(op.results[0].type))[()]


def _select(condition: Any, yes: Any, no: Any) -> Any:
    if np.ndim(condition) == 0:
        return yes if condition else no
    return cast(Array, np.where(condition, yes, no))


def comparison(op: arith.CmpiOp | arith.CmpfOp) -> Function:
    """The function of a comparison."""
    return compare_integers(op) if isinstance(op, arith.CmpiOp) else compare_floats(op)


def _affine_apply(op: affine.ApplyOp) -> Function:
    affine_map = op.map.data
    evaluate = evaluator(affine_map.results[0])
    dims = affine_map.num_dims
    return lambda *values: evaluate(values[:dims], values[dims:])


def _affine_extremum(combine: np.ufunc) -> Callable[[Operation], Function]:
    """`affine.min`, `affine.max`: the least or greatest of the map's results."""

    def build(op: Operation) -> Function:
        found = attribute(op, "map")
        assert isinstance(found, AffineMapAttr)
        affine_map = found.data
        evaluators = [evaluator(result) for result in affine_map.results]
        dims = affine_map.num_dims

        def apply(*values: Any) -> Any:
            first, *rest = (evaluate(values[:dims], values[dims:]) for evaluate in evaluators)
            for value in rest:
                first = combine(first, value)
            return first

        return apply

    return build


_BUILDERS: dict[str, Callable[[Any], Function]] = {
    **CONVERSIONS,
    affine.ApplyOp.name: _affine_apply,
    affine.MinOp.name: _affine_extremum(np.minimum),
    "affine.max": _affine_extremum(np.maximum),
    arith.AddUIExtendedOp.name: add_with_carry,
    arith.CmpfOp.name: compare_floats,
    arith.CmpiOp.name: compare_integers,
    arith.MulSIExtendedOp.name: multiply_extended,
    arith.MulUIExtendedOp.name: multiply_extended,
}
_INDEX_OPS: dict[str, type[Operation]] = {
    "index.add": arith.AddiOp,
    "index.sub": arith.SubiOp,
    "index.mul": arith.MuliOp,
    "index.divs": arith.DivSIOp,
    "index.divu": arith.DivUIOp,
    "index.ceildivs": arith.CeilDivSIOp,
    "index.ceildivu": arith.CeilDivUIOp,
    "index.floordivs": arith.FloorDivSIOp,
    "index.rems": arith.RemSIOp,
    "index.remu": arith.RemUIOp,
    "index.maxs": arith.MaxSIOp,
    "index.maxu": arith.MaxUIOp,
    "index.mins": arith.MinSIOp,
    "index.minu": arith.MinUIOp,
    "index.shl": arith.ShLIOp,
    "index.shrs": arith.ShRSIOp,
    "index.shru": arith.ShRUIOp,
    "index.and": arith.AndIOp,
    "index.or": arith.OrIOp,
    "index.xor": arith.XOrIOp,
}
"""Ops of the index dialect by name, and those of arith that do the same."""
_INTEGER_OPS = {*I1_FUNCTIONS, *SIGNED_FUNCTIONS, *UNSIGNED_FUNCTIONS, *BIT_COUNTS}
_FUNCTIONS: dict[str, Function] = {
    **{op.name: function for op, function in FLOAT_FUNCTIONS.items()},
    **{op.name: function for op, function in COMPLEX_FUNCTIONS.items()},
    **NAMED_FLOAT_FUNCTIONS,
    arith.SelectOp.name: _select,
}


def _integer(op: Operation) -> Function:
    function = integer_function(op)
    if function is None:
        raise UnsupportedTypeError(f"has no meaning here on {op.results[0].type}")
    return function


def _as_integer(op_type: type[Operation]) -> Callable[[Operation], Function]:
    """The builder of the function of an op that does as `op_type` does."""

    def build(op: Operation) -> Function:
        function = integer_function(op, op_type)
        assert function is not None
        return function

    return build


def _fixed(function: Function) -> Callable[[Operation], Function]:
    """The builder of a function that serves all types."""

    def build(op: Operation) -> Function:
        for value in (*op.operands, *op.results):
            check_type(op, value.type)
        return function

    return build


ELEMENTWISE_FUNCTIONS: dict[str, Callable[[Any], Function]] = {
    **{op.name: _integer for op in _INTEGER_OPS},
    **{name: _as_integer(op_type) for name, op_type in _INDEX_OPS.items()},
    **_BUILDERS,
    **{name: _fixed(function) for name, function in _FUNCTIONS.items()},
}
"""By op name, what builds the function of an op; it raises UnsupportedTypeError for a type."""


def _lower_built(build: Callable[[Any], Function]) -> Lowering:
    return lambda compiler, op: emit_function(compiler, op, build(op))


ELEMENTWISE_LOWERINGS: dict[str, Lowering] = {
    **{name: _lower_built(build) for name, build in ELEMENTWISE_FUNCTIONS.items()},
    arith.ConstantOp.name: lower_constant,
    "index.constant": lower_constant,
    complex_dialect.ConstantOp.name: lower_constant,
}
"""By op name."""
