"""Maintenance that a loop repeats for nothing leaves it.

```mlir
scf.for … iter_args(%t = %t0) {
  %u = stream.cmd.execute on(@a) await(%t) => with(%x as %arg: …) {
    stream.cmd.invalidate %arg[…]          // nobody writes %x in the loop
```

becomes

```mlir
%t1 = stream.cmd.execute on(@a) await(%t0) => with(%x as %arg: …) {
  stream.cmd.invalidate %arg[…]
}
scf.for … iter_args(%t = %t1) {
  %u = stream.cmd.execute on(@a) await(%t) => with(%x as %arg: …) {
```

An invalidate goes before the loop if no other domain writes its bytes in it, a flush behind it
if no other domain touches them in it. The region that takes it is put on the way of a timepoint
that enters or leaves the loop, and stays only if all rules hold then. A loop without iterations
then does maintenance that it did not do before.

Does not handle: loops with several ways in (invalidates) or out (flushes), storage that another
round gets under another name.
"""

from collections.abc import Callable, Iterator, Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from ...dialects import stream
from ..analysis.host_graph import Segment, read_host_graph
from ..analysis.host_loops import HostLoop, host_loops
from ..build import make
from .byte_state import Rule
from .memory_events import Kind, MemoryEvent
from .visits import Visit
from .walk import Walker

Problem = tuple[Rule, Operation, Operation]


def hoist(module: ModuleOp) -> bool:
    """Move what can leave its loop, one loop outwards; gives whether anything moved."""
    if not host_loops(read_host_graph(module)):
        return False  # Before all events are read, which takes far longer.
    walker = Walker(module)
    loops = host_loops(walker.program.graph)
    known = _problems(walker)
    visits = _Visits(walker)
    for loop in loops:
        inside, made = visits.within(loop), _Made(loop)
        for kind in (Kind.INVALIDATE, Kind.FLUSH):
            by_agent: dict[str, list[MemoryEvent]] = {}
            for event in _invariant(walker, loop, inside, made, kind):
                by_agent.setdefault(event.agent, []).append(event)
            for events in by_agent.values():
                if any(
                    _move(module, walker, loop, made, group, known) for group in _groups(events)
                ):
                    return True
    return False


def _groups(events: list[MemoryEvent]) -> Iterator[list[MemoryEvent]]:
    """What is tried: all together, then one by one."""
    yield events
    if len(events) > 1:
        for event in events:
            yield [event]


def _problems(walker: Walker) -> set[Problem]:
    return {
        (fault.rule, fault.write.event.op, fault.other.event.op)
        for track in walker.tracks
        for group in walker.faults(track)
        for fault in group.faults
    }


# Which ---------------------------------------------------------------------------------------


class _Visits:
    """The visits of all storages, by the segments that they are in."""

    def __init__(self, walker: Walker) -> None:
        self._by_segment: dict[Segment, list[tuple[int, int]]] = {}
        self._tracks = walker.tracks
        for number, track in enumerate(walker.tracks):
            for index, visit in enumerate(track.visits):
                self._by_segment.setdefault(visit.segment, []).append((number, index))

    def within(self, loop: HostLoop) -> dict[int, list[Visit]]:
        """By number of the storage, its visits in `loop`; all in order."""
        found: dict[int, list[Visit]] = {}
        for number, index in sorted(
            entry for segment in loop.body for entry in self._by_segment.get(segment, ())
        ):
            found.setdefault(number, []).append(self._tracks[number].visits[index])
        return found


class _Made:
    """What a loop makes anew in each round."""

    def __init__(self, loop: HostLoop) -> None:
        self._ops = {op for segment in loop.body for op in segment.ops}
        self._taken = {
            target for segment in loop.body for edge in segment.edges for target, _ in edge.moves
        }

    def __contains__(self, value: SSAValue) -> bool:
        return (
            value in self._taken if isinstance(value, BlockArgument) else value.owner in self._ops
        )


def _invariant(
    walker: Walker, loop: HostLoop, visits: Mapping[int, list[Visit]], made: _Made, kind: Kind
) -> list[MemoryEvent]:
    """The maintenance of `kind` in `loop` that is the same in each round."""
    found: dict[MemoryEvent, bool] = {}
    live = walker.program.live[loop.header]
    for inside in visits.values():
        happenings = [event for visit in inside for event, _ in visit.happenings({})]
        disturbing = {
            walker.caches[event.agent].number
            for event in happenings
            if event.kind is Kind.ACCESS and (kind is Kind.FLUSH or event.writes or event.may_write)
        }
        for event in happenings:
            if event.kind is kind and event.region is not None and event.operand is not None:
                found[event] = (
                    found.get(event, True)
                    and event.operand in live
                    # Another domain that works on the storage makes rounds differ.
                    and disturbing <= {walker.caches[event.agent].number}
                    and not any(
                        value in made for value in (*_captured(event), *event.op.operands[1:])
                    )
                )
    return [event for event, invariant in found.items() if invariant]


