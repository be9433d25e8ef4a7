"""Which parts of a model's inputs and outputs its commands use, at stream.cmd level."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...dialects import stream
from ...dialects.access import Access, maintenance_kind, range_accesses
from ..build import constant_value
from .value_flow import value_edges


@dataclass(frozen=True, slots=True)
class Part:
    """A range of an argument's storage that one command uses."""

    start: int
    """Bytes from the start of the storage."""
    mode: Access


def argument_parts(function: Operation) -> dict[int, list[Part]]:
    """For each argument that is imported, the parts that commands use, in textual order.

    A part whose start is not constant is not among them.
    """
    entry = function.regions[0].blocks[0]
    starts = _starts(function, entry)
    parts: dict[int, list[Part]] = {argument: [] for argument, _ in starts.values()}
    for op in function.walk():
        if maintenance_kind(op) is not None or not isinstance(op.parent_op(), _COMMAND_PARENTS):
            continue
        for access in range_accesses(op):
            place = starts.get(access.value)
            offset = 0 if access.offset is None else constant_value(access.offset)
            if place is not None and offset is not None:
                argument, start = place
                parts[argument].append(Part(start + offset, access.mode))
    return parts


_COMMAND_PARENTS = (stream.CmdExecuteOp, stream.CmdConcurrentOp, stream.CmdSerialOp)


def _starts(function: Operation, entry: Block) -> dict[SSAValue, tuple[int, int]]:
    """For each name of an argument's storage: the argument, and where the name starts in it."""
    edges: dict[tuple[Operation, int], list[SSAValue]] = {}
    for edge in value_edges(function):
        edges.setdefault((edge.carrier, edge.operand), []).append(edge.target)
    found: dict[SSAValue, tuple[int, int]] = {}
    pending: list[tuple[SSAValue, int, int]] = [
        (op.result, _source_argument(op, entry), 0)
        for op in function.walk()
        if isinstance(op, stream.TensorImportOp) and _source_argument(op, entry) >= 0
    ]
    while pending:
        value, argument, start = pending.pop()
        if value in found:
            continue
        found[value] = (argument, start)
        for use in value.uses:
            pending += [
                (name, argument, start) for name in edges.get((use.operation, use.index), ())
            ]
            pending += [
                (name, argument, start + by) for name, by in _names(use.operation, use.index)
            ]
    return found


def _source_argument(op: stream.TensorImportOp, entry: Block) -> int:
    """The argument that `op` imports; -1 for anything else."""
    source = op.source
    return source.index if isinstance(source, BlockArgument) and source.owner is entry else -1


def _names(op: Operation, operand: int) -> list[tuple[SSAValue, int]]:
    """The names that `op` gives the storage of an operand, each with its distance in bytes."""
    match op:
        case stream.TimepointAwaitOp() if operand < len(op.results):
            return [(op.results[operand], 0)]
        case stream.ResourceSubviewOp() if operand == 0:
            offset = constant_value(op.source_offset)
            return [] if offset is None else [(op.result, offset)]
        case stream.CmdExecuteOp() if operand < len(op.resource_operands):
            return [(op.body.block.args[operand], 0)]
        case _:
            return []
