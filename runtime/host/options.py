"""The machine that a host program runs on, and how the simulation goes."""

from dataclasses import dataclass, field, replace

from ...dialects.topology import HOST, DeviceProperties, Link, Topology
from ..costs import Costs
from ..machine import Machine, Pool
from ..machine_model import machine_of

HOST_POOL = "host"
"""The pool of host memory; the others carry the names of devices."""

_STRIDE = 1 << 40


def one_device(name: str = "npu", **properties: object) -> Topology:
    """A host and one device; `properties` are those of `DeviceProperties`."""
    return Topology((replace(DeviceProperties(name), **properties),))  # pyright: ignore[reportArgumentType]


def peer_devices(*names: str, linked: bool = True, **properties: object) -> Topology:
    """A host and devices with a memory each; copy commands of linked ones reach their peers."""
    devices = tuple(
        replace(DeviceProperties(name), **properties)  # pyright: ignore[reportArgumentType]
        for name in names
    )
    pairs = [(a, b) for a in names for b in names if a != b] if linked else []
    return Topology(devices, tuple(Link(a, b) for a, b in pairs))


@dataclass(frozen=True, slots=True)
class HostOptions:
    """All that a `Runtime` is made from."""

    topology: Topology = field(default_factory=one_device)
    """Devices in the order of their ids. A `host_coherent` device shares the host's cache."""
    soc: tuple[str, ...] = ("Ascend910B3",)
    """Product names by device id; the last one stands for all further devices."""
    schedule: str = "deferred"
    """`deferred`: tasks execute in the order of submission, once the host waits for them; or
    `fifo`, `random:SEED`, `adversarial:SEED`."""
    heap_bytes: int = 1 << 34
    """Size of each device's memory."""
    host_bytes: int = 1 << 36
    """Size of the memory that page-locked allocations come from."""
    costs: Costs = field(default_factory=Costs)
    """Simulated time of what the topology's bandwidths and latencies leave open."""
    maintenance: bool = True
    """Whether the runtime flushes and invalidates where memory is not coherent. Without, programs
    read wrong bytes there: a test oracle (ZC-43)."""
    strict_base: bool = False
    """Whether device pointers are given for the base of a registration alone (ZC-21)."""
    strict_capture: bool = False
    """Whether capture takes memory from `malloc_host` alone (CP-20)."""
    pageable_async: bool = True
    """Whether asynchronous copies take pageable memory (CP-12)."""
    batch_copies: bool = True
    """Whether the product has the batch copies, which are on trial (CP-50)."""
    hazards_are_errors: bool = False
    """Whether a host access of bytes that a task in flight still uses raises HostError."""
    assert_zero_copy: bool = False
    """Whether synchronizing fails once a copy command has executed (ZC-01)."""

    def soc_of(self, device: int) -> str:
        """The product name of a device."""
        return self.soc[min(device, len(self.soc) - 1)]


def host_machine(options: HostOptions) -> Machine:
    """The machine: that of the topology, with a pool of host memory.

    The host works in its own memory and reaches a device's by that device's commands alone. A
    device's commands reach host memory; its kernels do where it can map it (ZC-42).
    """
    topology = options.topology
    machine = machine_of(topology)
    owned = tuple(replace(pool, size=options.heap_bytes) for pool in machine.pools)
    base = (len(owned) + 1) * _STRIDE
    pools = (*owned, Pool(HOST_POOL, HOST, base, options.host_bytes))
    own = frozenset((HOST_POOL,))
    in_place: dict[str, frozenset[str]] = {HOST: own}
    by_copy: dict[str, frozenset[str]] = {HOST: own}
    for device in topology.devices:
        mapped = own if device.host_register_mapped else frozenset[str]()
        in_place[device.name] = machine.in_place[device.name] | mapped
        by_copy[device.name] = machine.by_copy[device.name] | own
    return Machine(machine.domains, pools, in_place, by_copy, machine.by_import)
