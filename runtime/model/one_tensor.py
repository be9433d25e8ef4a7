"""Several outputs that are one tensor: one is written in place, and others are copied from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .copy_only import WhyCopied
from .ways import OutputWay, Way


def bind_first(ways: Sequence[OutputWay], reasons: Mapping[int, WhyCopied]) -> list[OutputWay]:
    """`ways`, with the first of each tensor whose memory will do written in place (GE-69).

    Memory of the caller comes before what is allocated. `reasons`: why an address is copied;
    nothing is bound where that is another than that several outputs have it.
    """
    chosen: dict[int, OutputWay] = {}
    for way in ways:
        io = way.io
        why = None if io.offset is None else reasons.get(io.offset)
        if not io.may_bind_first or why not in (None, WhyCopied.SHARED):
            continue
        best = chosen.get(io.argument)
        reached = way.pointer is not None
        if (reached or way.way is Way.ALLOCATED) and (
            best is None or (best.pointer is None and reached)
        ):
            chosen[io.argument] = way
    return [_in_place(way) if way is chosen.get(way.io.argument) else way for way in ways]


def _in_place(way: OutputWay) -> OutputWay:
    allocated = way.way is Way.ALLOCATED
    return replace(way, way=way.way if allocated else Way.BOUND, in_place=True, fallback=allocated)
