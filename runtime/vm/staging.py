"""Where storage for several devices goes that no pool serves in place (IR-26).

What one device fills by a copy for another to compute on, as IREE stages a transfer between
memories of their own, need be in place for the one that computes alone:

```mlir
%s, %t0 = stream.resource.alloca on(#hal.device.optimal<[a, b]>) …
%t1 = stream.cmd.execute on(a) await(%t0) => with(… %s as %o …) { stream.cmd.copy %i[…], %o[…] … }
%t2 = stream.cmd.execute on(b) await(%t1) => with(%s as %i …) { stream.cmd.dispatch @f { ro %i … } }
```
gives @b. Follows values through regions, branches and tied results; not through calls and globals.
"""

from collections.abc import Iterator

from xdsl.dialects import cf, scf
from xdsl.ir import Operation, SSAValue, Use
from xdsl.traits import IsTerminator

from ...dialects import stream
from ...dialects.access import inherited_affinity, tied_results
from ...dialects.hal import AffinityAttr

_IN_PLACE = (stream.CmdDispatchOp, stream.CmdCallOp, stream.CmdCollectiveOp)


def in_place_users(storage: SSAValue) -> frozenset[str]:
    """The devices that compute on what `storage` names; others only copy it."""
    seen: set[SSAValue] = set()
    work = [storage]
    users: set[str] = set()
    while work:
        value = work.pop()
        if value in seen:
            continue
        seen.add(value)
        for use in value.uses:
            if isinstance(use.operation, _IN_PLACE):
                users.update(_devices(use.operation))
            work.extend(_other_names(use, value))
    return frozenset(users)


def _devices(command: Operation) -> tuple[str, ...]:
    """The devices that the region of a command runs on."""
    parent = command.parent_op()
    while parent is not None and not isinstance(parent, stream.CmdExecuteOp):
        parent = parent.parent_op()
    affinity = None if parent is None else inherited_affinity(parent)
    return affinity.device_names if isinstance(affinity, AffinityAttr) else ()


def _other_names(use: Use, value: SSAValue) -> Iterator[SSAValue]:
    """What else names the storage of `value`, by one use of it."""
    op, index = use.operation, use.index
    yield from (result for result, operand in tied_results(op) if operand is value)
    match op:
        case stream.CmdExecuteOp() if index < len(op.resource_operands):
            yield op.body.block.args[index]
        case stream.ResourceSubviewOp():
            yield op.result
        case cf.BranchOp():
            yield op.successor.args[index]
        case cf.ConditionalBranchOp():
            yield from _branch_arguments(op, value)
        case scf.ForOp() if value in op.iter_args:
            yield op.results[index - 3]
            yield op.body.block.args[index - 2]
        case scf.YieldOp():
            yield from _yielded(op, index)
        case _:
            pass


def _branch_arguments(op: cf.ConditionalBranchOp, value: SSAValue) -> Iterator[SSAValue]:
    for operands, block in (
        (op.then_arguments, op.then_block),
        (op.else_arguments, op.else_block),
    ):
        yield from (
            argument
            for operand, argument in zip(operands, block.args, strict=True)
            if operand is value
        )


def _yielded(op: Operation, index: int) -> Iterator[SSAValue]:
    """What a yielded value is outside of the region, and in the next iteration."""
    parent = op.parent_op()
    assert op.has_trait(IsTerminator)
    if parent is None or index >= len(parent.results):
        return
    yield parent.results[index]
    if isinstance(parent, scf.ForOp):
        yield parent.body.block.args[index + 1]
    if isinstance(parent, scf.WhileOp):
        yield parent.before_region.block.args[index]
