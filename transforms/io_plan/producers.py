"""What makes an output: an op with storage of its own, branches, or nothing but a view."""

from xdsl.dialects import scf
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects import flow, util
from ...dialects.hal.tensor import TensorExportOp, TensorImportOp
from ..analysis.io_eligibility import is_constant
from ..analysis.io_flow import root_of
from .entry import ModelEntry
from .output_steps import Producer

_NOTHING = Producer(allocates=False)


def producer_of(export: TensorExportOp) -> Producer:
    """What makes the tensor of `export`."""
    return _Walk().of(export.source)


class _Walk:
    """Numbers the branch ops on the way."""

    def __init__(self) -> None:
        self.branch_ops = 0

    def of(self, value: SSAValue) -> Producer:
        root = root_of(value)
        if not isinstance(root, OpResult):
            return _NOTHING
        match root.op:
            case scf.IfOp() as op:
                return self._branches(op, root.index, ("then", "else"))
            case scf.IndexSwitchOp() as op:
                names = tuple(f"case{index}" for index in range(len(op.regions)))
                return self._branches(op, root.index, names)
            case TensorImportOp() | scf.ForOp() | scf.WhileOp():
                return _NOTHING
            case op if is_constant(op):
                return _NOTHING
            case _:
                return Producer(allocates=True)

    def _branches(self, op: Operation, index: int, names: tuple[str, ...]) -> Producer:
        prefix = f"if{self.branch_ops}"
        self.branch_ops += 1
        branches: list[tuple[str, Producer]] = []
        for name, region in zip(names, op.regions, strict=True):
            end = region.block.last_op
            inner = _NOTHING if end is None else self.of(end.operands[index])
            branches.append((f"{prefix}.{name}", inner))
        return Producer(allocates=False, branches=tuple(branches))


def is_variable(export: TensorExportOp) -> bool:
    """Whether an output is a variable as it is, or an isolating copy of one (GE-50)."""
    maker = _copied(export).owner
    return isinstance(maker, util.GlobalLoadOp) and maker.is_immutable is None


def viewed_input(entry: ModelEntry, export: TensorExportOp) -> int | None:
    """The input that an output is a mere view of, or None."""
    return _ordinal(entry, root_of(export.source))


def copied_input(entry: ModelEntry, export: TensorExportOp) -> int | None:
    """The input whose bytes an output has, as a view or as an isolating copy, or None."""
    return _ordinal(entry, _copied(export))


def _copied(export: TensorExportOp) -> SSAValue:
    """The tensor behind an output, seen through one isolating copy."""
    root = root_of(export.source)
    return root_of(root.owner.operand) if isinstance(root.owner, flow.TensorCloneOp) else root


def _ordinal(entry: ModelEntry, root: SSAValue) -> int | None:
    for ordinal, given in enumerate(entry.inputs):
        if any(op.target is root for op in given.imports):
            return ordinal
    return None
