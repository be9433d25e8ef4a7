"""One coherence domain's private write-back, write-allocate cache over one pool.

State is kept for each line and byte in arrays that run parallel to the pool's bytes; every
operation is vectorised over the lines it touches (DESIGN: Machine).
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .kernels.api import Bytes, Runs
from .machine import WriteBack
from .runs import expand, gather, rounded, scatter, scatter_flags

if TYPE_CHECKING:
    from .memory import PoolBytes

Lines = NDArray[np.int64]
"""Line numbers, counted from the start of the pool; sorted, without repetition."""


class Cache:
    """A domain's cached lines of one pool. It is unbounded: a line leaves by `evict` alone.

    A cached byte is fresh or stale, the simulator does not know which: it holds what was fetched
    or stored last. A dirty byte lies in a present line. Addresses are flat byte addresses.
    """

    cached = True

    def __init__(self, memory: "PoolBytes", domain: int, line: int, write_back: WriteBack) -> None:
        self.memory = memory
        self.domain = domain
        """Number of the domain whose cache this is."""
        self.line = line
        """Line size in bytes."""
        self._whole_lines = write_back is WriteBack.LINE
        self._base = memory.base
        self._data: Bytes = np.empty(0, dtype=np.uint8)
        self._resize(len(memory.data))

    def _resize(self, size: int) -> None:
        """Run parallel to `size` bytes of memory, keeping what is cached."""
        lines = size // self.line
        data = np.empty(size, dtype=np.uint8)
        dirty = np.zeros(size, dtype=np.bool_)
        present = np.zeros(lines, dtype=np.bool_)
        dirty_lines = np.zeros(lines, dtype=np.bool_)
        stamps = np.zeros(lines, dtype=np.int64)
        old = len(self._data)
        if old:
            data[:old], dirty[:old] = self._data, self._dirty
            old //= self.line
            present[:old], dirty_lines[:old] = self.present, self.dirty_lines
            stamps[:old] = self.stamps
        self._data, self._dirty = data, dirty
        self._data_rows = data.reshape(-1, self.line)
        self._dirty_rows = dirty.reshape(-1, self.line)
        self.present = present
        """For each line whether it is cached."""
        self.dirty_lines = dirty_lines
        """For each line whether it has a dirty byte."""
        self.stamps = stamps
        """For each line when it was last stored to, by the clock of the pool."""
        self._memory_rows = self.memory.data.reshape(-1, self.line)
        self._memory_data = self.memory.data

    def fit(self) -> None:
        """Follow the pool when it has grown; every operation does so by itself."""
        if self._memory_data is not self.memory.data:
            self._resize(len(self.memory.data))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Line numbers [first, last + 1) of the lines that [start, end) touches."""
        if end <= start:
            return 0, 0
        return (start - self._base) // self.line, -(-(end - self._base) // self.line)

    # Loads and stores.

    def load(self, start: int, end: int) -> Bytes:
        """See `Port`: from each line if present, else fetch it."""
        self.fit()
        self._fetch_span(*self.span(start, end))
        return self._data[start - self._base : end - self._base]

    def load_runs(self, runs: Runs) -> Bytes:
        """See `Port`."""
        self.fit()
        runs = runs - self._base
        self.prefetch(expand(rounded(runs, self.line)))
        return gather(self._data, runs)

    def store(self, start: int, end: int, data: Bytes) -> None:
        """See `Port`: fetch each line first unless wholly overwritten; the bytes become dirty."""
        self.claim(start, end)[:] = data

    def claim(self, start: int, end: int) -> Bytes:
        """See `Port`."""
        self.fit()
        first, last = self.span(start, end)
        start, end = start - self._base, end - self._base
        if first < last:
            if start % self.line:
                self._fetch_span(first, first + 1)
            if end % self.line:
                self._fetch_span(last - 1, last)
            self.present[first:last] = True
            self.dirty_lines[first:last] = True
            self.stamps[first:last] = self.memory.tick()
            self._dirty[start:end] = True
        return self._data[start:end]

    def store_runs(self, runs: Runs, data: Bytes) -> None:
        """See `Port`."""
        self.fit()
        runs = runs - self._base
        lines = rounded(runs, self.line)
        # Runs are coalesced, so a line is wholly overwritten only by a single run: those at the
        # two ends of a run that does not begin or end on a line are not.
        partial = np.concatenate(
            (
                runs[runs[:, 0] % self.line != 0, 0] // self.line,
                runs[runs[:, 1] % self.line != 0, 1] // self.line,
            )
        )
        self.prefetch(np.unique(partial))
        touched = expand(lines)
        self.present[touched] = True
        self.dirty_lines[touched] = True
        self.stamps[touched] = self.memory.tick()
        scatter_flags(self._dirty, runs)
        scatter(self._data, runs, data)

    # Maintenance by command: whole lines.

    def flush(self, start: int, end: int) -> int:
        """See `Port`: write back the dirty bytes of every line touched; lines stay, clean."""
        self.fit()
        first, last = self.span(start, end)
        dirty = np.flatnonzero(self.dirty_lines[first:last])
        self._write_back(dirty + first)
        return (last - first) * self.line

    def invalidate(self, start: int, end: int) -> int:
        """See `Port`: drop every line touched; dirty bytes in it are lost."""
        self.fit()
        first, last = self.span(start, end)
        self.present[first:last] = False
        if self.dirty_lines[first:last].any():
            self._dirty_rows[first:last] = False
            self.dirty_lines[first:last] = False
        return (last - first) * self.line

    # What the hardware may do at any moment.

    def evict(self, lines: Lines) -> None:
        """Write back what is dirty in the lines, then drop them."""
        self.fit()
        self._write_back(lines[self.dirty_lines[lines]])
        self.present[lines] = False

    def prefetch(self, lines: Lines) -> None:
        """Fetch those of the lines that are not present."""
        self.fit()
        missing = lines[~self.present[lines]]
        if len(missing):
            self._data_rows[missing] = self._memory_rows[missing]
            self.present[missing] = True

    def prefetch_range(self, start: int, end: int) -> None:
        """Fetch every line that [start, end) touches and that is not present."""
        self.fit()
        self._fetch_span(*self.span(start, end))

    # Parts of these.

    def _fetch_span(self, first: int, last: int) -> None:
        if last - first == 1:
            if not self.present[first]:
                self._data_rows[first] = self._memory_rows[first]
                self.present[first] = True
            return
        present = self.present[first:last]
        if present.all():
            return
        if present.any():
            missing = np.flatnonzero(~present) + first
            self._data_rows[missing] = self._memory_rows[missing]
        else:
            self._data_rows[first:last] = self._memory_rows[first:last]
        present[:] = True

    def _write_back(self, lines: Lines) -> None:
        """Store lines, all of them dirty, to memory as the write-back mode says; they are clean."""
        if not len(lines):
            return
        where = _as_slice(lines)
        if self._whole_lines:
            self._memory_rows[where] = self._data_rows[where]
        else:
            stored = self._memory_rows[where]
            np.copyto(stored, self._data_rows[where], where=self._dirty_rows[where])
            if not isinstance(where, slice):
                self._memory_rows[where] = stored
        self._dirty_rows[where] = False
        self.dirty_lines[where] = False


def _as_slice(lines: Lines) -> slice | Lines:
    """Consecutive lines as a slice, for which numpy copies nothing."""
    first, last = int(lines[0]), int(lines[-1])
    return slice(first, last + 1) if last - first + 1 == len(lines) else lines
