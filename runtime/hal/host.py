"""The host as an agent: its allocations, mappings, imports and waits, in program order.

The host acts through the cache of its own domain. Its maintenance is that of mapped memory:
`flush_range` makes what it wrote available to devices, `invalidate_range` lets it see what they
made available (IR-36); a device's cache needs the device's commands.
"""

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np

from ..errors import (
    HalError,
    StatusCode,
    failed_precondition,
    out_of_range,
    permission_denied,
)
from ..events import EventKind
from ..kernels.api import Bytes
from ..machine import HOST
from ..memory import Port
from .buffer import WHOLE_BUFFER, Buffer, BufferParams
from .commands import check_whole_lines, maintain, maintenance_footprint
from .flags import BufferUsage, MemoryAccess, MemoryType, flags_text
from .recorder import NO_FOOTPRINT, UNNAMED, Footprint, Source, span_of
from .semaphore import Fence
from .validation import Reach, check_reach

if TYPE_CHECKING:
    from .system import System


class Host:
    """Actions of the host program. Before each, devices get ahead as the schedule likes."""

    def __init__(self, system: "System") -> None:
        self.domain = system.machine.domain_of(HOST)
        """Number of its coherence domain."""
        self.shares_cache = len(system.machine.domains[self.domain].agents) > 1
        """Whether there are `host_coherent` devices."""
        self.reach = Reach.of(system.machine, HOST)
        self.counters = system.statistics[HOST]
        self._system = system

    # Storage.

    def allocate(
        self,
        pool: str,
        size: int,
        params: BufferParams,
        source: Source = UNNAMED,
        *,
        agent: str = HOST,
    ) -> Buffer:
        """Allocate `size` bytes of `pool` at once; contents are undefined. `agent` counts them."""
        system = self._system
        buffer = system.reserve(agent, pool, size, params, system.known)
        self._open(buffer, source.or_label("hal.allocator.allocate"), borrowed=False)
        return buffer

    def deallocate(self, buffer: Buffer, source: Source = UNNAMED) -> None:
        """Free the storage of a buffer at once; FAILED_PRECONDITION for a second time."""
        system = self._system
        storage = buffer.storage
        number, done = system.release(storage, source.location)
        self._act(
            system.dealloca_footprint(storage),
            source.or_label("hal.buffer.deallocate"),
            lambda event: system.end(storage, event, done),
        )
        system.known = system.known.with_number(number)

    def import_array(
        self,
        data: Bytes,
        pool: str,
        params: BufferParams,
        source: Source = UNNAMED,
        *,
        borrowed: bool = False,
        flush: bool = True,
    ) -> Buffer:
        """Place the caller's bytes in `pool`: written through a mapping, flushed when it closes.

        Not a copy command and not an allocation: it stands for memory that the caller shares.
        `borrowed` says that the caller did not give it away, so that nobody may write it.
        Without `flush` the bytes stay in the host's cache until something flushes them.
        """
        system = self._system
        source = source.or_label("hal.allocator.import")
        check_reach(False, pool, params.name, self.reach, source)
        buffer = system.reserve(HOST, pool, len(data), params, system.known)
        buffer.storage.imported = True
        self._open(buffer, source, borrowed)
        port, start, end = self.port(buffer), buffer.start, buffer.start + buffer.length

        def fill(event: int) -> None:
            port.store(start, end, data)
            if flush:
                maintain(EventKind.FLUSH, port, start, end - start, self.counters)

        written = Footprint(EventKind.ACCESS, writes=span_of(start, end - start), flushed=flush)
        self._act(written, source, fill)
        return buffer

    def read_back(self, buffer: Buffer, source: Source = UNNAMED) -> Bytes:
        """What a buffer holds for the host: refreshed where there is a cache, and read."""
        source = source.or_label("hal.buffer_view.export")
        check_reach(False, buffer.pool, buffer.name, self.reach, source)
        if self.port(buffer).cached:
            self.refresh(buffer, source)
        return self.load(buffer, source)

    # Mapped memory.

    def map_range(
        self,
        buffer: Buffer,
        access: MemoryAccess,
        offset: int = 0,
        length: int = WHOLE_BUFFER,
        source: Source = UNNAMED,
    ) -> "Mapping":
        """Map bytes of a buffer; flushing and invalidating them is up to the caller (IR-18).

        PERMISSION_DENIED for memory that the host does not reach in place or see, and for usage
        or access that the buffer does not allow.
        """
        part = buffer.subspan(offset, length)
        params = buffer.params
        source = source.or_label("hal.buffer.map")
        check_reach(True, buffer.pool, buffer.name, self.reach, source)
        if MemoryType.HOST_VISIBLE not in params.memory_type:
            raise permission_denied(
                f"buffer {buffer.name} has memory type {flags_text(params.memory_type)}; mapping "
                "it requires HostVisible",
                source.location,
            )
        if not params.usage & (BufferUsage.MAPPING_SCOPED | BufferUsage.MAPPING_PERSISTENT):
            raise permission_denied(
                f"buffer {buffer.name} allows usage {flags_text(params.usage)}; mapping it "
                "requires MappingScoped or MappingPersistent",
                source.location,
            )
        if access & MemoryAccess.ALL & ~params.access:
            raise permission_denied(
                f"buffer {buffer.name} allows access {flags_text(params.access)}; the mapping "
                f"asks for {flags_text(access)}",
                source.location,
            )
        return Mapping(self, part, access, source)

    def map_read(
        self,
        buffer: Buffer,
        offset: int = 0,
        length: int = WHOLE_BUFFER,
        source: Source = UNNAMED,
    ) -> Bytes:
        """Map, refresh, read and unmap."""
        with self.map_range(buffer, MemoryAccess.READ, offset, length, source) as mapping:
            self.refresh(buffer.subspan(offset, length), mapping.source)
            return mapping.read()

    def map_write(self, buffer: Buffer, offset: int, data: Bytes, source: Source = UNNAMED) -> None:
        """Map, write, flush and unmap."""
        access = MemoryAccess.DISCARD_WRITE
        with self.map_range(buffer, access, offset, len(data), source) as mapping:
            mapping.write(data)

    # Fences.

    def wait(self, fence: Fence, timeout: int | None = None, source: Source = UNNAMED) -> None:
        """Wait for a fence.

        `timeout` in nanoseconds: 0 only asks, any other is long enough. Raises the error that
        failed the fence; DEADLINE_EXCEEDED where it is not reached, DeadlockError where it can
        never be.
        """
        system = self._system
        source = source.or_label("hal.fence.await")
        system.scheduler.host_acts()
        if timeout == 0 and not fence.settled:
            raise HalError(
                StatusCode.DEADLINE_EXCEEDED,
                f"{fence.name} is not signaled yet ({fence.pending()})",
                source.location,
            )
        system.scheduler.run_until(fence, source)
        self.counters.host_blocks += bool(fence.timepoints)
        if fence.failure is not None:
            raise fence.failure
        system.recorder.host(NO_FOOTPRINT, source, system.recorder.reached(fence, HOST))
        system.known |= fence.frontier

    def wait_idle(self, source: Source = UNNAMED) -> bool:
        """Wait until devices have executed all that can be, whatever fences say of it.

        False where submissions are left: they wait for fences that nothing submitted signals.
        """
        system = self._system
        while system.scheduler.step():
            pass
        events, frontier = system.scheduler.retire()
        system.recorder.host(NO_FOOTPRINT, source.or_label("wait until idle"), events)
        system.known |= frontier
        return not system.scheduler.blocked

    def signal(self, fence: Fence, source: Source = UNNAMED) -> None:
        """Reach all timepoints of a fence from the host."""
        system = self._system
        system.scheduler.host_acts()
        fence.plan(system.known)
        event = system.recorder.host(NO_FOOTPRINT, source.or_label("hal.fence.signal"))
        system.scheduler.host_signals(fence, event)

    def fail(self, fence: Fence, error: HalError, source: Source = UNNAMED) -> None:
        """Fail a fence from the host with `error`."""
        system = self._system
        system.scheduler.host_acts()
        system.recorder.host(NO_FOOTPRINT, source.or_label("hal.fence.fail"))
        system.scheduler.host_fails(fence, error)

    # Single accesses, for mappings and imports.

    def port(self, buffer: Buffer) -> Port:
        """The host's way to the pool of a buffer that it reaches."""
        port = self._system.memory.port(self.domain, buffer.pool)
        if port is None:
            raise permission_denied(f"{HOST} does not reach pool {buffer.pool}")
        return port

    def load(self, buffer: Buffer, source: Source) -> Bytes:
        """Read a buffer through the host's cache."""
        start, end = buffer.start, buffer.start + buffer.length
        result: Bytes = np.empty(buffer.length, dtype=np.uint8)

        def read(event: int) -> None:
            buffer.storage.check_live()
            result[:] = self.port(buffer).load(start, end)

        self._act(Footprint(EventKind.ACCESS, reads=span_of(start, end - start)), source, read)
        return result

    def store(self, buffer: Buffer, data: Bytes, source: Source) -> None:
        """Write a whole buffer through the host's cache."""
        start, end = buffer.start, buffer.start + buffer.length

        def write(event: int) -> None:
            buffer.storage.check_live()
            self.port(buffer).store(start, end, data)

        self._act(Footprint(EventKind.ACCESS, writes=span_of(start, end - start)), source, write)

    def maintain(self, kind: EventKind, buffer: Buffer, source: Source) -> None:
        """Flush or invalidate the host's lines of a buffer."""
        if not buffer.length:
            return
        port = self.port(buffer)

        def act(event: int) -> None:
            buffer.storage.check_live()
            span = (buffer.start, buffer.length)
            check_whole_lines(kind, port, buffer, span, source)
            maintain(kind, port, *span, self.counters)

        footprint = maintenance_footprint(kind, port, buffer.start, buffer.length)
        self._act(footprint, source, act)

    def refresh(self, buffer: Buffer, source: Source) -> None:
        """Drop the host's lines of a buffer, so that it reads what devices made available.

        Devices may share the host's cache and leave what they write there, so that dropping alone
        would lose it: their lines are written back first. Nothing is where no device does.
        """
        if self.shares_cache:
            self.maintain(EventKind.FLUSH, buffer, source)
        self.maintain(EventKind.INVALIDATE, buffer, source)

    def _open(self, buffer: Buffer, source: Source, borrowed: bool) -> None:
        system = self._system
        storage = buffer.storage
        self._act(
            system.alloca_footprint(storage, borrowed),
            source,
            lambda event: system.begin(storage, event),
        )

    def _act(self, footprint: Footprint, source: Source, do: Callable[[int], None]) -> None:
        """One action of the host: record it, do it, and let the caches move around it."""
        system = self._system
        system.scheduler.host_acts()
        if system.adversary is not None:
            system.adversary.before(self.domain, footprint)
        try:
            do(system.recorder.host(footprint, source))
        except HalError as error:
            raise error.at(source.location) from None
        if system.adversary is not None:
            system.adversary.after(self.domain, footprint)


