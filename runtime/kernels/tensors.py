"""Ops of the tensor dialect on numpy arrays.

Values are immutable, so slices, reshapes and broadcasts are views; an op that updates a tensor
copies it first. `tensor.empty` and `tensor.splat` are single elements of stride 0.
"""

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects import tensor
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Attribute, Block, Operation

from ...dialects.diagnostics import fail
from .affine_maps import check_indices, gather_rows, loop_positions, trailing_loops
from .program import Compiler, Env, Lowering, Step
from .regions import captured_values, compile_region
from .shapes import Shape, kept_dimensions, mixed, slice_reader
from .types import dtype_of, element_type


def emit_checked(
    compiler: Compiler,
    op: Operation,
    step: Step,
    operands: tuple[int, ...],
    results: tuple[int, ...] | None = None,
) -> None:
    """Emit a step that may raise `IndexError` or `ValueError`, which becomes an error at `op`.

    Its results are the slots of the op's unless others are named.
    """

    def checked(env: Env) -> None:
        try:
            step(env)
        except (IndexError, ValueError) as error:
            fail(op, str(error))

    if results is None:
        results = compiler.slots(op.results)
    compiler.emit(checked, operands, results)


def static_shape(type_: Attribute) -> Shape:
    """The shape of a shaped type; dynamic dimensions are `DYNAMIC_INDEX`."""
    assert isinstance(type_, ShapedType)
    return tuple(type_.get_shape())


def lower_empty(compiler: Compiler, op: tensor.EmptyOp) -> None:
    """`tensor.empty`: zeros of stride 0, since its contents may be anything."""
    _lower_repeated(compiler, op, op.dynamic_sizes, None)


def lower_splat(compiler: Compiler, op: tensor.SplatOp) -> None:
    """`tensor.splat`."""
    _lower_repeated(compiler, op, op.dynamicSizes, compiler.slot(op.input))


def _lower_repeated(compiler: Compiler, op: Operation, dims: Any, source: int | None) -> None:
    kind = op.results[0].type
    shape = mixed(compiler, static_shape(kind), tuple(dims))
    read = shape.reader()
    zero = np.zeros((), dtype_of(element_type(kind)))
    result = compiler.slot(op.results[0])

    def step(env: Env) -> None:
        env[result] = np.broadcast_to(zero if source is None else env[source], read(env))

    emit_checked(compiler, op, step, shape.slots if source is None else (source, *shape.slots))


def lower_dim(compiler: Compiler, op: tensor.DimOp) -> None:
    """`tensor.dim`."""
    source, index, result = compiler.slots((op.source, op.index, op.result))

    def step(env: Env) -> None:
        env[result] = np.int64(env[source].shape[env[index]])

    emit_checked(compiler, op, step, (source, index))


def lower_cast(compiler: Compiler, op: tensor.CastOp) -> None:
    """`tensor.cast`: only the type changes."""
    compiler.alias(op.results[0], op.operands[0])


def lower_extract(compiler: Compiler, op: tensor.ExtractOp) -> None:
    """`tensor.extract`: in a region a gather at index arrays, checked against the bounds.

    Where lanes may be computed to be thrown away (`scf.if` in a region), indices are clipped.
    """
    source, result = compiler.slots((op.tensor, op.result))
    indices = compiler.slots(op.indices)
    clip = compiler.predicated
    loops = trailing_loops(op.indices)

    def step(env: Env) -> None:
        array, index = env[source], tuple([env[slot] for slot in indices])
        if clip:
            index = tuple(
                np.clip(at, 0, max(size - 1, 0))
                for at, size in zip(index, array.shape, strict=True)
            )
        check_indices(index, array.shape)
        env[result] = array[index] if clip or not loops else gather_rows(array, index, loops)

    emit_checked(compiler, op, step, (source, *indices))


def lower_insert(compiler: Compiler, op: tensor.InsertOp) -> None:
    """`tensor.insert`."""
    scalar, dest, result = compiler.slots((op.scalar, op.dest, op.result))
    indices = compiler.slots(op.indices)

    def step(env: Env) -> None:
        index = tuple(env[slot] for slot in indices)
        check_indices(index, env[dest].shape)
        updated = np.array(env[dest])
        updated[index] = env[scalar]
        env[result] = updated

    emit_checked(compiler, op, step, (scalar, dest, *indices))


def lower_from_elements(compiler: Compiler, op: tensor.FromElementsOp) -> None:
    """`tensor.from_elements`."""
    elements = compiler.slots(op.elements)
    result = compiler.slot(op.result)
    shape, dtype = static_shape(op.result.type), dtype_of(element_type(op.result.type))

    def step(env: Env) -> None:
        env[result] = np.array([env[slot] for slot in elements], dtype).reshape(shape)

    compiler.emit(step, elements, (result,))


def lower_extract_slice(compiler: Compiler, op: tensor.ExtractSliceOp) -> None:
    """`tensor.extract_slice`, rank-reducing or not."""
    source, result = compiler.slots((op.source, op.result))
    reader = slice_reader(compiler, op)
    kept = kept_dimensions(reader.static_sizes, static_shape(op.result.type))
    drop = tuple(slice(None) if axis in kept else 0 for axis in range(len(reader.static_sizes)))
    reducing = len(kept) < len(drop)

    def step(env: Env) -> None:
        array = env[source]
        part = array[reader.index(env, array.shape)]
        env[result] = part[drop] if reducing else part

    emit_checked(compiler, op, step, (source, *reader.slots))


