"""Copies of several ranges in one call: `aclrtMemcpyBatch` and its kin.

All items go one way, between host and device, in no order among them; the whole is one submission.
These calls are on trial in CANN (CP-50).
"""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NoReturn

from .calls import api
from .copies import Copies, Move, same_place
from .copy_kinds import Direction
from .errors import NO_FAIL_INDEX, ErrorCode, HostError
from .operands import Address
from .overlaps import first_overlap
from .stream import DeviceState, Stream

MAX_ITEMS = 4096
"""Most items of a synchronous batch; asynchronous ones have no limit (CP-49)."""


class ExperimentalWarning(UserWarning):
    """A call that is on trial was used."""


@dataclass(frozen=True, slots=True)
class BatchAttribute:
    """Where the operands of items are (`aclrtMemcpyBatchAttr`, CP-45)."""

    target: int | None
    """A device id; None for the host."""
    source: int | None
    reserved: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """The arguments that all batch calls take: item i is `targets[i]` ← `sources[i]`."""

    targets: Sequence[Address]
    maxima: Sequence[int]
    """Bytes that each target takes."""
    sources: Sequence[Address]
    sizes: Sequence[int]
    """Bytes of each item."""
    attributes: Sequence[BatchAttribute]
    starts: Sequence[int]
    """`attributes[k]` is for items `starts[k]` up to the next start."""


