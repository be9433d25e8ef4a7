"""The machine that a program runs on, as plain data: agents, coherence domains, pools, reach.

`zcir.runtime.load` derives it from a module's `#hal.device.topology`; the memory simulator,
the checker and the explorer read it and nothing else of the topology.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

HOST = "host"
"""The agent that runs the host program. Device agents carry their symbol's name."""


class WriteBack(StrEnum):
    """What a write-back of a dirty line stores."""

    BYTES = "bytes"
    """The dirty bytes only."""
    LINE = "line"
    """The whole line, stale neighbours included."""


@dataclass(frozen=True, slots=True)
class Domain:
    """A coherence domain: agents that share one private write-back, write-allocate cache."""

    agents: tuple[str, ...]
    """Its agents, sorted by name."""
    cache_line: int = 64
    """Line size in bytes, a power of two."""
    write_back: WriteBack = WriteBack.BYTES
    whole_lines_only: bool = False
    """Maintenance of parts of lines is refused, instead of taking the lines."""


@dataclass(frozen=True, slots=True)
class Pool:
    """A range of the flat byte-address space that one owner's allocations come from."""

    name: str
    owner: str
    """The agent whose memory it is."""
    base: int
    """First byte address; a multiple of 4096."""
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Agents, domains and pools. Addresses are flat: no two pools overlap."""

    domains: tuple[Domain, ...]
    pools: tuple[Pool, ...]
    in_place: Mapping[str, frozenset[str]]
    """Agent to names of the pools that its kernels and loads reach in place."""
    by_copy: Mapping[str, frozenset[str]]
    """Agent to names of the pools that its copy and fill commands reach (a superset)."""
    by_import: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Agent to names of the pools of which its kernels reach a buffer once it is imported: some of
    those reached in place (IR-25)."""

    def domain_of(self, agent: str) -> int:
        """The index in `domains` of the domain of `agent`; KeyError for an unknown agent."""
        for index, domain in enumerate(self.domains):
            if agent in domain.agents:
                return index
        raise KeyError(agent)

    def reaching_domains(self, pool: str) -> tuple[int, ...]:
        """The domains with an agent that reaches `pool` in place or by copy, ascending.

        Where it is one domain, no other can see a stale byte of the pool: maintenance on it has
        no effect and the runtime skips it (IR-28).
        """
        return tuple(
            index
            for index, domain in enumerate(self.domains)
            if any(
                pool in self.in_place.get(agent, ()) or pool in self.by_copy.get(agent, ())
                for agent in domain.agents
            )
        )
