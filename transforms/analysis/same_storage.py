"""Which results and arguments of control flow always are one certain storage.

```mlir
%r = scf.if %p -> (!stream.resource<transient>) {
  %i = scf.if %q -> (…) { scf.yield %buf } else { scf.yield %buf }   // %i: %buf
  scf.yield %i
} else {
  scf.yield %buf
}                                                                    // %r: %buf (case B41)
%s = scf.for … iter_args(%x = %buf) { … scf.yield %x }               // %x, %s: %buf
%t = scf.for … iter_args(%x = %buf) { … scf.yield %other }           // %x, %t: nobody knows
```

What an iteration may have from itself does not count; the storage must be there, once, wherever
the name is.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from ...dialects import stream
from ...dialects.access import tied_operand
from .storage import captured, is_resource, renamed_source
from .value_flow import value_edges

_REGIONS = (stream.AsyncExecuteOp, stream.AsyncConcurrentOp)


@dataclass(slots=True)
class SameStorage:
    """The names of control flow in `function`, a scheduled one, that are one storage each."""

    function: Operation
    root: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """Results and arguments to the value that they always have the storage of."""
    _handed: dict[tuple[Operation, int], list[SSAValue]] = field(
        default_factory=dict[tuple[Operation, int], list[SSAValue]]
    )
    """Operands that are carried on, to what they may become."""
    _first: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])

    def __post_init__(self) -> None:
        edges = [edge for edge in value_edges(self.function) if is_resource(edge.source)]
        slots = {edge.target for edge in edges}
        onward: dict[SSAValue, list[SSAValue]] = {}
        pending: list[tuple[SSAValue, SSAValue | None]] = []
        for edge in edges:
            self._handed.setdefault((edge.carrier, edge.operand), []).append(edge.target)
            source = self.first_name(edge.source)
            if source in slots:
                onward.setdefault(source, []).append(edge.target)
            else:
                pending.append((edge.target, source))
        found: dict[SSAValue, SSAValue | None] = {}
        while pending:
            slot, source = pending.pop()
            merged = source if found.get(slot, source) is source else None
            if slot not in found or found[slot] is not merged:
                found[slot] = merged
                pending.extend((target, merged) for target in onward.get(slot, ()))
        for slot, source in found.items():
            if source is not None and _is_there(source, slot):
                self.root[slot] = source

    def changes_nothing(self, carrier: Operation, operand: int) -> bool:
        """Whether what `carrier` hands on is known under its own name wherever it comes to."""
        targets = self._handed.get((carrier, operand))
        return targets is not None and all(target in self.root for target in targets)

    def first_name(self, value: SSAValue) -> SSAValue:
        """The value that brought the storage of `value` to its block, in whole."""
        path: list[SSAValue] = []
        while value not in self._first:
            path.append(value)
            before = self._before(value)
            if before is None or not is_resource(before):
                self._first[value] = value
                break
            value = before
        first = self._first[value]
        self._first.update(dict.fromkeys(path, first))
        return first

    def _before(self, value: SSAValue) -> SSAValue | None:
        """The name that `value` is another one of, in the same block or around it."""
        if isinstance(value, BlockArgument):
            owner = value.block.parent_op()
            if not isinstance(owner, _REGIONS):
                return None
            return next((c for c, argument in captured(owner) if argument is value), None)
        assert isinstance(value, OpResult)
        match value.op:
            case stream.AsyncExecuteOp() | stream.AsyncConcurrentOp() as op:
                end = op.body.block.last_op
                assert end is not None
                given = self.first_name(end.operands[value.index])
                return None if _is_within(given, op.body.block) else given
            case stream.TimepointAwaitOp() as op:
                return op.resource_operands[value.index]
            case stream.ResourceSubviewOp():
                return None
            case op:
                return renamed_source(op) or tied_operand(value)


def _is_there(source: SSAValue, name: SSAValue) -> bool:
    """Whether the block of `source` is that of `name` or around it."""
    home = _block(source)
    return home is not None and _is_within(name, home)


def _is_within(value: SSAValue, around: Block) -> bool:
    """Whether the block of `value` is `around` or nested in it."""
    block = _block(value)
    while block is not None and block is not around:
        op = block.parent_op()
        block = None if op is None else op.parent
    return block is around


def _block(value: SSAValue) -> Block | None:
    return value.owner if isinstance(value.owner, Block) else value.owner.parent


def names_in(block: Block, values: Iterable[SSAValue]) -> list[SSAValue]:
    """Those of `values` that `block` itself defines."""
    return [value for value in values if _block(value) is block]