class CopyBatchCalls(Copies):
    """Calls that copy batches."""

    _warned: bool = False

    @api("aclrtMemcpyBatch")
    def memcpy_batch(self, batch: Batch) -> int:
        """Do all copies before this returns (`aclrtMemcpyBatch`, CP-41); `failIndex`, which is
        `NO_FAIL_INDEX`.

        Nothing is copied where anything is refused. Raises HostError, with the item at fault in
        `fail_index` where its place or direction is wrong: INVALID_PARAMETER for no items, for
        attributes out of order, and for directions; INVALID_RUNTIME_PARAMETER for lengths that
        differ, sizes, overlaps, more than 4096 items; FORBIDDEN_IN_CAPTURE_MODE;
        FEATURE_NOT_SUPPORTED by the product.
        """
        return self._copy_batch(batch)

    @api("aclrtMemcpyBatchAsync")
    def memcpy_batch_async(self, batch: Batch, stream: Stream | None = None) -> int:
        """Issue all copies to a stream (`aclrtMemcpyBatchAsync`); see `memcpy_batch`.

        One pageable item makes the call block, and is refused in a capture (CP-51).
        """
        return self._issue_batch(batch, stream)

    @api("aclrtMemcpyBatchV2")
    def memcpy_batch_v2(self, batch: Batch) -> None:
        """As `memcpy_batch`; errors have no `fail_index` (`aclrtMemcpyBatchV2`, CP-47)."""
        try:
            self._copy_batch(batch)
        except HostError as error:
            error.fail_index = None
            raise

    @api("aclrtMemcpyBatchAsyncV2")
    def memcpy_batch_async_v2(self, batch: Batch, stream: Stream | None = None) -> None:
        """As `memcpy_batch_async`; errors have no `fail_index` (`aclrtMemcpyBatchAsyncV2`)."""
        try:
            self._issue_batch(batch, stream)
        except HostError as error:
            error.fail_index = None
            raise

    def _copy_batch(self, batch: Batch) -> int:
        moves = self._checked_batch(batch)
        if moves and len(batch.sizes) > MAX_ITEMS:
            self._refuse_batch(
                f"value {len(batch.sizes)} for parameter numBatches is invalid; expected a value "
                f"less than or equal to {MAX_ITEMS}"
            )
        if moves:
            self._check_batch_reach(moves, self.context().device)
            self.check_synchronous()
            self._warn()
            self.copy_now(self.context(), moves, f"{moves[0].direction.label} batch")
        return NO_FAIL_INDEX

    def _issue_batch(self, batch: Batch, stream: Stream | None) -> int:
        where = self.stream_of(stream)
        moves = self._checked_batch(batch)
        if moves:
            self._check_batch_reach(moves, where.context.device)
            operands = [operand for move in moves for operand in (move.target, move.source)]
            self.check_asynchronous(where, operands, "batch copy")
            self._warn()
            self.copy_on(where, moves, f"{moves[0].direction.label} batch")
        return NO_FAIL_INDEX

    def _check_batch_reach(self, moves: Sequence[Move], device: DeviceState) -> None:
        for move in moves:
            self.check_reach(device, move.target, move.source)

    def _warn(self) -> None:
        if not self._warned:
            self._warned = True
            warnings.warn(
                f"{self.operation} is on trial; products may differ",
                ExperimentalWarning,
                stacklevel=5,
            )

    # Checks, in the order of CP-43 to CP-48.

    def _checked_batch(self, batch: Batch) -> list[Move]:
        """The moves of all items that have bytes to move (CP-48, CP-57); none where none has."""
        if not self.options.batch_copies:
            self.refuse(
                ErrorCode.FEATURE_NOT_SUPPORTED, "batch copies are not supported by this product"
            )
        self.require(dsts=batch.targets, srcs=batch.sources, sizes=batch.sizes)
        self._check_lengths(batch)
        if not any(batch.sizes):
            return []
        for index, (size, most) in enumerate(zip(batch.sizes, batch.maxima, strict=True)):
            if not 0 <= size <= most:
                self._refuse_batch(f"copy size {size} at index {index} exceeds the size {most}")
        self._check_starts(batch)
        moves: list[Move] = []
        numbers: list[int] = []
        for index, move in self._items(batch):
            if not same_place(move.target, move.source):
                self._check_way(index, move.direction, moves)
                self._check_place(index, move, batch)
                moves.append(move)
                numbers.append(index)
        pair = first_overlap(moves)
        if pair is not None:
            first, second = sorted(numbers[which] for which in pair)
            self._refuse_batch(f"batch items {first} and {second} overlap; make two batches")
        return moves

    def _check_lengths(self, batch: Batch) -> None:
        count = len(batch.sizes)
        lengths = (len(batch.targets), len(batch.maxima), len(batch.sources))
        if any(length != count for length in lengths):
            self._refuse_batch(
                f"dsts has {lengths[0]} entries, destMaxs {lengths[1]}, srcs {lengths[2]}, "
                f"sizes {count}; expected as many of each"
            )
        if not count:
            self._refuse_batch(
                "numBatches must be greater than 0, got 0", ErrorCode.INVALID_PARAMETER
            )

    def _check_starts(self, batch: Batch) -> None:
        starts, count = batch.starts, len(batch.sizes)
        problem = ""
        if not batch.attributes or len(batch.attributes) > count:
            problem = f"numAttrs must be in [1, {count}], got {len(batch.attributes)}"
        elif len(starts) != len(batch.attributes):
            problem = f"attrsIdxs has {len(starts)} entries, attrs {len(batch.attributes)}"
        elif starts[0] != 0:
            problem = f"the first entry in attrsIdxs must be 0, got {starts[0]}"
        elif any(after <= before for before, after in pairwise(starts)):
            problem = "each entry in attrsIdxs must be greater than the previous entry"
        elif starts[-1] >= count:
            problem = f"attrsIdxs[{len(starts) - 1}] is {starts[-1]}; expected less than {count}"
        elif any(attribute.reserved for attribute in batch.attributes):
            problem = "rsv of an attribute must be 0"
        if problem:
            self._refuse_batch(problem, ErrorCode.INVALID_PARAMETER)

    def _items(self, batch: Batch) -> Iterator[tuple[int, Move]]:
        """Number and move of each item that has bytes; the others are skipped."""
        for index, size in enumerate(batch.sizes):
            if size:
                found, from_ = self.copy_operands(batch.targets[index], batch.sources[index])
                self.check_extent(found, size)
                self.check_extent(from_, size)
                yield index, Move(found, from_, size)

    def _check_way(self, index: int, way: Direction, before: Sequence[Move]) -> None:
        if way not in (Direction.HOST_TO_DEVICE, Direction.DEVICE_TO_HOST):
            self._refuse_batch(
                f"item {index} goes {way.value}; only H2D and D2H copy directions are supported",
                ErrorCode.INVALID_PARAMETER,
                index,
            )
        if before and before[0].direction is not way:
            self._refuse_batch(
                f"batch mixes H2D and D2H at index {index}", ErrorCode.INVALID_PARAMETER, index
            )

    def _check_place(self, index: int, move: Move, batch: Batch) -> None:
        attribute = batch.attributes[bisect_right(batch.starts, index) - 1]
        for operand, stated in ((move.target, attribute.target), (move.source, attribute.source)):
            if operand.device != stated:
                named = "host" if stated is None else f"device {stated}"
                self._refuse_batch(
                    f"the input memory type {named} and the memory of {operand.parameter} at "
                    f"index {index}, which is {operand.location}, do not match",
                    ErrorCode.INVALID_PARAMETER,
                    index,
                )

    def _refuse_batch(
        self,
        message: str,
        code: int = ErrorCode.INVALID_RUNTIME_PARAMETER,
        index: int = NO_FAIL_INDEX,
    ) -> NoReturn:
        """Raise the HostError of the call at hand, with its `fail_index` (CP-46)."""
        error = HostError(code, self.operation, message)
        error.fail_index = index
        raise error
