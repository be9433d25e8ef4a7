"""Releases of what a loop carries: what the loop started with is not the loop's to free."""

from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation


def unless_first(loop: scf.ForOp, ops: Sequence[Operation], block: Block) -> list[Operation]:
    """`ops`, to stand in `block`, if what `loop` started with is no longer carried.

    ```mlir
    %over = arith.cmpi ne, %i, %lb        // in the loop: this is not its first iteration
    %over = arith.cmpi slt, %lb, %ub      // after it: there was one
    scf.if %over { … }
    ```

    Args:
        loop: the loop that carries the storage.
        ops: what releases it.
        block: the loop's own block, or one that comes after the loop.
    """
    if block is loop.body.block:
        over = arith.CmpiOp(block.args[0], loop.lb, "ne")
    else:
        over = arith.CmpiOp(loop.lb, loop.ub, "slt")
    return [over, scf.IfOp(over.result, [], [*ops, scf.YieldOp()])]
