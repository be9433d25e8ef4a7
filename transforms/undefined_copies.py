"""Copies of undefined contents: storage of its own says as much.

```mlir
%0 = stream.async.alloca on(@a) : …{%c64}
%1 = stream.async.transfer %0 … to(@b) … {stream.transfer_kind = "copy"}
%2 = stream.async.clone on(@a) %0 : …
```

becomes

```mlir
%1 = stream.async.alloca on(@b) : …{%c64}
%2 = stream.async.alloca on(@a) : …{%c64}
```
"""

from xdsl.ir import Operation

from ..dialects import stream
from ..dialects.access import op_affinity
from .analysis.versions import COPY, transfer_kind
from .build import make


def fold_undefined_copies(function: Operation) -> None:
    """Replace each copy of what nobody has written by an allocation."""
    for op in list(function.walk()):
        match op:
            case stream.AsyncTransferOp() if transfer_kind(op) == COPY:
                affinity = op.target_affinity
            case stream.AsyncCloneOp() | stream.AsyncSliceOp():
                affinity = op_affinity(op)
            case _:
                continue
        source = op.source.owner
        if not isinstance(source, stream.AsyncAllocaOp):
            continue
        block = op.parent
        assert block is not None
        fields = {"storage_size": op.result_size, "affinity": affinity}
        own = make(stream.AsyncAllocaOp, op, [op.result.type], **fields)
        block.insert_op_before(own, op)
        op.result.replace_all_uses_with(own.result)
        block.erase_op(op)
        if source.result.first_use is None and source.parent is not None:
            source.parent.erase_op(source)