def lower_insert_slice(compiler: Compiler, op: tensor.InsertSliceOp) -> None:
    """`tensor.insert_slice` (and `parallel_insert_slice`'s sequential meaning)."""
    source, dest, result = compiler.slots((op.source, op.dest, op.result))
    reader = slice_reader(compiler, op)

    def step(env: Env) -> None:
        updated = np.array(env[dest])
        index = reader.index(env, updated.shape)
        updated[index] = env[source].reshape(reader.sizes(env))
        env[result] = updated

    emit_checked(compiler, op, step, (source, dest, *reader.slots))


def lower_collapse_shape(compiler: Compiler, op: tensor.CollapseShapeOp) -> None:
    """`tensor.collapse_shape`."""
    source, result = compiler.slots((op.src, op.result))
    groups = [tuple(axis.value.data for axis in group) for group in op.reassociation]

    def step(env: Env) -> None:
        array = env[source]
        env[result] = array.reshape([prod(array.shape[axis] for axis in group) for group in groups])

    compiler.emit(step, (source,), (result,))


def lower_expand_shape(compiler: Compiler, op: tensor.ExpandShapeOp) -> None:
    """`tensor.expand_shape`."""
    source, result = compiler.slots((op.src, op.result))
    shape = mixed(compiler, op.static_output_shape, op.dynamic_output_shape)
    read = shape.reader()

    def step(env: Env) -> None:
        env[result] = env[source].reshape(read(env))

    emit_checked(compiler, op, step, (source, *shape.slots))


def lower_reshape(compiler: Compiler, op: tensor.ReshapeOp) -> None:
    """`tensor.reshape`."""
    source, shape, result = compiler.slots((op.source, op.shape, op.result))

    def step(env: Env) -> None:
        env[result] = env[source].reshape(tuple(int(size) for size in env[shape]))

    emit_checked(compiler, op, step, (source, shape))


def lower_concat(compiler: Compiler, op: tensor.ConcatOp) -> None:
    """`tensor.concat`."""
    inputs = compiler.slots(op.inputs)
    result = compiler.slot(op.result)
    axis = op.dim.value.data

    def step(env: Env) -> None:
        env[result] = np.concatenate([env[slot] for slot in inputs], axis)

    emit_checked(compiler, op, step, inputs)


def lower_pad(compiler: Compiler, op: tensor.PadOp) -> None:
    """`tensor.pad`: a constant or a value computed from the position; negative padding crops."""
    source, result = compiler.slots((op.source, op.result))
    low = mixed(compiler, op.static_low, op.low)
    high = mixed(compiler, op.static_high, op.high)
    read_low, read_high = low.reader(), high.reader()
    dtype = dtype_of(element_type(op.result.type))
    fill, captured = region_filler(compiler, op.region.block)

    def step(env: Env) -> None:
        array, before, after = env[source], read_low(env), read_high(env)
        shape = tuple(
            size + left + right
            for size, left, right in zip(array.shape, before, after, strict=True)
        )
        padded = np.empty(shape, dtype)
        padded[...] = fill(env, shape)
        inner = tuple(
            slice(max(left, 0), max(left, 0) + max(0, size + min(left, 0) + min(right, 0)))
            for size, left, right in zip(array.shape, before, after, strict=True)
        )
        cropped = tuple(
            slice(max(-left, 0), size - max(-right, 0))
            for size, left, right in zip(array.shape, before, after, strict=True)
        )
        padded[inner] = array[cropped]
        env[result] = padded

    emit_checked(compiler, op, step, (source, *low.slots, *high.slots, *captured))


def lower_generate(compiler: Compiler, op: Operation) -> None:
    """`tensor.generate`: the region evaluated on all positions at once."""
    kind = op.results[0].type
    result = compiler.slot(op.results[0])
    shape = mixed(compiler, static_shape(kind), tuple(op.operands))
    read = shape.reader()
    fill, captured = region_filler(compiler, op.regions[0].block)

    def step(env: Env) -> None:
        extents = read(env)
        env[result] = np.broadcast_to(fill(env, extents), extents)

    emit_checked(compiler, op, step, (*shape.slots, *captured))


def region_filler(
    compiler: Compiler, block: Block
) -> tuple[Callable[[Env, Shape], Any], tuple[int, ...]]:
    """A region from positions to a value as a function of the shape, and the slots it captures."""
    assert block.last_op is not None
    region = compile_region(compiler, block, tuple(block.last_op.operands))
    captured = compiler.slots(captured_values(block))

    def fill(env: Env, shape: Shape) -> Any:
        for axis, slot in enumerate(region.arguments):
            if slot is not None:
                env[slot] = loop_positions(axis, len(shape), 0, shape[axis])
        region.code.execute(env)
        return env[region.wanted[0]]

    return fill, captured


TENSOR_LOWERINGS: dict[str, Lowering] = {
    tensor.CastOp.name: lower_cast,
    tensor.CollapseShapeOp.name: lower_collapse_shape,
    tensor.ConcatOp.name: lower_concat,
    tensor.DimOp.name: lower_dim,
    tensor.EmptyOp.name: lower_empty,
    tensor.ExpandShapeOp.name: lower_expand_shape,
    tensor.ExtractOp.name: lower_extract,
    tensor.ExtractSliceOp.name: lower_extract_slice,
    tensor.FromElementsOp.name: lower_from_elements,
    tensor.InsertOp.name: lower_insert,
    tensor.InsertSliceOp.name: lower_insert_slice,
    tensor.PadOp.name: lower_pad,
    tensor.ReshapeOp.name: lower_reshape,
    tensor.SplatOp.name: lower_splat,
    "tensor.generate": lower_generate,
}
"""By op name."""
