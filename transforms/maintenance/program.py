"""All host programs of a module: segments with their memory events, and what lives between them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...dialects import util
from ...dialects.topology import HOST, Topology
from ...dialects.walk import walk
from ..analysis.host_graph import (
    CallSite,
    Edge,
    HostGraph,
    Moves,
    Segment,
    Value,
    read_host_graph,
)
from ..analysis.kernel_access import KernelAccesses
from .memory_events import WHOLE_END, SegmentEvents, Storage
from .segment_reader import Level, Surroundings

Stack = tuple[CallSite, ...]
"""The calls that a tracked storage is in; what lies below its making is not known."""


@dataclass(slots=True)
class Program:
    """A module, read."""

    graph: HostGraph
    topology: Topology
    level: Level
    live: dict[Segment, frozenset[Value]]
    """Resources and timepoints that a segment or what follows in its function uses."""
    events: dict[Segment, SegmentEvents]
    arguments: dict[Segment, list[Storage]] = field(default_factory=dict[Segment, list[Storage]])
    """Resources that the outside hands to a function, by its entry."""
    globals: frozenset[Value] = frozenset()
    """Resources and timepoints."""
    timepoints: frozenset[Value] = frozenset()
    """Globals that are timepoints."""
    numbers: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    """Of each value of the module, as the text has them."""

    def order(self, value: Value) -> tuple[int, str]:
        """To sort values by, without ties: globals first, then as the text has them."""
        return (-1, value) if isinstance(value, str) else (self.numbers[value], "")

    def steps(self, segment: Segment, stack: Stack) -> Iterator[tuple[Edge, Stack, bool]]:
        """Where control may go: the edge, the calls then, whether to the next call from outside.

        A function that was entered before the tracked storage was made returns to any caller.
        """
        for edge in segment.edges:
            yield edge, stack, False
        if segment.call is not None:
            entry = self.graph.entries[segment.call.callee]
            arguments = segment.call.callee.body.blocks[0].args
            moves = zip(arguments, segment.call.op.arguments, strict=True)
            yield Edge(entry, tuple(moves)), (*stack, segment.call), False
        if segment.returned is None:
            return
        if stack:
            yield self._return_edge(stack[-1], segment.returned), stack[:-1], False
            return
        for site in self.graph.calls.get(segment.function, ()):
            yield self._return_edge(site, segment.returned), (), False
        for entry in self.graph.after_return(segment.function):
            yield Edge(entry), (), True

    def kept(self, edge: Edge, stack: Stack, leaves: bool) -> frozenset[Value]:
        """The values that matter after a step."""
        if leaves:
            return self.globals
        result = self.live[edge.target] | self.globals
        for site in stack:
            result |= self.live[site.after]
        return result

    def is_timepoint(self, value: Value) -> bool:
        """Whether a value or global names a point in time."""
        if isinstance(value, str):
            return value in self.timepoints
        return isinstance(value.type, self.level.timepoints)

    def _return_edge(self, site: CallSite, returned: tuple[SSAValue, ...]) -> Edge:
        moves = list(zip(site.op.res, returned, strict=True))
        if self.level.signals_arguments:
            # What the callee has reached of what it was given, the caller has.
            given = zip(site.op.arguments, site.callee.body.blocks[0].args, strict=True)
            moves += [pair for pair in given if self.is_timepoint(pair[0])]
        return Edge(site.after, tuple(moves))


def read_program(
    module: ModuleOp, topology: Topology, kind: type[Level], sources: ModuleOp | None = None
) -> Program:
    """Read all functions and initializers.

    Args:
        module: a module of one level.
        topology: the machine.
        kind: the level, which says how host programs are read.
        sources: where the kernels are of which it has only binaries.

    Raises:
        OpError: for what is not handled.
    """
    graph = read_host_graph(module)
    level = kind(graph, topology)
    same = level.same_storage()
    live = _liveness(graph, level, same)
    resources, timepoints = (
        [
            op.sym_name.data
            for op in module.body.block.ops
            if isinstance(op, util.GlobalOp) and isinstance(op.type, kinds)
        ]
        for kinds in (level.resources, level.timepoints)
    )
    kernels = KernelAccesses(module, sources)
    outside = {entry.function for entry in graph.public}
    host_shares = len(topology.domain_of(HOST).agents) > 1
    program = Program(
        graph,
        topology,
        level,
        live,
        {},
        globals=frozenset([*resources, *timepoints]),
        timepoints=frozenset(timepoints),
        numbers=_numbers(module),
    )
    for segment in graph.segments:
        around = Surroundings(kernels, same, segment.function in outside, host_shares)
        points = sorted(filter(program.is_timepoint, live[segment]), key=program.order)
        program.events[segment] = level.read(segment, [*timepoints, *points], around)
    for entry in graph.public:
        arguments = [
            Storage(argument, WHOLE_END, level.affinity(argument), None)
            for argument in entry.function.body.blocks[0].args
            if isinstance(argument.type, level.resources)
        ]
        if arguments:
            program.arguments[entry] = arguments
    return program


def _numbers(module: ModuleOp) -> dict[SSAValue, int]:
    numbers: dict[SSAValue, int] = {}
    for op in walk(module):
        blocks = (block for region in op.regions for block in region.blocks)
        for value in (*op.results, *(argument for block in blocks for argument in block.args)):
            numbers[value] = len(numbers)
    return numbers


def _tracked(values: Iterable[SSAValue], level: Level) -> set[Value]:
    kinds = (*level.resources, *level.timepoints)
    return {v for v in values if isinstance(v.type, kinds)}


# Liveness ----------------------------------------------------------------------------------------


def _liveness(
    graph: HostGraph, level: Level, same: dict[SSAValue, SSAValue]
) -> dict[Segment, frozenset[Value]]:
    """For each segment the resources and timepoints of its function that it or a later one uses
    and that it does not make itself."""
    gen: dict[Segment, set[Value]] = {}
    kill: dict[Segment, set[Value]] = {}
    successors: dict[Segment, list[tuple[Segment, Moves]]] = {}
    predecessors: dict[Segment, list[Segment]] = {}
    for segment in graph.segments:
        gen[segment], kill[segment] = _uses(segment, level, same)
        following = [(edge.target, edge.moves) for edge in segment.edges]
        if segment.call is not None:
            following.append((segment.call.after, ()))
            kill[segment].update(segment.call.op.res)
        successors[segment] = following
        for target, _ in following:
            predecessors.setdefault(target, []).append(segment)
    live = {segment: frozenset(gen[segment]) for segment in graph.segments}
    work = dict.fromkeys(reversed(graph.segments))
    while work:
        segment = next(iter(work))
        del work[segment]
        out: set[Value] = set()
        for target, moves in successors[segment]:
            moved = {destination for destination, _ in moves}
            out |= live[target] - moved
            out |= _tracked((s for d, s in moves if d in live[target]), level)
        new = frozenset(gen[segment] | (out - kill[segment]))
        if new != live[segment]:
            live[segment] = new
            work.update(dict.fromkeys(predecessors.get(segment, ())))
    return live


def _uses(
    segment: Segment, level: Level, same: dict[SSAValue, SSAValue]
) -> tuple[set[Value], set[Value]]:
    """What a segment uses from elsewhere, and what it makes."""
    made: set[Value] = set()
    used: set[Value] = set()
    for op in segment.ops:
        used |= _tracked(op.operands, level) - made
        used |= {same[result] for result in op.results if result in same} - made
        made |= _tracked(op.results, level)
    if segment.call is not None:
        used |= _tracked(segment.call.op.arguments, level) - made
    if segment.returned is not None:
        used |= _tracked(segment.returned, level) - made
    used |= _tracked(level.uses(segment), level) - made
    return used, made
