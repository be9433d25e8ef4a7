"""Copy in, kernel, copy out, synchronize; and what that costs against memory that is not copied.

    .venv/bin/python examples/copy_flow.py [--passes=4] [--plot=crossover.png]

Three ways to let a kernel read and write host data, on three machines: explicit copies of pageable
memory, explicit copies of page-locked memory, and page-locked memory that is mapped, so that the
kernel works in place. For each size the bytes that copy commands move and the simulated time of the
whole flow. The crossover is the smallest size at which explicit page-locked copies are as fast as
mapped memory: a kernel that reads its input `passes` times pays the link each time.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from zcir.dialects.topology import Topology
from zcir.runtime.host import (
    BlockKernel,
    HostPointer,
    MallocPolicy,
    MemcpyKind,
    Runtime,
    kernel,
    one_device,
    updates,
)
from zcir.runtime.host.memory import Pointer
from zcir.runtime.host.stream import Stream

SIZES = tuple(1 << power for power in range(10, 25, 2))
"""Bytes of the data."""
PASSES = 4
"""How often the kernel goes over the data, unless told."""
WAYS = ("pageable", "pinned", "mapped")


@kernel(updates("x", "u1"))
def increment(block: int, x: Any) -> None:
    """One pass over the data."""
    x += 1


def machines() -> dict[str, Topology]:
    """A device that shares the host's cache, one that does not, and one behind a slow link."""
    near: dict[str, Any] = {
        "host_bandwidth_gbps": 100.0,
        "host_latency_ns": 200.0,
        "memory_bandwidth_gbps": 200.0,
    }
    far: dict[str, Any] = {
        "host_bandwidth_gbps": 16.0,
        "host_latency_ns": 1000.0,
        "memory_bandwidth_gbps": 800.0,
    }
    return {
        "coherent": one_device(host_coherent=True, **near),
        "non-coherent": one_device(host_coherent=False, **near),
        "discrete": one_device(host_coherent=False, **far),
    }


@dataclass(frozen=True, slots=True)
class Cost:
    """What one flow took."""

    copied: int
    """Bytes that copy commands moved."""
    time_ns: float
    """Simulated time from the first call of the flow until the result is there."""


Table = dict[str, list[Cost]]
"""By way the cost at each size."""


def copied_flow(
    rt: Runtime, stream: Stream, data: Any, size: int, body: BlockKernel, passes: int
) -> None:
    """The documented flow: copy in, launch, copy out, synchronize."""
    device = rt.malloc(size, MallocPolicy.HUGE_FIRST)
    rt.memcpy_async(device, size, data, size, MemcpyKind.HOST_TO_DEVICE, stream)
    launch(rt, stream, device, body, passes)
    rt.memcpy_async(data, size, device, size, MemcpyKind.DEVICE_TO_HOST, stream)
    rt.synchronize_stream(stream)
    rt.free(device)


def mapped_flow(
    rt: Runtime, stream: Stream, data: HostPointer, body: BlockKernel, passes: int
) -> None:
    """The same without copies."""
    launch(rt, stream, rt.host_get_device_pointer(data), body, passes)
    rt.synchronize_stream(stream)


def launch(rt: Runtime, stream: Stream, pointer: Pointer, body: BlockKernel, passes: int) -> None:
    """Go over the data so many times."""
    for _ in range(passes):
        rt.launch(body, 1, stream, pointer)


def measure(topology: Topology, way: str, size: int, passes: int = PASSES) -> Cost:
    """One flow on a machine of its own; RuntimeError where its result is wrong."""
    with Runtime(topology=topology) as rt:
        stream = rt.create_stream()
        data: Any = np.ones(size, np.uint8) if way == "pageable" else rt.malloc_host(size)
        view: Any = data if way == "pageable" else data.view()
        view[:] = 1
        if way == "mapped":
            rt.host_register(data)
        start = rt.timeline.makespan_ns
        if way == "mapped":
            mapped_flow(rt, stream, data, increment, passes)
        else:
            copied_flow(rt, stream, data, size, increment, passes)
        time_ns = rt.timeline.makespan_ns - start
        if not (np.asarray(view[:]) == 1 + passes).all():
            raise RuntimeError(f"{way}: wrong result")
        copied = rt.statistics.total.copy_bytes
        if way == "mapped":
            rt.host_unregister(data)
        if way != "pageable":
            rt.free_host(data)
    return Cost(copied, time_ns)


def table(topology: Topology, sizes: Sequence[int] = SIZES, passes: int = PASSES) -> Table:
    """By way the cost at each size."""
    return {way: [measure(topology, way, size, passes) for size in sizes] for way in WAYS}


def crossover(costs: Table, sizes: Sequence[int] = SIZES) -> int | None:
    """The smallest size from which on page-locked copies are as fast as mapped memory; None
    where they never are."""
    faster = [p.time_ns <= m.time_ns for p, m in zip(costs["pinned"], costs["mapped"], strict=True)]
    last_slower = max((i for i, wins in enumerate(faster) if not wins), default=-1)
    return sizes[last_slower + 1] if last_slower + 1 < len(sizes) else None


def show(name: str, costs: Table, passes: int) -> None:
    """Print what was measured on one machine."""
    print(f"{name}, {passes} passes")
    print(f"{'bytes':>10}" + "".join(f"{way + ' copied':>18}{'us':>10}" for way in WAYS))
    for index, size in enumerate(SIZES):
        row = [costs[way][index] for way in WAYS]
        cells = (f"{cost.copied:>18}{cost.time_ns / 1000:>10.1f}" for cost in row)
        print(f"{size:>10}" + "".join(cells))
    size = crossover(costs)
    print("crossover: " + ("none" if size is None else f"{size} bytes") + "\n")


def plot(path: Path, results: dict[str, Table]) -> None:
    """Draw time against size, a panel for each machine; needs the extra `plot`."""
    pyplot: Any = import_module("matplotlib.pyplot")
    figure, panels = pyplot.subplots(1, len(results), figsize=(12, 4), sharey=True)
    for panel, (name, costs) in zip(panels, results.items(), strict=True):
        for way in WAYS:
            panel.loglog(SIZES, [cost.time_ns / 1000 for cost in costs[way]], "o-", label=way)
        size = crossover(costs)
        if size is not None:
            panel.axvline(size, linestyle=":", label="crossover")
        panel.set(title=name, xlabel="bytes", ylabel="simulated us")
        panel.legend()
    figure.savefig(path)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables, and draw the plot if asked for; 2 where matplotlib is not there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--passes", type=int, default=PASSES, help="passes of the kernel")
    parser.add_argument("--plot", type=Path, help="write the crossover as an image")
    options = parser.parse_args(arguments)
    passes: int = options.passes
    results = {name: table(kind, passes=passes) for name, kind in machines().items()}
    for name, costs in results.items():
        show(name, costs, passes)
    if options.plot is not None:
        try:
            plot(options.plot, results)
        except ImportError:
            print("error: matplotlib is not installed; install the extra `plot`")
            return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
