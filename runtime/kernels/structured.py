"""Structured ops (linalg.generic and what reduces to it) as whole-array numpy.

Each operand becomes an array over the op's loops (`affine_maps.operand_view`), each region op one
numpy call on such arrays; no loop runs over elements:

- loops all parallel: the yielded arrays, broadcast to the loops and permuted, are the results;
- reductions that numpy or BLAS knows: see `reduction` and `contraction`;
- other reductions (argmax and the like): the region runs once for each point of the reduction
  loops, on arrays over the parallel ones.

Where a region computes much and the space is large, it is evaluated in blocks along one loop, so
that the temporary arrays stay in the processor's cache.

Does not handle: output maps that are no projected permutation of the parallel loops.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from ...dialects.diagnostics import fail
from .affine_maps import Shape, operand_view, permuted_axes
from .program import Compiler, Env
from .reduction import Reduction, plan_reductions, reduction_points
from .regions import captured_values, compile_region
from .types import Array, dtype_of, element_type

_BLOCKED = 1 << 18
"""Spaces of at least so many points are evaluated in blocks,"""
_BLOCK = 1 << 16
"""of about so many."""

SlotViews: TypeAlias = list[tuple[int, Array]]
"""Arrays over the loops, with the slots of the block arguments they are for."""


@dataclass(frozen=True, slots=True)
class Structured:
    """A structured op, whatever its name: maps, loops and the region that combines scalars."""

    op: Operation
    """The op whose results these are, and the one to blame in errors."""
    maps: tuple[AffineMap, ...]
    """For each input, then for each output."""
    parallel: tuple[bool, ...]
    """For each loop: whether it is parallel, else it reduces."""
    inputs: tuple[SSAValue, ...]
    outputs: tuple[SSAValue, ...]
    block: Block
    """One argument for each input, then for each output; yields the outputs' new values."""

    @property
    def operands(self) -> tuple[SSAValue, ...]:
        """Inputs, then outputs."""
        return (*self.inputs, *self.outputs)


def lower_structured(compiler: Compiler, structured: Structured) -> None:
    """Compile a structured op into one step.

    Raises:
        OpError: for what the module's text says is not handled.
    """
    evaluation = _Evaluation(compiler, structured)
    operands = compiler.slots(structured.operands)
    captured = compiler.slots(captured_values(structured.block))
    results = compiler.slots(structured.op.results)

    def step(env: Env) -> None:
        try:
            values = evaluation.evaluate(env, [env[slot] for slot in operands])
        except IndexError as error:
            fail(structured.op, str(error))
        for slot, value in zip(results, values, strict=True):
            env[slot] = value

    compiler.emit(step, (*operands, *captured), results)


