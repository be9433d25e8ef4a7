"""Updates that write what is there already (case B10).

```mlir
%1 = stream.async.slice %0[%c32 to %c64] : … -> …{%c32}
%2 = stream.async.update %1, %0[%c32 to %c64] : … -> %0 as …
```

is `%0`, as is an update of all of a value with itself.
"""

from xdsl.ir import Operation, SSAValue

from ..dialects import stream
from .build import constant_value


def fold_self_updates(function: Operation) -> None:
    """Replace every update of a range with its own contents by its target."""
    for op in list(function.walk()):
        if isinstance(op, stream.AsyncUpdateOp) and _is_same_range(op):
            op.result.replace_all_uses_with(op.target)
            op.detach()
            op.erase()


def _is_same_range(op: stream.AsyncUpdateOp) -> bool:
    if op.update is op.target:
        return True
    part = op.update.owner
    return (
        isinstance(part, stream.AsyncSliceOp | stream.ResourceSubviewOp)
        and part.source is op.target
        and _same_number(part.source_offset, op.target_offset)
    )


def _same_number(left: SSAValue, right: SSAValue) -> bool:
    known = constant_value(left)
    return left is right or (known is not None and known == constant_value(right))
