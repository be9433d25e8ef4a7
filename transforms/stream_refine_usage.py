"""stream-refine-usage: give every resource its lifetime.

```mlir
%1 = stream.async.cast %0 : !stream.resource<external>{%c64} -> !stream.resource<*>{%c64}
%2 = stream.async.dispatch @f(%1[…]) … -> !stream.resource<*>{%c64}
%3 = stream.async.dispatch @g(%2[…]) … -> !stream.resource<*>{%c64}
%4 = stream.async.cast %3 : !stream.resource<*>{%c64} -> !stream.resource<external>{%c64}
```

becomes

```mlir
%2 = stream.async.dispatch @f(%0[…]) … -> !stream.resource<transient>{%c64}
%3 = stream.async.dispatch @g(%2[…]) … -> !stream.resource<external>{%c64}
```

All names of one storage get one lifetime: what a transfer aliases or an op updates in place is
external if any of it comes in or goes out of the program. A constant that goes out is cloned.

Does not handle: staging; resources whose lifetime a function's signature leaves open.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ..dialects import stream, util
from ..dialects.access import op_affinity, tied_results
from ..dialects.diagnostics import fail
from .analysis.union_find import UnionFind
from .analysis.value_flow import value_edges
from .analysis.versions import COPY, transfer_kind
from .build import make


@dataclass(frozen=True)
class StreamRefineUsagePass(ModulePass):
    """Replace `!stream.resource<*>` by a lifetime everywhere and drop the casts."""

    name = "stream-refine-usage"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite all functions; raises OpError for an open signature."""
        for function in op.body.block.ops:
            if isinstance(function, util.FuncOp | util.InitializerOp):
                _refine(function)


def _refine(function: Operation) -> None:
    if isinstance(function, util.FuncOp):
        signature = (*function.function_type.inputs, *function.function_type.outputs)
        if any(type == stream.ResourceType(UNKNOWN) for type in signature):
            fail(
                function,
                "leaves the lifetime of a resource in its signature open; state it instead of "
                "!stream.resource<*>",
            )
    storage = _Storage(function)
    for value in storage.values:
        if _lifetime(value) is UNKNOWN:
            lifetime = storage.known.get(storage.sets.find(value), stream.Lifetime.TRANSIENT)
            Rewriter.replace_value_with_new_type(value, stream.ResourceType(lifetime))
    for op in list(function.walk()):
        if isinstance(op, stream.AsyncCastOp):
            _drop_cast(op)


class _Storage:
    """The values of a function by storage, and what is known of the lifetime of each."""

    def __init__(self, function: Operation) -> None:
        self.sets: UnionFind[SSAValue] = UnionFind()
        self.known: dict[SSAValue, stream.Lifetime] = {}
        self.values = [value for op in function.walk() for value in _defined(op)]
        for value in self.values:
            if (lifetime := _lifetime(value)) is not UNKNOWN:
                self.known[value] = lifetime
        for op in function.walk():
            for source, result in _same_storage(op):
                self._join(source, result)
        for edge in value_edges(function):
            if isinstance(edge.source.type, stream.ResourceType):
                self._join(edge.source, edge.target)

    def _join(self, source: SSAValue, result: SSAValue) -> None:
        """Unless both lifetimes are known and differ: then a copy stays between them."""
        lifetimes = [self.known.get(self.sets.find(value)) for value in (source, result)]
        if None not in lifetimes and lifetimes[0] is not lifetimes[1]:
            return
        root = self.sets.union(source, result)
        for lifetime in lifetimes:
            if lifetime is not None:
                self.known[root] = lifetime


UNKNOWN = stream.Lifetime.UNKNOWN


def _lifetime(value: SSAValue) -> stream.Lifetime:
    assert isinstance(value.type, stream.ResourceType)
    return value.type.lifetime


def _defined(op: Operation) -> Iterable[SSAValue]:
    arguments = (arg for region in op.regions for block in region.blocks for arg in block.args)
    return (
        value for value in (*op.results, *arguments) if isinstance(value.type, stream.ResourceType)
    )


def _same_storage(op: Operation) -> Iterable[tuple[SSAValue, SSAValue]]:
    match op:
        case stream.AsyncTransferOp():
            return [] if transfer_kind(op) == COPY else [(op.source, op.result)]
        case stream.AsyncCastOp() | stream.AsyncSliceOp():
            # A slice has storage of its own, but in its op one lifetime for both.
            return [(op.source, op.result)]
        case stream.TimepointAwaitOp():
            return zip(op.resource_operands, op.result_resources, strict=True)
        case _:
            resources = stream.ResourceType
            return [
                (operand, result)
                for result, operand in tied_results(op)
                if isinstance(operand.type, resources) and isinstance(result.type, resources)
            ]


def _drop_cast(op: stream.AsyncCastOp) -> None:
    """A cast that changes nothing goes; one between two lifetimes is a copy."""
    block = op.parent
    assert block is not None
    if op.source.type == op.result.type:
        op.result.replace_all_uses_with(op.source)
    else:
        clone = make(
            stream.AsyncCloneOp,
            op,
            [op.result.type],
            source=op.source,
            source_size=op.source_size,
            result_size=op.result_size,
            affinity=op_affinity(op),
        )
        block.insert_op_before(clone, op)
        op.result.replace_all_uses_with(clone.result)
    block.erase_op(op)
