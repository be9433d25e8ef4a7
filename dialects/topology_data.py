"""Links, devices, pools and coherence domains as plain data; `topology` has the queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

HOST = "host"
"""The agent that runs the host program."""

TOPOLOGY = "stream.topology"
"""The module attribute that carries the links."""

ZC_HOST = "zc.host"
"""The module attribute that describes the host's cache."""

DEFAULT_CACHE_LINE = 64
"""Bytes."""


class BufferMode(StrEnum):
    """How an agent reads or writes buffers in another's memory."""

    NATIVE = "native"
    IMPORT = "import"
    COPY = "copy"
    NONE = "none"

    @property
    def in_place(self) -> bool:
        """Whether kernels access the buffer where it is (an import costs once, at set-up)."""
        return self in (BufferMode.NATIVE, BufferMode.IMPORT)


class WriteBack(StrEnum):
    """What the write-back of a dirty cache line stores."""

    BYTES = "bytes"
    LINE = "line"


class Maintenance(StrEnum):
    """How a device's cache maintenance is executed (IR-34)."""

    QUEUE = "queue"
    HOST = "host"
    SPLIT = "split"


@dataclass(frozen=True, slots=True)
class Link:
    """What one device knows of another's memory; the default is no access in place."""

    source: str
    target: str
    unified_memory: bool = False
    transparent_access: bool = False
    coherent: bool | None = None
    """Hardware keeps both caches coherent; None when the link does not say."""
    bandwidth_gbps: float | None = None
    """10^9 bytes per second."""
    latency_ns: float | None = None
    buffer_read: BufferMode | None = None
    """As stated; `read_mode` has the default."""
    buffer_write: BufferMode | None = None
    """As stated; `write_mode` has the default."""

    def __str__(self) -> str:
        return f"(@{self.source} -> @{self.target})"

    @property
    def read_mode(self) -> BufferMode:
        """How the source reads the target's memory."""
        return self.buffer_read or self._default_mode

    @property
    def write_mode(self) -> BufferMode:
        """How the source writes the target's memory."""
        return self.buffer_write or self._default_mode

    @property
    def _default_mode(self) -> BufferMode:
        access = self.unified_memory or self.transparent_access
        return BufferMode.NATIVE if access else BufferMode.COPY

    @property
    def forbids_in_place(self) -> bool:
        """Whether a stated mode asks for copies or forbids access."""
        stated = (self.buffer_read, self.buffer_write)
        return any(mode is not None and not mode.in_place for mode in stated)


@dataclass(frozen=True, slots=True)
class DeviceProperties:
    """What a device's self-link says."""

    name: str
    host_coherent: bool = False
    host_visible: bool = True
    cache_line: int = DEFAULT_CACHE_LINE
    """Bytes."""
    write_back: WriteBack = WriteBack.BYTES
    maintenance: Maintenance = Maintenance.QUEUE
    whole_line_maintenance: bool = False
    """Its cache refuses to maintain parts of lines, instead of taking the lines."""
    deferred_recording: bool = False
    """Commands are kept when they are recorded, and given to the device at each submission."""
    memcpy_zero_copy: bool = True
    host_register_mapped: bool = True
    host_register_pageable: bool = True
    pageable_async: bool = True
    address_reach: int | None = None
    """The device reaches addresses below it (bytes); None for all."""
    memory_bandwidth_gbps: float | None = None
    """Of its own memory: 10^9 bytes per second."""
    host_bandwidth_gbps: float | None = None
    """Of its way to host memory: 10^9 bytes per second."""
    host_latency_ns: float | None = None
    """Of its way to host memory."""


@dataclass(frozen=True, slots=True)
class HostProperties:
    """What `zc.host` says."""

    cache_line: int = DEFAULT_CACHE_LINE
    """Bytes."""
    write_back: WriteBack = WriteBack.BYTES


@dataclass(frozen=True, slots=True)
class MemoryPool:
    """Memory that one device owns, or several with unified memory."""

    owners: tuple[str, ...]
    """In the topology's order of devices."""

    @property
    def name(self) -> str:
        """The first owner's."""
        return self.owners[0]


@dataclass(frozen=True, slots=True)
class CoherenceDomain:
    """Agents that share one cache."""

    agents: tuple[str, ...]
    """The host first, then in the topology's order of devices."""
    cache_line: int
    """Bytes."""
    write_back: WriteBack


def groups(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """The connected components of `names` under `pairs`, in order of their first name."""
    parent = {name: name for name in names}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for a, b in pairs:
        parent[root(a)] = root(b)
    members: dict[str, list[str]] = {}
    for name in parent:
        members.setdefault(root(name), []).append(name)
    return tuple(tuple(group) for group in members.values())


def unified_pairs(links: Mapping[tuple[str, str], Link]) -> Iterator[tuple[str, str]]:
    """The pairs of devices whose pools are one."""
    for (a, b), link in links.items():
        back = links.get((b, a))
        forbidden = link.forbids_in_place or (back is not None and back.forbids_in_place)
        if link.unified_memory and not forbidden:
            yield a, b


def coherent_pairs(
    devices: Iterable[DeviceProperties], links: Iterable[Link]
) -> Iterator[tuple[str, str]]:
    """The pairs of agents that hardware keeps coherent."""
    for link in links:
        if link.coherent:
            yield link.source, link.target
    for device in devices:
        if device.host_coherent:
            yield HOST, device.name
