"""The machine that a topology describes."""

from ..dialects.topology import Topology
from ..dialects.topology import WriteBack as TopologyWriteBack
from .machine import HOST, Domain, Machine, Pool, WriteBack

POOL_BYTES = 1 << 36
"""Size of every pool; memory is taken from the simulating machine only as far as it is used."""

_POOL_STRIDE = 1 << 40


def machine_of(topology: Topology) -> Machine:
    """Agents, domains and pools of a topology; pools carry the names of `Topology.pools`."""
    domains = tuple(
        Domain(
            tuple(sorted(domain.agents)),
            domain.cache_line,
            WriteBack.LINE if domain.write_back is TopologyWriteBack.LINE else WriteBack.BYTES,
            any(
                device.whole_line_maintenance
                for device in topology.devices
                if device.name in domain.agents
            ),
        )
        for domain in topology.domains()
    )
    pools = tuple(
        Pool(pool.name, pool.owners[0], (index + 1) * _POOL_STRIDE, POOL_BYTES)
        for index, pool in enumerate(topology.pools())
    )
    agents = (HOST, *topology.device_names)
    in_place = {
        agent: frozenset(pool.name for pool in topology.in_place_reach(agent)) for agent in agents
    }
    by_copy = {
        agent: in_place[agent] | {pool.name for pool in topology.copy_reach(agent)}
        for agent in agents
    }
    by_import = {
        agent: frozenset(pool.name for pool in topology.import_reach(agent)) for agent in agents
    }
    return Machine(domains, pools, in_place, by_copy, by_import)
