"""host-scf-to-cf: loops and branches of host programs become blocks.

```mlir
%r = scf.for %i = %lb to %ub step %s iter_args(%arg = %init) -> (!stream.resource<transient>) {
  …
  scf.yield %next
}
```

becomes

```mlir
  cf.br ^bb1(%lb, %init)
^bb1(%i, %arg):
  %more = arith.cmpi slt, %i, %ub
  cf.cond_br %more, ^bb2, ^bb3
^bb2:
  …
  %following = arith.addi %i, %s
  cf.br ^bb1(%following, %next)
^bb3:                                      // %r is %arg
```

A loop that is known to have an iteration is tested at its end only, so that what its results were
before it is no way through it:

```mlir
  cf.br ^bb1(%c0, %init)
^bb1(%i, %arg):
  …
  %following = arith.addi %i, %s
  %more = arith.cmpi slt, %following, %c4
  cf.cond_br %more, ^bb1(%following, %next), ^bb2
^bb2:                                      // %r is %next
```

Stock IREE's HAL phase takes no `scf.for` or `scf.while` that carries resources; its own stream
phase ends like this. Kernels keep their loops.

`scf.if` becomes one branch; `scf.index_switch` a chain of them, a test for each case; the blocks of
`scf.execute_region` stand where it stood.

Does not handle: `scf.parallel` and `scf.forall`, which stay as they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, cf, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from .analysis.host_graph import has_iteration
from .functions import functions_of, host_blocks


@dataclass(frozen=True)
class HostScfToCfPass(ModulePass):
    """Lower the loops, branches and regions of scf in all functions of the module."""

    name = "host-scf-to-cf"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite `op`."""
        for function in functions_of(op):
            blocks = list(host_blocks(function))
            # Outer blocks first: a block with all that is nested in it moves once. In a block from
            # the end, so that each op moves to another block once.
            for block in blocks:
                for inner in reversed(list(block.ops)):
                    match inner:
                        case scf.ForOp():
                            _lower_for(inner)
                        case scf.WhileOp():
                            _lower_while(inner)
                        case scf.IfOp():
                            _lower_if(inner)
                        case scf.IndexSwitchOp():
                            _lower_switch(inner)
                        case scf.ExecuteRegionOp():
                            _lower_region(inner)
                        case _:
                            pass


def _continuation(op: Operation) -> tuple[Block, Block]:
    """The block that ends with `op`, and a new one after it with what followed."""
    block = op.parent
    assert block is not None
    following = op.next_op
    assert following is not None
    return block, block.split_before(following)


def _end(block: Block, branch: Operation, origin: Operation) -> None:
    """Let `block` end with `branch`, at the location of `origin`."""
    branch.location = origin.location
    block.add_op(branch)


def _inline(op: Operation, index: int, before: Block) -> tuple[Block, Block, Operation]:
    """Move a region's blocks before `before`.

    Gives the first and the last one, and its terminator, which is taken away.
    """
    region = op.regions[index]
    first, last = region.first_block, region.last_block
    assert first is not None
    assert last is not None
    terminator = last.last_op
    assert terminator is not None
    terminator.detach()
    blocks = [region.detach_block(block) for block in list(region.blocks)]
    assert before.parent is not None
    before.parent.insert_block_before(blocks, before)
    return first, last, terminator


def _replace_results(op: Operation, values: Sequence[SSAValue]) -> None:
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    op.detach()
    op.erase()


def _lower_for(op: scf.ForOp) -> None:
    if has_iteration(op):
        _lower_tested_at_end(op)
    else:
        _lower_tested_first(op)


def _advance(op: scf.ForOp, counter: SSAValue, last: Block) -> SSAValue:
    """The next value of the counter, at the end of `last`."""
    following = arith.AddiOp(counter, op.step)
    following.location = op.location
    last.add_op(following)
    return following.result


def _test(op: scf.ForOp, counter: SSAValue, block: Block) -> SSAValue:
    """Whether the loop goes on with a counter, at the end of `block`."""
    more = arith.CmpiOp(counter, op.ub, "slt")
    more.location = op.location
    block.add_op(more)
    return more.result


