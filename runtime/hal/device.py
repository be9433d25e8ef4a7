"""A device: creates command buffers and accepts submissions to its queue."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import invalid_argument
from ..kernels.api import Bytes
from .buffer import Buffer, BufferParams
from .command_buffer import TRANSFER_SOURCE, TRANSFER_TARGET, CommandBuffer, Recording
from .commands import Execution, StorageCommand
from .deferred import DeferredCommandBuffer
from .file import File, ReadFile, WriteFile
from .flags import CommandBufferMode, CommandCategory, MemoryAccess
from .frontier import Frontier
from .options import Maintenance
from .program import Program, decode
from .recorder import NO_FOOTPRINT, UNNAMED, Source
from .refs import BufferRef, DirectRef, Ref, Table, decode_ref
from .semaphore import Fence
from .submission import Submission
from .validation import Reach, Requirement, check_buffer

if TYPE_CHECKING:
    from .system import System

_EMPTY = decode(())


class Device:
    """One device and its queue.

    The queue does not order submissions: each executes once its wait fence is reached, and then
    signals (docs/memory-model.md, section 3). IREE's queue affinity masks select among queues of a
    device, all of which are alike here, so that no call takes one.
    """

    def __init__(
        self, system: "System", name: str, maintenance: Maintenance, deferred: bool = False
    ) -> None:
        self.name = name
        self.maintenance = maintenance
        self.deferred = deferred
        """Whether it records what it executes for each submission (`DeferredCommandBuffer`)."""
        self.domain = system.machine.domain_of(name)
        """Number of its coherence domain."""
        self.reach = Reach.of(system.machine, name)
        self.counters = system.statistics[name]
        self.ports = {
            pool: port
            for pool in sorted(self.reach.by_copy)
            if (port := system.memory.port(self.domain, pool)) is not None
        }
        self._system = system

    def create_command_buffer(
        self,
        mode: CommandBufferMode = CommandBufferMode.NONE,
        categories: CommandCategory = CommandCategory.ANY,
        binding_capacity: int = 0,
        source: Source = UNNAMED,
    ) -> CommandBuffer:
        """An empty command buffer in the recording state."""
        recording = Recording(self.reach, self._maintains, self._count_recording, self._import)
        kind = DeferredCommandBuffer if self.deferred else CommandBuffer
        return kind(recording, mode, categories, binding_capacity, source)

    def queue_execute(
        self,
        wait: Fence,
        signal: Fence,
        command_buffer: CommandBuffer,
        table: Table = (),
        source: Source = UNNAMED,
    ) -> None:
        """Submit a command buffer, its slots bound by `table` (`queue.execute.indirect`).

        The table is checked now: see `CommandBuffer.program_for`. INVALID_ARGUMENT for a command
        buffer that another device made.
        """
        if command_buffer.reach.agent != self.name:
            raise invalid_argument(
                f"command buffer of {command_buffer.reach.agent} is submitted to {self.name}",
                source.location,
            )
        program = command_buffer.program_for(table, source)
        self.counters.slots_refreshed += command_buffer.refresh(table)
        self._submit(
            wait, signal, program, source.or_label("hal.device.queue.execute"), tuple(table)
        )

    def queue_barrier(self, wait: Fence, signal: Fence, source: Source = UNNAMED) -> None:
        """Submit nothing: signal when the wait fence is reached."""
        self._submit(wait, signal, _EMPTY, source.or_label("hal.device.queue.barrier"))

    def queue_copy(
        self,
        wait: Fence,
        signal: Fence,
        from_: BufferRef,
        to: BufferRef,
        source: Source = UNNAMED,
    ) -> None:
        """Submit one copy between direct buffers."""
        source = source.or_label("hal.device.queue.copy")
        commands = self._single()
        commands.copy_buffer(from_, to, source)
        self._submit_single(wait, signal, commands, source)

    def queue_fill(
        self, wait: Fence, signal: Fence, to: BufferRef, pattern: bytes, source: Source = UNNAMED
    ) -> None:
        """Submit one fill of a direct buffer."""
        source = source.or_label("hal.device.queue.fill")
        commands = self._single()
        commands.fill_buffer(to, pattern, source)
        self._submit_single(wait, signal, commands, source)

    def queue_update(
        self, wait: Fence, signal: Fence, data: Bytes, to: BufferRef, source: Source = UNNAMED
    ) -> None:
        """Submit one update of a direct buffer; `data` is captured now."""
        source = source.or_label("hal.device.queue.update")
        commands = self._single()
        commands.update_buffer(data, to, source)
        self._submit_single(wait, signal, commands, source)

    def queue_read(
        self,
        wait: Fence,
        signal: Fence,
        from_: tuple[File, int],
        to: BufferRef,
        source: Source = UNNAMED,
    ) -> None:
        """Submit the read of a file, from an offset in bytes, into a direct buffer."""
        self.queue_gather(wait, signal, [(from_, to)], source.or_label("hal.device.queue.read"))

    def queue_gather(
        self,
        wait: Fence,
        signal: Fence,
        reads: Sequence[tuple[tuple[File, int], BufferRef]],
        source: Source = UNNAMED,
    ) -> None:
        """Submit reads of files into direct buffers, which are unordered among themselves."""
        source = source.or_label("io_parameters.gather")
        commands: list[ReadFile] = []
        for (file, offset), to in reads:
            ref = self._file_range(TRANSFER_TARGET, to, source)
            data = file.range(MemoryAccess.READ, offset, ref.length)
            commands.append(ReadFile(source, data, ref))
        self._submit(wait, signal, decode(commands), source)

    def queue_write(
        self,
        wait: Fence,
        signal: Fence,
        from_: BufferRef,
        to: tuple[File, int],
        source: Source = UNNAMED,
    ) -> None:
        """Submit the write of a direct buffer to a file, from an offset in bytes on."""
        self.queue_scatter(wait, signal, [(from_, to)], source.or_label("hal.device.queue.write"))

    def queue_scatter(
        self,
        wait: Fence,
        signal: Fence,
        writes: Sequence[tuple[BufferRef, tuple[File, int]]],
        source: Source = UNNAMED,
    ) -> None:
        """Submit writes of direct buffers to files, which are unordered among themselves."""
        source = source.or_label("io_parameters.scatter")
        commands: list[WriteFile] = []
        for from_, (file, offset) in writes:
            ref = self._file_range(TRANSFER_SOURCE, from_, source)
            data = file.range(MemoryAccess.WRITE, offset, ref.length)
            commands.append(WriteFile(source, data, ref))
        self._submit(wait, signal, decode(commands), source)

    def _file_range(self, needed: Requirement, range: BufferRef, source: Source) -> Ref:
        """The decoded range, which must be of a direct buffer that suits a transfer."""
        ref = decode_ref(range)
        if not isinstance(ref, DirectRef):
            raise invalid_argument("files are read and written directly, without a binding table")
        check_buffer(needed, ref.buffer, self.reach, source)
        return ref

    def queue_alloca(
        self,
        wait: Fence,
        signal: Fence,
        pool: str,
        size: int,
        params: BufferParams,
        source: Source = UNNAMED,
    ) -> Buffer:
        """Reserve `size` bytes of `pool`, to be used once the signal fence is reached (IR-58).

        Their contents are undefined. The address is known at once; it may be that of a buffer
        whose dealloca happens before the wait fence is reached.
        """
        system = self._system
        buffer = system.reserve(self.name, pool, size, params, system.known | wait.frontier)
        storage = buffer.storage
        source = source.or_label("hal.device.queue.alloca")
        command = StorageCommand(
            source, system.alloca_footprint(storage), lambda event: system.begin(storage, event)
        )
        self._accept_storage(wait, signal, command, source)
        return buffer

    def queue_dealloca(
        self, wait: Fence, signal: Fence, buffer: Buffer, source: Source = UNNAMED
    ) -> None:
        """End the life of a buffer's storage once the wait fence is reached.

        FAILED_PRECONDITION for a second dealloca (case B41).
        """
        system = self._system
        storage = buffer.storage
        number, done = system.release(storage, source.location)
        source = source.or_label("hal.device.queue.dealloca")
        command = StorageCommand(
            source,
            system.dealloca_footprint(storage),
            lambda event: system.end(storage, event, done),
        )
        self._accept_storage(wait, signal, command, source, dealloca=number)

    @property
    def _maintains(self) -> bool:
        return self.maintenance is not Maintenance.NONE

    def _count_recording(self) -> None:
        self.counters.recordings += 1

    def _import(self, buffer: Buffer) -> None:
        """Import a buffer for kernels where that is how they reach it: once for each (IR-25)."""
        importers = buffer.storage.importers
        if buffer.pool in self.reach.by_import and self.name not in importers:
            importers.add(self.name)
            self.counters.imports += 1

    def _single(self) -> CommandBuffer:
        """A command buffer for one queue operation; not counted as a recording."""
        recording = Recording(self.reach, self._maintains)
        return CommandBuffer(recording, CommandBufferMode.ONE_SHOT)

    def _submit_single(
        self, wait: Fence, signal: Fence, commands: CommandBuffer, source: Source
    ) -> None:
        commands.finalize()
        self._submit(wait, signal, commands.program_for((), source), source)

    def _submit(
        self,
        wait: Fence,
        signal: Fence,
        program: Program,
        source: Source,
        table: Table = (),
    ) -> None:
        """Accept commands to be executed; all of it has been checked."""
        self.counters.submits += 1
        self.counters.waits += wait.follows_work
        self._accept(wait, signal, program, source, table)

    def _accept_storage(
        self,
        wait: Fence,
        signal: Fence,
        command: StorageCommand,
        source: Source,
        dealloca: int | None = None,
    ) -> None:
        """Accept the begin or the end of a storage: no work, so that it counts as no submission."""
        program = decode((command,))
        self._accept(wait, signal, program, source, (), dealloca, follows_work=wait.follows_work)

    def _accept(
        self,
        wait: Fence,
        signal: Fence,
        program: Program,
        source: Source,
        table: Table,
        dealloca: int | None = None,
        *,
        follows_work: bool = True,
    ) -> None:
        """Put it into the queue; who waits for its signal waits for work, or only for storage."""
        system = self._system
        known: Frontier = system.known | wait.frontier
        done = known if dealloca is None else known.with_number(dealloca)
        signal.plan(done, follows_work=follows_work)
        submission = Submission(
            number=system.next_submission(),
            source=source,
            wait=wait,
            signal=signal,
            program=program,
            execution=Execution(self.name, self.domain, self.ports, self.counters, table),
            maintenance=self.maintenance,
            event=system.recorder.host(
                NO_FOOTPRINT, Source(f"submit {source.label}", source.location)
            ),
            done=done,
        )
        system.scheduler.submit(submission)
