"""Canonicalization: views fold into the offsets of the ops that use them (B11).

All keep which bytes are accessed and maintained, so no handoff is lost (IR-04, IR-12).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ..access import field_values
from ..build import build_op, rebuild_op
from ..verify import constant_index
from .cmd_control import CmdExecuteOp
from .resource_layout import (
    ResourceSubviewOp,
)
from .rewriting import add_index
from .sizes import same_number
from .types import ResourceType


def view_of(value: SSAValue) -> ResourceSubviewOp | None:
    """The op that makes `value` as a view, if it is one."""
    owner = value.owner
    return owner if isinstance(owner, ResourceSubviewOp) else None


class FoldWholeView(RewritePattern):
    """`subview %r[0] {%n} -> {%n}` is `%r`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ResourceSubviewOp, rewriter: PatternRewriter, /) -> None:
        """Replaces a view of the whole by the whole."""
        if constant_index(op.source_offset) != 0:
            return
        if same_number(op.source_size, op.result_size):
            rewriter.replace(op, (), (op.source,))


class FoldViewOfView(RewritePattern):
    """`subview (subview %r[%a])[%b]` is `subview %r[%a + %b]`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ResourceSubviewOp, rewriter: PatternRewriter, /) -> None:
        """Adds up the offsets along the views."""
        outer = view_of(op.source)
        if outer is None:
            return
        offset = add_index(rewriter, outer.source_offset, op.source_offset, op)
        rewriter.replace(
            op,
            rebuild_op(
                op, source=outer.source, source_size=outer.source_size, source_offset=offset
            ),
        )


class ViewFields(NamedTuple):
    """A resource operand with its size, and the positions in bytes that a view moves."""

    resource: str
    size: str
    positions: tuple[str, ...]


@dataclass(frozen=True)
class FoldViewIntoCommand(RewritePattern):
    """A command on a view is a command on its source, at positions moved by the view's offset."""

    fields: tuple[ViewFields, ...]

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        """Folds the first field that is a view."""
        assert isinstance(op, IRDLOperation)
        for fields in self.fields:
            view = view_of(getattr(op, fields.resource))
            if view is None:
                continue
            changes: dict[str, SSAValue | list[SSAValue]] = {
                fields.resource: view.source,
                fields.size: view.source_size,
            }
            for name in fields.positions:
                moved = [
                    add_index(rewriter, view.source_offset, position, op)
                    for position in field_values(op, name)
                ]
                changes[name] = moved if len(moved) != 1 else moved[0]
            rewriter.replace(op, rebuild_op(op, **changes))
            return


@dataclass(frozen=True)
class FoldViewsIntoBindings(RewritePattern):
    """A dispatch on views is a dispatch on their sources, at moved offsets."""

    prefix: str

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        """Folds all views among the bound resources."""
        assert isinstance(op, IRDLOperation)
        name = f"{self.prefix}s"
        values = list(field_values(op, name))
        sizes = list(field_values(op, f"{self.prefix}_sizes"))
        offsets = list(field_values(op, f"{self.prefix}_offsets"))
        slots = [i for i, value in enumerate(values) if isinstance(value.type, ResourceType)]
        found = False
        for slot, index in enumerate(slots):
            if (view := view_of(values[index])) is None:
                continue
            found = True
            values[index], sizes[slot] = view.source, view.source_size
            offsets[slot] = add_index(rewriter, view.source_offset, offsets[slot], op)
        if not found:
            return
        changes = {name: values, f"{self.prefix}_sizes": sizes, f"{self.prefix}_offsets": offsets}
        rewriter.replace(op, rebuild_op(op, **changes))


class MoveViewIntoExecution(RewritePattern):
    """A captured view becomes a view, within the region, of its captured source."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CmdExecuteOp, rewriter: PatternRewriter, /) -> None:
        """Captures the sources of all captured views."""
        views = [view_of(value) for value in op.resource_operands]
        if not any(views):
            return
        operands, sizes = list(op.resource_operands), list(op.resource_operand_sizes)
        block = op.body.block
        for index, view in enumerate(views):
            if view is None:
                continue
            operands[index], sizes[index] = view.source, view.source_size
            argument = block.args[index]
            inner = build_op(
                ResourceSubviewOp,
                location=view.location,
                source=argument,
                source_size=view.source_size,
                source_offset=view.source_offset,
                result_size=view.result_size,
                result=argument.type,
            )
            rewriter.insert(inner, InsertPoint.at_start(block))
            rewriter.replace_uses_with_if(
                argument, inner.result, lambda use, inner=inner: use.operation is not inner
            )
        rewriter.replace(
            op, rebuild_op(op, resource_operands=operands, resource_operand_sizes=sizes)
        )


class DropCaptures(RewritePattern):
    """Captures that are not used, or that another capture names already, go."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CmdExecuteOp, rewriter: PatternRewriter, /) -> None:
        """Keeps the first used capture of each resource."""
        first: dict[SSAValue, BlockArgument] = {}
        dropped: list[BlockArgument] = []
        for operand, argument in zip(op.resource_operands, op.body.block.args, strict=True):
            if argument.first_use is None:
                dropped.append(argument)
            elif operand in first:
                rewriter.replace_all_uses_with(argument, first[operand])
                dropped.append(argument)
            else:
                first[operand] = argument
        if not dropped:
            return
        indices = {argument.index for argument in dropped}
        kept = [i for i in range(len(op.resource_operands)) if i not in indices]
        for argument in reversed(dropped):
            rewriter.erase_block_argument(argument)
        operands = [op.resource_operands[i] for i in kept]
        sizes = [op.resource_operand_sizes[i] for i in kept]
        rewriter.replace(
            op, rebuild_op(op, resource_operands=operands, resource_operand_sizes=sizes)
        )
