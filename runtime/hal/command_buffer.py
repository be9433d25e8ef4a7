"""Command buffers: recorded once, checked while recorded, decoded at the end, executed often."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import HalError, failed_precondition, invalid_argument, unimplemented
from ..events import EventKind
from ..kernels.api import Bytes, Kernel
from .buffer import WHOLE_BUFFER, Buffer, Storage
from .collective import Collective, check_participants
from .commands import CopyBuffer, FillBuffer, Maintain, RecordedCommand, UpdateBuffer, overlap
from .dispatch import Dispatch, IndirectDispatch, Workload
from .dispatch_checks import (
    COUNT_ALIGNMENT,
    INDIRECT_COUNTS,
    dispatch_requirements,
    indirect_counts,
    storage_requirement,
)
from .flags import (
    BufferUsage,
    CommandBufferMode,
    CommandCategory,
    ExecutionStage,
    MemoryAccess,
    flags_text,
)
from .program import Barrier, Program, decode
from .recorder import UNNAMED, Source
from .refs import BufferRef, DirectRef, Ref, Table, decode_ref
from .validation import (
    Reach,
    Requirement,
    SlotRequirement,
    check_binding,
    check_buffer,
    check_slot,
    missing_buffer,
    required_end,
)

MAX_UPDATE_SIZE = 64 * 1024
"""Most bytes that one update command carries, as in IREE."""

_PATTERN_LENGTHS = (1, 2, 4, 8)

TRANSFER_SOURCE = Requirement(usage=BufferUsage.TRANSFER_SOURCE, access=MemoryAccess.READ)
"""What is required of a range that is copied from."""
TRANSFER_TARGET = Requirement(usage=BufferUsage.TRANSFER_TARGET, access=MemoryAccess.WRITE)
"""What is required of a range that is copied to, filled or updated."""
_MAINTAINED = Requirement()
"""Cache maintenance needs no usage or access: it changes no contents of its own."""


@dataclass(frozen=True, slots=True)
class Recording:
    """What a device tells a command buffer about itself."""

    reach: Reach
    maintenance: bool = True
    """Whether the device executes flush, invalidate and discard commands (IR-17)."""
    recorded: Callable[[], None] = lambda: None
    """Called when a recording has ended well."""
    uses: Callable[[Buffer], None] = lambda buffer: None
    """Called for each buffer that a kernel was given: at recording, or at submission for a slot."""


class CommandBuffer:
    """Commands for one device.

    Recording touches no memory and no cache (IR-33). Every refused command poisons the
    recording: `finalize` then fails and names it, so that no buffer lacking a command is ever
    executed (case B58). Buffers are given directly or as slots of the binding table that comes
    with each execution; a command buffer without `ONE_SHOT` may be executed any number of times.
    """

    def __init__(
        self,
        recording: Recording,
        mode: CommandBufferMode = CommandBufferMode.NONE,
        categories: CommandCategory = CommandCategory.ANY,
        binding_capacity: int = 0,
        source: Source = UNNAMED,
    ) -> None:
        self.mode = mode
        self.categories = categories
        self.binding_capacity = binding_capacity
        self.source = source
        self.slots: dict[int, SlotRequirement] = {}
        """What the commands require of each slot that they use."""
        self.executions = 0
        """Submissions of it that were accepted."""
        self._recording = recording
        self._nodes: list[RecordedCommand | Barrier] = []
        self._groups: list[str] = []
        self._refused: tuple[Source, HalError] | None = None
        self._program: Program | None = None
        self._addresses: dict[int, int] = {}
        self._storages: dict[Storage, None] = {}

    @property
    def reach(self) -> Reach:
        """The device that it is for, and the pools that this reaches."""
        return self._recording.reach

    @property
    def storages(self) -> Collection[Storage]:
        """The storages of buffers that commands name directly."""
        return self._storages.keys()

    # Recording.

    def dispatch(
        self,
        kernel: Kernel,
        workload: Workload,
        bindings: Sequence[BufferRef],
        source: Source = UNNAMED,
    ) -> None:
        """Record a dispatch; binding i of the kernel is `bindings[i]`."""
        source = source.or_label(f"hal.command_buffer.dispatch {kernel.name}")

        def make() -> Dispatch:
            refs = [decode_ref(binding) for binding in bindings]
            command = Dispatch(source, kernel, workload, refs)
            for ref, needed in zip(refs, dispatch_requirements(command), strict=True):
                self._require(ref, needed, source)
            return command

        self._record(CommandCategory.DISPATCH, source, make)

    def dispatch_indirect(
        self,
        kernel: Kernel,
        constants: tuple[int, ...],
        bindings: Sequence[BufferRef],
        counts: BufferRef,
        source: Source = UNNAMED,
    ) -> None:
        """Record a dispatch whose workgroup counts, three 32-bit words, are read from `counts` when
        it executes."""
        source = source.or_label(f"hal.command_buffer.dispatch.indirect {kernel.name}")

        def make() -> Dispatch:
            words = indirect_counts(counts)
            self._require(words, INDIRECT_COUNTS, source, alignment=COUNT_ALIGNMENT)
            refs = [decode_ref(binding) for binding in bindings]
            command = IndirectDispatch(source, kernel, Workload(constants), refs, words)
            for ref, needed in zip(refs, dispatch_requirements(command), strict=True):
                self._require(ref, needed, source)
            return command

        self._record(CommandCategory.DISPATCH, source, make)

    def copy_buffer(self, from_: BufferRef, to: BufferRef, source: Source = UNNAMED) -> None:
        """Record a copy between ranges of equal length that do not overlap."""
        source = source.or_label("hal.command_buffer.copy_buffer")

        def make() -> CopyBuffer:
            read, written = _sized(from_), _sized(to)
            if read.length != written.length:
                raise invalid_argument(
                    "copy spans between source and target must match "
                    f"(source_length={read.length}, target_length={written.length})"
                )
            self._require(read, TRANSFER_SOURCE, source)
            self._require(written, TRANSFER_TARGET, source)
            _check_disjoint(read, written)
            return CopyBuffer(source, read, written)

        self._record(CommandCategory.TRANSFER, source, make)

    def fill_buffer(self, to: BufferRef, pattern: bytes, source: Source = UNNAMED) -> None:
        """Record a fill with a pattern of 1, 2, 4 or 8 bytes, to whose length all aligns."""
        source = source.or_label("hal.command_buffer.fill_buffer")

        def make() -> FillBuffer:
            size = len(pattern)
            if size not in _PATTERN_LENGTHS:
                raise invalid_argument(
                    f"fill pattern has {size} bytes; expected one of {_PATTERN_LENGTHS}"
                )
            written = _sized(to)
            if to.offset % size or written.length % size:
                raise invalid_argument(
                    "offset and length do not match the required alignment of the pattern "
                    f"(offset={to.offset}, length={written.length}, pattern_length={size})"
                )
            self._require(written, TRANSFER_TARGET, source, alignment=size)
            return FillBuffer(source, written, pattern)

        self._record(CommandCategory.TRANSFER, source, make)

    def update_buffer(self, data: Bytes, to: BufferRef, source: Source = UNNAMED) -> None:
        """Record an update with `data`, captured now; it has as many bytes as `to` names."""
        source = source.or_label("hal.command_buffer.update_buffer")

        def make() -> UpdateBuffer:
            written = _sized(to)
            if len(data) != written.length:
                raise invalid_argument(
                    f"update has {len(data)} bytes for a target of {written.length}"
                )
            if len(data) > MAX_UPDATE_SIZE:
                raise invalid_argument(
                    f"update has {len(data)} bytes; expected at most {MAX_UPDATE_SIZE}, copy from "
                    "a buffer instead"
                )
            self._require(written, TRANSFER_TARGET, source)
            return UpdateBuffer(source, written, np.array(data, dtype=np.uint8))

        self._record(CommandCategory.TRANSFER, source, make)

    def flush_buffer(self, target: BufferRef, source: Source = UNNAMED) -> None:
        """Record making the device's writes to the range available to others."""
        self.maintain(EventKind.FLUSH, target, source)

    def invalidate_buffer(self, target: BufferRef, source: Source = UNNAMED) -> None:
        """Record dropping the device's lines of the range, so that it sees others' writes."""
        self.maintain(EventKind.INVALIDATE, target, source)

    def discard_buffer(self, target: BufferRef, source: Source = UNNAMED) -> None:
        """Record dropping the device's lines of a range whose contents are dead."""
        self.maintain(EventKind.DISCARD, target, source)

    def maintain(self, kind: EventKind, target: BufferRef, source: Source) -> None:
        """Record a flush, invalidate or discard; nothing of zero bytes (IR-20)."""
        source = source.or_label(f"hal.command_buffer.{kind}_buffer")
        if target.length == 0:
            self._check_recording(source)
            return

        def make() -> Maintain:
            if not self._recording.maintenance:
                raise unimplemented(f"{kind}_buffer is not implemented by this device")
            ref = decode_ref(target)
            self._require(ref, _MAINTAINED, source)
            return Maintain(source, kind, ref)

        self._record(CommandCategory.TRANSFER, source, make)

    def execution_barrier(
        self, before: ExecutionStage, after: ExecutionStage, source: Source = UNNAMED
    ) -> None:
        """Record that all before in the stages `before` precede all after in stages `after`."""
        named = source.or_label("hal.command_buffer.execution_barrier")
        self._record(CommandCategory.NONE, named, lambda: Barrier(named, before, after))

    def collective(
        self,
        kind: str,
        sent: BufferRef,
        received: BufferRef,
        source: Source = UNNAMED,
        *,
        param: int = 0,
    ) -> None:
        """Record the part of the only participant of a group; see `collective.py`.

        Args:
            kind: as in `all_reduce`.
            sent: what this participant gives.
            received: where its part of the result goes, of equal length.
            source: the op.
            param: the rank that the kind names, or two ranks of 16 bits each.
        """
        source = source.or_label("hal.command_buffer.collective")

        def make() -> Collective:
            check_participants(kind, param)
            read, written = _sized(sent), _sized(received)
            if read.length != written.length:
                raise invalid_argument(
                    f"a group of one receives what it sends (send_length={read.length}, "
                    f"recv_length={written.length})"
                )
            self._require(read, storage_requirement(reads=True, writes=False), source)
            self._require(written, storage_requirement(reads=False, writes=True), source)
            return Collective(source, kind, read, written)

        self._record(CommandCategory.DISPATCH, source, make)

    def begin_debug_group(self, label: str) -> None:
        """Open a named group of commands."""
        self._check_recording()
        self._groups.append(label)

    def end_debug_group(self) -> None:
        """Close the innermost group; FAILED_PRECONDITION where none is open."""
        self._check_recording()
        if not self._groups:
            raise self._refuse(UNNAMED, failed_precondition("no debug group is open"))
        self._groups.pop()

    def finalize(self) -> None:
        """End the recording and decode it. FAILED_PRECONDITION where a command was refused, a
        debug group is open, or it has ended before."""
        self._check_recording()
        if self._refused is not None:
            source, error = self._refused
            raise HalError(
                error.code,
                f"command buffer recording failed: {source.label} was refused: {error.message}",
                source.location,
            )
        if self._groups:
            raise failed_precondition(
                f"unbalanced debug group depth (expected 0, is {len(self._groups)})",
                self.source.location,
            )
        self._program = decode(self._nodes)
        self._recording.recorded()

    # Execution.

    def program_for(self, table: Table, source: Source) -> Program:
        """The decoded commands, for a submission with `table`, which is validated here.

        FAILED_PRECONDITION while it is still recorded, or for a second submission of a one-shot
        command buffer.
        """
        if self._program is None:
            raise failed_precondition(
                "command buffer recording has not been ended and it is still in a recording state",
                source.location,
            )
        if self.executions and CommandBufferMode.ONE_SHOT in self.mode:
            raise failed_precondition(
                "one-shot command buffer has been submitted before; record it without OneShot",
                source.location,
            )
        for slot, needed in self.slots.items():
            buffer = table[slot] if slot < len(table) else None
            if buffer is None:
                raise missing_buffer(slot, needed)
            check_binding(needed, buffer, self.reach)
        for slot, needed in self.slots.items():
            if needed.in_place and (buffer := table[slot]) is not None:
                self._recording.uses(buffer)
        self.executions += 1
        return self._program

    def refresh(self, table: Table) -> int:
        """Take over the addresses in `table`; how many references of commands have changed."""
        changed = 0
        for slot, needed in self.slots.items():
            buffer = table[slot]
            if buffer is not None and self._addresses.get(slot) != buffer.start:
                self._addresses[slot] = buffer.start
                changed += needed.uses
        return changed

    # Parts of these.

    def _record(
        self,
        category: CommandCategory,
        source: Source,
        make: Callable[[], RecordedCommand | Barrier],
    ) -> None:
        self._check_recording(source)
        try:
            if category & ~self.categories:
                raise failed_precondition(
                    f"operation requires categories {flags_text(category)} but command buffer "
                    f"only supports {flags_text(self.categories)}"
                )
            self._nodes.append(make())
        except HalError as error:
            raise self._refuse(source, error) from None

    def _refuse(self, source: Source, error: HalError) -> HalError:
        """Poison the recording; the first refused command is the one that `finalize` names."""
        error = error.at(source.location)
        if self._refused is None:
            self._refused = source, error
        return error

    def _check_recording(self, source: Source = UNNAMED) -> None:
        if self._program is not None:
            raise failed_precondition("command buffer is not in a recording state", source.location)

    def _require(self, ref: Ref, needed: Requirement, source: Source, alignment: int = 1) -> None:
        if isinstance(ref, DirectRef):
            check_buffer(needed, ref.buffer, self.reach, source, alignment)
            self._storages[ref.buffer.storage] = None
            if needed.in_place:
                self._recording.uses(ref.buffer)
            return
        check_slot(ref.slot, self.binding_capacity, source)
        if ref.offset < 0 or ref.length < WHOLE_BUFFER:
            raise invalid_argument(
                f"range of slot {ref.slot} is negative (offset={ref.offset}, length={ref.length})"
            )
        slot = self.slots.setdefault(ref.slot, SlotRequirement())
        slot.merge(needed, required_end(ref), alignment, source)


def _sized(ref: BufferRef) -> Ref:
    """The decoded form of a reference whose length must be known when it is recorded."""
    decoded = decode_ref(ref)
    if decoded.length == WHOLE_BUFFER:
        raise invalid_argument(
            f"transfer of the whole of slot {decoded.slot} has no length; give one"
        )
    return decoded


def _check_disjoint(read: Ref, written: Ref) -> None:
    """Refuse overlapping direct ranges at once; others are checked when they execute."""
    if isinstance(read, DirectRef) and isinstance(written, DirectRef):
        source, target, size = read.buffer, written.buffer, read.length
        if source.start < target.start + size and target.start < source.start + size:
            raise overlap(source, source.start, target, target.start, size)
