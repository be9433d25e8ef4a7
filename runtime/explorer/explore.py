"""`explore`: all executions of a small event graph, one after the other, on a machine of its own.

It knows nothing of rules: it executes. What it says of a program is what the machine of
`docs/memory-model.md` does, so it can judge the rules and the checker.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import prod

from ..events import EventGraph, EventKind, Span
from ..machine import Machine
from .blocks import BESIDE, NO_VALUE, Block, blocks_of
from .cache import ALL_MOVES, NOTHING_READ, Hardware, Move
from .lines import Lines
from .search import (
    Executions,
    Found,
    all_executions,
    wrong_read,
    wrong_read_at,
)

INITIAL = -1
"""In place of a write: what memory holds at the start."""


@dataclass(frozen=True, slots=True)
class ExploreOptions:
    """Reductions, each of which leaves the outcomes as they are, and what to compute."""

    lines_independent: bool = True
    """Explore each line by itself: k lines cost k times one line. Off: all lines together."""
    telling_only: bool = True
    """Evict and prefetch only where some load can tell. Off: any line, at every moment."""
    evictions: bool = True
    """Whether caches evict lines by themselves. Off, or without prefetches, all moves that are left
    are taken at every moment: `telling_only` takes both to be there."""
    prefetches: bool = True
    """Whether caches prefetch lines."""
    outcomes: bool = True
    """Enumerate outcomes and executions. Off: only look for a wrong read, which is quicker."""
    max_states: int = 1_000_000
    """States of one block beyond which it gives up with TooManyStatesError."""


class Action(StrEnum):
    """What happens in one step of a witness."""

    RUN = "run"
    """An event, or its part at one line."""
    EVICT = "evict"
    PREFETCH = "prefetch"


@dataclass(frozen=True, slots=True)
class ReadValue:
    """What a read of some bytes gives: the write whose value it is."""

    event: int
    """The reading event."""
    span: Span
    """The bytes; bytes that all events treat alike are told by the first of them."""
    write: int
    """The event that wrote the value, or INITIAL."""


@dataclass(frozen=True, slots=True)
class WitnessStep:
    """One action of the machine."""

    action: Action
    agent: str
    """The agent that runs the event; for EVICT and PREFETCH one of the domain."""
    event: int
    """The event, or -1 for EVICT and PREFETCH."""
    span: Span
    """The bytes accessed, or the line."""
    read: ReadValue | None = None
    expected: int | None = None
    """For the last step: the write that the read should give (INITIAL: the initial contents), or
    None when no write is the last."""


Outcome = frozenset[ReadValue]
"""The values of all reads of a line in one execution."""


@dataclass(frozen=True, slots=True)
class ExploreResult:
    """What `explore` found."""

    wrong_values: bool
    """Whether some execution reads a value other than that of the read's hb-greatest write."""
    witness: tuple[WitnessStep, ...]
    """A shortest schedule that ends in a wrong read; empty where there is none. Events that do
    not touch the line are left out: any place that happens-before allows will do for them."""
    outcomes: Mapping[int, frozenset[Outcome]] = field(
        default_factory=dict[int, frozenset[Outcome]]
    )
    """By address of the line (of the largest size): what its reads can give together."""
    executions: int = 0
    """Executions explored: with lines independent the product over the lines."""
    states: int = 0
    """States met, over all blocks."""


_DEFAULT = ExploreOptions()


def explore(
    graph: EventGraph, machine: Machine, options: ExploreOptions = _DEFAULT
) -> ExploreResult:
    """Run `graph` on `machine` in every way that happens-before, evictions and prefetches allow.

    For small programs: the number of states grows exponentially with the events of a line.
    Lines that look alike are explored once. Raises TooManyStatesError when it gives up.
    """
    blocks = blocks_of(Lines(graph, machine), options.lines_independent)
    explored: dict[tuple[object, ...], tuple[Found, Executions | None]] = {}
    shortest: tuple[Block, Found] | None = None
    outcomes: dict[int, frozenset[Outcome]] = {}
    counts: list[int] = []
    states = 0
    for block in blocks:
        shape = block.shape()
        if shape not in explored:
            explored[shape] = _explore_block(block, options)
            states += sum(part.states for part in explored[shape] if part is not None)
        found, executions = explored[shape]
        if found.moves and (shortest is None or _cost(found) < _cost(shortest[1])):
            shortest = (block, found)
        if executions is not None:
            counts.append(executions.count)
            outcomes.update(_outcomes_by_line(block, executions))
    return ExploreResult(
        shortest is not None,
        _witness(*shortest, graph, machine) if shortest is not None else (),
        outcomes,
        prod(counts),
        states,
    )


