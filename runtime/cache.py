"""One coherence domain's private write-back, write-allocate cache over one pool.

State is kept for each line and byte in arrays that run parallel to the pool's bytes; every
operation is vectorised over the lines it touches (docs/memory-model.md, section 1).
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

_MANY = 16
"""Lines from which on a range is asked whether all of it is alike."""


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
        self.whole_lines_only = False
        """Whether maintenance of parts of lines is refused."""
        self._base = memory.base
        self._by_bytes = write_back is WriteBack.BYTES
        self._data: Bytes = np.empty(0, dtype=np.uint8)
        self._resize(len(memory.data))

    def _resize(self, size: int) -> None:
        """Run parallel to `size` bytes of memory, keeping what is cached."""
        old = len(self._data)
        data = np.empty(size, dtype=np.uint8)
        mask = np.zeros(size if self._by_bytes else 0, dtype=np.bool_)
        lines = size // self.line
        state = [np.zeros(lines, dtype=np.bool_) for _ in range(3)]
        stamps = np.zeros(lines, dtype=np.uint32)
        if old:
            data[:old] = self._data
            mask[:old] = self._mask
            for new, before in zip(state, (self.present, self.dirty, self._whole), strict=True):
                new[: len(before)] = before
            stamps[: len(self.stamps)] = self.stamps
        self._data, self._mask = data, mask
        self._data_rows = data.reshape(-1, self.line)
        self._mask_rows = mask.reshape(-1, self.line)
        """With write-back by bytes: the dirty bytes of the lines that are dirty in part; all other
        lines have none here, so that large stores leave it alone."""
        self.present, self.dirty, self._whole = state
        """For each line whether it is cached, has a dirty byte, is dirty in every byte."""
        self.stamps = stamps
        """For each line when it was last stored to, by the clock of the pool."""
        self._memory_data = self.memory.data
        self._memory_rows = self.memory.data.reshape(-1, self.line)

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
            self.stamps[first:last] = self.memory.tick()
            if self._by_bytes:
                self._mark(start, end, first, last)
            self.dirty[first:last] = True
        return self._data[start:end]

    def store_runs(self, runs: Runs, data: Bytes) -> None:
        """See `Port`."""
        self.fit()
        runs = runs - self._base
        # Runs are coalesced, so that a line is wholly overwritten only by a single run: those at
        # an end of a run which is not an end of a line are not.
        partial = np.concatenate(
            (
                runs[runs[:, 0] % self.line != 0, 0] // self.line,
                runs[runs[:, 1] % self.line != 0, 1] // self.line,
            )
        )
        self.prefetch(np.unique(partial))
        touched = expand(rounded(runs, self.line))
        self.present[touched] = True
        self.stamps[touched] = self.memory.tick()
        if self._by_bytes:
            scatter_flags(self._mask, runs)
            self._mask_rows[touched[self._whole[touched]]] = False
        self.dirty[touched] = True
        scatter(self._data, runs, data)

    # Maintenance by command: whole lines.

    def flush(self, start: int, end: int) -> int:
        """See `Port`: write back the dirty bytes of every line touched; lines stay, clean."""
        self.fit()
        first, last = self.span(start, end)
        if last - first >= _MANY and self._is_whole(first, last):
            self._write_back_all(first, last)
        else:
            self._write_back(self._dirty_in(first, last))
        return (last - first) * self.line

    def invalidate(self, start: int, end: int) -> int:
        """See `Port`: drop every line touched; dirty bytes in it are lost."""
        self.fit()
        first, last = self.span(start, end)
        self.present[first:last] = False
        if self.dirty[first:last].any():
            self._clean(self._dirty_in(first, last))
        return (last - first) * self.line

    # What the hardware may do at any moment.

    def evict(self, lines: Lines) -> None:
        """Write back what is dirty in the lines, then drop them."""
        self.fit()
        self._write_back(lines[self.dirty[lines]])
        self.present[lines] = False

    def prefetch(self, lines: Lines) -> None:
        """Fetch those of the lines that are not present."""
        self.fit()
        missing = lines[~self.present[lines]]
        if len(missing):
            self._settle(int(missing[0]), int(missing[-1]) + 1)
            self._data_rows[missing] = self._memory_rows[missing]
            self.present[missing] = True

    def prefetch_range(self, start: int, end: int) -> None:
        """Fetch every line that [start, end) touches and that is not present."""
        self.fit()
        self._fetch_span(*self.span(start, end))

    # Parts of these.

    def _settle(self, first: int, last: int) -> None:
        """Lines [first, last) of memory are read, or written in part."""
        self.memory.settle(first * self.line, last * self.line)

    def _fetch_span(self, first: int, last: int) -> None:
        if last - first == 1:
            if not self.present[first]:
                self._settle(first, last)
                self._data_rows[first] = self._memory_rows[first]
                self.present[first] = True
            return
        present = self.present[first:last]
        if present.all():
            return
        self._settle(first, last)
        if present.any():
            missing = np.flatnonzero(~present) + first
            self._data_rows[missing] = self._memory_rows[missing]
        else:
            self._data_rows[first:last] = self._memory_rows[first:last]
        present[:] = True

    def _mark(self, start: int, end: int, first: int, last: int) -> None:
        """Make bytes [start, end), which lie in lines [first, last), dirty one by one."""
        inner, outer = -(-start // self.line), end // self.line
        if inner < outer:
            partial = np.flatnonzero(self.dirty[inner:outer] > self._whole[inner:outer])
            if len(partial):
                self._mask_rows[partial + inner] = False
            self._whole[inner:outer] = True
        if first < inner and not self._whole[first]:
            self._mask[start : min(end, inner * self.line)] = True
        if inner <= outer < last and not self._whole[outer]:
            self._mask[max(start, outer * self.line) : end] = True

    def _dirty_in(self, first: int, last: int) -> Lines:
        return np.flatnonzero(self.dirty[first:last]) + first

    def _clean(self, lines: Lines) -> None:
        """Forget which bytes of lines are dirty."""
        if not len(lines):
            return
        if self._by_bytes:
            partial = lines[~self._whole[lines]]
            self._mask_rows[partial] = False
            self._whole[lines] = False
        self.dirty[lines] = False

    def _is_whole(self, first: int, last: int) -> bool:
        """Whether write-backs of all lines [first, last) store all of their bytes."""
        written = self._whole if self._by_bytes else self.dirty
        return bool(written[first:last].all())

    def _write_back_all(self, first: int, last: int) -> None:
        """`_write_back` of lines [first, last) that `_is_whole`, without a list of them."""
        self.memory.overwrite(first * self.line, last * self.line)
        self._memory_rows[first:last] = self._data_rows[first:last]
        self._whole[first:last] = False
        self.dirty[first:last] = False

    def _write_back(self, lines: Lines) -> None:
        """Store lines, all of them dirty, to memory as the write-back mode says; they are clean."""
        whole = lines
        if self._by_bytes and len(lines):
            is_whole = self._whole[lines]
            whole, partial = lines[is_whole], lines[~is_whole]
            if len(partial):
                self._settle(int(partial[0]), int(partial[-1]) + 1)
            stored = self._memory_rows[partial]
            np.copyto(stored, self._data_rows[partial], where=self._mask_rows[partial])
            self._memory_rows[partial] = stored
        if len(whole):
            where = _as_slice(whole)
            ends = int(whole[0]), int(whole[-1]) + 1
            if isinstance(where, slice):
                self.memory.overwrite(ends[0] * self.line, ends[1] * self.line)
            else:
                self._settle(*ends)
            self._memory_rows[where] = self._data_rows[where]
        self._clean(lines)


def _as_slice(lines: Lines) -> slice | Lines:
    """Consecutive lines as a slice, for which numpy copies nothing."""
    first, last = int(lines[0]), int(lines[-1])
    return slice(first, last + 1) if last - first + 1 == len(lines) else lines
