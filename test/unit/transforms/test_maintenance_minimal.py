"""Placed and elided maintenance is as small as any that satisfies the rules (IR-53).

Brute force: of all sets of flushes, invalidates and discards at the start and end of the regions
that use a storage, no right one has fewer operations, or as many on fewer bytes. And each
operation that stands is needed: without it the checker, which knows nothing of the passes,
reports a fault.
"""

from itertools import combinations, count

import pytest
from random_handoffs import program
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects import stream
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.load import load, run_passes
from zcir.transforms.maintenance.byte_state import Rule
from zcir.transforms.maintenance.memory_events import Kind, MemoryEvent, Range
from zcir.transforms.maintenance.walk import Track, Walker

MAINTAIN = ("stream-place-cache-maintenance", "stream-elide-cache-maintenance")
UPKEEP = (stream.CmdFlushOp, stream.CmdInvalidateOp, stream.CmdDiscardOp)
MOST_PLACES = 14


def _cost(events: list[MemoryEvent]) -> tuple[int, int]:
    spans = [span for event in events for span in event.target]
    return len(events), sum(span.end - span.start for span in spans)


def _on(track: Track, kinds: tuple[Kind, ...]) -> list[MemoryEvent]:
    found: dict[MemoryEvent, None] = {}
    for visit in track.visits:
        for event, _ in visit.happenings({}):
            if event.region is not None and event.kind in kinds:
                found[event] = None
    return list(found)


def _places(track: Track) -> list[tuple[MemoryEvent, Kind]]:
    """Each region that uses the storage, with each kind that may go there: one access for both."""
    regions: dict[object, MemoryEvent] = {}
    for event in _on(track, (Kind.ACCESS,)):
        regions.setdefault(event.region, event)
    kinds = (Kind.FLUSH, Kind.INVALIDATE, Kind.DISCARD)
    return [(event, kind) for event in regions.values() for kind in kinds]


def _events(track: Track, place: tuple[MemoryEvent, Kind]) -> list[MemoryEvent]:
    """What may stand in a place: maintenance of a half or of both, as far as they differ."""
    source, kind = place
    assert source.region is not None
    result: list[MemoryEvent] = []
    for span in map(Range._make, combinations(track.cuts, 2)):
        slot = source.region.slot(kind)
        event = MemoryEvent(slot, source.agent, kind, source.op, source.place, region=source.region)
        event.target.append(span)
        result.append(event)
    return result


def _right(walker: Walker, track: Track, events: list[MemoryEvent]) -> bool:
    for event in events:
        walker.put(event)
    # Most tries are wrong: the first fault ends them.
    right = not walker.breaks(track, range(len(track.cuts) - 1), Rule)
    for event in events:
        walker.take(event)
    return right


def _smaller(walker: Walker, track: Track, cost: tuple[int, int]) -> list[MemoryEvent] | None:
    """Right maintenance of `track` that costs less, by trying all of it."""
    choices = [event for place in _places(track) for event in _events(track, place)]
    for number in range(cost[0] + 1):
        for events in combinations(choices, number):
            if _cost(list(events)) < cost and _right(walker, track, list(events)):
                return list(events)
    return None


def _bare(module: ModuleOp) -> ModuleOp:
    bare = module.clone()
    for op in list(bare.walk()):
        if isinstance(op, UPKEEP):
            op.detach()
            op.erase()
    return bare


def _check(seed: int) -> bool:
    """Whether the program is small enough to try; fails if its maintenance is not minimal."""
    context = make_context()
    module = parse_text(context, program(seed), f"seed{seed}.mlir")
    run_passes(context, module, MAINTAIN)
    placed = Walker(module)
    bare = Walker(_bare(module))
    tried = False
    for maintained, track in zip(placed.tracks, bare.tracks, strict=True):
        if len(_places(track)) > MOST_PLACES:
            continue
        tried = True
        events = _on(maintained, (Kind.FLUSH, Kind.INVALIDATE, Kind.DISCARD))
        smaller = _smaller(bare, track, _cost(events))
        found = smaller and [(e.kind.name, e.agent, e.node, e.target) for e in smaller]
        have = [(e.kind.name, e.agent, e.node, e.target) for e in events]
        assert found is None, f"seed {seed}: {found} does what {have} does"
    return tried


def _each_is_needed(seed: int) -> None:
    context = make_context()
    module = parse_text(context, program(seed), f"seed{seed}.mlir")
    run_passes(context, module, MAINTAIN)
    total = sum(isinstance(op, UPKEEP) for op in module.walk())
    for skipped in range(-1, total):
        mutant = module.clone()
        ops = [op for op in mutant.walk() if isinstance(op, UPKEEP)]
        if skipped >= 0:
            ops[skipped].detach()
        verdict = load(mutant, context=context).run(check=True).check
        assert verdict is not None
        assert bool(verdict.reports) == (skipped >= 0), f"seed {seed}, without {skipped}"


@pytest.mark.parametrize(
    "programs", [30, pytest.param(200, marks=pytest.mark.deep)], ids=["share", "all"]
)
def test_no_right_maintenance_is_smaller(programs: int) -> None:
    """Of the generated programs the first so many that have few enough places."""
    seeds = count()
    tried = 0
    while tried < programs:
        tried += _check(next(seeds))


@pytest.mark.parametrize(
    "seeds",
    [range(8), pytest.param(range(8, 200), marks=pytest.mark.deep)],
    ids=["share", "all"],
)
def test_the_checker_misses_each_operation_that_is_taken_out(seeds: range) -> None:
    for seed in seeds:
        _each_is_needed(seed)
