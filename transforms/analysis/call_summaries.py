"""What the functions of a module do with the storage that they take and give.

```mlir
util.func private @reads(%x: …) -> … { %0 = stream.async.dispatch @f(%x[…]) …; util.return %0 }
util.func private @same(%x: …) -> … { util.return %x }
util.func private @stores(%x: …) { util.global.store %x, @g; util.return }

%1 = util.call @reads(%0)    // %0 is only read, and %1 is the caller's own
%2 = util.call @same(%0)     // %2 may be %0
util.call @stores(%0)        // somebody else may hold %0 from now on
```

Summaries are made of those of the functions called. Functions that call themselves, and those
without a body, may keep all that they take and give any of it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects import stream
from ...dialects.access import tied_operand
from ...dialects.walk import walk
from .storage import StorageSets, is_call, is_resource
from .value_flow import Edge, callee_name, function_returns, host_functions, value_edges

_BORROWS = frozenset(("stream.async.load", "stream.async.store", "stream.resource.size"))
"""Ops outside of regions that look at a resource and keep no hold of it."""
_FOREIGN = (
    stream.AsyncConstantOp,
    stream.TensorConstantOp,
    stream.ResourceConstantsOp,
    stream.TensorImportOp,
)
"""Ops whose results are not the function's own."""


@dataclass(slots=True)
class _Summary:
    """One function, by the numbers of its arguments and results."""

    kept: set[int] = field(default_factory=set[int])
    """Arguments that somebody may hold after the call."""
    given: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    """Arguments with the results that they may be."""
    fresh: set[int] = field(default_factory=set[int])
    """Results whose storage nobody else knows."""


class CallSummaries:
    """The functions of a module, callees before callers.

    `final` says that clones and slices are copies for good; else they count as other names of
    their sources, which they may become.
    """

    def __init__(self, module: ModuleOp, *, final: bool = False) -> None:
        self._final = final
        self._summaries: dict[str, _Summary] = {}
        functions = host_functions(module)
        for name in callees_first(functions):
            if functions[name].regions[0].blocks:
                self._summaries[name] = self._summarize(functions[name])

    def keeps(self, call: Operation, operand: int) -> bool:
        """Whether somebody may hold what `call` takes as `operand`, other than as a result."""
        summary = self._summaries.get(callee_name(call))
        return summary is None or operand in summary.kept

    def is_fresh(self, value: SSAValue) -> bool:
        """Whether `value` is what a call gives as storage that nobody else knows."""
        if not isinstance(value, OpResult) or not is_call(value.op):
            return False
        summary = self._summaries.get(callee_name(value.op))
        return summary is not None and value.index in summary.fresh

    def edges(self, call: Operation) -> Iterator[Edge]:
        """From what `call` takes to the results that it may be."""
        summary = self._summaries.get(callee_name(call))
        for number, operand in enumerate(call.operands):
            for result in call.results if is_resource(operand) else ():
                given = summary is None or (number, result.index) in summary.given
                if is_resource(result) and (given or tied_operand(result) is operand):
                    yield Edge(operand, result, call, number)

    def _summarize(self, function: Operation) -> _Summary:
        calls = [op for op in walk(function) if is_call(op)]
        edges = [edge for call in calls for edge in self.edges(call)]
        sets = StorageSets(function, calls=edges, followed=calls)
        handed = {(edge.carrier, edge.operand) for edge in value_edges(function)}
        foreign: list[SSAValue] = []
        for op in walk(function):
            self._join(op, sets)
            foreign.extend(self._known_elsewhere(op, handed))
        return _compare(function, sets, {sets.find(value) for value in foreign})

    def _join(self, op: Operation, sets: StorageSets) -> None:
        """Join what may become one storage."""
        match op:
            case stream.AsyncTransferOp() if op.kind is None:
                sets.same(op.result, op.source)
            case stream.AsyncCloneOp() | stream.AsyncSliceOp() if not self._final:
                sets.same(op.result, op.source)
            case _:
                pass

    def _known_elsewhere(
        self, op: Operation, handed: set[tuple[Operation, int]]
    ) -> Iterator[SSAValue]:
        """Resources of `op` that others may hold."""
        if isinstance(op, _FOREIGN):
            yield from filter(is_resource, op.results)
            return
        call = is_call(op)
        if call:
            given = {edge.target for edge in self.edges(op)}
            made = (value for value in op.results if is_resource(value))
            yield from (v for v in made if v not in given and not self.is_fresh(v))
        elif op.name.startswith("util.global."):
            yield from filter(is_resource, (*op.operands, *op.results))
        if op.name in _BORROWS or op.name in ("util.return", "func.return"):
            return
        if op.name.startswith("stream.") and not isinstance(op, stream.TensorExportOp):
            return
        for number, operand in enumerate(op.operands):
            carried = (op, number) in handed or (call and not self.keeps(op, number))
            if is_resource(operand) and not carried:
                yield operand


def _compare(function: Operation, sets: StorageSets, known: set[object]) -> _Summary:
    """The summary, from the storages of arguments and results and those known to others."""
    entry = function.regions[0].blocks[0]
    arguments: dict[object, list[int]] = {}
    for argument in entry.args:
        if is_resource(argument):
            arguments.setdefault(sets.find(argument), []).append(argument.index)
    summary = _Summary({n for root in known for n in arguments.get(root, ())})
    results: dict[object, set[int]] = {}
    for end in function_returns(function):
        for number, value in enumerate(end.operands):
            if is_resource(value):
                results.setdefault(sets.find(value), set()).add(number)
    shared: set[int] = set()
    for root, numbers in results.items():
        taken = arguments.get(root, [])
        summary.given.update((argument, number) for argument in taken for number in numbers)
        if taken or root in known or len(numbers) > 1:
            shared |= numbers
    summary.fresh = {number for numbers in results.values() for number in numbers} - shared
    return summary


def callees_first(functions: Mapping[str, Operation]) -> list[str]:
    """All functions but those that may call themselves, each after those that it calls."""
    calls = {
        name: list(dict.fromkeys(callee_name(op) for op in walk(function) if is_call(op)))
        for name, function in functions.items()
    }
    waiting = {name: sum(callee in calls for callee in calls[name]) for name in calls}
    callers: dict[str, list[str]] = {}
    for name, callees in calls.items():
        for callee in callees:
            callers.setdefault(callee, []).append(name)
    ready = [name for name, count in waiting.items() if not count]
    for name in ready:
        for caller in callers.get(name, ()):
            waiting[caller] -= 1
            if not waiting[caller]:
                ready.append(caller)
    return ready
