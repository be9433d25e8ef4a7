"""Who uses a tensor and who makes it, seen through views, handoffs, control flow and calls."""

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects import flow
from ...dialects.hal.tensor import TensorAliasOp
from .value_flow import program_edges

ISOLATION = "zc.isolation"
"""Attribute of a copy that keeps two storages apart: no pass removes or merges it (GE-37)."""


@dataclass(frozen=True, slots=True)
class Consumer:
    """An op that uses a tensor under some name."""

    op: Operation
    operand: int
    """Which operand it is."""


def same_storage(op: Operation) -> SSAValue | None:
    """The tensor whose storage the only result of `op` may be, or None where it makes a new one.

    A clone may be elided, unless it isolates; a transfer may alias, unless it says that it copies.
    """
    match op:
        case flow.TensorReshapeOp() | flow.TensorBitCastOp() | TensorAliasOp():
            return op.source
        case flow.TensorTieShapeOp() | flow.TensorBarrierOp():
            return op.operand
        case flow.TensorCloneOp():
            return None if ISOLATION in op.attributes else op.operand
        case flow.TensorTransferOp():
            return None if op.transfer_kind == "copy" else op.operand
        case _:
            return None


def root_of(value: SSAValue) -> SSAValue:
    """The tensor that `value` is another name of within its block structure."""
    while isinstance(value.owner, Operation) and (source := same_storage(value.owner)) is not None:
        value = source
    return value


class IoFlow:
    """The flow of tensors in a module."""

    def __init__(self, module: ModuleOp) -> None:
        self._targets: dict[tuple[Operation, int], list[SSAValue]] = {}
        self._sources: dict[SSAValue, list[SSAValue]] = {}
        for edge in program_edges(module):
            self._targets.setdefault((edge.carrier, edge.operand), []).append(edge.target)
            self._sources.setdefault(edge.target, []).append(edge.source)

    def consumers(self, value: SSAValue) -> Iterator[Consumer]:
        """The ops that use `value` under any name, each operand once."""
        seen: set[SSAValue] = {value}
        pending = [value]
        while pending:
            for use in pending.pop().uses:
                onward = list(self._targets.get((use.operation, use.index), ()))
                if use.index == 0 and same_storage(use.operation) is not None:
                    onward.append(use.operation.results[0])
                if not onward:
                    yield Consumer(use.operation, use.index)
                fresh = [target for target in onward if target not in seen]
                seen.update(fresh)
                pending.extend(fresh)

    def makers(self, value: SSAValue) -> list[SSAValue]:
        """The tensors that `value` may be another name of, in order of discovery."""
        seen: set[SSAValue] = {value}
        pending, found = [value], list[SSAValue]()
        while pending:
            root = root_of(pending.pop())
            sources = self._sources.get(root, [])
            if not sources and root not in found:
                found.append(root)
            fresh = [source for source in sources if source not in seen]
            seen.update(fresh)
            pending.extend(fresh)
        return found
