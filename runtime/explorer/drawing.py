"""One execution as a picture: DOT for Graphviz, trace events for Perfetto and chrome://tracing.

The execution is that of a witness, where there is one; else the events in the order of their
numbers. There is no time in either: the clock of the trace counts steps, one microsecond each.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ..events import Event, EventGraph, EventKind
from .explore import INITIAL, Action, WitnessStep


def to_dot(graph: EventGraph, witness: Sequence[WitnessStep]) -> str:
    """Events by agent with their direct happens-before edges; the steps of the witness numbered,
    with what they read in red; evictions and prefetches as boxes between them."""
    numbers = {step.event: n for n, step in enumerate(witness, 1) if step.action is Action.RUN}
    lines = ["digraph execution {", "  rankdir=TB;", "  node [shape=box, fontname=monospace];"]
    agents = dict.fromkeys(event.agent for event in graph.events)
    for index, agent in enumerate(agents):
        lines.append(f"  subgraph cluster_{index} {{")
        lines.append(f"    label={_quoted(agent)};")
        lines.extend(
            f"    {_node(event, numbers.get(event.id))}"
            for event in graph.events
            if event.agent == agent
        )
        lines.append("  }")
    lines.extend(f"  e{before} -> e{event.id};" for event in graph.events for before in event.after)
    lines.extend(_moves(witness))
    lines.append("}")
    return "\n".join(lines) + "\n"


def _node(event: Event, number: int | None) -> str:
    text = event.label or event.kind.value
    if event.location:
        text += f"\n{event.location}"
    if event.kind is EventKind.SYNC:
        return f"e{event.id} [label={_quoted(text)}, style=dotted];"
    if number is None:
        return f"e{event.id} [label={_quoted(text)}];"
    return f"e{event.id} [label={_quoted(f'{number}. {text}')}, style=bold];"


def _moves(witness: Sequence[WitnessStep]) -> list[str]:
    """The order of the witness, dashed, through its evictions and prefetches; reads-from in red."""
    lines: list[str] = []
    names: list[str] = []
    for number, step in enumerate(witness, 1):
        if step.action is Action.RUN:
            names.append(f"e{step.event}")
            continue
        names.append(f"m{number}")
        text = f"{number}. {step.action.value} by cache of {step.agent}"
        lines.append(f"  m{number} [label={_quoted(text)}, shape=ellipse];")
    lines.extend(
        f"  {first} -> {second} [style=dashed, constraint=false];"
        for first, second in pairwise(names)
        if first != second
    )
    lines.extend(
        f"  e{step.read.write} -> e{step.event} [color=red, label=reads, constraint=false];"
        for step in witness
        if step.read is not None and step.read.write != INITIAL
    )
    return lines


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def to_trace(graph: EventGraph, witness: Sequence[WitnessStep]) -> dict[str, Any]:
    """Complete events, one track for each agent and one for its cache's own moves."""
    agents = list(dict.fromkeys(event.agent for event in graph.events))
    rows: list[dict[str, Any]] = [
        {"ph": "M", "name": "thread_name", "pid": 0, "tid": index, "args": {"name": name}}
        for index, name in enumerate((*agents, *(f"cache of {agent}" for agent in agents)))
    ]
    if witness:
        for time, step in enumerate(witness):
            rows.append(_step_row(graph, step, agents, time))
    else:
        rows.extend(
            _row(
                event.label or event.kind.value,
                agents.index(event.agent),
                event.id,
                {"location": event.location},
            )
            for event in graph.events
        )
    return {"displayTimeUnit": "ms", "traceEvents": rows}


def _step_row(graph: EventGraph, step: WitnessStep, agents: list[str], time: int) -> dict[str, Any]:
    track = agents.index(step.agent)
    args: dict[str, Any] = {"bytes": f"[{step.span.start},{step.span.end})"}
    if step.action is not Action.RUN:
        return _row(step.action.value, len(agents) + track, time, args)
    event = graph.events[step.event]
    args["location"] = event.location
    if step.read is not None:
        args["reads"] = "initial" if step.read.write == INITIAL else step.read.write
    return _row(event.label or event.kind.value, track, time, args)


def _row(name: str, track: int, time: int, args: dict[str, Any]) -> dict[str, Any]:
    return {"ph": "X", "name": name, "pid": 0, "tid": track, "ts": time, "dur": 1, "args": args}
