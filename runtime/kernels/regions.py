"""Regions of scalar ops, compiled to run once on whole arrays."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from .affine_maps import loop_positions, used_dims
from .program import Code, Compiler, Env


@dataclass(slots=True)
class Region:
    """A compiled region: code and the slots by which it is fed and read."""

    code: Code
    arguments: tuple[int | None, ...]
    """The slot of each block argument; None for those the region does not use."""
    wanted: tuple[int, ...]
    """The slots of the values to be read."""
    loops: dict[int, int] = field(default_factory=dict[int, int])
    """The slots of loop indices that it uses, by loop."""

    def fill_indices(self, env: Env, rank: int, ranges: Sequence[tuple[int, int]]) -> None:
        """Set the loop indices to run over `ranges`, one for each of `rank` loops."""
        for loop, slot in self.loops.items():
            env[slot] = loop_positions(loop, rank, *ranges[loop])


def compile_region(
    compiler: Compiler,
    block: Block,
    wanted: Sequence[SSAValue],
    skip: frozenset[Operation] = frozenset(),
) -> Region:
    """Compile a region but for the ops in `skip`, to be read at the values `wanted`."""
    arguments = tuple(
        compiler.slot(argument) if _is_used(argument, skip, wanted) else None
        for argument in block.args
    )
    with compiler.nested() as code, _loop_indices(compiler) as loops, _vectorised(compiler):
        compiler.lower_block(block, skip)
        slots = compiler.slots(wanted)
    return Region(code, arguments, slots, loops)


def _is_used(
    argument: BlockArgument, skip: frozenset[Operation], wanted: Sequence[SSAValue]
) -> bool:
    last = argument.block.last_op
    users = (use.operation for use in argument.uses)
    return argument in wanted or any(op not in skip and op is not last for op in users)


@contextmanager
def _loop_indices(compiler: Compiler) -> Generator[dict[int, int]]:
    """Collect the slots that `linalg.index` ops compiled inside ask for."""
    outer, compiler.loops = compiler.loops, {}
    try:
        yield compiler.loops
    finally:
        compiler.loops = outer


@contextmanager
def _vectorised(compiler: Compiler) -> Generator[None]:
    outer, compiler.vectorised = compiler.vectorised, True
    try:
        yield
    finally:
        compiler.vectorised = outer


def lower_index(compiler: Compiler, op: IndexOp) -> None:
    """`linalg.index`: the slot that the structured op around it fills."""
    loop = op.dim.value.data
    if loop not in compiler.loops:
        compiler.loops[loop] = compiler.new_slot()
    compiler.bind(op.result, compiler.loops[loop])


def captured_values(*blocks: Block) -> list[SSAValue]:
    """The values that ops in `blocks`, nested ones included, use but none of them defines."""
    captured: dict[SSAValue, None] = {}
    inside = set(blocks)
    for block in blocks:
        for op in block.walk():
            captured.update((value, None) for value in op.operands if not _within(value, inside))
    return list(captured)


def _within(value: SSAValue, blocks: set[Block]) -> bool:
    block = value.block if isinstance(value, BlockArgument) else value.owner.parent
    while block is not None and block not in blocks:
        block = block.parent_block()
    return block is not None


def dependent_loops(block: Block, maps: Sequence[AffineMap]) -> dict[SSAValue, frozenset[int]]:
    """The loops that each value of a structured op's region varies along."""
    everywhere = frozenset(range(maps[0].num_dims))
    loops: dict[SSAValue, frozenset[int]] = {
        argument: used_dims(affine_map)
        for argument, affine_map in zip(block.args, maps, strict=True)
    }
    for op in block.ops:
        if isinstance(op, IndexOp):
            found = frozenset((op.dim.value.data,))
        elif op.regions:
            found = everywhere
        else:
            found = frozenset[int]().union(*(loops.get(value, ()) for value in op.operands))
        loops.update((result, found) for result in op.results)
    return loops


@dataclass(frozen=True, slots=True)
class RegionFunction:
    """A region of scalar ops as a function on arrays."""

    region: Region
    captured: tuple[int, ...]
    """The slots of what it uses from outside."""

    def __call__(self, env: Env, *arguments: Any) -> list[Any]:
        """The yielded values for these arguments."""
        for slot, argument in zip(self.region.arguments, arguments, strict=True):
            if slot is not None:
                env[slot] = argument
        self.region.code.execute(env)
        return [env[slot] for slot in self.region.wanted]


def region_function(compiler: Compiler, block: Block) -> RegionFunction:
    """The region `block` as a function of its arguments."""
    assert block.last_op is not None
    region = compile_region(compiler, block, tuple(block.last_op.operands))
    return RegionFunction(region, compiler.slots(captured_values(block)))