class _Evaluation:
    """How one structured op is evaluated."""

    def __init__(self, compiler: Compiler, structured: Structured) -> None:
        self.parallel = structured.parallel
        self.rank = len(structured.parallel)
        self.axes = tuple(loop for loop in range(self.rank) if not structured.parallel[loop])
        self.extents = _extents(structured)
        inputs = len(structured.inputs)
        block, maps = structured.block, structured.maps
        self.reductions: list[Reduction] | None = None
        if self.axes:
            self.reductions = plan_reductions(block, inputs, maps, structured.parallel)
        if self.reductions is None:
            assert block.last_op is not None
            self.region = compile_region(compiler, block, tuple(block.last_op.operands))
        else:
            wanted = [value for reduction in self.reductions for value in reduction.values]
            skip = frozenset(op for reduction in self.reductions for op in reduction.replaced)
            self.region = compile_region(compiler, block, wanted, skip)
        views = [operand_view(affine_map) for affine_map in maps]
        slots = self.region.arguments
        self.inputs = [
            (at, slot, views[at]) for at, slot in enumerate(slots[:inputs]) if slot is not None
        ]
        self.outputs = list(enumerate(views[inputs:], inputs))
        self.output_slots = slots[inputs:]
        layouts = [_layout(structured, affine_map) for affine_map in maps[inputs:]]
        self.layouts = layouts
        self.placers = [_placer(self.rank, layout) for layout in layouts]
        self.dtypes = [dtype_of(element_type(out.type)) for out in structured.outputs]

    def evaluate(self, env: Env, arrays: list[Array]) -> list[Array]:
        """The results for these operands."""
        extents = self.extents(arrays)
        inputs = [(slot, view(arrays[at], extents)) for at, slot, view in self.inputs]
        outs = [view(arrays[at], extents) for at, view in self.outputs]
        if self.axes and self.reductions is None:
            return self._placed(self._sequential(env, inputs, outs, extents), extents)
        if self._is_blocked(extents):
            return self._blocks(env, inputs, outs, extents)
        self.region.fill_indices(env, self.rank, [(0, extent) for extent in extents])
        return self._placed(self._at_once(env, inputs, outs, extents), extents)

    def _is_blocked(self, extents: Shape) -> bool:
        if len(self.region.code.run) < 2 or prod(extents) < _BLOCKED:
            return False
        return self.reductions is None or not any(part.contraction for part in self.reductions)

    def _run(self, env: Env, inputs: SlotViews, outs: Sequence[Array]) -> list[Any]:
        for slot, view in inputs:
            env[slot] = view
        for slot, out in zip(self.output_slots, outs, strict=True):
            if slot is not None:
                env[slot] = out
        self.region.code.execute(env)
        return [env[slot] for slot in self.region.wanted]

    def _at_once(self, env: Env, inputs: SlotViews, outs: list[Array], extents: Shape) -> list[Any]:
        """New output values over a space, which may be a block of the whole."""
        values = self._run(env, inputs, outs)
        if self.reductions is None:
            return values
        results: list[Any] = []
        for reduction, out in zip(self.reductions, outs, strict=True):
            count = len(reduction.values)
            results.append(reduction.apply(values[:count], out, extents))
            values = values[count:]
        return results

    def _blocks(
        self, env: Env, inputs: SlotViews, outs: list[Array], extents: Shape
    ) -> list[Array]:
        """Evaluate a large space in blocks along one loop."""
        axis = self._block_axis(extents)
        length = max(1, _BLOCK * extents[axis] // prod(extents))
        ranges = [(0, extent) for extent in extents]
        results = [
            np.empty(tuple(1 if loop is None else extents[loop] for loop in layout), dtype)
            for layout, dtype in zip(self.layouts, self.dtypes, strict=True)
        ]
        targets = [
            view(result, extents) for result, (_, view) in zip(results, self.outputs, strict=True)
        ]
        for start in range(0, extents[axis], length):
            stop = min(start + length, extents[axis])
            ranges[axis] = (start, stop)
            self.region.fill_indices(env, self.rank, ranges)
            parts = [(slot, _part(view, axis, start, stop)) for slot, view in inputs]
            old = [_part(out, axis, start, stop) for out in outs]
            block = (*extents[:axis], stop - start, *extents[axis + 1 :])
            values = self._at_once(env, parts, old, block)
            if not self.parallel[axis]:
                outs = values
                continue
            for target, value in zip(targets, values, strict=True):
                _part(target, axis, start, stop)[...] = value
        return results if self.parallel[axis] else self._placed(outs, extents)

    def _block_axis(self, extents: Shape) -> int:
        """The loop to cut: the outermost parallel one that is long enough, else the longest."""
        total = prod(extents)
        for loop, extent in enumerate(extents):
            if self.parallel[loop] and total // extent <= _BLOCK:
                return loop
        return max(range(self.rank), key=lambda loop: (extents[loop], -loop))

    def _sequential(
        self, env: Env, inputs: SlotViews, outs: list[Array], extents: Shape
    ) -> list[Array]:
        """Run the region for each point of the reduction loops, in their order."""
        self.region.fill_indices(env, self.rank, [(0, extent) for extent in extents])
        moving = [*inputs, *((slot, env[slot]) for slot in self.region.loops.values())]
        for point in reduction_points(extents, self.axes):
            parts = [(slot, view[_pinned(point, view.shape)]) for slot, view in moving]
            outs = self._run(env, parts, outs)
        return outs

    def _placed(self, values: Sequence[Any], extents: Shape) -> list[Array]:
        """Values over the loops (reduced ones of extent 1) in their outputs' layouts."""
        space = tuple(
            extent if parallel else 1
            for extent, parallel in zip(extents, self.parallel, strict=True)
        )
        return [place(value, space) for place, value in zip(self.placers, values, strict=True)]


def _extents(structured: Structured) -> Callable[[list[Array]], Shape]:
    """How to find the extents of the loops in the operands."""
    sources: dict[int, tuple[int, int]] = {}
    for position, affine_map in enumerate(structured.maps):
        for axis, result in enumerate(affine_map.results):
            if isinstance(result, AffineDimExpr):
                sources.setdefault(result.position, (position, axis))
    for loop in range(len(structured.parallel)):
        if loop not in sources:
            fail(structured.op, f"expected an operand with a dimension for loop d{loop} alone")
    ordered = [sources[loop] for loop in range(len(structured.parallel))]
    static = _static_extents(structured, ordered)
    if static is not None:
        return lambda arrays: static
    return lambda arrays: tuple(arrays[operand].shape[axis] for operand, axis in ordered)


def _static_extents(structured: Structured, sources: Sequence[tuple[int, int]]) -> Shape | None:
    extents: list[int] = []
    for operand, axis in sources:
        kind = structured.operands[operand].type
        assert isinstance(kind, ShapedType)
        extents.append(kind.get_shape()[axis])
    return tuple(extents) if min(extents, default=0) >= 0 else None


def _layout(structured: Structured, affine_map: AffineMap) -> tuple[int | None, ...]:
    """The loop of each dimension of an output; None for one of extent 1 that has none."""
    axes = permuted_axes(affine_map)
    loops = {loop for loop, parallel in enumerate(structured.parallel) if parallel}
    if axes is None or {axis for axis in axes if axis is not None} != loops:
        fail(
            structured.op,
            f"expected an output map that permutes the parallel loops, got {affine_map}",
        )
    return axes


def _placer(rank: int, layout: tuple[int | None, ...]) -> Callable[[Any, Shape], Array]:
    """How to bring a value over the loops, broadcast to their space, into an output's layout."""
    kept = [loop for loop in layout if loop is not None]
    reduced = [loop for loop in range(rank) if loop not in kept]
    order = (*kept, *reduced)
    index = tuple(np.newaxis if loop is None else slice(None) for loop in layout)
    index += (0,) * len(reduced)
    plain = layout == tuple(range(rank))

    def place(value: Any, space: Shape) -> Array:
        array = np.asarray(value)
        if array.shape != space:
            array = np.broadcast_to(array, space)
        return array if plain else array.transpose(order)[index]

    return place


def _part(array: Array, axis: int, start: int, stop: int) -> Array:
    """Positions start … stop - 1 of `axis`, unless the array is broadcast there."""
    if array.shape[axis] == 1:
        return array
    return array[(slice(None),) * axis + (slice(start, stop),)]


def _pinned(point: tuple[slice, ...], shape: Shape) -> tuple[slice, ...]:
    """`point`, with the axes along which an array is broadcast left whole."""
    return tuple(slice(None) if size == 1 else at for at, size in zip(point, shape, strict=True))
