"""Canonicalization of async ops: whole ranges, splats, fills, transfers.

A transfer between devices is a handoff even where it moves nothing, and goes only where the
other device never looks at it (IR-06); chains over three devices stay (IR-07). A stated transfer
kind keeps its transfer.
"""

from __future__ import annotations

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import FixedBitwidthType, IntegerAttr, IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ..build import build_op, rebuild_op
from ..handoff import hands_over
from ..verify import constant_index
from .async_ import (
    AsyncAllocaOp,
    AsyncCastOp,
    AsyncCloneOp,
    AsyncSliceOp,
    AsyncSplatOp,
    AsyncTransferOp,
)
from .async_update import AsyncCopyOp, AsyncFillOp, AsyncUpdateOp
from .cmd import CmdCopyOp, CmdDiscardOp, CmdFillOp, CmdFlushOp, CmdInvalidateOp
from .rewriting import add_index, host_position, lives_with
from .sizes import same_number
from .tensor_border import (
    TensorExportOp,
    TensorImportOp,
)
from .types import Lifetime, ResourceType


class EraseUnused(RewritePattern):
    """An op with value semantics whose result nobody uses goes."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        """Results without uses."""
        if all(result.first_use is None for result in op.results):
            rewriter.erase(op)


class EraseEmptyCommand(RewritePattern):
    """A command on no bytes goes (IR-20)."""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self,
        op: CmdFlushOp | CmdInvalidateOp | CmdDiscardOp | CmdFillOp | CmdCopyOp,
        rewriter: PatternRewriter,
        /,
    ) -> None:
        """Length 0."""
        length = op.length if isinstance(op, CmdCopyOp) else op.target_length
        if constant_index(length) == 0:
            rewriter.erase(op)


class FoldWholeUpdate(RewritePattern):
    """An update of all of a resource is the update (B10c: of itself, nothing)."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AsyncUpdateOp, rewriter: PatternRewriter, /) -> None:
        """Keeps it where the target's storage is owned outside, or the update lives elsewhere."""
        if not same_number(op.update_size, op.target_size) or op.update.type != op.result.type:
            return
        if op.update is op.target:
            rewriter.replace(op, (), (op.target,))
        elif _is_fresh(op.target) and lives_with(op.update, op):
            rewriter.replace(op, (), (op.update,))


def _is_fresh(value: SSAValue) -> bool:
    """Whether `value` is made within the program with contents and storage of its own."""
    owner = value.owner
    return isinstance(owner, AsyncAllocaOp | AsyncSplatOp | AsyncCloneOp | AsyncSliceOp) and (
        isinstance(value.type, ResourceType)
        and value.type.lifetime in (Lifetime.UNKNOWN, Lifetime.TRANSIENT)
    )


class FoldWholeSlice(RewritePattern):
    """A slice of all of a resource on the device where it lives is the resource."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AsyncSliceOp, rewriter: PatternRewriter, /) -> None:
        """Copy-on-write puts a clone back where the resource is updated later."""
        if same_number(op.source_size, op.result_size) and lives_with(op.source, op):
            rewriter.replace(op, (), (op.source,))


class ReplaceSliceOfSplat(RewritePattern):
    """A slice of a splat is a smaller splat, where it starts at a whole pattern."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AsyncSliceOp, rewriter: PatternRewriter, /) -> None:
        """The pattern's phase must be known."""
        splat = op.source.owner
        if not isinstance(splat, AsyncSplatOp) or not lives_with(op.source, op):
            return
        start, width = constant_index(op.source_offset), _pattern_bytes(splat.value)
        if start is not None and start % width == 0:
            rewriter.replace(op, rebuild_op(splat, result_size=op.result_size))


def _pattern_bytes(value: SSAValue) -> int:
    assert isinstance(value.type, FixedBitwidthType)
    return value.type.size


class FillInsteadOfSplatUpdate(RewritePattern):
    """An update with a splat is a fill."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AsyncUpdateOp, rewriter: PatternRewriter, /) -> None:
        """Where the splat is ready and nobody else uses it."""
        splat = op.update.owner
        if not isinstance(splat, AsyncSplatOp) or splat.await_timepoint is not None:
            return
        if not op.update.has_one_use() or not lives_with(op.update, op):
            return
        rewriter.replace(
            op,
            build_op(
                AsyncFillOp,
                location=op.location,
                discardable=op.attributes,
                target=op.target,
                target_size=op.target_size,
                target_offset=op.target_offset,
                target_end=op.target_end,
                target_length=op.update_size,
                value=splat.value,
                affinity=op.affinity,
                result=op.result.type,
            ),
        )


class CopyInsteadOfSliceUpdate(RewritePattern):
    """An update with a slice is a copy from one range to the other."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AsyncUpdateOp, rewriter: PatternRewriter, /) -> None:
        """Not within one resource, where the ranges might overlap."""
        sliced = op.update.owner
        if not isinstance(sliced, AsyncSliceOp) or sliced.parent is not op.parent:
            return
        if sliced.source is op.target or not op.update.has_one_use():
            return
        if not lives_with(op.update, op):
            return
        rewriter.replace(
            op,
            build_op(
                AsyncCopyOp,
                location=op.location,
                discardable=op.attributes,
                target=op.target,
                target_size=op.target_size,
                target_offset=op.target_offset,
                target_end=op.target_end,
                source=sliced.source,
                source_size=sliced.source_size,
                source_offset=sliced.source_offset,
                source_end=sliced.source_end,
                length=sliced.result_size,
                affinity=op.affinity,
                result=op.result.type,
            ),
        )


