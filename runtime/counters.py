"""What a run counts, per agent and in total (IR-61)."""

from collections.abc import Iterable
from dataclasses import dataclass, fields


@dataclass(slots=True)
class Counters:
    """Counts of one agent. Only what was executed counts; recording counts as `recordings`."""

    copy_cmds: int = 0
    """Copy commands executed, from a queue or a command buffer."""
    copy_bytes: int = 0
    fills: int = 0
    """Fill commands executed."""
    updates: int = 0
    """Update commands executed."""
    file_bytes: int = 0
    """Bytes that queue operations read from files or wrote to them."""
    dispatches: int = 0
    workgroups: int = 0
    """Workgroups of the dispatches executed; 1 each where code generation would choose."""
    collectives: int = 0
    """Collective commands executed."""
    flush_cmds: int = 0
    flush_bytes: int = 0
    """Bytes of all lines that flushes covered, dirty or not (IR-53)."""
    invalidate_cmds: int = 0
    invalidate_bytes: int = 0
    """Bytes of all lines that invalidates dropped."""
    discard_cmds: int = 0
    maintenance_skipped: int = 0
    """Maintenance not executed since no other domain reaches the memory (IR-28)."""
    allocs: int = 0
    """Allocations made; imports are not among them."""
    alloc_bytes: int = 0
    peak_bytes: int = 0
    """Most bytes allocated at one time, imports left out."""
    imports: int = 0
    submits: int = 0
    """Submissions of commands accepted by the device's queue; allocations are `allocs` (IR-41)."""
    recordings: int = 0
    """Command buffers recorded to the end."""
    slots_refreshed: int = 0
    """References of commands to a binding slot whose address differs from the execution before;
    at the first execution, all of them (GE-43)."""
    waits: int = 0
    """Submissions that wait for others, directly or through allocations; not for storage alone."""
    host_blocks: int = 0
    """Times the host waited for a fence that was not null."""
    fallbacks: int = 0
    """Zero-copy I/O that fell back to a copy or an allocation (counted by the host API)."""

    def as_dict(self) -> dict[str, int]:
        """All counters by name, in the order of their declaration."""
        return {name: getattr(self, name) for name in COUNTER_NAMES}


COUNTER_NAMES: tuple[str, ...] = tuple(field.name for field in fields(Counters))
"""Names of all counters in the order of their declaration."""


class Statistics:
    """Counters of each agent of a machine, and their sums."""

    def __init__(self, agents: Iterable[str]) -> None:
        self.agents: dict[str, Counters] = {agent: Counters() for agent in agents}
        self._live: dict[str, int] = dict.fromkeys(self.agents, 0)
        self._peak = 0

    def __getitem__(self, agent: str) -> Counters:
        return self.agents[agent]

    def allocated(self, agent: str, size: int) -> None:
        """Count an allocation of `size` bytes that `agent` made."""
        counters = self.agents[agent]
        counters.allocs += 1
        counters.alloc_bytes += size
        self._live[agent] += size
        counters.peak_bytes = max(counters.peak_bytes, self._live[agent])
        self._peak = max(self._peak, sum(self._live.values()))

    def freed(self, agent: str, size: int) -> None:
        """Count the end of an allocation of `size` bytes that `agent` made."""
        self._live[agent] -= size

    @property
    def total(self) -> Counters:
        """Sums over all agents; `peak_bytes` is the peak of the sum, not the sum of peaks."""
        total = Counters()
        for counters in self.agents.values():
            for name in COUNTER_NAMES:
                setattr(total, name, getattr(total, name) + getattr(counters, name))
        total.peak_bytes = self._peak
        return total

    def as_dict(self) -> dict[str, dict[str, int]]:
        """Counters by agent name, and those of `total`."""
        result = {agent: counters.as_dict() for agent, counters in self.agents.items()}
        result["total"] = self.total.as_dict()
        return result
