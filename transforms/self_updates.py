"""Updates that write what is there already (case B10).

```mlir
%1 = stream.async.slice %0[%c32 to %c64] : … -> …{%c32}
%2 = stream.async.update %1, %0[%c32 to %c64] : … -> %0 as …
```

is `%0`, as is an update of all of a value with itself, with a copy of itself, or once more with
what an update before it has put there.

Does not handle: ranges that are not constant, unless they are the same values; contents that are
more than a few ops back.
"""

from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from ..dialects import stream
from ..dialects.walk import walk
from .build import constant_value

_LOOKED_BACK = 16
"""Ops; what is right before an update is what repeats it."""


class _Bytes(NamedTuple):
    """Some bytes of a value, from `start` on: a number, or the value that the run has for it."""

    value: SSAValue
    start: int | SSAValue


def fold_self_updates(function: Operation) -> None:
    """Replace every update of a range with its own contents by its target."""
    for op in list(walk(function)):
        if isinstance(op, stream.AsyncUpdateOp) and _is_same_range(op):
            op.result.replace_all_uses_with(op.target)
            op.detach()
            op.erase()


def _is_same_range(op: stream.AsyncUpdateOp) -> bool:
    start, size = _known(op.target_offset), constant_value(op.update_size)
    part = _made_of(_Bytes(op.update, 0), size)
    return part == _made_of(_Bytes(op.target, start), size)


def _known(offset: SSAValue) -> int | SSAValue:
    number = constant_value(offset)
    return offset if number is None else number


def _made_of(bytes: _Bytes, size: int | None) -> _Bytes:
    """The first value that holds what `size` `bytes` are."""
    for _ in range(_LOOKED_BACK):
        before = _before(bytes, size)
        if before is None:
            break
        bytes = before
    return bytes


def _before(bytes: _Bytes, size: int | None) -> _Bytes | None:
    match bytes.value.owner:
        case stream.AsyncTransferOp() | stream.AsyncCastOp() | stream.AsyncCloneOp() as op:
            return _Bytes(op.source, bytes.start)
        case stream.AsyncSliceOp() | stream.ResourceSubviewOp() as part:
            start = _sum(_known(part.source_offset), bytes.start)
            return None if start is None else _Bytes(part.source, start)
        case stream.AsyncUpdateOp() as update:
            first, length = constant_value(update.target_offset), constant_value(update.update_size)
            if first is None or length is None or size is None or isinstance(bytes.start, SSAValue):
                return None
            if first <= bytes.start and bytes.start + size <= first + length:
                return _Bytes(update.update, bytes.start - first)
            apart = bytes.start + size <= first or first + length <= bytes.start
            return _Bytes(update.target, bytes.start) if apart else None
        case _:
            return None


def _sum(left: int | SSAValue, right: int | SSAValue) -> int | SSAValue | None:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    return right if left == 0 else left if right == 0 else None
