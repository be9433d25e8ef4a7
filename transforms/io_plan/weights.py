"""The constants of a model: memory that is filled at the load and read from then on (GE-03)."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ...dialects import stream, util
from ..build import constant_value
from .devices import device_names

CONSTANT = stream.ResourceType(stream.Lifetime.CONSTANT)


def weight_sizes(module: ModuleOp, device: str | None) -> list[int]:
    """Bytes of each constant that the initializers of `module` allocate, in order.

    Those in memory that `device` is none of the users of are not part of the weights.
    """
    sizes: list[int] = []
    for function in module.body.block.ops:
        if not isinstance(function, util.InitializerOp):
            continue
        for op in function.walk():
            if not isinstance(op, stream.ResourceAllocOp) or op.result.type != CONSTANT:
                continue
            size = constant_value(op.storage_size)
            if size is not None and _is_of(op, device):
                sizes.append(size)
    return sizes


def _is_of(op: stream.ResourceAllocOp, device: str | None) -> bool:
    return device is None or device in (device_names(op.affinity) or (device,))
