"""Where a model's temporaries are in its own memory, by the op that asks for each."""

from __future__ import annotations

from xdsl.ir import Operation

from ...dialects import util
from ...dialects.hal.device_queue import DeviceQueueAllocaOp
from ...dialects.io_plan import IoPlan
from ...dialects.verify import constant_index


def transient_ranges(function: util.FuncOp, plan: IoPlan) -> dict[Operation, tuple[int, int]]:
    """Offset and size in bytes of the allocations that the plan's feature map has a place for.

    They come first in it, one after the other (`model-assign-io-memory`). None where the function
    does not allocate what was planned: all is allocated at run time then.
    """
    ranges: dict[Operation, tuple[int, int]] = {}
    end = 0
    for op in function.body.blocks[0].ops:
        if not isinstance(op, DeviceQueueAllocaOp):
            continue
        size = constant_index(op.result_size)
        if size is None:
            continue
        ranges[op] = end, size
        end += -(-size // plan.feature_map_align) * plan.feature_map_align
    return ranges if end == plan.transient_size else {}
