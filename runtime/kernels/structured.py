"""Structured ops (linalg.generic and what reduces to it) as whole-array numpy.

Each operand becomes an array over the op's loops (`affine_maps.operand_view`), each region op one
numpy call on such arrays; no loop runs over elements:

- loops all parallel: the yielded arrays, broadcast to the loops and permuted, are the results;
- reductions that numpy or BLAS knows: see `reduction` and `contraction`;
- arg-reductions: see `arg_reduction`;
- other reductions: the region runs once for each point of the reduction loops, on arrays over the
  parallel ones.

Where a region computes much and the space is large, it is evaluated in blocks along one loop, so
that the temporary arrays stay in the processor's cache. What such an op computes for a store that
ends the dispatch is written in place, if nothing that is still read lies there.

Does not handle: output maps that are no projected permutation of the parallel loops.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.dialects.tensor import ExtractOp

from ...dialects.diagnostics import fail
from .affine_maps import Shape, View, operand_view
from .arg_reduction import plan_arg_reduction
from .layout import Structured, extents_of, layout_of, part_of, pinned, placer
from .program import Compiler, Env, Sink
from .reduction import Reduction, plan_reductions, reduction_points
from .regions import captured_values, compile_region, dependent_loops
from .types import Array, dtype_of, element_type

_BLOCKED = 1 << 15
"""Spaces of at least so many points are evaluated in blocks,"""
_BLOCK = 96 << 10
"""whose arrays have at most about so many bytes: more, and each is mapped and unmapped afresh."""
_LONE_BLOCK = 512 << 10
"""The same where a point takes one op, so that there is one such array at a time, soon reused."""

SlotViews: TypeAlias = list[tuple[int, Array]]
"""Arrays over the loops, with the slots of the block arguments they are for."""


def lower_structured(compiler: Compiler, structured: Structured) -> None:
    """Compile a structured op into one step.

    Raises:
        OpError: for what the module's text says is not handled.
    """
    evaluation = _Evaluation(compiler, structured)
    operands = compiler.slots(structured.operands)
    captured = compiler.slots(captured_values(structured.block))
    results = compiler.slots(structured.op.results)
    evaluation.captured = captured
    sinks = compiler.sinks

    def step(env: Env) -> None:
        try:
            values = evaluation.evaluate(env, [env[slot] for slot in operands], sinks.get(results))
        except IndexError as error:
            fail(structured.op, str(error))
        for slot, value in zip(results, values, strict=True):
            env[slot] = value

    compiler.emit(step, (*operands, *captured), results)
    compiler.last_structured = (step, results)


@dataclass(frozen=True, slots=True)
class _Space:
    """What follows from the extents of the loops alone."""

    extents: Shape
    ranges: list[tuple[int, int]]
    parallel: Shape
    """The extents, with 1 for loops that reduce."""
    is_large: bool


class _Evaluation:
    """How one structured op is evaluated."""

    def __init__(self, compiler: Compiler, structured: Structured) -> None:
        self.parallel = structured.parallel
        self.rank = len(structured.parallel)
        self.axes = tuple(loop for loop in range(self.rank) if not structured.parallel[loop])
        self.extents = extents_of(structured)
        self.captured: tuple[int, ...] = ()
        inputs = len(structured.inputs)
        block, maps = structured.block, structured.maps
        self.reductions: list[Reduction] | None = None
        if self.axes:
            self.reductions = plan_reductions(block, inputs, maps, structured.parallel)
        self.arg_reduction = None
        if self.axes and self.reductions is None:
            self.arg_reduction = plan_arg_reduction(block, inputs)
        self.candidates = None
        if self.arg_reduction is not None:
            skip = frozenset(self.arg_reduction.replaced)
            self.candidates = compile_region(compiler, block, self.arg_reduction.values, skip)
        if self.reductions is None:
            assert block.last_op is not None
            self.region = compile_region(compiler, block, tuple(block.last_op.operands))
        else:
            wanted = [value for reduction in self.reductions for value in reduction.values]
            skip = frozenset(op for reduction in self.reductions for op in reduction.replaced)
            self.region = compile_region(compiler, block, wanted, skip)
        views = [operand_view(affine_map) for affine_map in maps]
        slots = self.region.arguments
        self.inputs: list[tuple[int, int, View]] = [
            (at, slot, views[at]) for at, slot in enumerate(slots[:inputs]) if slot is not None
        ]
        self.outputs = list(enumerate(views[inputs:], inputs))
        self.output_slots = slots[inputs:]
        self.layouts = [layout_of(structured, affine_map) for affine_map in maps[inputs:]]
        self.placers = [placer(self.rank, layout) for layout in self.layouts]
        self.dtypes = [dtype_of(element_type(out.type)) for out in structured.outputs]
        kinds = [dtype_of(element_type(operand.type)) for operand in structured.operands]
        self.heavy = _heavy_ops(structured)
        size = _LONE_BLOCK if self.heavy == 1 else _BLOCK
        self.block = size // max(kind.itemsize for kind in kinds)
        self._spaces: dict[Shape, _Space] = {}

    def evaluate(self, env: Env, arrays: list[Array], sink: Sink | None) -> list[Array]:
        """The results for these operands; in the sink's memory if that is free to be written."""
        space = self._space(self.extents(arrays))
        extents = space.extents
        inputs = [(slot, view(arrays[at], extents)) for at, slot, view in self.inputs]
        outs = [view(arrays[at], extents) for at, view in self.outputs]
        if self.axes and self.reductions is None:
            return self._placed(self._by_region(env, inputs, outs, space), space)
        if space.is_large and self.heavy > (sink is None):
            return self._blocks(env, inputs, outs, space, sink)
        self.region.fill_indices(env, self.rank, space.ranges)
        return self._placed(self._at_once(env, inputs, outs, extents), space)

    def _space(self, extents: Shape) -> _Space:
        space = self._spaces.get(extents)
        if space is None:
            contracts = any(part.contraction for part in self.reductions or ())
            pairs = zip(extents, self.parallel, strict=True)
            space = self._spaces[extents] = _Space(
                extents,
                [(0, extent) for extent in extents],
                tuple(extent if parallel else 1 for extent, parallel in pairs),
                prod(extents) >= _BLOCKED and not contracts,
            )
        return space

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
        self, env: Env, inputs: SlotViews, outs: list[Array], space: _Space, sink: Sink | None
    ) -> list[Array]:
        """Evaluate a large space in blocks along one loop."""
        extents = space.extents
        axis = self._block_axis(extents)
        length = max(1, self.block * extents[axis] // prod(extents))
        ranges = space.ranges.copy()
        results = self._results(env, inputs, outs, extents, sink)
        targets = [
            view(result, extents) for result, (_, view) in zip(results, self.outputs, strict=True)
        ]
        for start in range(0, extents[axis], length):
            stop = min(start + length, extents[axis])
            ranges[axis] = (start, stop)
            self.region.fill_indices(env, self.rank, ranges)
            parts = [(slot, part_of(view, axis, start, stop)) for slot, view in inputs]
            old = [part_of(out, axis, start, stop) for out in outs]
            block = (*extents[:axis], stop - start, *extents[axis + 1 :])
            values = self._at_once(env, parts, old, block)
            if not self.parallel[axis]:
                outs = values
                continue
            for target, value in zip(targets, values, strict=True):
                part_of(target, axis, start, stop)[...] = value
        return results if self.parallel[axis] else self._placed(outs, space)

    def _results(
        self, env: Env, inputs: SlotViews, outs: list[Array], extents: Shape, sink: Sink | None
    ) -> list[Array]:
        """Arrays for the results: the sink's memory, unless something that is read overlaps it."""
        shapes = [
            tuple(1 if loop is None else extents[loop] for loop in layout)
            for layout in self.layouts
        ]
        if sink is not None and not self.axes:
            memory = sink(env, shapes[0], self.dtypes[0])
            captured = [env[slot] for slot in self.captured]
            if memory is not None and self._is_free(memory, inputs, outs, captured, extents):
                return [memory]
        return [np.empty(shape, kind) for shape, kind in zip(shapes, self.dtypes, strict=True)]

    def _is_free(
        self,
        memory: Array,
        inputs: SlotViews,
        outs: list[Array],
        captured: Sequence[Any],
        extents: Shape,
    ) -> bool:
        """Whether block after block may overwrite `memory` and still read what it reads.

        What lies at the very place of the result is read before it is overwritten.
        """
        target = self.outputs[0][1](memory, extents)
        read = [view for _, view in inputs]
        read += [out for slot, out in zip(self.output_slots, outs, strict=True) if slot is not None]
        if any(np.may_share_memory(memory, array) for array in captured):
            return False
        return all(
            _same_place(target, view) or not np.may_share_memory(memory, view) for view in read
        )

    def _block_axis(self, extents: Shape) -> int:
        """The loop to cut: the outermost that is long enough, else the longest.

        Of the loops that reduce, only the outermost may be cut, so that their order stays.
        """
        total = prod(extents)
        reducing = [loop for loop in self.axes if extents[loop] > 1][1:]
        loops = [loop for loop in range(self.rank) if loop not in reducing]
        for loop in loops:
            if total // extents[loop] <= self.block:
                return loop
        return max(loops, key=lambda loop: (extents[loop], -loop))

    def _by_region(
        self, env: Env, inputs: SlotViews, outs: list[Array], space: _Space
    ) -> list[Array]:
        """Reduce by a region that is no reduction of numpy's."""
        if self.candidates is not None and self.arg_reduction is not None:
            self.candidates.fill_indices(env, self.rank, space.ranges)
            for slot, view in inputs:
                env[slot] = view
            self.candidates.code.execute(env)
            values = [env[slot] for slot in self.candidates.wanted]
            best = self.arg_reduction.apply(values, outs, space.extents, self.axes)
            if best is not None:
                return best
        return self._sequential(env, inputs, outs, space)

    def _sequential(
        self, env: Env, inputs: SlotViews, outs: list[Array], space: _Space
    ) -> list[Array]:
        """Run the region for each point of the reduction loops, in their order."""
        self.region.fill_indices(env, self.rank, space.ranges)
        moving = [*inputs, *((slot, env[slot]) for slot in self.region.loops.values())]
        for point in reduction_points(space.extents, self.axes):
            parts = [(slot, view[pinned(point, view.shape)]) for slot, view in moving]
            outs = self._run(env, parts, outs)
        return outs

    def _placed(self, values: Sequence[Any], space: _Space) -> list[Array]:
        """Values over the loops (reduced ones of extent 1) in their outputs' layouts."""
        return [
            place(value, space.parallel) for place, value in zip(self.placers, values, strict=True)
        ]


def _heavy_ops(structured: Structured) -> int:
    """How many ops of the region compute an array as large as any; gathers allocate theirs."""
    block = structured.block
    loops = dependent_loops(block, structured.maps)
    ops = [op for op in block.ops if op.results and not isinstance(op, IndexOp | ExtractOp)]
    most = max((len(loops[op.results[0]]) for op in ops), default=0)
    wide = max((len(found) for found in loops.values()), default=0)
    return sum(len(loops[op.results[0]]) == most for op in ops) if most == wide else 0


def _same_place(a: Array, b: Array) -> bool:
    """Whether two arrays are the same elements of memory in the same order."""
    return (
        a.dtype == b.dtype
        and a.shape == b.shape
        and a.strides == b.strides
        and a.ctypes.data == b.ctypes.data
    )
