"""Commands as a queue executes them: decoded once, executed with a binding table each time."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..counters import Counters
from ..errors import HalError, invalid_argument
from ..events import EventKind, Span
from ..kernels.api import Bytes
from ..memory import Port
from .buffer import Buffer
from .flags import ExecutionStage
from .recorder import Footprint, Source, span_of
from .refs import Ref, Table, direct

if TYPE_CHECKING:
    from .command_buffer import CommandBuffer


@dataclass(slots=True, eq=False)
class Execution:
    """On whose behalf a command executes, and what its slots are bound to."""

    agent: str
    """The device."""
    domain: int
    """Number of its coherence domain."""
    ports: Mapping[str, Port]
    """The device's way to each pool that it reaches."""
    counters: Counters
    table: Table = ()


class Command(ABC):
    """One command. Its execution is atomic: nothing else acts on memory meanwhile."""

    __slots__ = ("source",)

    stage: ExecutionStage = ExecutionStage.TRANSFER
    maintains = False
    """Whether it is a flush, invalidate or discard."""

    def __init__(self, source: Source) -> None:
        self.source = source

    @property
    def refs(self) -> tuple[Ref, ...]:
        """Its references to buffers."""
        return ()

    @abstractmethod
    def footprint(self, run: Execution) -> Footprint:
        """The bytes it will touch."""

    @abstractmethod
    def execute(self, run: Execution, event: int) -> None:
        """Do it; `event` is the id under which it was recorded. Raises `HalError`."""


class RecordedCommand(Command):
    """A command of a command buffer, which can be recorded again into another."""

    __slots__ = ()

    @abstractmethod
    def record_into(self, target: "CommandBuffer", table: Table) -> None:
        """Record it, with the buffers of `table` in place of its slots."""


class CopyBuffer(RecordedCommand):
    """Copies bytes; the device's domain both reads and writes, through its cache."""

    __slots__ = ("_from", "_to")

    def __init__(self, source: Source, from_: Ref, to: Ref) -> None:
        super().__init__(source)
        self._from = from_
        self._to = to

    @property
    def refs(self) -> tuple[Ref, ...]:
        """See `Command`."""
        return self._from, self._to

    def record_into(self, target: "CommandBuffer", table: Table) -> None:
        """See `RecordedCommand`."""
        target.copy_buffer(direct(self._from, table), direct(self._to, table), self.source)

    def footprint(self, run: Execution) -> Footprint:
        """See `Command`."""
        _, from_, length = self._from.bind(run.table)
        _, to, _ = self._to.bind(run.table)
        if not length or from_ == to:
            return Footprint(EventKind.ACCESS)
        read, written = Span(from_, from_ + length), Span(to, to + length)
        return Footprint(EventKind.ACCESS, (read,), (written,), copies=((read, written),))

    def execute(self, run: Execution, event: int) -> None:
        """See `Command`. INVALID_ARGUMENT where the ranges overlap; a table may however bind one
        range to both, for which there is nothing to do (GE-35)."""
        source, from_, length = self._from.bind(run.table)
        target, to, _ = self._to.bind(run.table)
        source.storage.check_live()
        target.storage.check_live()
        if from_ == to or not length:
            return
        if from_ < to + length and to < from_ + length:
            raise overlap(source, from_, target, to, length)
        data = run.ports[source.pool].load(from_, from_ + length)
        run.ports[target.pool].store(to, to + length, data)
        run.counters.copy_cmds += 1
        run.counters.copy_bytes += length


def overlap(source: Buffer, from_: int, target: Buffer, to: int, length: int) -> HalError:
    """The error of a copy whose ranges overlap, with both ranges (case B10)."""
    first, second = from_ - source.storage.start, to - target.storage.start
    return invalid_argument(
        "source and target ranges overlap within the same buffer: "
        f"{source.name} [{first}, {first + length}) and [{second}, {second + length})"
    )


class FillBuffer(RecordedCommand):
    """Repeats a pattern over a range."""

    __slots__ = ("_pattern", "_to")

    def __init__(self, source: Source, to: Ref, pattern: bytes) -> None:
        super().__init__(source)
        self._to = to
        self._pattern = np.frombuffer(pattern, dtype=np.uint8)

    @property
    def refs(self) -> tuple[Ref, ...]:
        """See `Command`."""
        return (self._to,)

    def record_into(self, target: "CommandBuffer", table: Table) -> None:
        """See `RecordedCommand`."""
        target.fill_buffer(direct(self._to, table), self._pattern.tobytes(), self.source)

    def footprint(self, run: Execution) -> Footprint:
        """See `Command`."""
        _, to, length = self._to.bind(run.table)
        return Footprint(EventKind.ACCESS, writes=span_of(to, length), transfer=True)

    def execute(self, run: Execution, event: int) -> None:
        """See `Command`."""
        target, to, length = self._to.bind(run.table)
        target.storage.check_live()
        claimed = run.ports[target.pool].claim(to, to + length)
        claimed.reshape(-1, len(self._pattern))[...] = self._pattern
        run.counters.fills += 1


