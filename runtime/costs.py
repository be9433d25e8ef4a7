"""What the events of a run cost in simulated time, from the bandwidths and latencies of links."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..dialects.topology import HOST, Topology
from .events import Event, EventKind, Span
from .machine import Machine

SUBMIT = "submit "
"""How the labels of the host's submissions begin."""


@dataclass(frozen=True, slots=True)
class Path:
    """An agent's way to a pool."""

    bandwidth_gbps: float
    """10^9 bytes per second, which is bytes per nanosecond."""
    latency_ns: float = 0.0

    def time(self, size: int) -> float:
        """Nanoseconds for `size` bytes; none for no bytes."""
        return self.latency_ns + size / self.bandwidth_gbps if size else 0.0


@dataclass(frozen=True, slots=True)
class Costs:
    """A cost model. The defaults are of the order of a server with a device on PCIe."""

    submit_ns: float = 1000.0
    """The host's time for a submission."""
    launch_ns: float = 2000.0
    """From the start of a dispatch to its first access."""
    maintenance_ns: float = 100.0
    """For each flush, invalidate and discard, besides the time for its bytes."""
    local: Path = Path(800.0)
    """A device's way to its own memory, where the topology does not say."""
    remote: Path = Path(16.0, 1000.0)
    """A device's way to other memory, where the topology does not say."""
    host: Path = Path(20.0)
    """The host's own accesses."""


@dataclass(slots=True)
class CostModel:
    """The time that each event takes."""

    machine: Machine
    topology: Topology
    costs: Costs = field(default_factory=Costs)
    durations_ns: dict[str, float] = field(default_factory=dict[str, float])
    """By label: overrides what the bytes would cost."""
    _paths: dict[tuple[str, str], Path] = field(default_factory=dict[tuple[str, str], Path])

    def duration(self, event: Event) -> float:
        """Nanoseconds that the agent of `event` is busy with it."""
        stated = self.durations_ns.get(event.label)
        if stated is not None:
            return stated
        costs = self.costs
        if event.kind is EventKind.SYNC:
            return costs.submit_ns if event.label.startswith(SUBMIT) else 0.0
        if event.kind is EventKind.ACCESS:
            spans = (*event.reads, *event.writes)
            transfer = bool(event.copies) or event.transfer or event.agent == HOST
            return self._access(event.agent, spans) + (0.0 if transfer else costs.launch_ns)
        if event.kind in (EventKind.ALLOCA, EventKind.DEALLOCA) or event.skipped:
            return 0.0
        return costs.maintenance_ns + self._access(event.agent, event.target)

    def pools(self, spans: tuple[Span, ...]) -> Mapping[str, int]:
        """Bytes of `spans` by pool."""
        sizes: dict[str, int] = {}
        for span in spans:
            name = self._pool_at(span.start)
            sizes[name] = sizes.get(name, 0) + span.end - span.start
        return sizes

    def _access(self, agent: str, spans: tuple[Span, ...]) -> float:
        """Accesses of several pools go on at the same time; the slowest counts."""
        sizes = self.pools(spans)
        return max((self.path(agent, pool).time(size) for pool, size in sizes.items()), default=0.0)

    def path(self, agent: str, pool: str) -> Path:
        """The way of an agent to a pool."""
        key = (agent, pool)
        if key not in self._paths:
            self._paths[key] = self._find(agent, pool)
        return self._paths[key]

    def _find(self, agent: str, pool: str) -> Path:
        costs, topology = self.costs, self.topology
        if agent == HOST:
            return costs.host
        device = topology.device(agent)
        if pool not in topology.device_names:
            return Path(
                device.host_bandwidth_gbps or costs.remote.bandwidth_gbps,
                _or(device.host_latency_ns, costs.remote.latency_ns),
            )
        if topology.pool_of(agent).name == pool:
            return Path(
                device.memory_bandwidth_gbps or costs.local.bandwidth_gbps, costs.local.latency_ns
            )
        link = topology.link(agent, pool)
        return Path(
            link.bandwidth_gbps or costs.remote.bandwidth_gbps,
            _or(link.latency_ns, costs.remote.latency_ns),
        )

    def _pool_at(self, address: int) -> str:
        for pool in self.machine.pools:
            if pool.base <= address < pool.base + pool.size:
                return pool.name
        raise ValueError(f"address {address:#x} is in no pool of the machine")


def _or(value: float | None, default: float) -> float:
    return default if value is None else value