def _lower_tested_at_end(op: scf.ForOp) -> None:
    block, after = _continuation(op)
    first, last, terminator = _inline(op, 0, after)
    following = _advance(op, first.args[0], last)
    more = _test(op, following, last)
    given = list(terminator.operands)
    again = (following, *given)
    _end(last, cf.ConditionalBranchOp(more, first, again, after, ()), terminator)
    terminator.erase()
    _end(block, cf.BranchOp(first, op.lb, *op.iter_args), op)
    _replace_results(op, given)


def _lower_tested_first(op: scf.ForOp) -> None:
    block, after = _continuation(op)
    head = Block(arg_types=[op.lb.type, *(value.type for value in op.iter_args)])
    assert after.parent is not None
    first, last, terminator = _inline(op, 0, after)
    after.parent.insert_block_before(head, first)
    for argument, carried in zip(list(first.args), head.args, strict=True):
        carried.name_hint = argument.name_hint
        argument.replace_all_uses_with(carried)
        first.erase_arg(argument)
    _end(head, cf.ConditionalBranchOp(_test(op, head.args[0], head), first, (), after, ()), op)
    following = _advance(op, head.args[0], last)
    _end(last, cf.BranchOp(head, following, *terminator.operands), terminator)
    terminator.erase()
    _end(block, cf.BranchOp(head, op.lb, *op.iter_args), op)
    _replace_results(op, head.args[1:])


def _lower_while(op: scf.WhileOp) -> None:
    block, after = _continuation(op)
    head, tested, condition = _inline(op, 0, after)
    body, last, terminator = _inline(op, 1, after)
    more, *passed = condition.operands
    _end(tested, cf.ConditionalBranchOp(more, body, passed, after, ()), condition)
    _end(last, cf.BranchOp(head, *terminator.operands), terminator)
    condition.erase()
    terminator.erase()
    _end(block, cf.BranchOp(head, *op.arguments), op)
    _replace_results(op, passed)


def _lower_if(op: scf.IfOp) -> None:
    block, after = _continuation(op)
    results = _arguments_for(op, after)
    branches = [
        after if region.first_block is None else _branch_region(op, index, after)
        for index, region in enumerate(op.regions)
    ]
    _end(block, cf.ConditionalBranchOp(op.cond, branches[0], (), branches[1], ()), op)
    _replace_results(op, results)


def _lower_switch(op: scf.IndexSwitchOp) -> None:
    block, after = _continuation(op)
    results = _arguments_for(op, after)
    default, *cases = (_branch_region(op, index, after) for index in range(len(op.regions)))
    assert after.parent is not None
    for number, case in zip(op.cases.get_values(), cases, strict=True):
        value = arith.ConstantOp(IntegerAttr.from_index_int_value(number))
        equal = arith.CmpiOp(op.arg, value.result, "eq")
        for test in (value, equal):
            test.location = op.location
            block.add_op(test)
        other = default if case is cases[-1] else Block()
        if other is not default:
            after.parent.insert_block_after(other, block)
        _end(block, cf.ConditionalBranchOp(equal.result, case, (), other, ()), op)
        block = other
    if not cases:
        _end(block, cf.BranchOp(default), op)
    _replace_results(op, results)


def _lower_region(op: scf.ExecuteRegionOp) -> None:
    block, after = _continuation(op)
    results = _arguments_for(op, after)
    _end(block, cf.BranchOp(_branch_region(op, 0, after)), op)
    _replace_results(op, results)


def _arguments_for(op: Operation, after: Block) -> list[BlockArgument]:
    """Arguments of the block that follows `op`, for its results."""
    return [after.insert_arg(result.type, index) for index, result in enumerate(op.results)]


def _branch_region(op: Operation, index: int, after: Block) -> Block:
    """Move a region before `after`, where its yields branch to; gives its first block."""
    blocks = list(op.regions[index].blocks)
    for block in blocks:
        if isinstance(terminator := block.last_op, scf.YieldOp):
            terminator.detach()
            _end(block, cf.BranchOp(after, *terminator.operands), terminator)
            terminator.erase()
        op.regions[index].detach_block(block)
    assert after.parent is not None
    after.parent.insert_block_before(blocks, after)
    return blocks[0]
