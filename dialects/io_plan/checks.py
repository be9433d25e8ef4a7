"""What must hold of an I/O plan; the loader and the passes check it with `check_plan`."""

from __future__ import annotations

from itertools import pairwise

from xdsl.utils.exceptions import VerifyException

from .data import IoPlan, ModelIo


def check_plan(plan: IoPlan) -> None:
    """Check the layout and the lists of offsets of a plan.

    Raises:
        VerifyException: an alignment that is no power of two (GE-22), a zero-copy block before
            the end of the feature map (GE-20), blocks that overlap (GE-19), or lists of basic
            and relative offsets of different lengths (GE-31).
    """
    for alignment in (plan.zero_copy_align, plan.feature_map_align):
        check_alignment(alignment)
    for io in plan.ios:
        check_offsets(io)
    for block in plan.blocks:
        if plan.feature_map_size is None or block.offset < plan.feature_map_size:
            raise VerifyException(
                f"zero-copy offset {block.offset} of '{block.name}' precedes feature-map end "
                f"{plan.feature_map_size}"
            )
    ordered = sorted(plan.blocks, key=lambda block: (block.offset, block.aligned_size))
    for before, after in pairwise(ordered):
        if before.end > after.offset:
            raise VerifyException(
                f"zero-copy block '{before.name}' [{before.offset},{before.end}) overlaps "
                f"'{after.name}' [{after.offset},{after.end})"
            )


def check_alignment(alignment: int) -> None:
    """Raise VerifyException for an alignment, in bytes, that is no power of two (GE-22)."""
    if alignment <= 0 or alignment & (alignment - 1):
        raise VerifyException(f"alignment must be a power of two, got {alignment}")


def check_offsets(io: ModelIo) -> None:
    """Raise VerifyException where the lists of offsets do not pair up (GE-31)."""
    if len(io.basic_offsets) != len(io.relative_offsets):
        raise VerifyException(
            f"basic offset size:{len(io.basic_offsets)} not equal to "
            f"relative_offset_size:{len(io.relative_offsets)} for '{io.name}'"
        )


def check_sizes(memory_size: int, zero_copy_size: int) -> None:
    """Raise VerifyException where the zero-copy part is larger than the whole (GE-27)."""
    if memory_size < zero_copy_size:
        raise VerifyException(
            f"total mem size[{memory_size}] is less than zero copy size[{zero_copy_size}]"
        )
