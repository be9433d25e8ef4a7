"""Loops and branches that carry a timepoint with every resource.

```mlir
%r = scf.for … iter_args(%v = %0) -> (!stream.resource<transient>) { …; scf.yield %next }
```

becomes

```mlir
%r, %rt = scf.for … iter_args(%v = %0, %vt = %immediate) -> (…, !stream.timepoint) {
  %w = stream.timepoint.await %vt => %v …            // used for %v
  …
  scf.yield %next, %immediate
}
%s = stream.timepoint.await %rt => %r …              // used for %r
```

(IREE's PropagateTimepoints, first half.) The timepoints come after all that was carried before.
"""

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from ..dialects import stream
from .analysis.sizes import stated_sizes
from .analysis.storage import is_resource
from .build import INDEX, constant_value, make
from .functions import host_blocks
from .timepoints import TIMEPOINT, await_resources

CARRYING = (scf.ForOp, scf.WhileOp, scf.IfOp)


class CarriedTimepoints:
    """The loops and branches of a function, rewritten."""

    def __init__(self, function: Operation) -> None:
        self.companions: dict[Operation, list[tuple[int, int]]] = {}
        """By op that passes resources on: the operand indices of each and of its timepoint."""
        self._immediate: SSAValue | None = None
        ops = [op for block in host_blocks(function) for op in block.ops]
        carrying = [op for op in ops if isinstance(op, CARRYING) and _carries_resources(op)]
        if not carrying:
            return
        entry = function.regions[0].first_block
        assert entry is not None
        first = entry.first_op
        assert first is not None
        immediate = make(stream.TimepointImmediateOp, first, [TIMEPOINT])
        entry.insert_op_before(immediate, first)
        self._immediate = immediate.result_timepoint
        for op in reversed(carrying):
            self._expand(op)

    def finish(self) -> None:
        """Remove what no op has come to use."""
        if self._immediate is not None and self._immediate.first_use is None:
            op = self._immediate.owner
            assert isinstance(op, Operation)
            op.detach()
            op.erase()

    def _expand(self, op: Operation) -> None:
        if isinstance(op, scf.ForOp):
            self._pass_on(op, 3)
            self._take(op.body.block)
            self._end(op.body.block)
        elif isinstance(op, scf.WhileOp):
            self._pass_on(op, 0)
            for region in op.regions:
                assert region.first_block is not None
                assert region.last_block is not None
                self._take(region.first_block)
                self._end(region.last_block)
        else:
            for region in op.regions:
                if region.last_block is not None:
                    self._end(region.last_block)
        self._add_results(op)

    def _end(self, block: Block) -> None:
        terminator = block.last_op
        assert terminator is not None
        self._pass_on(terminator, int(isinstance(terminator, scf.ConditionOp)))

    def _pass_on(self, op: Operation, first: int) -> None:
        """`op` passes its operands from number `first` on: one timepoint for each resource."""
        operands = list(op.operands)
        resources = [i for i in range(first, len(operands)) if is_resource(operands[i])]
        assert self._immediate is not None
        op.operands = [*operands, *([self._immediate] * len(resources))]
        self.companions[op] = list(
            zip(resources, range(len(operands), len(op.operands)), strict=True)
        )

    def _take(self, block: Block) -> None:
        """The block takes timepoints and waits at its start."""
        taken = [argument for argument in block.args if is_resource(argument)]
        pairs = [(value, block.insert_arg(TIMEPOINT, len(block.args))) for value in taken]
        first = block.first_op
        assert first is not None
        _await_all(pairs, block, first)

    def _add_results(self, op: Operation) -> None:
        """Replace `op` by one with a timepoint for each resource that it gives."""
        block, following = op.parent, op.next_op
        assert block is not None
        assert following is not None
        given = [result for result in op.results if is_resource(result)]
        new = type(op).create(
            operands=list(op.operands),
            result_types=[*(result.type for result in op.results), *(TIMEPOINT for _ in given)],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
            regions=[op.detach_region(region) for region in list(op.regions)],
        )
        new.location = op.location
        block.insert_op_before(new, op)
        if op in self.companions:
            self.companions[new] = self.companions.pop(op)
        for old, result in zip(op.results, new.results, strict=False):
            result.name_hint = old.name_hint
            old.replace_all_uses_with(result)
        block.erase_op(op)
        timepoints = new.results[len(new.results) - len(given) :]
        resources = [result for result in new.results if is_resource(result)]
        _await_all(list(zip(resources, timepoints, strict=True)), block, following)


def _carries_resources(op: Operation) -> bool:
    return any(is_resource(value) for value in (*op.operands, *op.results))


def _await_all(pairs: Sequence[tuple[SSAValue, SSAValue]], block: Block, before: Operation) -> None:
    """Wait for each resource before `before`, and use what is awaited from there on."""
    for resource, timepoint in pairs:
        size = _size_before(resource, before)
        uses = [
            use for use in resource.uses if not isinstance(use.operation, stream.ResourceSizeOp)
        ]
        wait = await_resources([(resource, size)], timepoint, before)
        block.insert_op_before(wait, before)
        (ready,) = wait.result_resources
        for use in uses:
            use.operation.operands[use.index] = ready


def _size_before(resource: SSAValue, before: Operation) -> SSAValue:
    """The size of `resource`, as a user states it where that is known, else asked for."""
    block = before.parent
    assert block is not None
    for use in resource.uses:
        size = dict(stated_sizes(use.operation)).get(resource)
        if size is None:
            continue
        if isinstance(size.owner, Operation) and constant_value(size) is not None:
            constant = size.owner.clone()
            block.insert_op_before(constant, before)
            return constant.results[0]
        home = size.owner if isinstance(size.owner, Block) else size.owner.parent
        if home is not None and home is not block and _encloses(home, block):
            return size
    query = make(stream.ResourceSizeOp, before, [INDEX], operand=resource)
    block.insert_op_before(query, before)
    return query.result


def _encloses(outer: Block, inner: Block) -> bool:
    op = inner.parent_op()
    while op is not None and op.parent is not outer:
        op = op.parent_op()
    return op is not None
