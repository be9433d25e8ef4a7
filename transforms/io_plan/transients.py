"""The temporaries of a model whose place in the feature map is fixed."""

from __future__ import annotations

from xdsl.ir import Operation

from ...dialects import stream
from ...dialects.diagnostics import remark
from ..build import constant_value
from .devices import device_names


def transient_sizes(function: Operation, device: str | None) -> list[int]:
    """Bytes of the allocations of `function` that are made once at each run, in order.

    Left to be allocated at run time, with a remark: those within branches and loops, of sizes that
    are not constant, and in memory that `device` is none of the users of.
    """
    entry = function.regions[0].blocks[0]
    sizes: list[int] = []
    for op in function.walk():
        if not isinstance(op, stream.ResourceAllocaOp):
            continue
        size = constant_value(op.storage_size)
        if op.parent is not entry:
            remark(op, "is allocated at run time: it is made in a branch or a loop")
        elif size is None:
            remark(op, "is allocated at run time: its size is not constant")
        elif device is not None and device not in (device_names(op.affinity) or (device,)):
            remark(op, f"is allocated at run time: it is not in memory of @{device}")
        else:
            sizes.append(size)
    return sizes
