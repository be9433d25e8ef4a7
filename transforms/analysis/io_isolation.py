"""Where copies must keep a model's inputs, variables and outputs apart (GE-33 to GE-36)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects import util
from ...dialects.hal.tensor import TensorExportOp, TensorImportOp
from ..io_plan.entry import ModelEntry
from .io_eligibility import collective_operands, is_collective, is_constant
from .io_flow import root_of


class Why(StrEnum):
    """Why a copy is due."""

    MERGE = "a branch hands on an input, whose address differs from run to run"
    OUTPUT = "an output is a mere input or constant, and the caller's buffer has to be written"
    VARIABLE = "a collective whose addresses are fixed works on a variable"


@dataclass(frozen=True, slots=True)
class IsolatingCopy:
    """A copy that is due before an op, of one of its operands."""

    op: Operation
    operand: int
    why: Why


def isolating_copies(
    module: ModuleOp, entry: ModelEntry, *, fm_refreshable: bool
) -> list[IsolatingCopy]:
    """The copies that are due in `module`, in textual order of what they are for.

    Args:
        module: at flow level.
        entry: the model in it.
        fm_refreshable: whether collectives can take new addresses in the feature map (GE-36).
    """
    inputs: set[SSAValue] = {
        op.target for given in entry.inputs if not given.reference for op in given.imports
    }
    copies = list(_merges(entry.function, inputs))
    copies += [
        IsolatingCopy(output.export if output.alias is None else output.alias, 0, Why.OUTPUT)
        for output in entry.outputs
        if _is_wired(output.export, inputs)
    ]
    if not fm_refreshable:
        copies += _variables(module)
    return copies


def _merges(function: Operation, inputs: set[SSAValue]) -> Iterator[IsolatingCopy]:
    """What branches yield straight from an input (GE-34)."""
    for op in function.walk():
        if not isinstance(op, scf.IfOp | scf.IndexSwitchOp):
            continue
        for region in op.regions:
            end = region.blocks[0].last_op if region.blocks else None
            for index, operand in enumerate(() if end is None else end.operands):
                if end is not None and root_of(operand) in inputs:
                    yield IsolatingCopy(end, index, Why.MERGE)


def _is_wired(export: TensorExportOp, inputs: set[SSAValue]) -> bool:
    """Whether an output is an input or a constant as it is; views of inputs are not (GE-71)."""
    source = export.source
    owner = source.owner
    if isinstance(owner, Operation) and owner.name == "hal.tensor.alias":
        source = owner.operands[0]
        owner = source.owner
    if isinstance(owner, TensorImportOp):
        return source in inputs
    return isinstance(owner, Operation) and is_constant(owner)


def _variables(module: ModuleOp) -> Iterator[IsolatingCopy]:
    """Between collectives and the variables that they read or write (GE-36)."""
    for op in module.walk():
        if is_collective(op):
            for index in collective_operands(op)[0]:
                if isinstance(root_of(op.operands[index]).owner, util.GlobalLoadOp):
                    yield IsolatingCopy(op, index, Why.VARIABLE)
        elif isinstance(op, util.GlobalStoreOp):
            made = root_of(op.operands[0]).owner
            if isinstance(made, Operation) and is_collective(made):
                yield IsolatingCopy(op, 0, Why.VARIABLE)
