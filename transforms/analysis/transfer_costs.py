"""What it costs to copy bytes over a link, and to use them in place over one, in nanoseconds.

A link that states costs (`bandwidth_gbps`, 10^9 bytes per second; `latency_ns`) is taken at its
word: each copy, and each use in place of memory on its far side, takes the latency and moves its
bytes once. A link that states none is free to use in place, and copies one byte per nanosecond,
so that with no costs stated what is dearest to copy is what has most bytes.
"""

from xdsl.ir import SSAValue

from ...dialects.topology import HOST, Link, Topology
from ..build import constant_value
from .execution_counts import ExecutionCounts
from .in_place import InPlaceUpdates
from .resource_size import constant_size

ASSUMED_BYTES = 1 << 20
"""What a size that only the run knows counts as."""


def size_bytes(size: SSAValue | None) -> int:
    """The bytes that `size` states, `ASSUMED_BYTES` where it is not constant."""
    known = None if size is None else constant_value(size)
    return ASSUMED_BYTES if known is None else known


def _states_costs(link: Link) -> bool:
    return bool(link.bandwidth_gbps) or link.latency_ns is not None


def copy_cost(topology: Topology, source: str, target: str, size: int) -> float:
    """Nanoseconds to copy `size` bytes from the memory of `source` to that of `target`.

    From a device to itself there is something to copy only where the two lie in different
    memories: then it takes what it takes to the nearest of the other devices.
    """
    if source == target:
        others = [name for name in topology.device_names if name != source]
        costs = (copy_cost(topology, source, other, size) for other in others)
        return min(costs, default=float(size))
    link = topology.link(source, target)
    if not _states_costs(link):
        # Who copies may as well be the other side.
        link = topology.link(target, source)
    return (link.latency_ns or 0.0) + size / (link.bandwidth_gbps or 1.0)


def clone_cost(decided: InPlaceUpdates, counts: ExecutionCounts) -> float:
    """Nanoseconds for the clones within a memory that updates in place need, all executions."""
    sites = [
        *decided.clones,
        *((e.carrier, e.carrier.operands[e.operand]) for e in decided.entry_clones),
    ]
    return float(sum(counts.of(op) * _bytes(value) for op, value in sites))


def _bytes(value: SSAValue) -> int:
    size = constant_size(value)
    return ASSUMED_BYTES if size is None else size


def use_cost(topology: Topology, agent: str, owner: str, size: int) -> float:
    """Nanoseconds for one use in place, by `agent`, of `size` bytes in the pool of `owner`."""
    if agent == HOST or agent in topology.pool_of(owner).owners:
        return 0.0
    link = topology.link(agent, owner)
    if not _states_costs(link):
        return 0.0
    return (link.latency_ns or 0.0) + (size / link.bandwidth_gbps if link.bandwidth_gbps else 0.0)
