"""Copies between devices that are the same in each iteration of a loop, once before it.

```mlir
scf.for … { %1 = stream.async.transfer %x … {stream.transfer_kind = "copy"}; … reads %1 … }
```

becomes, where `%x` is defined outside and nothing updates `%1` in place,

```mlir
%1 = stream.async.transfer %x … {stream.transfer_kind = "copy"}
scf.for … { … reads %1 … }
```

Does not handle: transfers in branches within the loop, and loops of `cf` branches.
"""

from collections.abc import Iterable

from xdsl.dialects import scf
from xdsl.ir import Operation

from ..dialects import stream
from ..dialects.diagnostics import remark
from .analysis.execution_counts import ExecutionCounts
from .analysis.value_flow import is_defined_in
from .analysis.versions import Versions


def hoist_transfers(
    function: Operation, copies: Iterable[stream.AsyncTransferOp], counts: ExecutionCounts
) -> None:
    """Move those of `copies`, copy transfers of `function`, out of loops where they may be.

    A loop that is known to be executed at most once keeps its copies.
    """
    versions: Versions | None = None
    for op in copies:
        if _loop_to_leave(op, counts) is None:
            continue
        versions = versions or Versions(function)
        if versions.updates(op.result):
            continue
        remark(op, "copied once before the loop: the same in each iteration")
        while (loop := _loop_to_leave(op, counts)) is not None:
            block = loop.parent
            assert block is not None
            op.detach()
            block.insert_op_before(op, loop)


def _loop_to_leave(op: Operation, counts: ExecutionCounts) -> Operation | None:
    """The loop right around `op`, if nothing in it defines what `op` uses."""
    loop = op.parent_op()
    if not isinstance(loop, scf.ForOp | scf.WhileOp) or counts.of(op) <= counts.of(loop):
        return None
    return None if any(is_defined_in(value, loop) for value in op.operands) else loop
