"""Simulated time: engines, order, overlap, and the trace."""

import io
import itertools
import json

import pytest
from hal_world import Add, barrier, machine
from hypothesis import given, settings
from hypothesis import strategies as st
from zcir.dialects.topology import DeviceProperties, Link, Topology
from zcir.runtime.costs import CostModel, Costs, Path
from zcir.runtime.event_builder import GraphBuilder
from zcir.runtime.events import Event, EventKind, Span
from zcir.runtime.hal.buffer import Buffer, BufferParams
from zcir.runtime.hal.command_buffer import CommandBuffer
from zcir.runtime.hal.dispatch import Workload
from zcir.runtime.hal.recorder import Source
from zcir.runtime.hal.refs import BufferRef
from zcir.runtime.hal.semaphore import NULL_FENCE, Fence
from zcir.runtime.hal.system import System
from zcir.runtime.timeline import EngineTime, Timeline
from zcir.runtime.trace import chrome_trace, write_trace

FREE = Costs(
    submit_ns=0, launch_ns=0, maintenance_ns=0, local=Path(1), remote=Path(1), host=Path(1e9)
)
"""One nanosecond for each byte that a device touches, and nothing else."""
TWO = Topology((DeviceProperties("a"), DeviceProperties("b")), (Link("a", "b"), Link("b", "a")))


def test_a_signal_comes_after_the_flush() -> None:
    # IR-31: dispatch 10 + flush 5 ticks, signal at 15.
    system = System(machine("a", "b"))
    model = CostModel(system.machine, TWO, FREE)
    model.durations_ns = {"produce": 10, "flush": 5}
    buffer = system.host.allocate("shared", 64, BufferParams())
    commands = system.device("a").create_command_buffer()
    record(commands, buffer, [("produce", 0), ("flush", 1)])
    fence = Fence.create("done")
    system.device("a").queue_execute(NULL_FENCE, fence, commands)
    system.host.wait(fence)
    timeline = Timeline(system.graph, model).advance()
    ends = {event.label: timeline.ends[event.id] for event in system.graph.events}
    starts = {event.label: timeline.starts[event.id] for event in system.graph.events}
    assert (starts["produce"], ends["produce"]) == (0, 10)
    assert (starts["flush"], ends["flush"]) == (10, 15)
    assert starts["signal of done"] == ends["signal of done"] == 15
    assert timeline.host_ns == timeline.makespan_ns == 15


def record(commands: CommandBuffer, buffer: Buffer, steps: list[tuple[str, int]]) -> None:
    ref = BufferRef(buffer)
    for label, kind in steps:
        if kind:
            barrier(commands)
            commands.flush_buffer(ref, Source(label))
        else:
            commands.dispatch(Add(), Workload((1,)), [ref], Source(label))
    commands.finalize()


def access(
    index: int, agent: str, size: int, after: tuple[int, ...] = (), label: str = ""
) -> Event:
    return Event(index, agent, EventKind.ACCESS, after, (), (), label=label or f"{size}")


def test_engines_do_one_thing_at_a_time_and_different_ones_overlap() -> None:
    # CP-18: what nothing orders overlaps on different engines and queues up on one.
    builder = GraphBuilder()
    events = builder.graph.events
    events += [access(0, "a", 100), access(1, "a", 50), access(2, "b", 30), access(3, "host", 7)]
    model = CostModel(machine("a", "b"), TWO, FREE, {"100": 100, "50": 50, "30": 30, "7": 7})
    timeline = Timeline(builder.graph, model).advance()
    assert timeline.starts == [0, 100, 0, 0]
    assert timeline.makespan_ns == 150
    assert timeline.host_ns == 7
    assert timeline.busy_ns("a", "compute") == 150
    events.append(access(4, "b", 30, after=(1,)))
    assert timeline.advance().ends[4] == 180


@settings(derandomize=True, deadline=None, max_examples=200)
@given(
    st.lists(
        st.tuples(st.integers(0, 60), st.integers(0, 20)),
        max_size=40,
    )
)
def test_an_engine_serves_what_is_ready_in_free_time(requests: list[tuple[int, int]]) -> None:
    # Reservations never overlap, start when ready, and no earlier gap was left that would fit.
    engine, taken = EngineTime(), list[tuple[float, float]]()
    for ready, duration in requests:
        start = engine.reserve(ready, duration)
        assert start >= ready
        if not duration:
            continue
        assert all(end <= start or start + duration <= begin for begin, end in taken)
        candidates = [float(ready), *(end for _, end in taken if end >= ready)]
        fits = [
            at
            for at in candidates
            if all(end <= at or at + duration <= begin for begin, end in taken)
        ]
        assert start == min(fits)
        taken.append((start, start + duration))
    busy = engine.busy
    assert all(a[1] < b[0] for a, b in itertools.pairwise(busy))
    assert sum(end - start for start, end in busy) == sum(d for _, d in requests)


def test_bandwidth_and_latency_come_from_the_topology() -> None:
    topology = Topology(
        (DeviceProperties("a", memory_bandwidth_gbps=100), DeviceProperties("b")),
        (Link("a", "b", bandwidth_gbps=4, latency_ns=500), Link("b", "a")),
    )
    model = CostModel(machine("a", "b"), topology)
    assert model.path("a", "a").time(1000) == 10
    assert model.path("a", "b").time(1000) == 750
    assert model.path("b", "a").time(1600) == 1100
    assert model.path("b", "b").time(0) == 0
    with pytest.raises(ValueError, match="address 0x1 is in no pool"):
        model.pools((Span(1, 2),))


def test_trace_names_agents_and_engines_and_draws_order() -> None:
    builder = GraphBuilder()
    builder.graph.events += [access(0, "a", 100, label="first"), access(1, "b", 50, after=(0,))]
    model = CostModel(machine("a", "b"), TWO, FREE, {"first": 2000, "50": 500})
    timeline = Timeline(builder.graph, model)
    trace = chrome_trace(timeline)["traceEvents"]
    names = {row["args"]["name"] for row in trace if row["ph"] == "M"}
    assert names == {"a", "b", "compute"}
    (first, second) = [row for row in trace if row["ph"] == "X"]
    assert (first["name"], first["ts"], first["dur"]) == ("first", 0, 2)
    assert (second["ts"], second["dur"], second["pid"]) == (2, 0.5, 1)
    assert [row["ph"] for row in trace if row.get("cat") == "order"] == ["s", "f"]
    text = io.StringIO()
    write_trace(timeline, text)
    assert json.loads(text.getvalue())["traceEvents"] == trace