class UpdateBuffer(RecordedCommand):
    """Writes bytes that were captured when it was recorded."""

    __slots__ = ("_data", "_to")

    def __init__(self, source: Source, to: Ref, data: Bytes) -> None:
        super().__init__(source)
        self._to = to
        self._data = data

    @property
    def refs(self) -> tuple[Ref, ...]:
        """See `Command`."""
        return (self._to,)

    def record_into(self, target: "CommandBuffer", table: Table) -> None:
        """See `RecordedCommand`."""
        target.update_buffer(self._data, direct(self._to, table), self.source)

    def footprint(self, run: Execution) -> Footprint:
        """See `Command`."""
        _, to, length = self._to.bind(run.table)
        return Footprint(EventKind.ACCESS, writes=span_of(to, length), transfer=True)

    def execute(self, run: Execution, event: int) -> None:
        """See `Command`."""
        target, to, length = self._to.bind(run.table)
        target.storage.check_live()
        run.ports[target.pool].store(to, to + length, self._data)
        run.counters.updates += 1


class Maintain(RecordedCommand):
    """Flushes, invalidates or discards the lines of a range in the device's cache.

    Where no other domain reaches the memory it is counted as skipped (IR-28).
    """

    __slots__ = ("_kind", "_target")

    maintains = True

    def __init__(self, source: Source, kind: EventKind, target: Ref) -> None:
        super().__init__(source)
        self._kind = kind
        self._target = target

    @property
    def refs(self) -> tuple[Ref, ...]:
        """See `Command`."""
        return (self._target,)

    def record_into(self, target: "CommandBuffer", table: Table) -> None:
        """See `RecordedCommand`."""
        target.maintain(self._kind, direct(self._target, table), self.source)

    def footprint(self, run: Execution) -> Footprint:
        """See `Command`."""
        buffer, start, length = self._target.bind(run.table)
        return maintenance_footprint(self._kind, run.ports[buffer.pool], start, length)

    def execute(self, run: Execution, event: int) -> None:
        """See `Command`."""
        buffer, start, length = self._target.bind(run.table)
        buffer.storage.check_live()
        check_whole_lines(self._kind, run.ports[buffer.pool], buffer, (start, length), self.source)
        maintain(self._kind, run.ports[buffer.pool], start, length, run.counters)


def maintenance_footprint(kind: EventKind, port: Port, start: int, length: int) -> Footprint:
    """What maintenance of `length` bytes from `start` touches; nothing when it is empty."""
    return Footprint(kind, target=span_of(start, length), skipped=not port.cached)


def check_whole_lines(
    kind: EventKind, port: Port, buffer: Buffer, span: tuple[int, int], source: Source
) -> None:
    """Refuse maintenance of part of a line where the cache does (B34).

    Args:
        kind: flush, invalidate or discard.
        port: the way through the cache.
        buffer: what is maintained.
        span: first address, and bytes.
        source: what asks for it.

    Raises:
        HalError: INVALID_ARGUMENT, which no time-out gives.
    """
    start, length = span
    end = start + length
    if not (length and port.cached and port.whole_lines_only):
        return
    if start % port.line or end % port.line:
        base = buffer.storage.span.start
        raise invalid_argument(
            f"cannot {kind.value} bytes [{start - base},{end - base}) of {buffer.name}: "
            f"the cache maintains whole lines of {port.line} bytes only; "
            "align the buffer and its range",
            source.location,
        )


def maintain(kind: EventKind, port: Port, start: int, length: int, counters: Counters) -> None:
    """Do and count maintenance of `length` bytes; none of zero bytes (IR-20)."""
    if not length:
        return
    if not port.cached:
        counters.maintenance_skipped += 1
    elif kind is EventKind.FLUSH:
        counters.flush_cmds += 1
        counters.flush_bytes += port.flush(start, start + length)
    elif kind is EventKind.INVALIDATE:
        counters.invalidate_cmds += 1
        counters.invalidate_bytes += port.invalidate(start, start + length)
    else:
        counters.discard_cmds += 1
        port.invalidate(start, start + length)


class StorageCommand(Command):
    """Starts or ends the life of a storage in execution order; `act` does the rest."""

    __slots__ = ("_act", "_footprint")

    def __init__(self, source: Source, footprint: Footprint, act: Callable[[int], None]) -> None:
        super().__init__(source)
        self._footprint = footprint
        self._act = act

    def footprint(self, run: Execution) -> Footprint:
        """See `Command`."""
        return self._footprint

    def execute(self, run: Execution, event: int) -> None:
        """See `Command`."""
        self._act(event)
