"""Files: bytes of the host that queues read into buffers and write from them."""

from dataclasses import dataclass

from ..errors import out_of_range, permission_denied
from ..events import EventKind
from ..kernels.api import Bytes
from .commands import Command, Execution
from .flags import MemoryAccess, flags_text
from .recorder import Footprint, Source, span_of
from .refs import Ref


@dataclass(frozen=True, slots=True, eq=False)
class File:
    """A range of host memory as a file. It has no address: no agent reaches it but queues."""

    data: Bytes
    access: MemoryAccess = MemoryAccess.READ

    def range(self, needed: MemoryAccess, offset: int, length: int) -> Bytes:
        """Its bytes from `offset`, as a view.

        PERMISSION_DENIED for an access that it was not opened for, OUT_OF_RANGE beyond its end.
        """
        if needed not in self.access:
            raise permission_denied(
                f"file was opened with access {flags_text(self.access)}, the operation requires "
                f"{flags_text(needed)}"
            )
        if offset < 0 or offset + length > len(self.data):
            raise out_of_range(
                f"range [{offset} for {length}] is outside of the file's {len(self.data)} bytes"
            )
        return self.data[offset : offset + length]


class _FileCommand(Command):
    """Moves bytes between a file and a buffer."""

    __slots__ = ("_file", "_ref")

    def __init__(self, source: Source, file: Bytes, ref: Ref) -> None:
        super().__init__(source)
        self._file = file
        self._ref = ref

    @property
    def refs(self) -> tuple[Ref, ...]:
        """See `Command`."""
        return (self._ref,)


class ReadFile(_FileCommand):
    """Writes the bytes that a file has when it executes."""

    __slots__ = ()

    def footprint(self, run: Execution) -> Footprint:
        """See `Command`."""
        _, to, length = self._ref.bind(run.table)
        return Footprint(EventKind.ACCESS, writes=span_of(to, length), transfer=True)

    def execute(self, run: Execution, event: int) -> None:
        """See `Command`."""
        target, to, length = self._ref.bind(run.table)
        target.storage.check_live()
        run.ports[target.pool].store(to, to + length, self._file)
        run.counters.file_bytes += length


class WriteFile(_FileCommand):
    """Reads bytes of a buffer into a file."""

    __slots__ = ()

    def footprint(self, run: Execution) -> Footprint:
        """See `Command`."""
        _, from_, length = self._ref.bind(run.table)
        return Footprint(EventKind.ACCESS, reads=span_of(from_, length), transfer=True)

    def execute(self, run: Execution, event: int) -> None:
        """See `Command`."""
        source, from_, length = self._ref.bind(run.table)
        source.storage.check_live()
        self._file[:] = run.ports[source.pool].load(from_, from_ + length)
        run.counters.file_bytes += length