# Moving --------------------------------------------------------------------------------------


def _move(
    module: ModuleOp,
    walker: Walker,
    loop: HostLoop,
    made: _Made,
    events: list[MemoryEvent],
    known: set[Problem],
) -> bool:
    """Try all timepoints that the new region may be put behind."""
    before = events[0].kind is Kind.INVALIDATE
    ways = _ways_in(walker, loop, made) if before else _ways_out(walker, loop)
    for timepoint, insert, uses in ways:
        undo = _rewrite(events, timepoint, insert, uses)
        if _problems(Walker(module)) <= known:
            for event in events:
                event.op.erase()
            return True
        undo()
    return False


Use = tuple[Operation, int]
Way = tuple[SSAValue, Callable[[Operation], None], list[Use]]
"""A timepoint, how to insert a region behind it, and the uses that wait for the region then."""


def _ways_in(walker: Walker, loop: HostLoop, made: _Made) -> Iterator[Way]:
    """Timepoints on the only way into the loop."""
    if loop.entry is None:
        return
    segment, edge = loop.entry
    end = segment.end
    if end is None or end.parent is None:
        return
    block = end.parent

    def insert(op: Operation) -> None:
        block.insert_op_before(op, end)

    for target, source in edge.moves:
        if isinstance(target.type, stream.TimepointType):
            yield source, insert, [(end, i) for i, v in enumerate(end.operands) if v is source]
    for value in _times(walker, loop.header):
        if value not in made:
            inside = _uses(value, loop, inside=True)
            yield value, insert, inside
            if loop.exit is not None:
                after = loop.exit[1].target
                ops = {*after.ops, after.end}
                outside = _uses(value, loop, inside=False)
                yield value, insert, [*inside, *(use for use in outside if use[0] in ops)]


def _ways_out(walker: Walker, loop: HostLoop) -> Iterator[Way]:
    """Timepoints on the only way out of the loop."""
    if loop.exit is None:
        return
    target = loop.exit[1].target
    first = target.ops[0] if target.ops else target.end
    if first is None or first.parent is None:
        return
    block = first.parent

    def insert(op: Operation) -> None:
        block.insert_op_before(op, first)

    for value in _times(walker, target):
        yield value, insert, _uses(value, loop, inside=False)


def _times(walker: Walker, segment: Segment) -> list[SSAValue]:
    """The timepoints that are live at the start of a segment, in the order of their uses."""
    live = [v for v in walker.program.events[segment].entries if isinstance(v, SSAValue)]
    return sorted(live, key=lambda value: -sum(1 for _ in value.uses))


def _uses(value: SSAValue, loop: HostLoop, *, inside: bool) -> list[Use]:
    """The uses of a timepoint in the loop, or those behind it."""
    ops = {op for segment in loop.body for op in (*segment.ops, segment.end)}
    return [(use.operation, use.index) for use in value.uses if (use.operation in ops) is inside]


def _rewrite(
    events: list[MemoryEvent],
    timepoint: SSAValue,
    insert: Callable[[Operation], None],
    uses: list[Use],
) -> Callable[[], None]:
    """Put a region with the maintenance of `events` behind `timepoint`; gives how to undo it."""
    execute = _region(events, timepoint)
    insert(execute)
    for operation, index in uses:
        operation.operands[index] = execute.result_timepoint
    places: list[tuple[Operation, Block | None, Operation | None]] = []
    for event in events:
        # One at a time, so that each finds the op behind it in place when it comes back.
        places.append((event.op, event.op.parent, event.op.next_op))
        event.op.detach()

    def undo() -> None:
        for operation, index in uses:
            operation.operands[index] = timepoint
        execute.detach()
        execute.erase()
        for op, block, following in reversed(places):
            assert block is not None
            assert following is not None
            block.insert_op_before(op, following)

    return undo


def _captured(event: MemoryEvent) -> tuple[SSAValue, SSAValue]:
    """What the region of an event captures for it, and its size."""
    assert event.region is not None
    assert event.operand is not None
    return event.operand, event.region.captured(event.operand)[1]


def _region(events: list[MemoryEvent], timepoint: SSAValue) -> stream.CmdExecuteOp:
    """A region of maintenance alone."""
    captures = dict(_captured(event) for event in events)
    block = Block(arg_types=[value.type for value in captures])
    arguments = dict(zip(captures, block.args, strict=True))
    for event in events:
        assert event.operand is not None
        copy = event.op.clone()
        copy.operands[0] = arguments[event.operand]
        copy.location = event.op.location
        block.add_op(copy)
    block.add_op(make(stream.YieldOp, None))
    region = events[0].region
    assert region is not None
    return make(
        stream.CmdExecuteOp,
        region.execute,
        [timepoint.type],
        resource_operands=list(captures),
        resource_operand_sizes=list(captures.values()),
        await_timepoint=timepoint,
        affinity=region.execute.affinity,
        body=Region(block),
    )
