"""The tasks of a model: what executes on the device, and whose memory its arguments are in
(GE-54, GE-55).

```mlir
%0 = hal.tensor.import %x …
%1 = flow.dispatch @add::@add(%0, %w) …        // task 0: model io, weight; writes feature map
%2 = flow.tensor.clone %1 {zc.isolation = 0}   // task 1, which copies: reads what task 0 makes
%3 = flow.dispatch @k::@k(%2) {zc.refreshable = false} …
```

Peers of an argument are the tasks at its other end: who makes what it reads, who reads what it
writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation, SSAValue

from ...dialects import flow
from ...dialects.hal.tensor import TensorExportOp, TensorImportOp
from ...dialects.io_plan import MemoryUse, ModelTask, TaskArgument
from .io_eligibility import is_collective, is_constant, is_refreshable
from .io_flow import IoFlow, same_storage

_COPIES = (flow.TensorCloneOp, flow.TensorTransferOp)
_TRANSFERS = (*_COPIES, flow.TensorSliceOp, flow.TensorUpdateOp, flow.TensorSplatOp)


def model_tasks(function: Operation, tensors: IoFlow) -> tuple[ModelTask, ...]:
    """The tasks of a function at flow level, in textual order.

    Args:
        function: of the model.
        tensors: of its module.
    """
    ops = [op for op in function.walk() if _is_task(op)]
    numbers = {op: number for number, op in enumerate(ops)}
    return tuple(
        ModelTask(
            op.name,
            _name(op),
            is_refreshable(op),
            isinstance(op, _COPIES),
            tuple(_arguments(op, tensors, numbers)),
        )
        for op in ops
    )


def _is_task(op: Operation) -> bool:
    if isinstance(op, _TRANSFERS):
        return not op.results or same_storage(op) is None
    return isinstance(op, flow.DispatchOp) or is_collective(op)


def _name(op: Operation) -> str:
    """What a dispatch runs; the name that the result has for others."""
    if isinstance(op, flow.DispatchOp):
        return ", ".join(str(entry) for entry in op.entry_points)
    hint = op.results[0].name_hint if op.results else None
    return "" if hint is None else f"%{hint}"


def _arguments(
    op: Operation, tensors: IoFlow, numbers: Mapping[Operation, int]
) -> list[TaskArgument]:
    result: list[TaskArgument] = []
    for operand in op.operands:
        if isinstance(operand.type, ShapedType):
            makers = tensors.makers(operand)
            owners = [maker.owner for maker in makers if isinstance(maker.owner, Operation)]
            result.append(TaskArgument(_use_of(makers), peers=_peers(owners, numbers)))
    for value in op.results:
        readers = [consumer.op for consumer in tensors.consumers(value)]
        goes_out = any(isinstance(reader, TensorExportOp) for reader in readers)
        use = MemoryUse.MODEL_IO if goes_out else MemoryUse.FEATURE_MAP
        result.append(TaskArgument(use, writes=True, peers=_peers(readers, numbers)))
    return result


def _peers(ops: Iterable[Operation], numbers: Mapping[Operation, int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(numbers[op] for op in ops if op in numbers))


def _use_of(makers: Sequence[SSAValue]) -> MemoryUse:
    """What the memory of a tensor is used for that `makers` may make."""
    owners = [maker.owner for maker in makers]
    if any(isinstance(owner, TensorImportOp) for owner in owners):
        return MemoryUse.MODEL_IO
    if owners and all(isinstance(owner, Operation) and is_constant(owner) for owner in owners):
        return MemoryUse.FIX
    return MemoryUse.FEATURE_MAP
