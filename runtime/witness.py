"""From a report to a schedule that shows it: a wrong value read, step by step.

The explorer finds a shortest schedule of the steps at one line; here it becomes a schedule of the
whole program, which `hal.script` follows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .checker import Report, Rule
from .events import HOST_ACTION, Event, EventGraph, EventKind, Span
from .explorer import INITIAL, Action, TooManyStatesError, WitnessStep, find_witness
from .hal.script import Act, Key, Move
from .machine import Machine

OF_VALUES = frozenset((Rule.RACE, Rule.STALE, Rule.LOST, Rule.CLOBBER, Rule.FALSE_SHARING))
"""Rules whose faults make a read wrong."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A shortest schedule with which a program reads a wrong value."""

    steps: tuple[WitnessStep, ...]
    """What happens at the line, each event once."""
    schedule: tuple[Move | Act, ...]
    """The same, with whatever must happen before."""
    line: Span
    """The line it is about, of the largest size on the machine."""
    span: Span
    """The bytes that are read wrong, and that the writes below left."""
    read: Key
    expected: Key | None
    """The last write before the read; None where none is the last, or where it is no action."""
    got: Key | None
    """The write whose value is read; None for contents from before the program."""
    exact: bool
    """Whether a simulator that executes whole commands can follow it."""


def witness_of(
    report: Report, graph: EventGraph, machine: Machine, max_states: int = 100_000
) -> Witness | None:
    """A shortest schedule that shows `report`, or None.

    There is none for rules that are not about values, for races that no read can tell, and where
    more than `max_states` states would have to be looked at. The events up to the last that the
    report names are tried first.
    """
    if report.rule not in OF_VALUES or not report.spans:
        return None
    roles = (report.at, report.write, report.read, report.other)
    last = max(role.id for role in roles if role is not None)
    for upto in (last, None):
        try:
            steps, exact = find_witness(
                graph, machine, report.spans[0], last=upto, max_states=max_states
            )
        except TooManyStatesError:
            return None
        if steps:
            return _witness(steps, exact, graph, machine)
    return None


def _witness(
    steps: Sequence[WitnessStep], exact: bool, graph: EventGraph, machine: Machine
) -> Witness:
    end = steps[-1]
    assert end.read is not None, "a witness ends in a read"
    size = max(domain.cache_line for domain in machine.domains)
    start = end.span.start // size * size
    merged = _merged(steps)
    return Witness(
        merged,
        tuple(_schedule(merged, graph)),
        Span(start, start + size),
        end.read.span,
        _key(graph, end.event) or (HOST_ACTION, 0),
        _key(graph, end.expected),
        _key(graph, end.read.write),
        exact,
    )


def _key(graph: EventGraph, event: int | None) -> Key | None:
    return None if event is None or event == INITIAL else graph.events[event].key


def _merged(steps: Sequence[WitnessStep]) -> tuple[WitnessStep, ...]:
    """The parts of one event, which follow each other, as one step: the last, which may read."""
    result: list[WitnessStep] = []
    for step in steps:
        if step.action is Action.RUN and result and result[-1].event == step.event:
            result.pop()
        result.append(step)
    return tuple(result)


def _schedule(steps: Sequence[WitnessStep], graph: EventGraph) -> list[Move | Act]:
    """The steps, each after the events that happen before it."""
    done: set[int] = set()
    result: list[Move | Act] = []
    for step in steps:
        if step.action is not Action.RUN:
            result.append(Move(step.action is Action.EVICT, step.agent, step.span))
            continue
        for event in _missing_past(graph, step.event, done):
            own = event.id == step.event
            if event.key is not None and _acts(event):
                result.append(Act(event.key, passes_by=not own))
    return result


def _acts(event: Event) -> bool:
    """Whether a script has to name it: all that a queue executes, and what the host does to
    memory."""
    assert event.key is not None, "asked of actions only"
    return event.key[0] != HOST_ACTION or event.kind is not EventKind.SYNC


