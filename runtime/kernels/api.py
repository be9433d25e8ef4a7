"""What a dispatch is to the HAL: byte ranges it reads and writes, and a function that does it.

A kernel is compiled once per executable export (`zcir.runtime.kernels`), recorded into command
buffers as often as it is dispatched, and run by a queue on the memory of whatever buffers are
bound then. It knows nothing of addresses, caches or devices: all of its loads and stores go
through `BindingView`s, one for each binding, which act through the cache of the device that
executes the dispatch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.uint8]
"""A one-dimensional array of bytes."""

Runs: TypeAlias = NDArray[np.int64]
"""Byte ranges [start, end) as rows of an array of shape (n, 2): each row non-empty, rows sorted,
disjoint and coalesced (no row starts where the one before ends)."""

NO_RUNS: Runs = np.empty((0, 2), dtype=np.int64)
"""No bytes at all."""


def one_run(start: int, end: int) -> Runs:
    """The bytes [start, end) as runs; `NO_RUNS` when the range is empty."""
    if end <= start:
        return NO_RUNS
    return np.array([[start, end]], dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class BindingAccess:
    """The bytes of one binding that a dispatch reads and writes."""

    binding: int
    """Its ordinal among the bindings of the dispatch."""
    reads: Runs
    """Relative to the start of the binding."""
    writes: Runs
    """Relative to the start of the binding. Written wholly, never "maybe"."""


class BindingView(Protocol):
    """The bytes of one binding while a dispatch executes.

    Offsets are in bytes from the start of the binding. A range outside [0, length) raises
    `HalError` OUT_OF_RANGE. Within one dispatch every load precedes every store: a kernel reads
    all it needs from all of its views before it stores into any of them.
    """

    @property
    def length(self) -> int:
        """Length of the binding in bytes."""
        ...

    def load(self, start: int, length: int) -> Bytes:
        """A copy of `length` bytes from `start`; the caller owns it."""
        ...

    def borrow(self, start: int, length: int) -> Bytes:
        """The same bytes read-only and, where they need not be copied, without a copy.

        Valid until the first store (or `claim`) of the dispatch through any view.
        """
        ...

    def load_runs(self, runs: Runs) -> Bytes:
        """A copy of the bytes of all `runs`, one after the other."""
        ...

    def store(self, start: int, data: Bytes) -> None:
        """Write `data` from `start` on."""
        ...

    def claim(self, start: int, length: int) -> Bytes:
        """The memory of `length` bytes from `start`, to be overwritten wholly: a store in place.

        Its contents before that are undefined; valid until the dispatch ends. Use it as numpy's
        `out=` for the last operation of a kernel that is elementwise on what it borrowed.
        """
        ...

    def store_runs(self, runs: Runs, data: Bytes) -> None:
        """Write `data`, as long as all `runs` together, into `runs` one after the other."""
        ...


class Kernel(Protocol):
    """A compiled dispatch body."""

    @property
    def name(self) -> str:
        """The export as a person names it: `@executable::@export`."""
        ...

    def accesses(
        self, constants: tuple[int, ...], binding_lengths: tuple[int, ...]
    ) -> tuple[BindingAccess, ...]:
        """What the dispatch will read and write, for these push constants and binding lengths.

        At most one entry for each binding; a binding without an entry is not accessed. Ranges
        are exact, or over-approximate where the body is missing. The runtime refuses the
        dispatch with OUT_OF_RANGE where a range lies outside of its binding.
        """
        ...

    def run(self, views: Sequence[BindingView], constants: tuple[int, ...]) -> None:
        """Execute once for all workgroups; `views[i]` is binding i.

        `constants` are the push constants as the host passed them: 32-bit words, unsigned.
        Raises `HalError` when the dispatch fails; its submission and all that wait on it then
        fail with the same error.
        """
        ...