class Mapping:
    """Bytes of a buffer as the host sees them, until closed. Offsets count from its start."""

    def __init__(self, host: Host, part: Buffer, access: MemoryAccess, source: Source) -> None:
        self._host = host
        self._part = part
        self._access = access
        self.source = source
        """Who maps, and where."""
        self._open = True

    def __enter__(self) -> "Mapping":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()

    def read(self, offset: int = 0, length: int = WHOLE_BUFFER) -> Bytes:
        """Bytes of the mapping, which needs READ access."""
        return self._host.load(self._range(MemoryAccess.READ, offset, length), self.source)

    def write(self, data: Bytes, offset: int = 0) -> None:
        """Write bytes of the mapping, which needs WRITE access."""
        part = self._range(MemoryAccess.WRITE, offset, len(data))
        self._host.store(part, data, self.source)

    def flush_range(self, offset: int = 0, length: int = WHOLE_BUFFER) -> None:
        """Make what the host wrote available to devices; needs WRITE access."""
        part = self._range(MemoryAccess.WRITE, offset, length)
        self._host.maintain(EventKind.FLUSH, part, self.source)

    def invalidate_range(self, offset: int = 0, length: int = WHOLE_BUFFER) -> None:
        """Let the host see what devices made available; needs READ access."""
        part = self._range(MemoryAccess.READ, offset, length)
        self._host.maintain(EventKind.INVALIDATE, part, self.source)

    def close(self, flush: bool = True) -> None:
        """Unmap. A mapping with WRITE access is flushed, exactly as far as it reaches (B19).

        Without `flush` it is not, as with the unmap of a graphics API.
        """
        if self._open and flush and MemoryAccess.WRITE in self._access:
            self.flush_range()
        self._open = False

    def _range(self, needed: MemoryAccess, offset: int, length: int) -> Buffer:
        if not self._open:
            raise failed_precondition(
                f"mapping of {self._part.name} is closed", self.source.location
            )
        if needed not in self._access:
            raise permission_denied(
                f"mapping of {self._part.name} has access {flags_text(self._access)}, the "
                f"operation requires {flags_text(needed)}",
                self.source.location,
            )
        if offset < 0 or length < WHOLE_BUFFER or offset > self._part.length:
            raise out_of_range(
                f"range [{offset} for {length}] is outside of the mapping of {self._part.name} "
                f"with {self._part.length} bytes",
                self.source.location,
            )
        return self._part.subspan(offset, length)