def _missing_past(graph: EventGraph, event: int, done: set[int]) -> list[Event]:
    """`event` and what happens before it, without `done`, to which they are added, in order."""
    found: list[int] = []
    stack = [event]
    while stack:
        current = stack.pop()
        if current not in done:
            done.add(current)
            found.append(current)
            stack.extend(graph.events[current].after)
    return [graph.events[index] for index in sorted(found)]


def to_json(witness: Witness, graph: EventGraph) -> dict[str, Any]:
    """The witness as a JSON object, which `from_json` reads back.

    `steps` is for people, `schedule` for the simulator.
    """
    return {
        "steps": [_step_row(step, graph) for step in witness.steps],
        "line": [witness.line.start, witness.line.end],
        "bytes": [witness.span.start, witness.span.end],
        "read": list(witness.read),
        "expected": witness.expected and list(witness.expected),
        "got": witness.got and list(witness.got),
        "exact": witness.exact,
        "schedule": [_schedule_row(step) for step in witness.schedule],
    }


def _step_row(step: WitnessStep, graph: EventGraph) -> dict[str, Any]:
    row: dict[str, Any] = {"action": step.action.value, "agent": step.agent}
    row["bytes"] = [step.span.start, step.span.end]
    if step.action is Action.RUN:
        event = graph.events[step.event]
        row |= {"kind": event.kind.value, "label": event.label, "location": event.location}
    if step.read is not None:
        row["reads"] = _writer(step.read.write, graph)
    return row


def _writer(write: int, graph: EventGraph) -> str:
    """The write whose value is read, for people."""
    if write == INITIAL:
        return "the initial contents"
    event = graph.events[write]
    return " ".join(filter(None, (event.label or event.kind.value, event.location)))


def _schedule_row(step: Move | Act) -> list[Any]:
    """`["run", submission, command, passes_by]` or `["evict" | "prefetch", agent, start, end]`."""
    if isinstance(step, Act):
        return ["run", *step.key, step.passes_by]
    return ["evict" if step.evict else "prefetch", step.agent, step.line.start, step.line.end]


def from_json(row: dict[str, Any]) -> Witness:
    """What `to_json` wrote, without the steps; ValueError or KeyError for anything else."""

    def key(value: Any) -> Key | None:
        return None if value is None else (int(value[0]), int(value[1]))

    read = key(row["read"])
    if read is None:
        raise ValueError("a witness names its read")
    return Witness(
        (),
        tuple(_schedule_step(step) for step in row["schedule"]),
        Span(*row["line"]),
        Span(*row["bytes"]),
        read,
        key(row["expected"]),
        key(row["got"]),
        bool(row["exact"]),
    )


def _schedule_step(row: list[Any]) -> Move | Act:
    match row:
        case ["run", int(submission), int(command), bool(passes_by)]:
            return Act((submission, command), passes_by)
        case ["evict" | "prefetch" as move, str(agent), int(start), int(end)]:
            return Move(move == "evict", agent, Span(start, end))
        case _:
            raise ValueError(f"no step of a schedule: {row}")


def explain(witness: Witness, graph: EventGraph) -> list[str]:
    """The steps in words, one line each."""
    lines: list[str] = []
    for number, step in enumerate(witness.steps, 1):
        agent = step.agent if step.agent == "host" else f"@{step.agent}"
        if step.action is Action.RUN:
            event = graph.events[step.event]
            what = f"{agent} runs {event.label or event.kind.value}"
            place = f" ({event.location})" if event.location else ""
        else:
            done = "writes back and drops" if step.action is Action.EVICT else "fetches"
            what, place = f"the cache of {agent} {done} the line", ""
        reads = f" and reads {_writer(step.read.write, graph)}" if step.read is not None else ""
        lines.append(f"{number}. {what}{place}{reads}")
    return lines
