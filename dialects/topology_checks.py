"""Contradictions between the links of one topology."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.utils.exceptions import VerifyException

from .topology_data import (
    DEFAULT_CACHE_LINE,
    HOST,
    ZC_HOST,
    DeviceProperties,
    HostProperties,
    Link,
    WriteBack,
    coherent_pairs,
    groups,
    unified_pairs,
)


def check_links(
    links: tuple[Link, ...],
    devices: tuple[DeviceProperties, ...],
    host: HostProperties | None = None,
) -> None:
    """Check links against each other, and the host's domain against `host` where given.

    Raises:
        VerifyException: duplicate links, a `coherent` that stands one way only or that a link
            of the same domain denies, devices of one domain with different caches, a copy mode
            between devices whose pools are one; the message names the links.
    """
    by_ends = _check_duplicates(links, devices)
    _check_coherence(links, devices, by_ends)
    _check_domains(links, devices, host)
    _check_pools(links, by_ends)


def _check_duplicates(
    links: tuple[Link, ...], devices: tuple[DeviceProperties, ...]
) -> Mapping[tuple[str, str], Link]:
    by_ends: dict[tuple[str, str], Link] = {}
    self_links = [Link(device.name, device.name) for device in devices]
    for link in (*links, *self_links):
        if (link.source, link.target) in by_ends:
            raise VerifyException(f"duplicate link {link}; merge its properties into one")
        by_ends[link.source, link.target] = link
    return by_ends


def _path(a: str, b: str, pairs: Iterable[tuple[str, str]]) -> str:
    """How a and b are joined by `pairs`, as text."""
    neighbours: dict[str, list[str]] = {}
    for x, y in pairs:
        neighbours.setdefault(x, []).append(y)
        neighbours.setdefault(y, []).append(x)
    before: dict[str, str] = {a: a}
    queue = [a]
    for agent in queue:
        for neighbour in neighbours.get(agent, ()):
            if neighbour not in before:
                before[neighbour] = agent
                queue.append(neighbour)
    steps = [b]
    while steps[-1] != a:
        steps.append(before[steps[-1]])
    return " - ".join(agent if agent == HOST else f"@{agent}" for agent in reversed(steps))


def _check_coherence(
    links: tuple[Link, ...],
    devices: tuple[DeviceProperties, ...],
    by_ends: Mapping[tuple[str, str], Link],
) -> None:
    for link in links:
        back = by_ends.get((link.target, link.source)) or Link(link.target, link.source)
        if link.coherent and not back.coherent:
            raise VerifyException(
                f"link {link} says coherent = true but {back} does not; say it on both"
            )
    pairs = tuple(coherent_pairs(devices, links))
    names = dict.fromkeys(agent for pair in pairs for agent in pair)
    domain = {name: index for index, group in enumerate(groups(names, pairs)) for name in group}
    for link in links:
        if link.coherent is not False or link.source not in domain:
            continue
        if domain[link.source] == domain.get(link.target):
            raise VerifyException(
                f"link {link} says coherent = false, but both are coherent through "
                f"{_path(link.source, link.target, pairs)}"
            )


def _check_domains(
    links: tuple[Link, ...],
    devices: tuple[DeviceProperties, ...],
    host: HostProperties | None,
) -> None:
    caches = {device.name: (device.cache_line, device.write_back) for device in devices}
    default = (DEFAULT_CACHE_LINE, WriteBack.BYTES)
    pairs = tuple(coherent_pairs(devices, links))
    names = dict.fromkeys(agent for pair in pairs for agent in pair)
    for group in groups(names, pairs):
        known = [(agent, caches.get(agent, default)) for agent in group if agent != HOST]
        if HOST in group and host is not None:
            known.insert(0, (ZC_HOST, (host.cache_line, host.write_back)))
        first, wanted = known[0]
        for agent, cache in known[1:]:
            for key, mine, theirs in zip(("cache_line", "write_back"), wanted, cache, strict=True):
                if mine != theirs:
                    shown = first if first == ZC_HOST else f"@{first}"
                    raise VerifyException(
                        f"{shown} and @{agent} are in one coherence domain but have {key} "
                        f"{mine} and {theirs}; they share one cache: give them one value"
                    )


def _check_pools(links: tuple[Link, ...], by_ends: Mapping[tuple[str, str], Link]) -> None:
    names = dict.fromkeys(name for link in links for name in (link.source, link.target))
    pool = {
        name: index
        for index, group in enumerate(groups(names, unified_pairs(by_ends)))
        for name in group
    }
    for link in links:
        if link.forbids_in_place and pool[link.source] == pool[link.target]:
            raise VerifyException(
                f"link {link} asks for copies, but both share one pool through unified_memory: "
                f"{_path(link.source, link.target, unified_pairs(by_ends))}"
            )
