"""Canonicalization: waits for what is reached already, joins, and allocations that nobody uses.

None drops the order behind what an op waited for.
"""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ..access import field_values, tied_operand
from ..build import rebuild_op
from .cmd_control import CmdConcurrentOp, CmdExecuteOp, CmdSerialOp
from .resource import ResourceAllocaOp, ResourceDeallocaOp, ResourceSizeOp
from .rewriting import awaited_or_immediate, immediate, is_immediate
from .sizes import find_size
from .timepoint import (
    TimepointAwaitOp,
    TimepointBarrierOp,
    TimepointExportOp,
    TimepointImportOp,
    TimepointJoinOp,
)


class DropImmediateWait(RewritePattern):
    """`await(%immediate)` goes."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        """For ops whose `await_timepoint` is optional."""
        assert isinstance(op, IRDLOperation)
        waits = field_values(op, "await_timepoint")
        if waits and is_immediate(waits[0]):
            rewriter.replace(op, rebuild_op(op, await_timepoint=None))


class SimplifyJoin(RewritePattern):
    """Joins lose immediate and repeated timepoints and take in joins; one timepoint is itself."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: TimepointJoinOp, rewriter: PatternRewriter, /) -> None:
        """Keeps the first of each timepoint, in order."""
        flat = [
            timepoint
            for operand in op.await_timepoints
            for timepoint in (
                operand.owner.await_timepoints
                if isinstance(operand.owner, TimepointJoinOp)
                else (operand,)
            )
        ]
        kept = list(dict.fromkeys(t for t in flat if not is_immediate(t)))
        if kept == list(op.await_timepoints) and len(kept) > 1:
            return
        if len(kept) > 1:
            rewriter.replace(op, rebuild_op(op, await_timepoints=kept))
        elif kept:
            rewriter.replace(op, (), (kept[0],))
        else:
            rewriter.replace(op, (), (immediate(rewriter, op),))


class FoldImmediateAwait(RewritePattern):
    """Resources behind a timepoint that is reached are the resources."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: TimepointAwaitOp, rewriter: PatternRewriter, /) -> None:
        """Replaces the results by the operands."""
        if is_immediate(op.await_timepoint):
            rewriter.replace(op, (), op.resource_operands)


class DropUnusedAwaitResults(RewritePattern):
    """An await gives only the resources that are used."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: TimepointAwaitOp, rewriter: PatternRewriter, /) -> None:
        """Leaves a `sync` await as it is: it is a wait of the host."""
        kept = [i for i, result in enumerate(op.results) if result.first_use is not None]
        if op.sync is not None or len(kept) == len(op.results) or not kept:
            return
        operands = [op.resource_operands[i] for i in kept]
        made = rebuild_op(
            op,
            resource_operands=operands,
            resource_operand_sizes=[op.resource_operand_sizes[i] for i in kept],
            result_resources=[value.type for value in operands],
        )
        new = dict(zip(kept, made.results, strict=True))
        # Unused results need a stand-in of their type only.
        results = [new.get(i, op.resource_operands[i]) for i in range(len(op.results))]
        rewriter.replace(op, made, results)


class FoldBarrierOfAwait(RewritePattern):
    """A barrier on an awaited resource is the resource and the timepoint awaited."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: TimepointBarrierOp, rewriter: PatternRewriter, /) -> None:
        """Chains the timepoint forward."""
        source = op.resource.owner
        if not isinstance(source, TimepointAwaitOp) or source.sync is not None:
            return
        resource = tied_operand(op.resource)
        assert resource is not None
        rewriter.replace(op, (), (resource, source.await_timepoint))


class FoldExportOfImport(RewritePattern):
    """A timepoint that came from another dialect goes back as it came."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: TimepointExportOp, rewriter: PatternRewriter, /) -> None:
        """Where the types are those of the import."""
        source = op.await_timepoint.owner
        if not isinstance(source, TimepointImportOp):
            return
        if [v.type for v in source.arguments] == [v.type for v in op.exported]:
            rewriter.replace(op, (), source.arguments)


class ElideUnusedAlloca(RewritePattern):
    """Storage that nobody uses, or that is only freed, is not allocated."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ResourceAllocaOp, rewriter: PatternRewriter, /) -> None:
        """Whoever waited for the storage waits for what it waited for."""
        uses = [use.operation for use in op.result.uses]
        if any(not isinstance(user, ResourceDeallocaOp) for user in uses) or len(uses) > 1:
            return
        rewriter.replace_all_uses_with(op.result_timepoint, awaited_or_immediate(rewriter, op))
        for user in uses:
            rewriter.replace(user, (), (awaited_or_immediate(rewriter, user),))
        rewriter.erase(op)


class ElideEmptyExecution(RewritePattern):
    """An execution without work is the timepoint it waits for."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CmdExecuteOp, rewriter: PatternRewriter, /) -> None:
        """Keeps the order behind what it waited for."""
        if op.body.block.first_op is op.body.block.last_op:
            rewriter.replace(op, (), (awaited_or_immediate(rewriter, op),))


class ElideEmptyGroup(RewritePattern):
    """A serial or concurrent group without commands goes."""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: CmdSerialOp | CmdConcurrentOp, rewriter: PatternRewriter, /
    ) -> None:
        """Only the terminator is left."""
        if op.body.block.first_op is op.body.block.last_op:
            rewriter.erase(op)


class FoldKnownSize(RewritePattern):
    """The size of a resource is the size that stands where it is made."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ResourceSizeOp, rewriter: PatternRewriter, /) -> None:
        """Looks one op back."""
        if (size := find_size(op.operand)) is not None:
            rewriter.replace(op, (), (size,))
