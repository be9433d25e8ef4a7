"""Where one storage goes: the segments that it passes through, under which names.

A storage is followed from the op that makes it along all paths of the host programs, through
branches, calls and globals, until nothing names it any more. Storage that a global has named is
given back there: a store to the global drops it. What befalls its bytes on the way is `walk`'s
matter.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.ir import SSAValue

from ..analysis.host_graph import Edge, Segment, Value
from .memory_events import WHOLE_END, MemoryEvent, Place, SegmentEvents, Storage
from .program import Program, Stack


class Name(NamedTuple):
    """A value that holds the storage at the start of a segment."""

    value: Value
    offset: int | None
    """Where in the storage it starts, in bytes; None where not constant."""
    whole: bool


Names = tuple[Name, ...]
"""Each once, in the order of the values."""


@dataclass(slots=True)
class Step:
    """A way from one visit to the next."""

    target: "Visit"
    times: list[tuple[Value, Value]]
    """The timepoints that matter from there on: (name there, name here)."""


@dataclass(slots=True, eq=False)
class Visit:
    """A storage in a segment."""

    events: SegmentEvents
    stack: Stack
    names: Names
    """At its start; of the storage that is made here: the root."""
    made: bool
    """Whether it is made here."""
    steps: list[Step] = field(default_factory=list[Step])
    ends: bool = False
    """Whether there is a way on which nothing names the storage."""
    drop: MemoryEvent | None = None
    """The end of storage that a global named."""

    @property
    def segment(self) -> Segment:
        """Where it is."""
        return self.events.segment

    def shift(self, place: Place) -> list[int | None]:
        """Where in the storage a resource at `place` starts; empty if it is another storage."""
        return [
            None if name.offset is None or place.offset is None else name.offset + place.offset
            for name in self.names
            if name.value == place.root
        ]

    def happenings(
        self, added: Mapping[tuple[Segment, Value], Iterable[MemoryEvent]]
    ) -> Iterator[tuple[MemoryEvent, int | None]]:
        """All events on the storage, `added` ones too, with where their resource starts in it."""
        for root in dict.fromkeys(name.value for name in self.names):
            for source in (self.events.events, None):
                events = source.get(root, ()) if source else added.get((self.segment, root), ())
                for event in events:
                    for shift in self.shift(event.place):
                        yield event, shift
        if self.drop is not None:
            yield self.drop, 0


def follow(program: Program, segment: Segment, storage: Storage) -> list[Visit]:
    """All visits of `storage`, which is made in `segment`, the first one first."""
    made = storage.op is not None
    names = (Name(storage.root, 0, True),)
    first = Visit(program.events[segment], (), names, made)
    visits: dict[tuple[Segment, Stack, Names], Visit] = {}
    if not made:
        visits[segment, (), names] = first
    order = [first]
    for visit in order:
        for edge, stack, leaves in program.steps(visit.segment, visit.stack):
            kept = program.kept(edge, stack, leaves)
            new_names, times = _renamed(program, visit, edge, kept)
            if not new_names:
                visit.ends = True
                continue
            key = (edge.target, stack, new_names)
            target = visits.get(key)
            if target is None:
                target = visits[key] = Visit(
                    program.events[edge.target], stack, new_names, made=False
                )
                order.append(target)
            visit.steps.append(Step(target, times))
    _drop(order)
    return order


def _drop(order: list[Visit]) -> None:
    """Note where storage ends that a global has named on the way there."""
    work = [
        visit
        for visit in order
        if any(isinstance(n.value, str) or n.value in visit.events.stored for n in visit.names)
    ]
    kept = set(work)
    while work:
        visit = work.pop()
        if visit.ends:
            visit.drop = visit.events.drop
        following = {step.target for step in visit.steps} - kept
        kept |= following
        work += following


def _renamed(
    program: Program, visit: Visit, edge: Edge, kept: frozenset[Value]
) -> tuple[Names, list[tuple[Value, Value]]]:
    """The names after `edge`, and the timepoints that are kept."""
    moves: dict[SSAValue, SSAValue] = dict(edge.moves)
    names: set[Name] = set()
    times: list[tuple[Value, Value]] = []
    for value in kept:
        source = value if isinstance(value, str) else moves.get(value, value)
        if program.is_timepoint(value):
            times.append((value, source))
            continue
        place = visit.events.place(source)
        for name in visit.names:
            if name.value != place.root:
                continue
            offset = (
                None if name.offset is None or place.offset is None else name.offset + place.offset
            )
            if offset is not None and offset > WHOLE_END:
                offset = None
            names.add(Name(value, offset, name.whole and place.whole))
    ordered = sorted(names, key=lambda name: (program.order(name.value), *_place(name)))
    return tuple(ordered), times


def _place(name: Name) -> tuple[int, bool]:
    return (-1 if name.offset is None else name.offset), name.whole
