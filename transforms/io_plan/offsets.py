"""Offsets of parts of inputs and outputs, and the table of argument ids (GE-28, GE-29, GE-32)."""

from collections.abc import Iterable, Sequence

from xdsl.utils.exceptions import VerifyException

ADDRESS_SIZE = 8
"""Bytes of an address among the arguments of a task."""


def input_offsets(base: int, starts: Iterable[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Basic and relative offsets of an input at logical address `base`.

    One pair for each part that starts elsewhere than the whole (GE-28, GE-29).

    Args:
        base: bytes.
        starts: where parts start, in bytes from the start of the input.
    """
    relative = tuple(sorted({start for start in starts if start}))
    return (base,) * len(relative), relative


def output_offsets(base: int, starts: Iterable[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Basic and relative offsets of an output at logical address `base`.

    An output that is put together from parts has a pair for each, the first included, as the
    inputs of a concatenation have (GE-29); one that is made as a whole has none.
    """
    relative = tuple(sorted(set(starts)))
    if relative in ((), (0,)):
        return (), ()
    return (base,) * len(relative), relative


def offset_table(
    bases: Sequence[int], pairs: Iterable[tuple[int, int]], outputs: Iterable[int] = ()
) -> dict[int, int]:
    """Logical addresses to the ids of the arguments that hold them (GE-32).

    Each base takes an id, then each part of it that starts elsewhere takes one; ids count in
    addresses of 8 bytes, so that id / 8 is a slot of the binding table.

    Args:
        bases: logical addresses of inputs and outputs.
        pairs: basic and relative offset of each part.
        outputs: logical addresses of outputs, which must be in the table.

    Raises:
        VerifyException: an output that is not among the bases or parts.
    """
    parts: dict[int, list[int]] = {}
    for basic, relative in pairs:
        if relative:
            parts.setdefault(basic, []).append(relative)
    table: dict[int, int] = {}
    for base in dict.fromkeys(bases):
        for address in (base, *(base + relative for relative in parts.get(base, ()))):
            table.setdefault(address, len(table) * ADDRESS_SIZE)
    for number, offset in enumerate(outputs):
        if offset not in table:
            raise VerifyException(
                f"NetOutput input no[{number}] offset[{offset}] get zerocopy offset id failed"
            )
    return table
