"""simplify-control-flow: loops and branches whose way is known.

```mlir
%0 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x) -> (tensor<8xi32>) {
  %1 = flow.tensor.transfer %a … ; scf.yield %1
}
%2 = scf.if %true -> (tensor<8xi32>) { scf.yield %0 } else { scf.yield %y }
%3 = scf.for %i = %lb to %ub step %c1 iter_args(%b = %2) -> (tensor<8xi32>) { … scf.yield %b }
```

becomes

```mlir
%1 = flow.tensor.transfer %x …      // %0 and %2 are %1, and so is %3
```

A loop of no or one iteration and a branch with a known condition become what they do; what a loop
hands on unchanged, or nobody uses, it carries no more; and where a loop is known to iterate, and
nobody reads what it starts with, it starts with undefined contents. The first is what xDSL's
canonicalization of scf and cf does, and MLIR's. Whatever a loop or branch may give needs one place
for all, so that each that goes saves copies later.

Does not handle: `scf.while`; loops that are known to iterate more than once and read what they
start with.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.transforms.canonicalize import CanonicalizationRewritePattern

from ..dialects import flow
from .analysis.host_graph import has_iteration
from .analysis.value_flow import is_defined_in
from .build import make
from .functions import functions_of

_DIALECTS = ("scf", "cf")


@dataclass(frozen=True)
class SimplifyControlFlowPass(ModulePass):
    """Simplify scf and cf ops of the host program."""

    name = "simplify-control-flow"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite until nothing changes."""
        patterns: list[RewritePattern] = [_OfControlFlow(), _UnchangedValues(), _UnreadInits()]
        for function in functions_of(op):
            applier = GreedyRewritePatternApplier(patterns)
            PatternRewriteWalker(applier).rewrite_region(function.regions[0])


class _OfControlFlow(CanonicalizationRewritePattern):
    """What xDSL does with scf and cf ops, and with no others."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        """Rewrite the op where a pattern of its own does."""
        if op.dialect_name() in _DIALECTS:
            super().match_and_rewrite(op, rewriter)


class _UnchangedValues(RewritePattern):
    """What a loop hands on as it got it, and what it carries for nobody."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp, rewriter: PatternRewriter, /) -> None:
        """Replace the loop by one that carries less, where it can."""
        body = op.body.block
        end = body.last_op
        assert end is not None
        kept: list[int] = []
        for number, (init, argument, given) in enumerate(
            zip(op.iter_args, body.args[1:], end.operands, strict=True)
        ):
            result = op.results[number]
            if given in (argument, init):
                argument.replace_all_uses_with(init)
                result.replace_all_uses_with(init)
            elif argument.first_use is None and has_iteration(op) and not is_defined_in(given, op):
                result.replace_all_uses_with(given)
            elif argument.first_use is not None or result.first_use is not None:
                kept.append(number)
        if len(kept) < len(op.results):
            _carry_only(op, kept, rewriter)


class _UnreadInits(RewritePattern):
    """What nobody reads: a loop's initial value where there is an iteration and none reads it."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp, rewriter: PatternRewriter, /) -> None:
        """Let the loop start with tensors of undefined contents."""
        if not has_iteration(op):
            return
        operands = list(op.operands)
        for index, argument in enumerate(op.body.block.args[1:], start=3):
            init = operands[index]
            if argument.first_use is None and _is_made(init):
                empty = make(flow.TensorEmptyOp, op, [init.type])
                rewriter.insert(empty)
                operands[index] = empty.result
        if operands != list(op.operands):
            op.operands = operands
            rewriter.notify_op_modified(op)


def _is_made(value: SSAValue) -> bool:
    """Whether `value` is a tensor of known shape with contents."""
    type = value.type
    is_static = isinstance(type, TensorType) and type.has_static_shape()
    return is_static and not isinstance(value.owner, flow.TensorEmptyOp)


def _carry_only(op: scf.ForOp, kept: Sequence[int], rewriter: PatternRewriter) -> None:
    """Let `op` carry its values of the numbers `kept` only; nobody uses the others."""
    body = op.body.block
    end = body.last_op
    assert end is not None
    given = scf.YieldOp(*(end.operands[number] for number in kept))
    given.location = end.location
    rewriter.replace(end, given)
    left = set(range(len(op.results))).difference(kept)
    for number in sorted(left, reverse=True):
        rewriter.erase_block_argument(body.args[1 + number])
    inits = [op.iter_args[number] for number in kept]
    loop = scf.ForOp(
        op.lb, op.ub, op.step, inits, rewriter.move_region_contents_to_new_regions(op.body)
    )
    loop.attributes, loop.location = dict(op.attributes), op.location
    results = iter(loop.results)
    rewriter.replace(
        op, loop, [None if number in left else next(results) for number in range(len(op.results))]
    )
