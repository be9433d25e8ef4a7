"""What a call does with each input and output, decided before anything is done: plain data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ...dialects.io_plan import ModelInput, ModelOutput
from ..host.memory import Pointer
from ..host.operands import Operand


class IoMemory(StrEnum):
    """Whose memory inputs and outputs are in while the model runs."""

    OWNED = "owned"
    """The model's: they are copied in and out (`reuseZeroCopyMemory` is "0", GE-04)."""
    REUSED = "reused"
    """The caller's, which must be device memory unless the model's holds their place
    (`reuseZeroCopyMemory` is "1", GE-04, GE-05)."""
    BOUND = "bound"
    """The caller's where it does, with `LoweringOptions` about where it does not (GE-75)."""


def io_memory(reuse: bool | None) -> IoMemory:
    """What `reuseZeroCopyMemory` says, where a level says something (GE-04, GE-06)."""
    if reuse is None:
        return IoMemory.BOUND
    return IoMemory.REUSED if reuse else IoMemory.OWNED


class Way(StrEnum):
    """How one input or output is served."""

    BOUND = "bound"
    """The caller's memory is in the binding table."""
    COPIED = "copied"
    """The model's memory is, and a command copies from or to the caller's."""
    ALLOCATED = "allocated"
    """An output without memory gets some, which is the caller's from then on (GE-62, GE-74)."""


@dataclass(frozen=True, slots=True)
class InputWay:
    """One input of a call."""

    io: ModelInput
    operand: Operand
    pointer: Pointer | None
    """The device's name of the caller's memory; None where it does not reach it."""
    way: Way
    size: int
    """Bytes that the model takes of it."""
    shape: tuple[int, ...]
    fallback: bool = False
    """Copied though it could have been bound, had the caller's memory been another."""


@dataclass(frozen=True, slots=True)
class OutputWay:
    """One output of a call."""

    io: ModelOutput
    operand: Operand | None
    """None where the caller gives no memory."""
    pointer: Pointer | None
    way: Way
    size: int | None
    """Bytes; None where only the program knows them."""
    shape: tuple[int, ...] | None
    in_place: bool = False
    """Whether the model writes it where the caller has it, or where it was allocated for it."""
    fallback: bool = False
    inferred: bool = False
    """Whether its shape was inferred from those of the inputs (GE-08)."""


@dataclass(frozen=True, slots=True)
class Binding:
    """Checked inputs and outputs of a call, in the order of the function's results."""

    inputs: tuple[InputWay, ...]
    outputs: tuple[OutputWay, ...]
    warnings: tuple[str, ...] = ()
    """Accepted, but worth a look (GE-47)."""
