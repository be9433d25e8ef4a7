"""Loops of the host programs, as sets of segments of the host graph."""

from collections.abc import Iterator
from dataclasses import dataclass

from .host_graph import Edge, HostGraph, Segment
from .natural_loops import natural_loops


@dataclass(frozen=True, slots=True, eq=False)
class HostLoop:
    """A natural loop: entered through its header only."""

    header: Segment
    body: frozenset[Segment]
    """All its segments, the header too."""
    entry: tuple[Segment, Edge] | None
    """The only way in, if there is just one."""
    exit: tuple[Segment, Edge] | None
    """The only way out, if there is just one, and nothing else leads to where it goes."""


def host_loops(graph: HostGraph) -> list[HostLoop]:
    """All loops, inner ones first."""
    predecessors: dict[Segment, list[Segment]] = {}
    for segment in graph.segments:
        for target in _following(segment):
            predecessors.setdefault(target, []).append(segment)
    bodies = natural_loops(graph.entries.values(), _following)
    loops = [_loop(header, frozenset(body), predecessors) for header, body in bodies.items()]
    return sorted(loops, key=lambda loop: (len(loop.body), loop.header.number))


def _following(segment: Segment) -> Iterator[Segment]:
    """Where control goes within the function; a call returns."""
    for edge in segment.edges:
        yield edge.target
    if segment.call is not None:
        yield segment.call.after


def _loop(
    header: Segment, body: frozenset[Segment], predecessors: dict[Segment, list[Segment]]
) -> HostLoop:
    into = [
        (segment, edge)
        for segment in dict.fromkeys(predecessors.get(header, ()))
        if segment not in body
        for edge in segment.edges
        if edge.target is header
    ]
    out = [
        (segment, edge)
        for segment in sorted(body, key=lambda s: s.number)
        for edge in segment.edges
        if edge.target not in body
    ]
    only_exit = out[0] if len(out) == 1 else None
    if only_exit is not None and len(predecessors.get(only_exit[1].target, ())) != 1:
        only_exit = None
    return HostLoop(header, body, into[0] if len(into) == 1 else None, only_exit)
