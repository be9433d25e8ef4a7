"""Where a model's temporaries, constants and variables are, by the op that asks for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects import util
from ...dialects.hal.affinity import AffinityAttr
from ...dialects.hal.allocator import AllocatorAllocateOp, AllocatorResolveMemoryPropertiesOp
from ...dialects.hal.device_queue import DeviceQueueAllocaOp
from ...dialects.hal.enum_base import enum_attr
from ...dialects.hal.enums import Lifetime
from ...dialects.io_plan import IoPlan
from ...dialects.verify import constant_index

CONSTANT = enum_attr(Lifetime, Lifetime.CONSTANT)

Range = tuple[int, int]
"""Offset and size in bytes."""


def transient_ranges(function: util.FuncOp, plan: IoPlan) -> dict[Operation, Range]:
    """Where the temporaries are in the feature map that the plan has a place for.

    They come first in it, one after the other (`model-assign-io-memory`). None where the function
    does not allocate what was planned: all is allocated at run time then.
    """
    asked = [
        (op, size)
        for op in function.body.blocks[0].ops
        if isinstance(op, DeviceQueueAllocaOp)
        and (size := constant_index(op.result_size)) is not None
    ]
    return _packed(asked, plan.feature_map_align, plan.transient_size)


@dataclass(frozen=True, slots=True)
class Resident:
    """Memory that an initializer allocates once: a constant or a variable."""

    op: AllocatorAllocateOp
    size: int
    """Bytes."""
    device: str
    """Whose memory it is in."""
    constant: bool


def residents(module: ModuleOp) -> list[Resident]:
    """What the initializers of a module allocate of a known size, on one device each."""
    return list(_residents(module))


def _residents(module: ModuleOp) -> Iterator[Resident]:
    for initializer in module.body.block.ops:
        if not isinstance(initializer, util.InitializerOp):
            continue
        for op in initializer.walk():
            if not isinstance(op, AllocatorAllocateOp):
                continue
            size, kind = constant_index(op.result_size), op.memory_types.owner
            if size is None or not isinstance(kind, AllocatorResolveMemoryPropertiesOp):
                continue
            names = kind.affinity.device_names if isinstance(kind.affinity, AffinityAttr) else ()
            if len(names) == 1:
                yield Resident(op, size, names[0], kind.lifetime == CONSTANT)


def weight_ranges(found: list[Resident], plan: IoPlan, device: str) -> dict[Operation, Range]:
    """Where constants are in the weight memory, on `device`, that the plan has the size of."""
    asked = [(one.op, one.size) for one in found if one.constant and one.device == device]
    return _packed(asked, plan.feature_map_align, plan.weight_size)


def _packed(
    asked: Sequence[tuple[Operation, int]], alignment: int, size: int
) -> dict[Operation, Range]:
    """The place of each, one after the other; none where they do not make up `size`."""
    ranges: dict[Operation, Range] = {}
    end = 0
    for op, bytes in asked:
        ranges[op] = end, bytes
        end += -(-bytes // alignment) * alignment
    return ranges if end == size else {}
