"""Single properties of a machine, changed each by itself: lines, write-back, coherence, moves.

What the caches may do by themselves, evict and prefetch, can be switched off, too; the checker
judges machines that do both.
"""

from dataclasses import dataclass, replace

from xdsl.utils.exceptions import VerifyException

from ..dialects.hal.link_properties import CACHE_LINE, LARGEST_CACHE_LINE
from ..dialects.topology import HostProperties, Link, Topology, WriteBack
from ..dialects.topology_checks import check_links
from .element_types import InputError


@dataclass(frozen=True, slots=True)
class Switches:
    """Changes to a machine; None leaves a property as it is."""

    cache_line: int | None = None
    """Bytes, of all caches."""
    write_back: WriteBack | None = None
    """Of all caches."""
    coherence: bool | None = None
    """Whether all devices keep their caches coherent with each other."""
    host_coherence: bool | None = None
    """Whether all devices share the host's cache."""
    eviction: bool = True
    """Whether caches evict lines by themselves."""
    prefetch: bool = True
    """Whether caches fetch lines by themselves."""


AS_IT_IS = Switches()
"""Changes nothing."""


def switched(topology: Topology, switches: Switches) -> Topology:
    """`topology` with the properties that `switches` names.

    Raises:
        InputError: a line size that no cache has, or devices that share one cache by one switch
            and do not by another.
    """
    line, write_back = switches.cache_line, switches.write_back
    if line is not None and not (0 < line <= LARGEST_CACHE_LINE and line & (line - 1) == 0):
        raise InputError(f"expected {CACHE_LINE} for the cache line, got {line}")
    devices = topology.devices
    host = topology.host
    if line is not None:
        devices = tuple(replace(device, cache_line=line) for device in devices)
        host = HostProperties(line, host.write_back)
    if write_back is not None:
        devices = tuple(replace(device, write_back=write_back) for device in devices)
        host = HostProperties(host.cache_line, write_back)
    if switches.host_coherence is not None:
        shares = switches.host_coherence
        devices = tuple(replace(device, host_coherent=shares) for device in devices)
    links = topology.links
    if switches.coherence is not None:
        links = _links(topology, switches.coherence)
    try:
        check_links(links, devices, host)
    except VerifyException as error:
        raise InputError(f"the switches of the machine do not go together: {error}") from error
    return Topology(devices, links, host)


def _links(topology: Topology, coherent: bool) -> tuple[Link, ...]:
    """The links, and those back where coherence has to stand both ways."""
    links = {(link.source, link.target): link for link in topology.links}
    if coherent:
        names = topology.device_names
        for ends in ((a, b) for a in names for b in names if a != b):
            links.setdefault(ends, Link(*ends))
    return tuple(replace(link, coherent=coherent) for link in links.values())
