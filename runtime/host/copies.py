"""What all copy calls check and do: operands, direction, peers, and whether the call blocks.

A call states its copies as moves between operands. All checks come before any change. Whether the
host waits is decided once for the whole call: one pageable operand makes it blocking (CP-15).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .capture_rules import CaptureRules
from .copy_kinds import Direction, MemcpyKind, direction_of, states
from .errors import ErrorCode
from .memory import AllocationKind, HostPointer, Pointer
from .operands import Address, Operand
from .registry import array_address
from .stream import Context, DeviceState, Stream
from .transfers import Segment, TransferTasks


@dataclass(frozen=True, slots=True)
class Move:
    """`size` bytes, at least one, from one operand to another."""

    target: Operand
    source: Operand
    size: int
    target_offset: int = 0
    """Bytes from the start of the operand."""
    source_offset: int = 0

    @property
    def direction(self) -> Direction:
        """The way it goes."""
        return direction_of(self.source, self.target)


class Copies(TransferTasks, CaptureRules):
    """Checks and carries out copies."""

    kind_corrected: int = 0
    """Copies whose stated kind was not the way that their addresses say (CP-02)."""

    # Checks.

    def check_kind(self, kind: int) -> MemcpyKind:
        """A kind that a call was given; INVALID_PARAMETER for none of them (CP-01)."""
        if kind not in set(MemcpyKind):
            self.refuse(
                ErrorCode.INVALID_PARAMETER,
                f"invalid kind of memcpy, kind = {kind}; expected a MemcpyKind, 0 to 7",
                "kind",
                kind,
            )
        return MemcpyKind(kind)

    def copy_operands(
        self, target: Address | None, source: Address | None
    ) -> tuple[Operand, Operand]:
        """Both operands: null first, then what each of them is; see `operand`."""
        self.require(dst=target, src=source)
        found = self.operand(target, "dst"), self.operand(source, "src")
        array = found[0].array
        if array is not None and not array.flags.writeable:
            self.refuse(ErrorCode.INVALID_RUNTIME_PARAMETER, "dst is a read-only array", "dst")
        return found

    def check_extent(self, operand: Operand, extent: int) -> None:
        """Refuse `extent` bytes from the start of an operand that go beyond its memory."""
        if extent > operand.size:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"OUT_OF_RANGE: {operand.parameter} needs {extent} bytes, buffer has "
                f"{max(operand.size, 0)}",
                operand.parameter,
                extent,
            )

    def check_direction(self, kind: MemcpyKind, direction: Direction) -> None:
        """Refuse a kind for which only one way will do, where it is another (CP-16)."""
        staged = kind is MemcpyKind.HOST_TO_BUF_TO_DEVICE
        if staged and direction is not Direction.HOST_TO_DEVICE:
            source, _, target = direction.value.partition(" to ")
            route = f"{source} to {target}" if target else f"device to device ({source})"
            self.refuse(
                ErrorCode.FEATURE_NOT_SUPPORTED,
                f"cannot copy from {route} through a host buffer; HOST_TO_BUF_TO_DEVICE takes "
                "host to device alone",
                "kind",
                int(kind),
            )

    def note_kind(self, kind: MemcpyKind, direction: Direction) -> None:
        """Count a stated kind that the addresses have corrected."""
        self.kind_corrected += not states(kind, direction)

    def check_reach(self, device: DeviceState, *operands: Operand) -> None:
        """Refuse operands on another device whose memory `device` may not access (CP-32)."""
        for operand in operands:
            owner = operand.device
            if owner is None or owner == device.index:
                continue
            if not self.reaches(device, self.devices[owner]):
                self.refuse(
                    ErrorCode.FEATURE_NOT_SUPPORTED,
                    f"cannot copy from {operands[-1].location} to {operands[0].location}: devices "
                    f"{device.index} and {owner} cannot access each other",
                    operand.parameter,
                )
            if owner not in device.peers:
                self.refuse(
                    ErrorCode.INVALID_RUNTIME_PARAMETER,
                    f"peer access from device {device.index} to device {owner} is not enabled; "
                    f"call device_enable_peer_access({owner}) on device {device.index}",
                    operand.parameter,
                )

    def reaches(self, device: DeviceState, peer: DeviceState) -> bool:
        """Whether copy commands of `device` get at the memory of `peer`."""
        pool = self.options.topology.pool_of(peer.name).name
        return pool in device.hal.reach.by_copy

    def check_disjoint(self, move: Move) -> None:
        """Refuse a copy whose ranges overlap (CP-27)."""
        source, target = move.source.pointer, move.target.pointer
        if source is None or target is None or source.allocation is not target.allocation:
            return
        first, second = source.offset + move.source_offset, target.offset + move.target_offset
        if abs(first - second) < move.size:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                "source and target ranges overlap within the same buffer: "
                f"[{first}, {first + move.size}) and [{second}, {second + move.size}) of "
                f"{source.allocation.name}",
            )

    def check_asynchronous(self, stream: Stream, operands: Sequence[Operand], what: str) -> None:
        """Refuse what a capture forbids to an asynchronous copy (CP-19, CP-20, CP-22).

        `what` names the call in messages: `memory copy`.
        """
        self.check_issue(stream)
        pageable = any(operand.pageable for operand in operands)
        if stream.capture is not None:
            self._check_captured(operands, what)
        elif pageable:
            self.check_turned_synchronous(f"asynchronous {what}")
        if pageable and not self.options.pageable_async:
            self.refuse(
                ErrorCode.FEATURE_NOT_SUPPORTED,
                f"asynchronous {what} of pageable memory is not supported by this product; use "
                "malloc_host",
            )

    def _check_captured(self, operands: Sequence[Operand], what: str) -> None:
        for operand in operands:
            if operand.pageable:
                self.refuse(
                    ErrorCode.INVALID_RUNTIME_PARAMETER,
                    f"asynchronous {what} task: {operand.parameter} is pageable memory, which "
                    "does not support graph capture; use malloc_host",
                    operand.parameter,
                )
            pointer = operand.pointer
            registered = (
                pointer is not None and pointer.allocation.kind is AllocationKind.REGISTERED_ARRAY
            )
            if registered and self.options.strict_capture:
                self.refuse(
                    ErrorCode.INVALID_RUNTIME_PARAMETER,
                    f"{operand.parameter}: host memory was registered, not allocated by a runtime "
                    "API; use malloc_host",
                    operand.parameter,
                )

    # Effects.

    def copy_now(self, context: Context, moves: Sequence[Move], label: str) -> None:
        """Do checked copies before this returns, after no task of any stream (CP-03, CP-04)."""
        between_hosts = [move for move in moves if move.direction is Direction.HOST_TO_HOST]
        for move in between_hosts:
            _write(move, _read(move))
        rest = [move for move in moves if move.direction is not Direction.HOST_TO_HOST]
        if not rest:
            return
        with self.own_stream(context) as stream:
            self._copy_blocking(stream, rest, label)

    def copy_on(self, stream: Stream, moves: Sequence[Move], label: str) -> None:
        """Do checked copies in the order of a stream; this returns at once, or once they are done
        where an operand is pageable (CP-13, CP-14)."""
        if any(move.source.pageable or move.target.pageable for move in moves):
            self._copy_blocking(stream, moves, label)
            return
        segments = [
            Segment(_pointer(move.target, move.target_offset), source, move.size)
            for move in moves
            for source in [_pointer(move.source, move.source_offset)]
        ]
        self.submit(stream, self.copy_task(stream.context.device, segments, label))

    def _copy_blocking(self, stream: Stream, moves: Sequence[Move], label: str) -> None:
        """Copy arrays by way of page-locked memory, packed; the host waits once."""
        leaving = [move for move in moves if move.source.array is not None]
        arriving = [move for move in moves if move.target.array is not None]
        staged: list[HostPointer] = []
        try:
            sources: Pointer | None = None
            targets: Pointer | None = None
            if leaving:
                sources = self.stage(np.concatenate([_read(move) for move in leaving]))
                staged.append(sources)
            if arriving:
                targets = self.stage(sum(move.size for move in arriving))
                staged.append(targets)
            segments = _staged_segments(moves, sources, targets)
            self.submit(stream, self.copy_task(stream.context.device, segments, label))
            self.wait_for(stream.position, stream.name)
            if arriving:
                results = staged[-1].read()
                ends = np.cumsum([move.size for move in arriving])
                for move, part in zip(arriving, np.split(results, ends[:-1]), strict=True):
                    _write(move, part)
        finally:
            for pointer in staged:
                self.unstage(pointer)


def same_place(target: Operand, source: Operand) -> bool:
    """Whether both operands start at the same byte; such a copy does nothing (CP-05)."""
    if target.array is not None and source.array is not None:
        return array_address(target.array) == array_address(source.array)
    if target.pointer is None or source.pointer is None:
        return False
    return (target.pointer.allocation, target.pointer.offset) == (
        source.pointer.allocation,
        source.pointer.offset,
    )


def _pointer(operand: Operand, offset: int) -> Pointer:
    assert operand.pointer is not None
    return operand.pointer + offset


def _staged_segments(
    moves: Sequence[Move], sources: Pointer | None, targets: Pointer | None
) -> list[Segment]:
    """The copies that commands do: arrays are replaced by their place in staging memory."""
    segments: list[Segment] = []
    for move in moves:
        if move.source.array is not None:
            assert sources is not None
            source, sources = sources, sources + move.size
        else:
            source = _pointer(move.source, move.source_offset)
        if move.target.array is not None:
            assert targets is not None
            target, targets = targets, targets + move.size
        else:
            target = _pointer(move.target, move.target_offset)
        segments.append(Segment(target, source, move.size))
    return segments


def _read(move: Move) -> NDArray[np.uint8]:
    """The source of a move, as the host sees it."""
    start = move.source_offset
    if move.source.array is not None:
        return move.source.array[start : start + move.size]
    pointer = _pointer(move.source, start)
    assert isinstance(pointer, HostPointer)
    return pointer.read(move.size)


def _write(move: Move, data: NDArray[np.uint8]) -> None:
    """Put `data` where a move goes, by the host."""
    start = move.target_offset
    if move.target.array is not None:
        move.target.array[start : start + move.size] = data
        return
    pointer = _pointer(move.target, start)
    assert isinstance(pointer, HostPointer)
    pointer.write(data)


def read_source(move: Move) -> NDArray[np.uint8]:
    """The bytes that a move from the host takes, as they are now."""
    return np.array(_read(move))
