"""Sets of byte ranges as arrays, and the bytes they name, without a Python loop over them.

Runs are rows [start, end), sorted, disjoint and coalesced (`zcir.runtime.kernels.api.Runs`).
"""

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from .kernels.api import Bytes, Runs

_GRAIN = 64
"""Widest row in bytes that irregular runs are moved by."""


def total(runs: Runs) -> int:
    """How many bytes all runs have together."""
    return int((runs[:, 1] - runs[:, 0]).sum())


def hull(runs: Runs) -> tuple[int, int]:
    """The range [start, end) from the first of the runs to the last."""
    return (int(runs[0, 0]), int(runs[-1, 1])) if len(runs) else (0, 0)


def shift(runs: Runs, offset: int) -> Runs:
    """Runs moved up by `offset`."""
    return np.add(runs, offset)


def expand(runs: Runs) -> NDArray[np.int64]:
    """Every integer in the runs, in order."""
    lengths = runs[:, 1] - runs[:, 0]
    ends = np.cumsum(lengths)
    if not len(ends):
        return np.empty(0, dtype=np.int64)
    # Position k lies in run i: its value is k minus where run i begins in the output, plus start.
    offsets: NDArray[np.int64] = np.repeat(runs[:, 0] - (ends - lengths), lengths)
    return np.arange(int(ends[-1]), dtype=np.int64) + offsets


def rounded(runs: Runs, line: int) -> Runs:
    """Line numbers [first, last + 1) of the lines of `line` bytes that the runs touch."""
    first = runs[:, 0] // line
    last = -(-runs[:, 1] // line)
    if len(runs) < 2:
        return np.stack((first, last), axis=1)
    # Neighbouring runs may touch the same or the next line: coalesce those.
    opens = np.concatenate(([True], first[1:] > last[:-1]))
    closes = np.concatenate((opens[1:], [True]))
    return np.stack((first[opens], last[closes]), axis=1)


def gather(array: Bytes, runs: Runs) -> Bytes:
    """A copy of the bytes of `array` that the runs name."""
    grid = _grid(array, runs)
    if grid is not None:
        return grid.flatten()
    rows, index = _rows(array, runs)
    return rows[index].reshape(-1)


def scatter(array: Bytes, runs: Runs, data: Bytes | int) -> None:
    """Set the bytes of `array` that the runs name from `data`, one after the other or all alike."""
    grid = _grid(array, runs)
    if grid is not None:
        grid[...] = data if isinstance(data, int) else data.reshape(grid.shape)
        return
    rows, index = _rows(array, runs)
    rows[index] = data if isinstance(data, int) else data.reshape(len(index), -1)


def scatter_flags(array: NDArray[np.bool_], runs: Runs) -> None:
    """Set the flags of `array` that the runs name."""
    scatter(array.view(np.uint8), runs, 1)


def _grid(array: Bytes, runs: Runs) -> Bytes | None:
    """The runs as rows of a strided view of `array`, where they are equally long and spaced."""
    if not len(runs):
        return array[:0].reshape(0, 1)
    start, length = int(runs[0, 0]), int(runs[0, 1] - runs[0, 0])
    if len(runs) == 1:
        return array[start : start + length].reshape(1, -1)
    stride = int(runs[1, 0]) - start
    regular = bool(
        (runs[:, 1] - runs[:, 0] == length).all() and (np.diff(runs[:, 0]) == stride).all()
    )
    if not regular:
        return None
    return as_strided(array[start:], (len(runs), length), (stride, 1))


def _rows(array: Bytes, runs: Runs) -> tuple[Bytes, NDArray[np.int64]]:
    """`array` as rows as wide as the runs' common grain, and the rows that the runs name."""
    grain = int(np.gcd.reduce(runs, axis=None, initial=_GRAIN))
    whole = len(array) // grain * grain
    return array[:whole].reshape(-1, grain), expand(runs // grain)
