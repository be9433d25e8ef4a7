"""A single operator, executed on memory that is all the caller's (GE-13, GE-72)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ..host.runtime import Runtime
from .loader import load
from .memory import Allocator
from .model import Model
from .options import LoweringOptions
from .tensor import InputBuffer, IoBuffer, OutputBuffer


def run_single_op(
    op: str | Path | ModuleOp | Model,
    inputs: Sequence[InputBuffer | None],
    outputs: Sequence[OutputBuffer],
    *,
    runtime: Runtime | None = None,
    options: LoweringOptions | None = None,
    allocators: Mapping[str, Allocator] | None = None,
) -> list[IoBuffer]:
    """Run an operator once, in the strict mode whatever `options` say.

    Args:
        op: its program, or one that was loaded already, whose program is taken.
        inputs: memory of the operands.
        outputs: memory for the results, all of which the device must reach.
        runtime: the machine that the memory is on; by default that of a loaded `op`.
        options: `always_zero_copy` and `always_external_allocator` are on in any case.
        allocators: for what the operator needs besides, by device.

    Raises HostError as `load` and `Model.run` do: nothing is allocated or copied in their stead.
    """
    strict = replace(
        options or LoweringOptions(), always_zero_copy=True, always_external_allocator=True
    )
    if runtime is None and isinstance(op, Model):
        runtime = op.runtime
    model = load(op, options=strict, runtime=runtime, allocators=allocators)
    try:
        return model.run(inputs, outputs)
    finally:
        model.unload()
