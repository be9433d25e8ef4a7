"""The devices of a module, how they reach each other's memory, and who is coherent with whom.

Plain data and queries over `#hal.device.topology` (module attribute `stream.topology`) and
`zc.host`, the host's cache. Agents are named by strings: a device by its symbol without `@`, the
host by `HOST`.

* Reach. On a link (a -> b), `transparent_access` says that a reaches b's memory in place;
  `unified_memory` says that both pools are one. `buffer_read` and `buffer_write` refine this for
  reads and writes of a: `native` and `import` are in place, `copy` is by copy commands only,
  `none` is not at all. They default to `native` where the link gives access, else to `copy`.
* Pools. Every device owns one; pools joined by `unified_memory`, in either direction, are one,
  unless a mode of `copy` or `none` stands on a link between the two.
* Host. It reaches the pools of `host_visible` devices (default true: inputs are written and
  outputs read through a mapping of the device's memory).
* Coherence. Agents joined by `coherent` links, or to the host by `host_coherent`, transitively,
  are one domain with one cache.

Two symbols are two devices here, even where `#hal.device.fallback` makes them one at run time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from .hal.topology_attrs import DeviceTopologyAttr
from .topology_checks import check_links
from .topology_data import (
    HOST,
    TOPOLOGY,
    ZC_HOST,
    BufferMode,
    CoherenceDomain,
    DeviceProperties,
    HostProperties,
    Link,
    Maintenance,
    MemoryPool,
    WriteBack,
    coherent_pairs,
    groups,
    unified_pairs,
)
from .topology_reading import (
    device_names,
    host_properties,
    links_of,
    topology_attribute,
)

__all__ = [
    "HOST",
    "TOPOLOGY",
    "ZC_HOST",
    "BufferMode",
    "CoherenceDomain",
    "DeviceProperties",
    "HostProperties",
    "Link",
    "Maintenance",
    "MemoryPool",
    "Topology",
    "WriteBack",
    "verify_topology",
]


@dataclass(frozen=True)
class Topology:
    """Devices, their links and the host. Make one with `from_module` or `from_attribute`."""

    devices: tuple[DeviceProperties, ...]
    links: tuple[Link, ...] = ()
    """Links between different devices that the attribute states."""
    host: HostProperties = field(default_factory=HostProperties)

    @staticmethod
    def from_attribute(
        attribute: DeviceTopologyAttr | None,
        device_names: Iterable[str] = (),
        host: HostProperties | None = None,
    ) -> Topology:
        """The topology of `device_names` and of the devices that `attribute` names, in order."""
        links, described = links_of(attribute) if attribute is not None else ((), ())
        by_name = {device.name: device for device in described}
        names = dict.fromkeys(device_names)
        names.update(dict.fromkeys(by_name))
        names.update(dict.fromkeys(name for link in links for name in (link.source, link.target)))
        devices = tuple(by_name.get(name) or DeviceProperties(name) for name in names)
        return Topology(devices, links, host or HostProperties())

    @staticmethod
    def from_module(module: ModuleOp) -> Topology:
        """The topology of a module's devices.

        Devices are its globals of type `!hal.device`, in order, and those its links name.

        Raises:
            VerifyException: `stream.topology` or `zc.host` is malformed (see `verify_topology`).
        """
        return Topology.from_attribute(
            topology_attribute(module), device_names(module), host_properties(module)
        )

    # Lookup ------------------------------------------------------------------------------------

    @cached_property
    def _links(self) -> Mapping[tuple[str, str], Link]:
        return {(link.source, link.target): link for link in self.links}

    @cached_property
    def _devices(self) -> Mapping[str, DeviceProperties]:
        return {device.name: device for device in self.devices}

    @property
    def device_names(self) -> tuple[str, ...]:
        """All devices, in order."""
        return tuple(self._devices)

    @property
    def agents(self) -> tuple[str, ...]:
        """The host, then all devices in order."""
        return (HOST, *self._devices)

    def device(self, name: str) -> DeviceProperties:
        """The device `name`; KeyError for an unknown one."""
        return self._devices[name]

    def link(self, a: str, b: str) -> Link:
        """The link from device a to device b; without one, no access in place (IR-29).

        A device's link to itself is unified, transparent, coherent and native.
        """
        if a == b:
            return Link(a, a, unified_memory=True, transparent_access=True, coherent=True)
        return self._links.get((a, b)) or Link(a, b)

    # Reach -------------------------------------------------------------------------------------

    @cached_property
    def _pools(self) -> tuple[MemoryPool, ...]:
        return tuple(
            MemoryPool(owners) for owners in groups(self._devices, unified_pairs(self._links))
        )

    @cached_property
    def _pool_by_device(self) -> Mapping[str, MemoryPool]:
        return {owner: pool for pool in self._pools for owner in pool.owners}

    def pools(self) -> tuple[MemoryPool, ...]:
        """All memories, those of unified devices once, in order of their first device."""
        return self._pools

    def pool_of(self, device: str) -> MemoryPool:
        """The memory that `device` owns or shares; KeyError for an unknown device."""
        return self._pool_by_device[device]

    def _modes(self, agent: str, pool: MemoryPool) -> Iterator[tuple[BufferMode, BufferMode]]:
        """How `agent` reads and writes `pool`, once for each of its owners."""
        if agent == HOST:
            visible = any(self.device(owner).host_visible for owner in pool.owners)
            mode = BufferMode.NATIVE if visible else BufferMode.COPY
            yield mode, mode
        elif agent in pool.owners:
            yield BufferMode.NATIVE, BufferMode.NATIVE
        else:
            for owner in pool.owners:
                link = self.link(agent, owner)
                yield link.read_mode, link.write_mode

    def reads_in_place(self, agent: str, pool_owner: str) -> bool:
        """Whether kernels (or host loads) of `agent` read `pool_owner`'s memory where it is."""
        modes = self._modes(agent, self.pool_of(pool_owner))
        return any(read.in_place for read, _ in modes)

    def writes_in_place(self, agent: str, pool_owner: str) -> bool:
        """Whether kernels (or host stores) of `agent` write `pool_owner`'s memory where it is."""
        modes = self._modes(agent, self.pool_of(pool_owner))
        return any(write.in_place for _, write in modes)

    def reaches(self, agent: str, pool_owner: str) -> bool:
        """Whether `agent` reads and writes `pool_owner`'s memory in place."""
        return self.reads_in_place(agent, pool_owner) and self.writes_in_place(agent, pool_owner)

    def copies_from(self, agent: str, pool_owner: str) -> bool:
        """Whether copy commands of `agent` may read `pool_owner`'s memory."""
        modes = self._modes(agent, self.pool_of(pool_owner))
        return any(read is not BufferMode.NONE for read, _ in modes)

    def copies_to(self, agent: str, pool_owner: str) -> bool:
        """Whether copy and fill commands of `agent` may write `pool_owner`'s memory."""
        modes = self._modes(agent, self.pool_of(pool_owner))
        return any(write is not BufferMode.NONE for _, write in modes)

    def copy_reach(self, agent: str) -> tuple[MemoryPool, ...]:
        """The pools that copy commands of `agent` may both read and write."""
        return tuple(
            pool
            for pool in self._pools
            if self.copies_from(agent, pool.name) and self.copies_to(agent, pool.name)
        )

    def in_place_reach(self, agent: str) -> tuple[MemoryPool, ...]:
        """The pools that `agent` reads and writes in place."""
        return tuple(pool for pool in self._pools if self.reaches(agent, pool.name))

    def import_reach(self, agent: str) -> tuple[MemoryPool, ...]:
        """The pools that `agent` reaches in place by importing each buffer of them once (IR-25)."""
        native = (BufferMode.NATIVE, BufferMode.NATIVE)
        return tuple(
            pool for pool in self.in_place_reach(agent) if native not in self._modes(agent, pool)
        )

    def serving_pools(
        self, readers: Iterable[str], writers: Iterable[str]
    ) -> tuple[MemoryPool, ...]:
        """The pools that all `readers` read in place and all `writers` write in place.

        They need not belong to any of them. Empty when none does.
        """
        reading, writing = tuple(readers), tuple(writers)
        return tuple(
            pool
            for pool in self._pools
            if all(self.reads_in_place(agent, pool.name) for agent in reading)
            and all(self.writes_in_place(agent, pool.name) for agent in writing)
        )

    # Coherence ---------------------------------------------------------------------------------

    @cached_property
    def _domains(self) -> tuple[CoherenceDomain, ...]:
        members = groups(self.agents, coherent_pairs(self.devices, self.links))
        return tuple(self._domain(group) for group in members)

    def _domain(self, agents: tuple[str, ...]) -> CoherenceDomain:
        first = self.host if agents[0] == HOST else self.device(agents[0])
        return CoherenceDomain(agents, first.cache_line, first.write_back)

    @cached_property
    def _domain_by_agent(self) -> Mapping[str, CoherenceDomain]:
        return {agent: domain for domain in self._domains for agent in domain.agents}

    def domains(self) -> tuple[CoherenceDomain, ...]:
        """All coherence domains, the host's first."""
        return self._domains

    def domain_of(self, agent: str) -> CoherenceDomain:
        """The domain of `agent`; KeyError for an unknown one."""
        return self._domain_by_agent[agent]

    def coherent(self, a: str, b: str) -> bool:
        """Whether agents a and b share one cache, so that no maintenance is due between them."""
        return self.domain_of(a) is self.domain_of(b)

    def cache_line(self, agent: str) -> int:
        """Line size in bytes of the domain of `agent`."""
        return self.domain_of(agent).cache_line


def verify_topology(module: ModuleOp) -> None:
    """Check what needs a module's symbols: `zc.host`, and that links name its devices.

    A module without globals of type `!hal.device` may carry any topology (a topology file).

    Raises:
        VerifyException: an unknown device, a malformed `stream.topology` or `zc.host`, a
            `host_coherent` device whose cache differs from the host's.
    """
    attribute = topology_attribute(module)
    host = host_properties(module)
    if attribute is None:
        return
    check_links(*links_of(attribute), host)
    known = device_names(module)
    if not known:
        return
    for link in attribute.links:
        for name in (link.source_name, link.target_name):
            if name not in known:
                listed = ", ".join(f"@{device}" for device in known)
                raise VerifyException(
                    f"link (@{link.source_name} -> @{link.target_name}) names the unknown device "
                    f"@{name}; the module declares {listed}"
                )
