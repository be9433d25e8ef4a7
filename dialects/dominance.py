"""Whether values are defined before they are used: MLIR's dominance, in one pass over the ops.

Exempt, as in MLIR, are the bodies of modules and of ops of unknown dialects, where order means
nothing, and blocks that no path from the entry reaches. (`xdsl.irdl.dominance` is quadratic in
the number of blocks.)
"""

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Block, Operation, Region, SSAValue


class Use(NamedTuple):
    """Operand `operand` of `op`."""

    op: Operation
    operand: int


def undominated_use(root: Operation) -> Use | None:
    """The first use in `root` of a value that is not defined before it; None where all are.

    The cost is linear in ops and uses, and in edges between blocks but for odd loops.
    """
    return _check_regions(root, set())


def _check_regions(op: Operation, visible: set[SSAValue]) -> Use | None:
    """The first wrong use in the regions of `op`, where those of `visible` may be used."""
    for region in op.regions:
        if isinstance(op, ModuleOp | UnregisteredOp):
            found = _check_unordered(region, visible)
        elif region.first_block is region.last_block:
            found = _check_blocks(iter(region.blocks), visible)
        else:
            found = _check_graph(region, visible)
        if found is not None:
            return found
    return None


def _check_unordered(region: Region, visible: set[SSAValue]) -> Use | None:
    values = set[SSAValue]()
    for block in region.blocks:
        values.update(block.args)
        for op in block.ops:
            values.update(op.results)
    visible |= values
    for block in region.blocks:
        for op in block.ops:
            # Order means nothing, but what stands in a region is not seen from outside it.
            for index, operand in enumerate(op.operands):
                if operand not in visible:
                    return Use(op, index)
            if op.regions and (found := _check_regions(op, visible)) is not None:
                return found
    visible -= values
    return None


def _check_blocks(blocks: Iterator[Block], visible: set[SSAValue]) -> Use | None:
    """Blocks that each see what those before define."""
    defined: list[SSAValue] = []
    for block in blocks:
        if (found := _check_block(block, visible, defined)) is not None:
            return found
    visible.difference_update(defined)
    return None


def _check_block(block: Block, visible: set[SSAValue], defined: list[SSAValue]) -> Use | None:
    """One block; what it defines is added to `visible` and `defined`."""
    visible.update(block.args)
    defined += block.args
    for op in block.ops:
        for index, operand in enumerate(op.operands):
            if operand not in visible:
                return Use(op, index)
        if op.regions and (found := _check_regions(op, visible)) is not None:
            return found
        visible.update(op.results)
        defined += op.results
    return None


def _check_graph(region: Region, visible: set[SSAValue]) -> Use | None:
    """Several blocks: each sees what its dominators define."""
    children = _dominator_tree(region)
    entry = region.blocks[0]
    open_blocks: list[tuple[Block, list[SSAValue] | None]] = [(entry, None)]
    while open_blocks:
        block, defined = open_blocks.pop()
        if defined is not None:
            visible.difference_update(defined)
            continue
        defined = list[SSAValue]()
        if (found := _check_block(block, visible, defined)) is not None:
            return found
        open_blocks.append((block, defined))
        open_blocks += [(child, None) for child in reversed(children.get(block, ()))]
    return None


def _successors(block: Block) -> tuple[Block, ...]:
    last = block.last_op
    return () if last is None else tuple(last.successors)


def _reverse_post_order(region: Region) -> list[Block]:
    """The blocks that the entry reaches, each but for loops after those that branch to it."""
    entry = region.blocks[0]
    seen = {entry}
    order: list[Block] = []
    stack = [(entry, iter(_successors(entry)))]
    while stack:
        block, successors = stack[-1]
        fresh = next((block for block in successors if block not in seen), None)
        if fresh is None:
            order.append(block)
            stack.pop()
        elif fresh.parent is region:
            seen.add(fresh)
            stack.append((fresh, iter(_successors(fresh))))
    order.reverse()
    return order


def _dominator_tree(region: Region) -> dict[Block, list[Block]]:
    """The blocks that each block dominates immediately, in reverse post-order.

    After Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm.
    """
    order = _reverse_post_order(region)
    number = {block: index for index, block in enumerate(order)}
    before: list[list[int]] = [[] for _ in order]
    for index, block in enumerate(order):
        for successor in _successors(block):
            if successor in number:
                before[number[successor]].append(index)
    dominator = [0] + [-1] * (len(order) - 1)
    changed = True
    while changed:
        changed = False
        for index in range(1, len(order)):
            known = [one for one in before[index] if dominator[one] >= 0]
            common = known[0]
            for other in known[1:]:
                common = _meet(common, other, dominator)
            changed |= dominator[index] != common
            dominator[index] = common
    children: dict[Block, list[Block]] = {}
    for index in range(1, len(order)):
        children.setdefault(order[dominator[index]], []).append(order[index])
    return children


def _meet(a: int, b: int, dominator: list[int]) -> int:
    """The nearest common dominator of two blocks by number."""
    while a != b:
        if a > b:
            a = dominator[a]
        else:
            b = dominator[b]
    return a
