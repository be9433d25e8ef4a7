"""Throughput of the checker and of the explorer: `.venv/bin/python bench/judge.py`.

Event graphs of four shapes and two lengths: time per event should not grow with the length.
"""

from collections.abc import Callable
from time import process_time

from zcir.runtime.checker import check
from zcir.runtime.event_builder import GraphBuilder, shared_memory
from zcir.runtime.events import EventGraph
from zcir.runtime.explorer import ExploreOptions, explore

MACHINE = shared_memory(("host",), ("a",), ("b",))


def chain(events: int) -> EventGraph:
    """Two devices hand two buffers back and forth; the host submits ahead and never waits."""
    graph = GraphBuilder()
    graph.alloca("host", "%x", 0, 1 << 16)
    host = last = graph.alloca("host", "%y", 1 << 16, 1 << 17)
    there, back = (0, 1 << 16), (1 << 16, 1 << 17)
    first = True
    while len(graph.graph.events) < events:
        for agent, source, target in (("a", back, there), ("b", there, back)):
            host = graph.sync("host", after=[host])
            graph.sync(agent, after=[host, last])
            graph.invalidate(agent, source)
            graph.access(agent, reads=[] if first else [source], writes=[target])
            last = graph.flush(agent, target)
            first = False
    return graph.graph


def independent(events: int) -> EventGraph:
    """Submissions side by side read one constant and write a slot each; one wait at the end."""
    graph = GraphBuilder()
    graph.alloca("host", "%constant", 0, 1 << 16)
    graph.alloca("host", "%slots", 1 << 16, 1 << 30)
    host = graph.access("host", writes=[(0, 1 << 16)], flushed=True)
    ends: list[int] = []
    while len(graph.graph.events) < events:
        host = graph.sync("host", after=[host])
        graph.sync("a", after=[host])
        graph.invalidate("a", (0, 1 << 16))
        slot = (1 << 16) + 64 * len(ends)
        graph.access("a", reads=[(0, 1 << 16)], writes=[(slot, slot + 64)])
        ends.append(graph.flush("a", (slot, slot + 64)))
    graph.sync("host", after=[host, *ends])
    return graph.graph


def pipelined(events: int) -> EventGraph:
    """Eight slots in turn; each submission waits for the one that used its slot before."""
    graph = GraphBuilder()
    host = graph.alloca("host", "%slots", 0, 1 << 20)
    ends: list[int] = []
    while len(graph.graph.events) < events:
        slot = len(ends) % 8 * 4096
        span = (slot, slot + 4096)
        host = graph.sync("host", after=[host])
        graph.sync("a", after=[host, *ends[-8:-7]])
        graph.access("a", reads=[span] if len(ends) >= 8 else [], writes=[span])
        ends.append(graph.flush("a", span))
    return graph.graph


def round_trips(events: int) -> EventGraph:
    """The host writes, a device updates half, the host waits and reads, over 200 ranges."""
    graph = GraphBuilder()
    graph.alloca("host", "%x", 0, 1 << 20)
    index = 0
    while len(graph.graph.events) < events:
        start = index % 200 * 640
        whole, half = (start, start + 640), (start, start + 320)
        graph.access("host", writes=[whole])
        graph.flush("host", whole)
        graph.invalidate("a", whole)
        graph.access("a", reads=[whole], writes=[half])
        graph.flush("a", whole)
        graph.invalidate("host", whole)
        graph.access("host", reads=[whole])
        index += 1
    return graph.graph


def time_checker(shape: Callable[[int], EventGraph]) -> None:
    """Print the time per event of a short and a long graph of one shape."""
    times: list[float] = []
    for events in (1_500, 49_000):
        graph = shape(events)
        before = process_time()
        result = check(graph, MACHINE)
        times.append((process_time() - before) / len(graph.events) * 1e6)
        assert not result.reports
    print(
        f"checker, {shape.__name__}: {times[0]:.0f} us/event at 1,500 events, {times[1]:.0f} at "
        f"49,000 ({times[1] / times[0]:.2f} times), {1e6 / times[1]:.0f} events/s"
    )


def unordered_steps(events: int) -> EventGraph:
    """A line that two caches write and read in any order: many states."""
    graph = GraphBuilder()
    root = graph.alloca("a", "%x", 0, 64)
    for index in range(events):
        agent = "ab"[index % 2]
        graph.access(agent, reads=[(index, index + 1)], writes=[(index + 16, 32)], after=[root])
        graph.flush(agent, (0, 64), after=[root])
    return graph.graph


def time_explorer() -> None:
    """Print states per second on one line with many executions."""
    graph = unordered_steps(5)
    before = process_time()
    result = explore(graph, MACHINE, ExploreOptions(outcomes=True))
    seconds = process_time() - before
    print(
        f"explorer: {result.executions:,} executions in {result.states:,} states, "
        f"{result.states / seconds:,.0f} states/s"
    )


if __name__ == "__main__":
    for one in (chain, independent, pipelined, round_trips):
        time_checker(one)
    time_explorer()
