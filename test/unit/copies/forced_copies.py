"""Which copies a lowered program still makes, and programs with one of them turned into an alias.

Works on async programs right before `stream-refine-usage`, where every copy left is an op.
"""

from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from zcir.dialects import stream
from zcir.dialects.access import op_affinity
from zcir.transforms.analysis.value_affinity import ValueAffinities
from zcir.transforms.build import constant_value, make
from zcir.transforms.pipeline import TO_STREAM

_AT = TO_STREAM.index("stream-refine-usage")
BEFORE, AFTER = TO_STREAM[:_AT], TO_STREAM[_AT:]
"""The passes of `zc-to-stream` up to the point where copies are turned, and from there on."""


def forced_copies(module: ModuleOp) -> list[Operation]:
    """The clones, slices and copy transfers of `module`, whose results are whole values.

    Those on a side of a branch that its condition never takes are left out: nobody could tell.
    """
    return [op for op in module.walk() if _is_copy(op) and _may_run(op)]


def _may_run(op: Operation) -> bool:
    region = op.parent_region()
    while region is not None and (around := region.parent) is not None:
        if isinstance(around, scf.IfOp) and (taken := constant_value(around.cond)) is not None:
            side = around.true_region if taken else around.false_region
            if region is not side:
                return False
        region = around.parent_region()
    return True


def _is_copy(op: Operation) -> bool:
    match op:
        case stream.AsyncTransferOp():
            return op.kind == "copy"
        case stream.AsyncCloneOp() | stream.AsyncSliceOp():
            return True
        case _:
            return False


def alias_instead(op: Operation, homes: ValueAffinities) -> None:
    """Let the result of a copy be its source, or the range of it."""
    match op:
        case stream.AsyncTransferOp():
            op.attributes["stream.transfer_kind"] = StringAttr("alias")
        case stream.AsyncCloneOp():
            _replace(op, _handed_over(op, homes))
        case stream.AsyncSliceOp():
            view = make(
                stream.ResourceSubviewOp,
                op,
                [op.result.type],
                source=op.source,
                source_size=op.source_size,
                source_offset=op.source_offset,
                result_size=op.result_size,
            )
            _replace(op, view)
        case _:
            raise AssertionError(op.name)


def _handed_over(op: stream.AsyncCloneOp, homes: ValueAffinities) -> Operation:
    """An alias transfer in the place of a clone."""
    return make(
        stream.AsyncTransferOp,
        op,
        [op.result.type],
        source=op.source,
        source_size=op.source_size,
        result_size=op.result_size,
        source_affinity=homes.of(op.source),
        target_affinity=op_affinity(op),
        attributes={"stream.transfer_kind": StringAttr("alias")},
    )


def _replace(op: Operation, new: Operation) -> None:
    block = op.parent
    assert block is not None
    block.insert_op_before(new, op)
    op.results[0].replace_all_uses_with(new.results[0])
    op.detach()
    op.erase()
