"""Whether a machine keeps what a program was compiled for (IR-27).

A program that relies on more than the machine gives, a coherent link or a shared pool, would
read wrong bytes; it is refused. One that relies on less runs, and its maintenance is skipped.
"""

from collections.abc import Iterator

from ..dialects.topology import HOST, Topology, WriteBack


def broken_assumptions(program: Topology, machine: Topology) -> list[str]:
    """What `program` assumes and `machine` does not give, as sentences; empty when it fits."""
    missing = [name for name in program.device_names if name not in machine.device_names]
    if missing:
        return [f"module names the device @{name}, which the machine lacks" for name in missing]
    return [*_reach(program, machine), *_coherence(program, machine), *_caches(program, machine)]


def _reach(program: Topology, machine: Topology) -> Iterator[str]:
    for agent in program.agents:
        for device in program.device_names:
            if program.reaches(agent, device) and not machine.reaches(agent, device):
                yield (
                    f"module assumes that {_name(agent)} reaches the memory of @{device} in place "
                    "but the machine has no such access"
                )


def _coherence(program: Topology, machine: Topology) -> Iterator[str]:
    agents = program.agents
    for position, first in enumerate(agents):
        for second in agents[position + 1 :]:
            if program.coherent(first, second) and not machine.coherent(first, second):
                yield (
                    f"module assumes coherent link {_name(first)}->{_name(second)} but runtime "
                    "reports non-coherent"
                )


def _caches(program: Topology, machine: Topology) -> Iterator[str]:
    """Padding and flushes were made for certain lines; where nothing is stale they do not count."""
    if len(machine.domains()) == 1:
        return
    for agent in program.agents:
        assumed, real = program.domain_of(agent), machine.domain_of(agent)
        if real.cache_line > assumed.cache_line:
            yield (
                f"module assumes cache lines of {assumed.cache_line} bytes on {_name(agent)} but "
                f"the machine has {real.cache_line}"
            )
        if real.write_back is WriteBack.LINE and assumed.write_back is not WriteBack.LINE:
            yield (
                f"module assumes that {_name(agent)} writes back dirty bytes but the machine "
                "writes back whole lines"
            )


def _name(agent: str) -> str:
    return "the host" if agent == HOST else f"@{agent}"
