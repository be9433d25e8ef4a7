"""Addresses of a communication task's arguments (GE-58, GE-59)."""

from collections.abc import Sequence

from .offsets import ADDRESS_SIZE


def collective_slots(
    arguments: int, inputs: Sequence[bool], outputs: Sequence[bool]
) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    """Where a task finds the addresses of its operands; None for what is copied instead.

    Args:
        arguments: address of the task's first argument, in bytes.
        inputs: the zero-copy flag of each operand that it reads.
        outputs: the flag of each that it writes; their addresses come after those of the inputs.
    """
    slots = [
        arguments + ADDRESS_SIZE * index if flag else None
        for index, flag in enumerate((*inputs, *outputs))
    ]
    return tuple(slots[: len(inputs)]), tuple(slots[len(inputs) :])
