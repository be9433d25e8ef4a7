"""Dispatches: the tensors that a kernel sees, and its runs over a grid of workgroups.

A kernel takes its arguments in order, then one writable tensor for each result that is not tied
to an argument. A tied result is the argument's tensor after the kernel has updated its own copy
of it: values have no place in memory that two names could share.

Where a kernel never asks which workgroup it is, one run computes everything; where it does, the
workgroups run one after the other, x fastest, on the same tensors.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.ir import Region, SSAValue

from ...dialects import flow, iree_tensor_ext
from ..element_types import Array, InputError
from .control import single
from .interpreter import NamedEvaluation, ReferenceInterpreter, unchanged
from .tensor import dynamic_shape, slice_of, slice_operands, without_units
from .values import element_dtype, integers, is_tensor, tensor_shape, undefined


@dataclass
class DispatchTensor:
    """A tensor as a kernel sees it: loaded and stored by slices."""

    array: Array


@dataclass
class Grid:
    """Where in the grid of workgroups a kernel runs."""

    count: tuple[int, int, int] = (1, 1, 1)
    position: tuple[int, int, int] = (0, 0, 0)


@dataclass
class Kernel:
    """Code with the values that it is dispatched with."""

    body: Region
    count: Region
    """Takes the workload and gives the workgroup counts; may be empty."""
    workload: PythonValues
    arguments: Sequence[tuple[SSAValue, Any]]
    """The operands and their values."""
    results: Sequence[SSAValue]
    tied: Sequence[int | None]
    """For each result, the number of the argument that it updates."""
    result_dims: Sequence[Any]
    """The dynamic dimensions of all results, in order."""


def run_kernel(interpreter: ReferenceInterpreter, kernel: Kernel) -> PythonValues:
    """The results of a dispatch."""
    updated = set(kernel.tied)
    values = [
        DispatchTensor(value.copy() if number in updated else value)
        if is_tensor(operand.type)
        else value
        for number, (operand, value) in enumerate(kernel.arguments)
    ]
    dims = iter(kernel.result_dims)
    results: list[Any] = []
    for result, number in zip(kernel.results, kernel.tied, strict=True):
        sizes = [next(dims) for size in tensor_shape(result.type) if size is None]
        if number is None:
            empty = undefined(dynamic_shape(result, sizes), element_dtype(result.type))
            values.append(DispatchTensor(empty))
        results.append(values[-1] if number is None else values[number])
    _run_workgroups(interpreter, kernel, tuple(values))
    return tuple(result.array for result in results)


def _run_workgroups(
    interpreter: ReferenceInterpreter, kernel: Kernel, values: PythonValues
) -> None:
    outer = interpreter.grid
    try:
        for grid in _grids(interpreter, kernel):
            interpreter.grid = grid
            interpreter.run_ssacfg_region(kernel.body, values, "workgroup")
    finally:
        interpreter.grid = outer


def _grids(interpreter: ReferenceInterpreter, kernel: Kernel) -> list[Grid]:
    if not any(isinstance(op, flow.DispatchWorkgroupIDOp) for op in kernel.body.walk()):
        return [Grid()]
    if not kernel.count.blocks:
        raise InputError("a kernel that asks for its workgroup has no region that counts them")
    counts = interpreter.run_ssacfg_region(kernel.count, kernel.workload, "count")
    x, y, z = (single(count, "a workgroup count") for count in counts)
    return [
        Grid((x, y, z), (at_x, at_y, at_z))
        for at_z, at_y, at_x in product(range(z), range(y), range(x))
    ]


def _grid(interpreter: Interpreter) -> Grid:
    grid = interpreter.grid if isinstance(interpreter, ReferenceInterpreter) else None
    if not isinstance(grid, Grid):
        raise InputError("not inside of a dispatch")
    return grid


@register_impls
class ReferenceTensorExt(InterpreterFunctions):
    """The iree_tensor_ext dialect, and what flow has for use in kernels."""

    @impl(iree_tensor_ext.DispatchTensorLoadOp)
    def run_load(
        self, interpreter: Interpreter, op: iree_tensor_ext.DispatchTensorLoadOp, _: PythonValues
    ) -> PythonValues:
        """A slice of a tensor that the kernel was given."""
        (source,) = interpreter.get_values([op.source])
        offsets, sizes, strides = slice_operands(interpreter, op)
        part = source.array[slice_of(source.array.shape, offsets, sizes, strides)]
        shape = tensor_shape(op.result.type)
        return (without_units(part, integers(op, "static_sizes"), shape).copy(),)

    @impl(iree_tensor_ext.DispatchTensorStoreOp)
    def run_store(
        self, interpreter: Interpreter, op: iree_tensor_ext.DispatchTensorStoreOp, _: PythonValues
    ) -> PythonValues:
        """Overwrite a slice of a tensor that the kernel was given."""
        value, target = interpreter.get_values([op.value, op.target])
        offsets, sizes, strides = slice_operands(interpreter, op)
        if int(np.prod(sizes, dtype=np.int64)) != value.size:
            raise InputError(f"cannot store {value.size} elements as {sizes}")
        slices = slice_of(target.array.shape, offsets, sizes, strides)
        target.array[slices] = value.reshape(sizes)
        return ()

    @impl(iree_tensor_ext.DispatchWorkgroupCountFromSliceOp)
    def run_count_from_slice(
        self,
        _: Interpreter,
        op: iree_tensor_ext.DispatchWorkgroupCountFromSliceOp,
        args: PythonValues,
    ) -> PythonValues:
        """One workgroup: the kernel computes everything at once."""
        return (np.int64(1),) * 3

    @impl(iree_tensor_ext.DispatchWorkgroupCountSplitReductionModifierOp)
    def run_count_split_reduction(
        self,
        interpreter: Interpreter,
        op: iree_tensor_ext.DispatchWorkgroupCountSplitReductionModifierOp,
        args: PythonValues,
    ) -> PythonValues:
        """The counts as they are: no reduction is split."""
        return args[:3]

    @impl(iree_tensor_ext.BitCastOp)
    def run_bitcast(
        self, interpreter: Interpreter, op: iree_tensor_ext.BitCastOp, args: PythonValues
    ) -> PythonValues:
        """The same bytes as another type."""
        return (seen_as(args[0], op.result, interpreter.get_values(op.result_dims)),)

    @impl(flow.DispatchWorkgroupIDOp)
    def run_workgroup_id(
        self, interpreter: Interpreter, op: flow.DispatchWorkgroupIDOp, _: PythonValues
    ) -> PythonValues:
        """Where the workgroup stands in one dimension."""
        return (np.int64(_grid(interpreter).position[op.dimension.value.data]),)

    @impl(flow.DispatchWorkgroupCountOp)
    def run_workgroup_count(
        self, interpreter: Interpreter, op: flow.DispatchWorkgroupCountOp, _: PythonValues
    ) -> PythonValues:
        """How many workgroups there are in one dimension."""
        return (np.int64(_grid(interpreter).count[op.dimension.value.data]),)


BY_NAME: dict[str, NamedEvaluation] = dict.fromkeys(
    (
        "flow.dispatch.tie_shape",
        "iree_encoding.set_encoding",
        "iree_encoding.unset_encoding",
        "iree_tensor_ext.compute_barrier.end",
        "iree_tensor_ext.compute_barrier.start",
        "iree_tensor_ext.dispatch.workload.ordinal",
    ),
    unchanged,
)


def seen_as(array: Array, result: SSAValue, sizes: Sequence[Any]) -> Array:
    """The bytes of `array` as a tensor of the type of `result`; InputError for another length."""
    dtype = element_dtype(result.type)
    shape = dynamic_shape(result, sizes)
    content = np.frombuffer(array.tobytes(), np.uint8)
    if int(np.prod(shape, dtype=np.int64)) * dtype.itemsize != content.size:
        raise InputError(f"cannot see {content.size} bytes as {result.type}")
    return content.view(dtype).reshape(shape).copy()
