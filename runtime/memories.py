"""Memory systems by name: `--memory=coherent|noncoherent|discrete`."""

from dataclasses import replace
from itertools import permutations

from ..dialects.topology import Link, Topology

MEMORIES = ("module", "coherent", "noncoherent", "discrete")
"""The names that `memory_topology` takes; anything else a tool takes for a topology file."""


def memory_topology(name: str, program: Topology) -> Topology:
    """The topology of a machine with the devices, lines and write-back modes of `program`.

    module: as the program says. coherent: one memory and one coherence domain for all, the host
    included. noncoherent: one memory, a private cache for each device and for the host.
    discrete: a memory for each device, reached from outside by copies only.

    Raises:
        KeyError: for any other name.
    """
    match name:
        case "module":
            return program
        case "coherent":
            devices = tuple(replace(device, host_coherent=True) for device in program.devices)
            return replace(program, devices=devices, links=_links(program, coherent=True))
        case "noncoherent":
            devices = tuple(replace(device, host_coherent=False) for device in program.devices)
            return replace(program, devices=devices, links=_links(program, coherent=False))
        case "discrete":
            devices = tuple(replace(device, host_coherent=False) for device in program.devices)
            return replace(program, devices=devices, links=())
        case _:
            raise KeyError(name)


def _links(program: Topology, *, coherent: bool) -> tuple[Link, ...]:
    return tuple(
        Link(a, b, unified_memory=True, transparent_access=True, coherent=coherent)
        for a, b in permutations(program.device_names, 2)
    )
