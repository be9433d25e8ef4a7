"""Copies of rectangles: `aclrtMemcpy2d` and `aclrtMemcpy2dAsync`.

Row r of `width` bytes goes from `source + r * source_pitch` to `target + r * target_pitch`; bytes
between width and pitch stay as they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .calls import api
from .copies import Copies, Move, same_place
from .copy_kinds import Direction, MemcpyKind, direction_of
from .errors import ErrorCode
from .operands import Address, Operand
from .overlaps import first_overlap
from .stream import Stream

MAX_WIDTH = 5_000_000
"""Most bytes of a row (CP-37)."""
MAX_HEIGHT = 5_242_880
"""Most rows."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """What a 2D copy moves."""

    target_pitch: int
    """Bytes from the start of a row of the target to that of the next."""
    source_pitch: int
    width: int
    """Bytes of a row."""
    height: int
    """Rows."""

    def extent(self, pitch: int) -> int:
        """Bytes from the first to the last byte of the rectangle at a pitch."""
        return (self.height - 1) * pitch + self.width


class Copy2dCalls(Copies):
    """Calls that copy rectangles."""

    @api("aclrtMemcpy2d")
    def memcpy_2d(
        self,
        target: Address | None,
        target_pitch: int,
        source: Address | None,
        source_pitch: int,
        width: int,
        height: int,
        kind: int = MemcpyKind.DEFAULT,
    ) -> None:
        """Copy a rectangle between host and device before this returns (`aclrtMemcpy2d`, CP-36).

        Raises HostError: INVALID_PARAMETER for null, an unknown kind, and for another direction
        than host to device and back (CP-39); INVALID_RUNTIME_PARAMETER for sizes out of range
        (CP-37) or beyond an operand (CP-38); FORBIDDEN_IN_CAPTURE_MODE.
        """
        shape = Rectangle(target_pitch, source_pitch, width, height)
        allowed = (Direction.HOST_TO_DEVICE, Direction.DEVICE_TO_HOST)
        checked = self._checked_2d(target, source, shape, kind, allowed)
        if checked is None:
            return
        stated, moves = checked
        first, context = moves[0], self.context()
        self.check_reach(context.device, first.target, first.source)
        self.check_synchronous()
        self.note_kind(stated, first.direction)
        self.copy_now(context, moves, f"{first.direction.label} 2d")

    @api("aclrtMemcpy2dAsync")
    def memcpy_2d_async(
        self,
        target: Address | None,
        target_pitch: int,
        source: Address | None,
        source_pitch: int,
        width: int,
        height: int,
        kind: int = MemcpyKind.DEFAULT,
        stream: Stream | None = None,
    ) -> None:
        """Issue the copy of a rectangle to a stream (`aclrtMemcpy2dAsync`), within a device too.

        It blocks as `memcpy_async` does, and is refused as `memcpy_2d` and in captures as
        `memcpy_async` (CP-40).
        """
        where = self.stream_of(stream)
        shape = Rectangle(target_pitch, source_pitch, width, height)
        allowed = tuple(entry for entry in Direction if entry is not Direction.HOST_TO_HOST)
        checked = self._checked_2d(target, source, shape, kind, allowed)
        if checked is None:
            return
        stated, moves = checked
        first = moves[0]
        self.check_reach(where.context.device, first.target, first.source)
        self.check_asynchronous(where, (first.target, first.source), "2D memory copy")
        self.note_kind(stated, first.direction)
        self.copy_on(where, moves, f"{first.direction.label} 2d")

    def _checked_2d(
        self,
        target: Address | None,
        source: Address | None,
        shape: Rectangle,
        kind: int,
        allowed: Sequence[Direction],
    ) -> tuple[MemcpyKind, list[Move]] | None:
        """What both calls check; None for a rectangle onto itself."""
        stated = self.check_kind(kind)
        found, from_ = self.copy_operands(target, source)
        self._check_shape(shape)
        self.check_extent(found, shape.extent(shape.target_pitch))
        self.check_extent(from_, shape.extent(shape.source_pitch))
        if same_place(found, from_) and shape.target_pitch == shape.source_pitch:
            return None
        direction = direction_of(from_, found)
        if direction not in allowed:
            ways = "H2D, D2H or D2D" if len(allowed) > 2 else "H2D or D2H"
            self.refuse(
                ErrorCode.INVALID_PARAMETER,
                f"{direction.value} is not supported: a 2D copy of this kind supports only {ways}",
                "kind",
                int(stated),
            )
        self.check_direction(stated, direction)
        moves = _rows(found, from_, shape)
        if direction is Direction.INTRA_DEVICE and first_overlap(moves) is not None:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                "source and target ranges overlap within the same buffer; copy by way of another",
            )
        return stated, moves

    def _check_shape(self, shape: Rectangle) -> None:
        """The rules of CP-37."""
        for name, value, limit in (
            ("dstPitch", shape.target_pitch, None),
            ("srcPitch", shape.source_pitch, None),
            ("width", shape.width, MAX_WIDTH),
            ("height", shape.height, MAX_HEIGHT),
        ):
            if value <= 0:
                self.invalid(name, value, "a value greater than 0")
            if limit is not None and value > limit:
                self.invalid(name, value, f"a value less than or equal to {limit}")
        for name, pitch in (("dstPitch", shape.target_pitch), ("srcPitch", shape.source_pitch)):
            if shape.width > pitch:
                self.invalid(
                    "width", shape.width, f"a value less than or equal to {name}, which is {pitch}"
                )


def _rows(target: Operand, source: Operand, shape: Rectangle) -> list[Move]:
    """One move for each row, or one for all where no bytes lie between rows."""
    if shape.width == shape.target_pitch == shape.source_pitch:
        return [Move(target, source, shape.width * shape.height)]
    return [
        Move(target, source, shape.width, row * shape.target_pitch, row * shape.source_pitch)
        for row in range(shape.height)
    ]
