"""One run of a simulated machine: its memory, devices and host, and what the run leaves behind."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from ..counters import Statistics
from ..errors import HalError, StatusCode
from ..events import EventGraph, EventKind
from ..machine import HOST, Machine
from ..memory import Memory
from .allocator import PoolAllocator
from .buffer import Buffer, BufferParams, Life, Storage
from .device import Device
from .frontier import NOTHING, Frontier
from .host import Host
from .options import Maintenance
from .policy import CacheMoves, Policy, make_policy
from .recorder import Footprint, Recorder, span_of
from .scheduler import Scheduler
from .script import Script


@dataclass(frozen=True, slots=True)
class SystemOptions:
    """How a run goes."""

    schedule: str = "fifo"
    """`fifo`, `random:SEED` or `adversarial:SEED`."""
    script: Script | None = None
    """What to follow instead of a schedule."""
    record: bool = True
    """Whether the event graph is recorded."""
    strict: bool = True
    """Whether a use of a buffer before its alloca or after its dealloca fails. If not, it touches
    the memory that is there, as hardware does; the checker judges either from the events."""
    maintenance: Mapping[str, Maintenance] = field(default_factory=dict[str, Maintenance])
    """By device how it does cache maintenance; `QUEUE` for those not named."""
    deferred: Collection[str] = ()
    """Devices that record again for each submission what they execute."""
    eviction: bool = True
    """Whether an adversarial schedule may evict lines."""
    prefetch: bool = True
    """Whether it may prefetch lines."""


class System:
    """A machine with everything on it. `host` acts for the host program, `devices` execute."""

    def __init__(self, machine: Machine, options: SystemOptions | None = None) -> None:
        options = options or SystemOptions()
        self.machine = machine
        self.memory = Memory(machine)
        agents = [agent for domain in machine.domains for agent in domain.agents]
        self.statistics = Statistics([HOST, *sorted(set(agents) - {HOST})])
        self.recorder = Recorder(options.record)
        policy: Policy
        self.adversary: CacheMoves | None
        if options.script is None:
            policy, self.adversary = make_policy(
                options.schedule,
                self.memory,
                eviction=options.eviction,
                prefetch=options.prefetch,
            )
        else:
            options.script.attach(self.memory)
            policy = self.adversary = options.script
        self.scheduler = Scheduler(self.recorder, policy, self.adversary)
        self.known: Frontier = NOTHING
        """Deallocations that the host knows to have happened."""
        self._allocators = {
            pool.name: PoolAllocator(pool, self.memory.line) for pool in machine.pools
        }
        self.strict = options.strict
        """See `SystemOptions`."""
        self._deallocas = 0
        self._submissions = 0
        self.host = Host(self)
        self.devices: dict[str, Device] = {
            agent: Device(
                self,
                agent,
                options.maintenance.get(agent, Maintenance.QUEUE),
                agent in options.deferred,
            )
            for agent in agents
            if agent != HOST
        }

    @property
    def graph(self) -> EventGraph:
        """The events so far."""
        return self.recorder.graph

    def device(self, name: str) -> Device:
        """The device with that name; NOT_FOUND for another."""
        if name not in self.devices:
            known = ", ".join(self.devices) or "none"
            raise HalError(
                StatusCode.NOT_FOUND, f"device {name} is not on the machine, which has {known}"
            )
        return self.devices[name]

    def next_submission(self) -> int:
        """The number of the next submission."""
        self._submissions += 1
        return self._submissions - 1

    def finish(self) -> None:
        """Execute what can be executed and end the run.

        Raises the error of the first submission that failed, or DeadlockError where one
        waits for a fence that nothing will signal.
        """
        while self.scheduler.step():
            pass
        self.scheduler.expect_idle()
        if self.scheduler.failures:
            raise self.scheduler.failures[0]
        if self.scheduler.blocked:
            raise self.scheduler.deadlock()

    # Storage. The host reserves and gives back addresses when it calls, and a storage lives from
    # the execution of its alloca to that of its dealloca.

    def reserve(
        self, agent: str, pool: str, size: int, params: BufferParams, known: Frontier
    ) -> Buffer:
        """Take `size` bytes of `pool` for `agent`, who knows the deallocations in `known`.

        NOT_FOUND for an unknown pool, RESOURCE_EXHAUSTED where it is full.
        """
        allocator = self._allocators.get(pool)
        if allocator is None:
            names = ", ".join(self._allocators) or "none"
            raise HalError(
                StatusCode.NOT_FOUND,
                f"pool {pool} is not on the machine, which has {names}",
                params.location,
            )
        try:
            grant = allocator.allocate(size, known)
        except HalError:
            # Deallocas that are still to be executed may free enough.
            self.scheduler.run(1 << 62)
            try:
                grant = allocator.allocate(size, known)
            except HalError as error:
                raise error.at(params.location) from None
        self.memory.pools[pool].reserve(grant.start + grant.reserved)
        storage = Storage(
            params=params,
            pool=pool,
            start=grant.start,
            size=size,
            reserved=grant.reserved,
            agent=agent,
            strict=self.strict,
            reuses=grant.reuses,
        )
        return Buffer(storage, 0, size)

    def release(self, storage: Storage, location: str) -> tuple[int, list[int]]:
        """Give back the memory of a storage from its dealloca on.

        Returns the number of the dealloca and where `end` leaves its event. FAILED_PRECONDITION
        where it was given back before, unless the run is not strict: then nothing more happens.
        """
        if storage.freeing and not storage.strict:
            self._deallocas += 1
            return self._deallocas - 1, []
        if storage.freeing:
            raise HalError(
                StatusCode.FAILED_PRECONDITION,
                f"{storage.describe()} is deallocated twice: use of deallocated buffer",
                location,
            )
        storage.freeing = True
        number = self._deallocas
        self._deallocas += 1
        allocator = self._allocators[storage.pool]
        allocator.settle(self.known)
        return number, allocator.free(storage.start, storage.reserved, number)

    def begin(self, storage: Storage, event: int) -> None:
        """The alloca of a storage executes, as `event`."""
        storage.life = Life.LIVE
        self.recorder.opened(storage, event)
        if storage.imported:
            self.statistics[storage.agent].imports += 1
        else:
            self.statistics.allocated(storage.agent, storage.size)

    def end(self, storage: Storage, event: int, done: list[int]) -> None:
        """The dealloca of a storage executes, as `event`: its contents are gone from memory.

        Dirty lines of it stay in the caches, and will be evicted over the next owner's data.
        """
        storage.check_live()
        if storage.life is Life.FREED:
            return
        storage.life = Life.FREED
        done.append(event)
        self.recorder.closed(storage, event)
        end = storage.start + storage.reserved
        self.memory.pools[storage.pool].poison(storage.start, end)
        if not storage.imported:
            self.statistics.freed(storage.agent, storage.size)

    def alloca_footprint(self, storage: Storage, borrowed: bool = False) -> Footprint:
        """The footprint of a storage's alloca; `borrowed` bytes must not be written."""
        return Footprint(
            EventKind.ALLOCA,
            writes=span_of(storage.start, storage.size),
            borrowed=borrowed,
            reuses=storage.reuses,
        )

    def dealloca_footprint(self, storage: Storage) -> Footprint:
        """The footprint of a storage's dealloca."""
        return Footprint(EventKind.DEALLOCA, writes=span_of(storage.start, storage.size))
