"""Canonicalization of util: arithmetic of known numbers. Loaded when `canonicalize` first asks."""

from __future__ import annotations

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.utils.hints import isa

from ..verify import constant_index
from .arithmetic import AlignOp, RangeMaxOp, RangeMinOp, SwitchOp
from .type_ops import CastOp, CmpEQOp, CmpNEOp


def replace_by_constant(
    op: Operation, number: int, type: Attribute, rewriter: PatternRewriter
) -> None:
    """Replaces an op of one result by a number of an integer type."""
    if not isa(type, IntegerType | IndexType):
        return
    constant = ConstantOp(IntegerAttr(number, type))
    constant.location = op.location
    rewriter.replace(op, constant)


class FoldAlign(RewritePattern):
    """An aligned number; a value aligned twice to one alignment; an alignment of 1."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        """Replaces the op where its result is known."""
        if not isinstance(op, AlignOp):
            return
        value, alignment = constant_index(op.value), constant_index(op.alignment)
        inner = op.value.owner
        if alignment == 1 or (isinstance(inner, AlignOp) and inner.alignment is op.alignment):
            rewriter.replace(op, (), (op.value,))
        elif value is not None and alignment is not None and alignment > 0:
            aligned = -(-value // alignment) * alignment
            replace_by_constant(op, aligned, op.result.type, rewriter)


class FoldCastToSameType(RewritePattern):
    """A cast to the type that a value has, or had before an earlier cast."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        """Replaces the cast by the value."""
        if not isinstance(op, CastOp):
            return
        inner = op.operand.owner
        for value in (op.operand, inner.operand if isinstance(inner, CastOp) else op.operand):
            if value.type == op.result.type:
                rewriter.replace(op, (), (value,))
                return


class FoldComparisonWithItself(RewritePattern):
    """A value is equal to itself."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        """Replaces the comparison by a constant."""
        if isinstance(op, CmpEQOp | CmpNEOp) and op.lhs is op.rhs:
            replace_by_constant(op, int(isinstance(op, CmpEQOp)), i1, rewriter)


class FoldRange(RewritePattern):
    """The least or greatest of known numbers, or of one value."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        """Replaces the op where its result is known."""
        if not isinstance(op, RangeMinOp | RangeMaxOp):
            return
        values = tuple(dict.fromkeys(op.arguments))
        numbers = [constant_index(value) for value in values]
        known = [number for number in numbers if number is not None]
        if len(values) == 1:
            rewriter.replace(op, (), values)
        elif known and len(known) == len(values):
            best = min(known) if isinstance(op, RangeMinOp) else max(known)
            replace_by_constant(op, best, op.result.type, rewriter)


class FoldSwitch(RewritePattern):
    """A switch at a known index."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        """Replaces the switch by the value that it gives."""
        if not isinstance(op, SwitchOp):
            return
        index = constant_index(op.index)
        if index is None and op.values:
            return
        inside = index is not None and 0 <= index < len(op.values)
        chosen: SSAValue = op.values[index or 0] if inside else op.default_value
        rewriter.replace(op, (), (chosen,))


_RANGE = (FoldRange(),)
_COMPARISON = (FoldComparisonWithItself(),)

PATTERNS: dict[type[Operation], tuple[RewritePattern, ...]] = {
    AlignOp: (FoldAlign(),),
    CastOp: (FoldCastToSameType(),),
    CmpEQOp: _COMPARISON,
    CmpNEOp: _COMPARISON,
    RangeMaxOp: _RANGE,
    RangeMinOp: _RANGE,
    SwitchOp: (FoldSwitch(),),
}
