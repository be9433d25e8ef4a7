"""The control flow of all host programs of a module: straight segments and the edges between them.

Branches, loops (`cf`, `scf`), calls and the end of a call all become edges that say which value
becomes which. Public functions are called by the outside in any order, once the initializers
have run; globals live on from one call to the next.

```mlir
^bb1(%i: index, %r: !stream.resource<*>):   // segment 1, entered by edges that move to %i, %r
  …
  cf.cond_br %more, ^bb2, ^bb3(%r : …)      // edges 1 → 2 {}, 1 → 3 {%x := %r}
```

Does not handle: recursion, and regions with work in ops of other dialects; both are errors.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from xdsl.dialects import cf, func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from ...dialects import stream, util
from ...dialects.diagnostics import fail
from ...dialects.hal.device import DeviceMemoizeOp
from ...dialects.hal.types import BufferType, BufferViewType, FenceType
from ...dialects.walk import walk
from ..build import constant_value
from .value_flow import host_ops

Value = SSAValue | str
"""A value of the host program; a global by its symbol."""

Moves = tuple[tuple[SSAValue, SSAValue], ...]
"""(destination, source) pairs, done at once."""

HostFunction = util.FuncOp | util.InitializerOp


@dataclass(frozen=True, slots=True)
class Edge:
    """Control may go on to `target`."""

    target: "Segment"
    moves: Moves = ()


@dataclass(slots=True, eq=False)
class CallSite:
    """The call that ends a segment."""

    op: util.CallOp
    caller: HostFunction
    callee: util.FuncOp
    after: "Segment"
    """Where the caller goes on."""


@dataclass(slots=True, eq=False)
class Segment:
    """Host ops that run one after the other."""

    number: int
    """In textual order."""
    function: HostFunction
    ops: list[Operation] = field(default_factory=list[Operation])
    edges: list[Edge] = field(default_factory=list[Edge])
    call: CallSite | None = None
    returned: tuple[SSAValue, ...] | None = None
    """What the function returns, if it ends here."""
    end: Operation | None = None
    """The op that ends it, for locations."""


@dataclass
class HostGraph:
    """All host programs of a module."""

    segments: list[Segment] = field(default_factory=list[Segment])
    entries: dict[Operation, Segment] = field(default_factory=dict[Operation, Segment])
    """By function or initializer."""
    calls: dict[Operation, list[CallSite]] = field(default_factory=dict[Operation, list[CallSite]])
    """By callee, the calls of it."""
    initializers: list[util.InitializerOp] = field(default_factory=list[util.InitializerOp])

    @cached_property
    def public(self) -> list[Segment]:
        """Entries that the outside may call; asked for once all is read."""
        return [
            entry
            for op, entry in self.entries.items()
            if isinstance(op, util.FuncOp) and (is_public(op) or op not in self.calls)
        ]

    def after_return(self, function: HostFunction) -> list[Segment]:
        """Where the outside may go on once `function`, called by it, has returned."""
        if isinstance(function, util.InitializerOp):
            following = self._numbers[function] + 1
            if following < len(self.initializers):
                return [self.entries[self.initializers[following]]]
            return self.public
        return self.public if self.entries[function] in self._public_set else []

    @cached_property
    def _public_set(self) -> frozenset[Segment]:
        return frozenset(self.public)

    @cached_property
    def _numbers(self) -> dict[util.InitializerOp, int]:
        return {op: number for number, op in enumerate(self.initializers)}


def is_public(function: util.FuncOp) -> bool:
    """Whether the outside sees a function."""
    visibility = function.sym_visibility
    return visibility is None or visibility.data == "public"


def read_host_graph(module: ModuleOp) -> HostGraph:
    """The graph of `module`; raises OpError for recursion and for regions it does not know."""
    graph = HostGraph()
    functions = {
        op.sym_name.data: op
        for op in module.body.block.ops
        if isinstance(op, util.FuncOp) and op.body.blocks
    }
    hosts = set(functions.values())
    for op in module.body.block.ops:
        if isinstance(op, util.InitializerOp):
            graph.initializers.append(op)
        if isinstance(op, util.InitializerOp) or op in hosts:
            assert isinstance(op, util.InitializerOp | util.FuncOp)
            graph.entries[op] = _Reader(graph, functions, op).read()
    _refuse_recursion(graph)
    _refuse_selects(module)
    return graph


def _refuse_selects(module: ModuleOp) -> None:
    for op in host_ops(module):
        if op.name == "arith.select" and isinstance(op.results[0].type, stream.ResourceType):
            fail(
                op,
                "chooses between resources; cache maintenance follows branches, write scf.if",
            )


def _refuse_recursion(graph: HostGraph) -> None:
    sites: dict[Operation, list[CallSite]] = {}
    for calls in graph.calls.values():
        for site in calls:
            sites.setdefault(site.caller, []).append(site)
    done: set[Operation] = set()
    for root in sites:
        path: dict[Operation, Iterator[CallSite]] = {root: iter(sites[root])}
        while path:
            function, rest = next(reversed(path.items()))
            site = next(rest, None)
            if site is None:
                done.add(function)
                del path[function]
            elif site.callee in path:
                fail(site.op, "calls its own caller; cache maintenance of recursion is not known")
            elif site.callee not in done:
                path[site.callee] = iter(sites.get(site.callee, ()))


_End = Callable[[Operation, Segment], None]
"""What the terminator of a block does at the end of a segment."""


class _Reader:
    """Reads one function."""

    def __init__(
        self, graph: HostGraph, functions: dict[str, util.FuncOp], function: HostFunction
    ) -> None:
        self.graph = graph
        self.functions = functions
        self.function = function
        self.blocks: dict[Block, Segment] = {}

    def read(self) -> Segment:
        return self._region(self.function.body, self._host_end)

    def _segment(self) -> Segment:
        segment = Segment(len(self.graph.segments), self.function)
        self.graph.segments.append(segment)
        return segment

    def _region(self, region: Region, end: _End) -> Segment:
        """Read a region of blocks; gives its entry."""
        for block in region.blocks:
            self.blocks[block] = self._segment()
        for block in region.blocks:
            self._block(block, self.blocks[block], end)
        return self.blocks[region.blocks[0]]

    def _block(self, block: Block, segment: Segment, end: _End) -> None:
        for op in block.ops:
            if op.has_trait(IsTerminator, value_if_unregistered=False):
                segment.end = op
                end(op, segment)
            elif isinstance(op, util.CallOp) and (callee := self._callee(op)) is not None:
                segment.end = op
                after = self._segment()
                segment.call = CallSite(op, self.function, callee, after)
                self.graph.calls.setdefault(callee, []).append(segment.call)
                segment = after
            elif not isinstance(op, stream.CmdExecuteOp | DeviceMemoizeOp) and _has_work(op):
                segment.end = op
                segment = self._structured(op, segment)
            else:
                segment.ops.append(op)

    def _callee(self, op: util.CallOp) -> util.FuncOp | None:
        return self.functions.get(op.callee.string_value())

    # Ends of blocks.

    def _host_end(self, op: Operation, segment: Segment) -> None:
        match op:
            case cf.BranchOp():
                self._branch(segment, op.successor, op.arguments)
            case cf.ConditionalBranchOp():
                self._branch(segment, op.then_block, op.then_arguments)
                self._branch(segment, op.else_block, op.else_arguments)
            case cf.SwitchOp():
                self._branch(segment, op.default_block, op.default_operands)
                operands = iter(op.case_operands)
                counts = op.case_operand_segments.get_values()
                for block, count in zip(op.case_blocks, counts, strict=True):
                    self._branch(segment, block, list(islice(operands, count)))
            case util.ReturnOp() | func.ReturnOp():
                segment.returned = tuple(op.operands)
            case util.UnreachableOp():
                pass
            case _:
                fail(op, "ends a block of a host program in a way that is not known")

    def _branch(self, segment: Segment, block: Block, operands: Sequence[SSAValue]) -> None:
        moves = tuple(zip(block.args, operands, strict=True))
        segment.edges.append(Edge(self.blocks[block], moves))

    # Structured control flow.

    def _structured(self, op: Operation, before: Segment) -> Segment:
        match op:
            case scf.ForOp():
                return self._for(op, before)
            case scf.WhileOp():
                return self._while(op, before)
            case scf.IfOp() | scf.IndexSwitchOp() | scf.ExecuteRegionOp():
                return self._choice(op, before)
            case _:
                fail(op, "contains execution regions, which cache maintenance does not handle")

    def _yield_to(self, target: Segment, values: Iterable[SSAValue]) -> _End:
        destinations = tuple(values)

        def end(op: Operation, segment: Segment) -> None:
            if isinstance(op, scf.YieldOp):
                moves = tuple(zip(destinations, op.operands, strict=True))
                segment.edges.append(Edge(target, moves))
            elif not isinstance(op, util.SCFUnreachableOp):
                self._host_end(op, segment)

        return end

    def _choice(self, op: Operation, before: Segment) -> Segment:
        after = self._segment()
        for region in op.regions:
            if region.blocks:
                entry = self._region(region, self._yield_to(after, op.results))
                before.edges.append(Edge(entry))
            else:
                before.edges.append(Edge(after))
        return after

    def _for(self, op: scf.ForOp, before: Segment) -> Segment:
        header, after = self._segment(), self._segment()
        carried = op.body.block.args[1:]
        body = self._region(op.body, self._yield_to(header, carried))
        first = body if has_iteration(op) else header
        before.edges.append(Edge(first, tuple(zip(carried, op.iter_args, strict=True))))
        header.edges.append(Edge(body))
        header.edges.append(Edge(after, tuple(zip(op.results, carried, strict=True))))
        return after

    def _while(self, op: scf.WhileOp, before: Segment) -> Segment:
        after = self._segment()
        head, body = op.before_region, op.after_region
        body_args = body.block.args

        def condition(end: Operation, segment: Segment) -> None:
            if not isinstance(end, scf.ConditionOp):
                self._host_end(end, segment)
                return
            segment.edges.append(
                Edge(self.blocks[body.block], tuple(zip(body_args, end.args, strict=True)))
            )
            segment.edges.append(Edge(after, tuple(zip(op.results, end.args, strict=True))))

        self.blocks[head.block] = entry = self._segment()
        self._region(body, self._yield_to(entry, head.block.args))
        self._block(head.block, entry, condition)
        moves = tuple(zip(head.block.args, op.arguments, strict=True))
        before.edges.append(Edge(entry, moves))
        return after


def has_iteration(loop: scf.ForOp) -> bool:
    """Whether a loop is known to have an iteration: its end is tested after it, not before."""
    start, end = constant_value(loop.lb), constant_value(loop.ub)
    return start is not None and end is not None and start < end


def _has_work(op: Operation) -> bool:
    """Whether control flow in `op` bears on storage or its timeline."""
    if not op.regions:
        return False
    return any(
        child.name.startswith(_WORK)
        or any(isinstance(value.type, _CARRIED) for value in (*child.operands, *child.results))
        for child in walk(op)
    )


_WORK = ("stream.", "util.call", "util.global", "hal.command_buffer", "hal.device.queue")
_CARRIED = (stream.ResourceType, stream.TimepointType, BufferType, BufferViewType, FenceType)
