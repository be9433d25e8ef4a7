"""Shapes of outputs that are only known at run time: inferred, or taken on trust (GE-08)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ...dialects.io_plan import ModelIo, ModelOutput
from ..element_types import InputError, dtype_of_name
from ..host.errors import ErrorCode
from ..host.runtime import Runtime
from .options import LoweringOptions
from .tensor import InputBuffer, OutputBuffer, shape_of

_SIZE_END = 1 << 63
"""Bytes that no tensor can have."""


class ShapeInference:
    """Shapes of a model's outputs, call by call."""

    def __init__(self, runtime: Runtime, options: LoweringOptions) -> None:
        self._runtime = runtime
        self._options = options

    def trusts(self, io: ModelOutput) -> bool:
        """Whether the shape of an output is that of the caller's tensor."""
        return self._options.trust_shape_on_out_tensor and io.size is None and not io.inner_siblings

    def stated(self, io: ModelOutput, value: OutputBuffer) -> tuple[int, ...]:
        """The shape that is trusted; HostError where the caller states none, or another rank."""
        shape = shape_of(value)
        name = f"output {io.ordinal}"
        if shape is None:
            self._runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                f"{name} shape must be provided when trust_shape_on_out_tensor is set",
                name,
            )
        self._check_fits(io, shape, name)
        return shape

    def inferred(
        self, io: ModelOutput, inputs: Sequence[InputBuffer | None]
    ) -> tuple[int, ...] | None:
        """The shape that those of the inputs ask for; None where the program computes it."""
        dims: list[int] = []
        for dim in io.dims:
            if dim.input is not None:
                shape = shape_of(inputs[dim.input])
                if shape is None or dim.axis >= len(shape):
                    return None
                dims.append(shape[dim.axis])
            elif dim.size is not None:
                dims.append(dim.size)
            else:
                return None
        return tuple(dims)

    def size(self, io: ModelIo, shape: Sequence[int], name: str) -> int:
        """Bytes of an input or output of that shape; HostError for more than can be (GE-66)."""
        dtype = element_dtype(io)
        if dtype is None:
            self._runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                f"{name} has elements of {io.element or 'an unknown type'}, whose size is unknown",
                name,
            )
        size = prod(shape) * dtype.itemsize
        if size >= _SIZE_END or any(dim < 0 for dim in shape):
            self._runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                f"{name} of shape {list(shape)} has no size in 63 bits",
                name,
                shape,
            )
        return size

    def _check_fits(self, io: ModelOutput, shape: Sequence[int], name: str) -> None:
        fits = len(shape) == len(io.shape) and all(
            want in (-1, got) for want, got in zip(io.shape, shape, strict=True)
        )
        if not fits:
            self._runtime.refuse(
                ErrorCode.INVALID_MODEL_PARAMETER,
                f"{name} has shape {list(shape)}, the model gives {list(io.shape)} (-1 for any)",
                name,
                shape,
            )


def element_dtype(io: ModelIo) -> np.dtype[Any] | None:
    """The element type of an input or output; None for one that numpy has not."""
    try:
        return dtype_of_name(io.element)
    except InputError:
        return None
