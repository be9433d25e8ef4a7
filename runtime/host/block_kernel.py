"""Kernels as Python functions over numpy arrays, run once for each block.

    @kernel(reads("x", "f2", 2048), reads("y", "f2", 2048), writes("z", "f2", 2048))
    def add_custom(block, x, y, z):
        part = slice(block * 2048, (block + 1) * 2048)
        z[part] = x[part] + y[part]

Parameters are those of the function after the block index. What a kernel touches is declared: of
a buffer `elements` elements for each block, or all of it. Reads are done before the first block
runs and writes after the last one, so that an output may be an input, too, where the kernel reads
an element before it writes that element (ZC-44).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import HalError, StatusCode
from ..kernels.api import NO_RUNS, BindingAccess, BindingView, one_run
from ..memory import POISON

BlockOrder = Callable[[int], Iterable[int]]
"""In which order so many blocks run."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One buffer parameter of a kernel."""

    name: str
    dtype: np.dtype[Any]
    elements: int | None
    """Elements that each block touches, block b those from b * elements on; None: each block
    touches the whole buffer."""
    is_read: bool
    is_written: bool

    def extent(self, blocks: int, length: int) -> int:
        """Bytes from the start that `blocks` blocks touch of a buffer of `length` bytes."""
        item = self.dtype.itemsize
        return length // item * item if self.elements is None else blocks * self.elements * item


def reads(name: str, dtype: Any, elements: int | None = None) -> Parameter:
    """A buffer that is read; see `Parameter`."""
    return Parameter(name, np.dtype(dtype), elements, is_read=True, is_written=False)


def writes(name: str, dtype: Any, elements: int | None = None) -> Parameter:
    """A buffer that is wholly overwritten, as far as it is touched."""
    return Parameter(name, np.dtype(dtype), elements, is_read=False, is_written=True)


def updates(name: str, dtype: Any, elements: int | None = None) -> Parameter:
    """A buffer that is read and written in place."""
    return Parameter(name, np.dtype(dtype), elements, is_read=True, is_written=True)


@dataclass(frozen=True, slots=True, eq=False)
class BlockKernel:
    """A kernel as its author wrote it."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Callable[..., None]
    """Called with the block index, an array for each parameter, and the scalars."""
    duration_ns: float | None = None
    """Simulated time of one launch; None: from the bytes that it touches."""
    bound: "dict[tuple[object, ...], BoundKernel]" = field(
        default_factory=dict[tuple[object, ...], "BoundKernel"]
    )
    """By block count and scalars."""

    def bind(self, blocks: int, scalars: tuple[Any, ...], order: BlockOrder) -> "BoundKernel":
        """The kernel of a launch; the same for the same arguments."""
        key = (blocks, scalars, order)
        if key not in self.bound:
            self.bound[key] = BoundKernel(self, blocks, scalars, order)
        return self.bound[key]


def kernel(
    *parameters: Parameter, name: str = "", duration_ns: float | None = None
) -> Callable[[Callable[..., None]], BlockKernel]:
    """Make a function a kernel, named as the function unless `name` is given."""

    def decorate(body: Callable[..., None]) -> BlockKernel:
        return BlockKernel(name or body.__name__, parameters, body, duration_ns)

    return decorate


@dataclass(frozen=True, slots=True, eq=False)
class BoundKernel:
    """A kernel with its block count and scalars: `zcir.runtime.kernels.api.Kernel`."""

    source: BlockKernel
    blocks: int
    scalars: tuple[Any, ...]
    order: BlockOrder

    @property
    def name(self) -> str:
        """See `Kernel`."""
        return self.source.name

    def accesses(
        self, constants: tuple[int, ...], binding_lengths: tuple[int, ...]
    ) -> tuple[BindingAccess, ...]:
        """See `Kernel`: as declared."""
        result: list[BindingAccess] = []
        pairs = zip(self.source.parameters, binding_lengths, strict=True)
        for index, (parameter, length) in enumerate(pairs):
            runs = one_run(0, parameter.extent(self.blocks, length))
            result.append(
                BindingAccess(
                    index,
                    runs if parameter.is_read else NO_RUNS,
                    runs if parameter.is_written else NO_RUNS,
                )
            )
        return tuple(result)

    def run(self, views: Sequence[BindingView], constants: tuple[int, ...]) -> None:
        """See `Kernel`. HalError INTERNAL where the function raises."""
        arrays = [
            _array(parameter, view, parameter.extent(self.blocks, view.length))
            for parameter, view in zip(self.source.parameters, views, strict=True)
        ]
        for block in self.order(self.blocks):
            try:
                self.source.body(block, *arrays, *self.scalars)
            except Exception as error:
                raise HalError(
                    StatusCode.INTERNAL,
                    f"kernel {self.name} failed in block {block}: {type(error).__name__}: {error}",
                ) from error
        for parameter, view, array in zip(self.source.parameters, views, arrays, strict=True):
            if parameter.is_written:
                view.store(0, array.view(np.uint8))


def _array(parameter: Parameter, view: BindingView, extent: int) -> NDArray[Any]:
    """The bytes that a kernel works on: loaded where it reads, undefined where it only writes."""
    if not parameter.is_read:
        return np.full(extent, POISON, np.uint8).view(parameter.dtype)
    array = view.load(0, extent).view(parameter.dtype)
    array.flags.writeable = parameter.is_written
    return array


def in_order(blocks: int) -> Iterable[int]:
    """Blocks by ascending index."""
    return range(blocks)
