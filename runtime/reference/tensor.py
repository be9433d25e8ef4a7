"""The tensor dialect on numpy values; every result is a new array.

`tensor.extract` may be given an array per index, one element per point of a structured op's
iteration space: a gather.
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import tensor
from xdsl.dialects.builtin import ArrayAttr
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    ReturnedValues,
    TerminatorValue,
    impl,
    impl_terminator,
    register_impls,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from ..element_types import Array, InputError
from .control import single
from .interpreter import NamedEvaluation, ReferenceInterpreter, unchanged
from .values import element_dtype, integers, tensor_shape, undefined

DYNAMIC = -(1 << 63)
"""Stands in a static list of offsets, sizes or strides for the next dynamic value."""


def mixed(static: Sequence[int], dynamic: Sequence[Any]) -> list[int]:
    """A list of offsets, sizes or strides: each static one, or the next of the dynamic ones."""
    values = iter(dynamic)
    return [single(next(values), "a bound") if value == DYNAMIC else value for value in static]


def dynamic_shape(result: SSAValue, sizes: Sequence[Any]) -> list[int]:
    """The shape of a tensor result whose dynamic sizes are given in order."""
    static = [DYNAMIC if size is None else size for size in tensor_shape(result.type)]
    shape = mixed(static, sizes)
    if any(size < 0 for size in shape):
        raise InputError(f"expected sizes of 0 or more, got {min(shape)}")
    return shape


def slice_of(
    shape: Sequence[int], offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]
) -> tuple[slice, ...]:
    """Slices for the given offsets, sizes and strides, checked to lie within `shape`."""
    slices: list[slice] = []
    for extent, offset, size, stride in zip(shape, offsets, sizes, strides, strict=True):
        last = offset + (size - 1) * stride
        if size < 0 or (size and not (0 <= offset < extent and 0 <= last < extent)):
            raise InputError(
                f"slice [{offset}] of {size} elements by {stride} is outside of size {extent}"
            )
        stop = last + (1 if stride > 0 else -1)
        slices.append(slice(offset, None if stop < 0 else stop, stride) if size else slice(0, 0))
    return tuple(slices)


def reassociated(array: Array, shape: Sequence[int]) -> Array:
    """`array` with the same elements in row-major order laid out as `shape`."""
    if int(np.prod(shape, dtype=np.int64)) != array.size:
        raise InputError(f"cannot lay {array.size} elements out as {list(shape)}")
    return array.reshape(shape).copy()


def gather(interpreter: ReferenceInterpreter, source: Array, indices: Sequence[Any]) -> Any:
    """Elements of `source` at one index, or an array of indices, per dimension.

    InputError for an index outside; in lanes that are not live it is not read.
    """
    checked: list[Array] = []
    for index, size in zip(indices, source.shape, strict=True):
        outside = (np.asarray(index) < 0) | (np.asarray(index) >= size)
        if interpreter.lanes is not None:
            outside = outside & interpreter.lanes
        if np.any(outside):
            wrong = np.broadcast_to(index, outside.shape)[outside].flat[0]
            raise InputError(f"index {wrong} is outside of a dimension of size {size}")
        checked.append(np.clip(index, 0, max(size - 1, 0)))
    return source[tuple(checked)]


@register_impls
class ReferenceTensor(InterpreterFunctions):
    """The tensor dialect."""

    @impl(tensor.EmptyOp)
    def run_empty(self, _: Interpreter, op: tensor.EmptyOp, args: PythonValues) -> PythonValues:
        """A tensor whose contents are undefined."""
        return (undefined(dynamic_shape(op.tensor, args), element_dtype(op.tensor.type)),)

    @impl(tensor.DimOp)
    def run_dim(self, _: Interpreter, op: tensor.DimOp, args: PythonValues) -> PythonValues:
        """The size of one dimension."""
        source, index = args[0], single(args[1], "a dimension")
        if not 0 <= index < np.ndim(source):
            raise InputError(f"dimension {index} of a tensor of rank {np.ndim(source)}")
        return (np.int64(np.shape(source)[index]),)

    @impl(tensor.SplatOp)
    def run_splat(self, _: Interpreter, op: tensor.SplatOp, args: PythonValues) -> PythonValues:
        """A tensor of one value."""
        return (np.full(dynamic_shape(op.result, args[1:]), args[0]),)

    @impl(tensor.FromElementsOp)
    def run_from_elements(
        self, _: Interpreter, op: tensor.FromElementsOp, args: PythonValues
    ) -> PythonValues:
        """A tensor of the given elements in row-major order."""
        shape = dynamic_shape(op.result, ())
        elements: Array = np.array(args, element_dtype(op.result.type))
        return (elements.reshape(shape),)

    @impl(tensor.ExtractOp)
    def run_extract(
        self, interpreter: Interpreter, op: tensor.ExtractOp, args: PythonValues
    ) -> PythonValues:
        """One element, or one for each point of a structured body."""
        assert isinstance(interpreter, ReferenceInterpreter)
        return (gather(interpreter, args[0], args[1:]),)

    @impl(tensor.InsertOp)
    def run_insert(self, _: Interpreter, op: tensor.InsertOp, args: PythonValues) -> PythonValues:
        """The tensor with one element replaced."""
        value, target = args[0], args[1].copy()
        at = tuple(single(index, "an index") for index in args[2:])
        slice_of(target.shape, at, [1] * len(at), [1] * len(at))
        target[at] = value
        return (target,)

    @impl(tensor.ExtractSliceOp)
    def run_extract_slice(
        self, interpreter: Interpreter, op: tensor.ExtractSliceOp, args: PythonValues
    ) -> PythonValues:
        """A strided part of a tensor."""
        source = args[0]
        offsets, sizes, strides = slice_operands(interpreter, op)
        part = source[slice_of(source.shape, offsets, sizes, strides)]
        static = integers(op, "static_sizes")
        return (without_units(part, static, tensor_shape(op.result.type)).copy(),)

    @impl(tensor.InsertSliceOp)
    def run_insert_slice(
        self, interpreter: Interpreter, op: tensor.InsertSliceOp, args: PythonValues
    ) -> PythonValues:
        """The tensor with a strided part replaced."""
        source, target = args[0], args[1].copy()
        offsets, sizes, strides = slice_operands(interpreter, op)
        if int(np.prod(sizes, dtype=np.int64)) != source.size:
            raise InputError(f"cannot insert {source.size} elements as {sizes}")
        target[slice_of(target.shape, offsets, sizes, strides)] = source.reshape(sizes)
        return (target,)

    @impl(tensor.ConcatOp)
    def run_concat(self, _: Interpreter, op: tensor.ConcatOp, args: PythonValues) -> PythonValues:
        """The tensors one after the other along a dimension."""
        return (np.concatenate(args, axis=op.dim.value.data),)

    @impl(tensor.CollapseShapeOp)
    def run_collapse_shape(
        self, _: Interpreter, op: tensor.CollapseShapeOp, args: PythonValues
    ) -> PythonValues:
        """The same elements with groups of dimensions as one each."""
        groups = [
            [cast(Any, index).value.data for index in cast(Sequence[Attribute], group)]
            for group in cast(ArrayAttr[ArrayAttr[Attribute]], op.reassociation)
        ]
        sizes = [
            int(np.prod([args[0].shape[index] for index in group], dtype=np.int64))
            for group in groups
        ]
        return (reassociated(args[0], sizes),)

    @impl(tensor.ExpandShapeOp)
    def run_expand_shape(
        self, _: Interpreter, op: tensor.ExpandShapeOp, args: PythonValues
    ) -> PythonValues:
        """The same elements with dimensions taken apart."""
        shape = mixed(integers(op, "static_output_shape"), args[1:])
        return (reassociated(args[0], shape),)

    @impl(tensor.ReshapeOp)
    def run_reshape(self, _: Interpreter, op: tensor.ReshapeOp, args: PythonValues) -> PythonValues:
        """The same elements in the shape that a tensor tells."""
        return (reassociated(args[0], [int(size) for size in args[1]]),)

    @impl(tensor.PadOp)
    def run_pad(
        self, interpreter: Interpreter, op: tensor.PadOp, args: PythonValues
    ) -> PythonValues:
        """The source with what the region yields around it."""
        source: Array = args[0]
        dynamic_low = len(op.low)
        low = mixed(integers(op, "static_low"), args[1 : 1 + dynamic_low])
        high = mixed(integers(op, "static_high"), args[1 + dynamic_low :])
        if min([0, *low, *high]) < 0:
            raise InputError(f"expected padding of 0 or more, got {min([*low, *high])}")
        shape = [sum(sizes) for sizes in zip(low, source.shape, high, strict=True)]
        padded = _generated(interpreter, op.region, shape, source.dtype)
        padded[slice_of(shape, low, source.shape, [1] * len(shape))] = source
        return (padded,)

    @impl_terminator(tensor.YieldOp)
    def run_yield(
        self, _: Interpreter, op: tensor.YieldOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        """Give the operands back."""
        return ReturnedValues(args), ()


def slice_operands(interpreter: Interpreter, op: Operation) -> list[list[int]]:
    """Offsets, sizes and strides of an op that has each as static values and operands."""
    return [
        mixed(integers(op, f"static_{name}"), interpreter.get_values(getattr(op, name)))
        for name in ("offsets", "sizes", "strides")
    ]


def without_units(part: Array, sizes: Sequence[int], shape: Sequence[int | None]) -> Array:
    """`part` without the static dimensions of 1 in `sizes` that a rank-reduced `shape` lacks."""
    static = [None if size == DYNAMIC else size for size in sizes]
    dropped: list[int] = []
    for axis, size in enumerate(static):
        kept = axis - len(dropped)
        if kept < len(shape) and shape[kept] == size:
            continue
        if size != 1:
            raise InputError(f"a slice of sizes {static} is not {list(shape)}")
        dropped.append(axis)
    return np.squeeze(part, axis=tuple(dropped))


def _generated(
    interpreter: Interpreter, region: Region, shape: Sequence[int], dtype: np.dtype[Any]
) -> Array:
    """A tensor of what `region` yields for each index, all indices at once."""
    grids = np.indices(shape, dtype=np.int64, sparse=True)
    (value,) = interpreter.run_ssacfg_region(region, tuple(grids))
    return np.broadcast_to(np.asarray(value, dtype), shape).copy()


def _run_generate(
    interpreter: ReferenceInterpreter, op: Operation, args: PythonValues
) -> PythonValues:
    shape = dynamic_shape(op.results[0], args)
    dtype = element_dtype(op.results[0].type)
    return (_generated(interpreter, op.regions[0], shape, dtype),)


def _run_rank(_: ReferenceInterpreter, op: Operation, args: PythonValues) -> PythonValues:
    return (np.int64(np.ndim(args[0])),)


BY_NAME: dict[str, NamedEvaluation] = {
    "tensor.cast": unchanged,
    "tensor.generate": _run_generate,
    "tensor.rank": _run_rank,
}
"""Ops evaluated by name; xDSL has no class for most of them."""
