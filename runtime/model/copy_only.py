"""Which addresses of a model are copied at each run, and never replaced by the caller's (GE-50)."""

from __future__ import annotations

from enum import StrEnum

from ...dialects.io_plan import IoPlan, ModelOutput
from .ways import IoMemory


class WhyCopied(StrEnum):
    """Why an address is copy-only."""

    NO_REUSE = "the model owns its outputs"
    SHARED = "it is the address of several outputs"
    NO_TASK = "nothing in the model writes it"
    VARIABLE = "it is a variable of the model"
    NOT_A_BLOCK = "it is not a zero-copy block"
    DISABLED = "the caller has disabled it"


def copy_only_addresses(plan: IoPlan, memory: IoMemory) -> dict[int, WhyCopied]:
    """The logical addresses that are copy-only for a way to load a model, with the reason.

    RefData, where one argument is an input and the storage of an output, is never among them: it
    is the caller's memory that has to change.
    """
    found: dict[int, WhyCopied] = {}
    if memory is not IoMemory.OWNED:
        for io in plan.inputs:
            if not io.zero_copy and not io.reference and io.offset is not None:
                found[io.offset] = WhyCopied.NOT_A_BLOCK
    for output in plan.outputs:
        if output.offset is not None and (why := _why(plan, output, memory)) is not None:
            found.setdefault(output.offset, why)
    return found


def _why(plan: IoPlan, output: ModelOutput, memory: IoMemory) -> WhyCopied | None:
    if output.reference:
        return None
    if memory is IoMemory.OWNED:
        return WhyCopied.NO_REUSE
    if sum(other.argument == output.argument for other in plan.outputs) > 1:
        return WhyCopied.SHARED
    if memory is IoMemory.REUSED:
        if output.view_of is not None:
            return WhyCopied.NO_TASK
        if output.variable:
            return WhyCopied.VARIABLE
    return None if output.zero_copy else WhyCopied.NOT_A_BLOCK