def find_witness(
    graph: EventGraph,
    machine: Machine,
    span: Span,
    *,
    last: int | None = None,
    max_states: int = 100_000,
) -> tuple[tuple[WitnessStep, ...], bool]:
    """A shortest schedule that ends in a wrong read of bytes of `span`, and whether in it every
    event is executed at once, as a simulator does it; ((), False) where there is none.

    The line, of the largest size, at the start of `span` is explored, with the events up to
    `last`. Raises TooManyStatesError when it gives up.
    """
    size = max(domain.cache_line for domain in machine.domains)
    start = span.start // size * size
    blocks = blocks_of(Lines(graph, machine, Span(start, start + size), last), independent=True)
    for block in blocks:
        inside = frozenset(
            index
            for index, location in enumerate(block.locations)
            if location.span.start < span.end and span.start < location.span.end
        ) or frozenset(range(len(block.locations)))
        for atomic in (True, False):
            found = wrong_read_at(block, inside, max_states, atomic=atomic)
            if found.moves:
                return _witness(block, found, graph, machine), atomic
    return (), False


def _explore_block(block: Block, options: ExploreOptions) -> tuple[Found, Executions | None]:
    hardware = Hardware(options.evictions, options.prefetches)
    telling = options.telling_only and hardware == ALL_MOVES
    found = wrong_read(block, telling, options.max_states, hardware)
    if not options.outcomes:
        return found, None
    return found, all_executions(block, telling, options.max_states, hardware)


def _cost(found: Found) -> int:
    return sum(move.cost for move in found.moves)


def _value(block: Block, step: int, token: int) -> ReadValue:
    """The value behind a token that `step` read."""
    reads = block.steps[step]
    location = block.locations[reads.location]
    write = INITIAL if token == 0 else location.writers[token - 1]
    return ReadValue(reads.event, location.span, write)


def _outcomes_by_line(block: Block, executions: Executions) -> dict[int, frozenset[Outcome]]:
    """The outcomes of a block, of each of its lines by itself."""
    result: dict[int, set[Outcome]] = {line: set() for line in block.lines}
    for outcome in executions.outcomes:
        by_line: dict[int, set[ReadValue]] = {line: set() for line in block.lines}
        for step, token in outcome:
            line = block.lines[block.groups[block.steps[step].location]]
            by_line[line].add(_value(block, step, token))
        for line, values in by_line.items():
            result[line].add(frozenset(values))
    return {line: frozenset(outcomes) for line, outcomes in result.items()}


def _witness(
    block: Block, found: Found, graph: EventGraph, machine: Machine
) -> tuple[WitnessStep, ...]:
    """The steps behind the moves of a search."""
    steps: list[WitnessStep] = []
    for move in found.moves:
        steps.extend(_silent(Action.PREFETCH, cell, block, machine) for cell in move.fetched)
        steps.extend(_silent(Action.EVICT, cell, block, machine) for cell in move.dropped)
        if move.evicted >= 0:
            steps.append(_silent(Action.EVICT, move.evicted, block, machine))
        if move.step >= 0:
            steps.append(_run(move, block, graph))
    return tuple(steps)


def _silent(action: Action, cell: int, block: Block, machine: Machine) -> WitnessStep:
    agent = machine.domains[block.cells[cell].domain].agents[0]
    return WitnessStep(action, agent, -1, block.spans[cell])


def _run(move: Move, block: Block, graph: EventGraph) -> WitnessStep:
    step = block.steps[move.step]
    if step.kind is not EventKind.ACCESS:
        span = block.spans[step.cell]
    elif step.location == BESIDE:
        span = block.beside[step.event, step.cell]
    else:
        span = block.locations[step.location].span
    agent = graph.events[step.event].agent
    if move.read == NOTHING_READ:
        return WitnessStep(Action.RUN, agent, step.event, span)
    read = _value(block, move.step, move.read)
    if move.read == step.value:
        return WitnessStep(Action.RUN, agent, step.event, span, read)
    expected = None if step.value == NO_VALUE else _value(block, move.step, step.value).write
    return WitnessStep(Action.RUN, agent, step.event, span, read, expected)