class MergeAdjacentFills(RewritePattern):
    """Fills of neighbouring ranges with one pattern are one fill, in either order (B08)."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AsyncFillOp, rewriter: PatternRewriter, /) -> None:
        """The lower range gives the offset, the upper one the end."""
        first = op.target.owner
        if not isinstance(first, AsyncFillOp) or not first.result.has_one_use():
            return
        if first.value.type != op.value.type or not same_number(first.value, op.value):
            return
        if first.affinity != op.affinity:
            return
        if same_number(first.target_end, op.target_offset):
            lower, upper = first, op
        elif same_number(op.target_end, first.target_offset):
            lower, upper = op, first
        else:
            return
        if (width := _pattern_bytes(op.value)) > 1:
            lower_length = constant_index(lower.target_length)
            if lower_length is None or lower_length % width:
                return
        length = add_index(rewriter, lower.target_length, upper.target_length, op)
        rewriter.replace(
            op,
            rebuild_op(
                op,
                target=first.target,
                target_offset=lower.target_offset,
                target_end=upper.target_end,
                target_length=length,
            ),
        )


class NarrowFill(RewritePattern):
    """A constant pattern that repeats becomes the shortest one (devices fill with 4 bytes)."""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: AsyncFillOp | AsyncSplatOp | CmdFillOp, rewriter: PatternRewriter, /
    ) -> None:
        """Halves the pattern while its halves are equal."""
        constant = op.value.owner
        if not isinstance(constant, ConstantOp) or not isinstance(constant.value, IntegerAttr):
            return
        width = _pattern_bytes(op.value) * 8
        bits = constant.value.value.data & ((1 << width) - 1)
        narrow = width
        while narrow > 8 and bits >> narrow // 2 == bits & ((1 << narrow // 2) - 1):
            narrow //= 2
            bits &= (1 << narrow) - 1
        if narrow == width:
            return
        made = ConstantOp(IntegerAttr(bits, IntegerType(narrow), truncate_bits=True))
        made.location = constant.location
        made.result.name_hint = f"c{bits}_i{narrow}"
        rewriter.insert(made, host_position(op))
        rewriter.replace(op, rebuild_op(op, value=made.result))


class CloneInsteadOfLocalTransfer(RewritePattern):
    """A transfer within one device is a clone (IR-08)."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AsyncTransferOp, rewriter: PatternRewriter, /) -> None:
        """Not between lifetimes of which one is staging, nor with a stated kind."""
        if hands_over(op.source_affinity, op.target_affinity) or op.kind is not None:
            return
        types = (op.source.type, op.result.type)
        if any(isinstance(t, ResourceType) and t.lifetime is Lifetime.STAGING for t in types):
            return
        rewriter.replace(
            op,
            build_op(
                AsyncCloneOp,
                location=op.location,
                discardable=op.attributes,
                source=op.source,
                source_size=op.source_size,
                result_size=op.result_size,
                affinity=op.source_affinity,
                result=op.result.type,
            ),
        )


class FoldRoundTrip(RewritePattern):
    """A transfer there and back again is the origin, where nobody there looked (IR-06)."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AsyncTransferOp, rewriter: PatternRewriter, /) -> None:
        """Both kinds open, no execution device stated, the way out used by the way back only."""
        out = op.source.owner
        if not isinstance(out, AsyncTransferOp) or not out.result.has_one_use():
            return
        if out.kind is not None or op.kind is not None:
            return
        if out.execution_affinity is not None or op.execution_affinity is not None:
            return
        home = out.source_affinity
        if home is None or hands_over(home, op.target_affinity):
            return
        if hands_over(out.target_affinity, op.source_affinity):
            return
        if out.source.type == op.result.type and same_number(out.source_size, op.result_size):
            rewriter.replace(op, (), (out.source,))


class CollapseCasts(RewritePattern):
    """A cast of a cast is one cast; a cast to the same lifetime is the source."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AsyncCastOp, rewriter: PatternRewriter, /) -> None:
        """Casts share storage, so only names change."""
        inner = op.source.owner
        if op.source.type == op.result.type:
            rewriter.replace(op, (), (op.source,))
        elif isinstance(inner, AsyncCastOp):
            rewriter.replace(op, rebuild_op(op, source=inner.source))


class FoldImportOfExport(RewritePattern):
    """What goes out and comes back on the same device is the resource."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: TensorImportOp, rewriter: PatternRewriter, /) -> None:
        """Affinity and size must match."""
        export = op.source.owner
        if not isinstance(export, TensorExportOp) or export.affinity != op.affinity:
            return
        if export.source_encoding != op.result_encoding or export.source.type != op.result.type:
            return
        if same_number(export.source_size, op.result_size):
            rewriter.replace(op, (), (export.source,))


class FoldExportOfImport(RewritePattern):
    """What comes in and goes out on the same device is what came."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: TensorExportOp, rewriter: PatternRewriter, /) -> None:
        """Type, encoding, dimensions, affinity and size must match."""
        source = op.source.owner
        if not isinstance(source, TensorImportOp) or source.affinity != op.affinity:
            return
        if source.source.type != op.result.type or source.result_encoding != op.source_encoding:
            return
        dims = tuple(source.result_encoding_dims) == tuple(op.source_encoding_dims)
        if dims and same_number(source.result_size, op.source_size):
            rewriter.replace(op, (), (source.source,))
