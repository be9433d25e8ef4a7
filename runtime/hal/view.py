"""The bytes of a binding while a dispatch executes, through the cache of its device."""

from ..errors import out_of_range
from ..kernels.api import Bytes, Runs
from ..memory import Port
from ..runs import total


class PortView:
    """`zcir.runtime.kernels.api.BindingView` on a pool."""

    __slots__ = ("_port", "_start", "length")

    def __init__(self, port: Port, start: int, length: int) -> None:
        self._port = port
        self._start = start
        self.length = length

    def load(self, start: int, length: int) -> Bytes:
        """See `BindingView`."""
        self._check(start, start + length)
        first = self._start + start
        return self._port.load(first, first + length).copy()

    def borrow(self, start: int, length: int) -> Bytes:
        """See `BindingView`."""
        self._check(start, start + length)
        first = self._start + start
        view = self._port.load(first, first + length)
        view.flags.writeable = False
        return view

    def load_runs(self, runs: Runs) -> Bytes:
        """See `BindingView`."""
        self._check_runs(runs)
        return self._port.load_runs(runs + self._start)

    def store(self, start: int, data: Bytes) -> None:
        """See `BindingView`."""
        self._check(start, start + len(data))
        first = self._start + start
        self._port.store(first, first + len(data), data)

    def claim(self, start: int, length: int) -> Bytes:
        """See `BindingView`."""
        self._check(start, start + length)
        first = self._start + start
        return self._port.claim(first, first + length)

    def store_runs(self, runs: Runs, data: Bytes) -> None:
        """See `BindingView`."""
        self._check_runs(runs)
        if total(runs) != len(data):
            raise out_of_range(f"{len(data)} bytes stored to runs of {total(runs)} bytes")
        self._port.store_runs(runs + self._start, data)

    def _check(self, start: int, end: int) -> None:
        if start < 0 or end < start or end > self.length:
            raise out_of_range(
                "dispatch accesses an address outside of the valid bound buffer range "
                f"(bytes [{start}, {end}) of a binding of {self.length})"
            )

    def _check_runs(self, runs: Runs) -> None:
        if len(runs):
            self._check(int(runs[0, 0]), int(runs[-1, 1]))
