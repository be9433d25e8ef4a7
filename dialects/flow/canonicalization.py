"""Canonicalization of flow: views and transfers. Loaded when `canonicalize` first asks.

No handoff is lost (IR-04, IR-09): a transfer goes only where its operand is on the target
already, by an earlier transfer or barrier. A transfer that says "copy" stays. Chains to different
targets are kept, since which kind they come to depends on the topology (IR-07).
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from ..build import rebuild_op
from ..handoff import hands_over
from .copies import TensorBarrierOp, TensorTransferOp
from .tensors import TensorBitCastOp, TensorReshapeOp, TensorTieShapeOp

View = TensorReshapeOp | TensorBitCastOp
VIEWS = (TensorReshapeOp, TensorBitCastOp)


def viewed(value: SSAValue) -> SSAValue:
    """The tensor that `value` is a view of, through any number of views."""
    while True:
        owner = value.owner
        if isinstance(owner, VIEWS):
            value = owner.source
        elif isinstance(owner, TensorTieShapeOp):
            value = owner.operand
        else:
            return value


class FoldTransferToSameTarget(RewritePattern):
    """`transfer (transfer %t to A) to A` is `transfer %t to A`; likewise behind a barrier."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        """Replaces the outer transfer by its operand."""
        if not isinstance(op, TensorTransferOp) or op.transfer_kind == "copy":
            return
        placed = viewed(op.operand).owner
        if not isinstance(placed, TensorTransferOp | TensorBarrierOp):
            return
        if not hands_over(placed.target, op.target):
            rewriter.replace(op, (), (op.operand,))


class SinkViewBelowTransfer(RewritePattern):
    """`transfer (reshape %t)` is `reshape (transfer %t)`; the transfer keeps its attributes."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        """Transfers the tensor behind the view and views the result."""
        if not isinstance(op, TensorTransferOp | TensorBarrierOp):
            return
        view = op.operand.owner
        if not isinstance(view, VIEWS):
            return
        moved = rebuild_op(
            op, operand=view.source, operand_dims=view.source_dims, result=view.source.type
        )
        rewriter.insert(moved, InsertPoint.before(op))
        rewriter.replace(op, rebuild_op(view, source=moved.result))


class FoldViewAsItWas(RewritePattern):
    """`reshape %t : T -> T` is `%t`, where dynamic dimensions are the same values too."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        """Replaces the view by its source."""
        if not isinstance(op, VIEWS) or op.source.type != op.result.type:
            return
        if tuple(op.source_dims) == tuple(op.result_dims):
            rewriter.replace(op, (), (op.source,))


class MergeViews(RewritePattern):
    """`reshape (reshape %t)` is `reshape %t`; likewise for bitcasts."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        """Views the source of the inner view."""
        if not isinstance(op, VIEWS):
            return
        inner = op.source.owner
        if isinstance(inner, VIEWS) and type(inner) is type(op):
            rewriter.replace(op, rebuild_op(op, source=inner.source, source_dims=inner.source_dims))


_VIEW = (FoldViewAsItWas(), MergeViews())

PATTERNS: dict[type[Operation], tuple[RewritePattern, ...]] = {
    TensorTransferOp: (FoldTransferToSameTarget(), SinkViewBelowTransfer()),
    TensorBarrierOp: (SinkViewBelowTransfer(),),
    TensorReshapeOp: _VIEW,
    TensorBitCastOp: _VIEW,
}
