"""Copies of one range: `aclrtMemcpy` and `aclrtMemcpyAsync`."""

from ..hal.command_buffer import MAX_UPDATE_SIZE, CommandBuffer
from ..hal.recorder import Source
from ..hal.refs import BufferRef
from .caller import caller
from .calls import api
from .copies import Copies, Move, read_source, same_place
from .copy_kinds import Direction, MemcpyKind
from .errors import ErrorCode
from .operands import Address
from .stream import DeviceState, Stream
from .tasks import Task, Use
from .transfers import transfer_task


class CopyCalls(Copies):
    """Calls that copy one range."""

    @api("aclrtMemcpy")
    def memcpy(
        self,
        target: Address | None,
        target_max: int,
        source: Address | None,
        count: int,
        kind: int = MemcpyKind.DEFAULT,
    ) -> None:
        """Copy `count` bytes; they are there when this returns (`aclrtMemcpy`, CP-03).

        It is ordered after no task of any stream (CP-04). The addresses decide the direction,
        whatever `kind` says. No bytes, or a copy onto itself, are success without effect (CP-05).

        Raises HostError: INVALID_PARAMETER for null or an unknown kind;
        INVALID_RUNTIME_PARAMETER for more bytes than `target_max` or an operand has, ranges that
        overlap, freed memory, mapped addresses, and peers without access; FEATURE_NOT_SUPPORTED
        for what no command does; FORBIDDEN_IN_CAPTURE_MODE.
        """
        checked = self._checked_copy(target, target_max, source, count, kind)
        if checked is None:
            return
        stated, move = checked
        context = self.context()
        if move.direction is not Direction.HOST_TO_HOST:
            self.check_reach(context.device, move.target, move.source)
        self.check_synchronous()
        self.note_kind(stated, move.direction)
        self.copy_now(context, [move], move.direction.label)

    @api("aclrtMemcpyAsync")
    def memcpy_async(
        self,
        target: Address | None,
        target_max: int,
        source: Address | None,
        count: int,
        kind: int = MemcpyKind.DEFAULT,
        stream: Stream | None = None,
    ) -> None:
        """Issue a copy of `count` bytes to a stream (`aclrtMemcpyAsync`, CP-06).

        Returns at once, and the bytes are taken when the task runs; with pageable memory it
        returns once the copy and all that was issued before are complete (CP-14). The kind
        HOST_TO_BUF_TO_DEVICE takes the bytes at the call (CP-16).

        Raises HostError as `memcpy` does, and FEATURE_NOT_SUPPORTED between host addresses,
        STREAM_OF_OTHER_CONTEXT, ASYNC_BLOCKED_BY_CAPTURE_MODE, DEFAULT_STREAM_IN_CAPTURE.
        """
        where = self.stream_of(stream)
        checked = self._checked_copy(target, target_max, source, count, kind)
        if checked is None:
            return
        stated, move = checked
        if move.direction is Direction.HOST_TO_HOST:
            self.refuse(
                ErrorCode.FEATURE_NOT_SUPPORTED,
                "asynchronous H2H is not supported; use memcpy",
                "kind",
                int(stated),
            )
        self.check_reach(where.context.device, move.target, move.source)
        # Bytes that are taken at the call let it return at once, but are no part of a graph.
        staged = stated is MemcpyKind.HOST_TO_BUF_TO_DEVICE
        waited = (move.target,) if staged and where.capture is None else (move.target, move.source)
        self.check_asynchronous(where, waited, "memory copy")
        self.note_kind(stated, move.direction)
        if staged:
            self.submit(where, self._update_task(where.context.device, move))
            return
        self.copy_on(where, [move], move.direction.label)

    def _checked_copy(
        self,
        target: Address | None,
        target_max: int,
        source: Address | None,
        count: int,
        kind: int,
    ) -> tuple[MemcpyKind, Move] | None:
        """What both calls check; None where nothing is to be done (CP-05, CP-57)."""
        stated = self.check_kind(kind)
        if count == 0:
            return None
        found, from_ = self.copy_operands(target, source)
        if not 0 < count <= target_max:
            self.invalid("cnt", count, f"a value in the range (0, {target_max}]")
        self.check_extent(found, count)
        self.check_extent(from_, count)
        if same_place(found, from_):
            return None
        move = Move(found, from_, count)
        self.check_direction(stated, move.direction)
        if move.direction is Direction.INTRA_DEVICE:
            self.check_disjoint(move)
        return stated, move

    def _update_task(self, device: DeviceState, move: Move) -> Task:
        """The task that writes what the source holds now."""
        target = move.target.pointer
        assert target is not None
        data = read_source(move)
        source = Source(move.direction.label, caller())
        parts = [
            (part, BufferRef((target + start).subspan(len(part))))
            for start in range(0, move.size, MAX_UPDATE_SIZE)
            for part in [data[start : start + MAX_UPDATE_SIZE]]
        ]

        def updates(body: CommandBuffer) -> None:
            for part, to in parts:
                body.update_buffer(part, to, source)

        use = Use(target.allocation, target.offset, target.offset + move.size, writes=True)
        touched = self.touched(device, target, move.size, writes=True)
        return transfer_task(source, (use,), touched, updates)
