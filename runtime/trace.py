"""A run in the form of Chrome trace events, for `chrome://tracing` and Perfetto.

Agents are processes, their engines threads; an event of a graph is a complete event (`"ph": "X"`)
with its bytes and its place in the program. Arrows lead from submissions to what they start.
"""

import json
from collections.abc import Iterator
from typing import Any, TextIO

from .events import Event, Span
from .timeline import Timeline

_NS_PER_US = 1000.0


def chrome_trace(timeline: Timeline) -> dict[str, Any]:
    """The trace of all events that take time, as a JSON object; times in microseconds."""
    timeline.advance()
    processes: dict[str, int] = {}
    threads: dict[tuple[str, str], int] = {}
    rows: list[dict[str, Any]] = []
    for event in timeline.graph.events:
        engine = timeline.engines[event.id]
        if not engine or timeline.starts[event.id] == timeline.ends[event.id]:
            continue
        process = processes.setdefault(event.agent, len(processes))
        thread = threads.setdefault((event.agent, engine), len(threads))
        rows.append(_complete(event, timeline, process, thread))
    names = [_name("process_name", process, 0, agent) for agent, process in processes.items()] + [
        _name("thread_name", processes[agent], thread, engine)
        for (agent, engine), thread in threads.items()
    ]
    return {"displayTimeUnit": "ns", "traceEvents": [*names, *rows, *_arrows(timeline, rows)]}


def write_trace(timeline: Timeline, stream: TextIO) -> None:
    """Write the trace as JSON, one event a line."""
    trace = chrome_trace(timeline)
    rows = ",\n".join(json.dumps(row) for row in trace["traceEvents"])
    stream.write(f'{{"displayTimeUnit": "ns", "traceEvents": [\n{rows}\n]}}\n')


def _name(kind: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": process, "tid": thread, "args": {"name": name}}


def _complete(event: Event, timeline: Timeline, process: int, thread: int) -> dict[str, Any]:
    start, end = timeline.starts[event.id], timeline.ends[event.id]
    return {
        "ph": "X",
        "name": event.label or str(event.kind),
        "cat": str(event.kind),
        "pid": process,
        "tid": thread,
        "ts": start / _NS_PER_US,
        "dur": (end - start) / _NS_PER_US,
        "args": {
            "event": event.id,
            "location": event.location,
            "bytes_read": _size(event.reads),
            "bytes_written": _size(event.writes),
            "bytes_maintained": _size(event.target),
        },
    }


def _size(spans: tuple[Span, ...]) -> int:
    return sum(span.end - span.start for span in spans)


def _arrows(timeline: Timeline, rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """From the events of other threads that each event follows, of each thread the last. What
    takes no time, as waits and signals, is followed through."""
    shown = {row["args"]["event"]: row for row in rows}
    through: dict[int, dict[int, dict[str, Any]]] = {}
    for event in timeline.graph.events:
        sources: dict[int, dict[str, Any]] = {}
        for before in event.after:
            row = shown.get(before)
            for source in through.get(before, {}).values() if row is None else (row,):
                known = sources.get(source["tid"])
                if known is None or known["ts"] < source["ts"]:
                    sources[source["tid"]] = source
        target = shown.get(event.id)
        if target is None:
            through[event.id] = sources
            continue
        for source in sources.values():
            if source["tid"] == target["tid"]:
                continue
            number = f"{source['args']['event']}-{event.id}"
            arrow = {"cat": "order", "name": "order", "id": number}
            at = source["ts"] + source["dur"]
            yield {"ph": "s", "pid": source["pid"], "tid": source["tid"], "ts": at, **arrow}
            ends = {"ph": "f", "bp": "e", "pid": target["pid"], "tid": target["tid"]}
            yield {**ends, "ts": target["ts"], **arrow}
