"""Witnesses, step by step on the simulated memory: it reads the same wrong value."""

import numpy as np
import pytest
from random_programs import random_program
from zcir.runtime.cache import Cache
from zcir.runtime.events import EventGraph, EventKind
from zcir.runtime.explorer import INITIAL, Action, ExploreOptions, WitnessStep, explore
from zcir.runtime.machine import Machine
from zcir.runtime.memory import Memory


class Replay:
    """The simulated memory; the value of a byte is the id of the event that wrote it."""

    def __init__(self, graph: EventGraph, machine: Machine) -> None:
        self.graph = graph
        self.machine = machine
        memory = Memory(machine)
        pool = memory.pools["shared"]
        pool.reserve(4096)
        self.caches = {cache.domain: cache for cache in memory.caches}
        self.initial = int(pool.data[0])

    def value(self, write: int) -> int:
        """The byte that stands for a write."""
        return self.initial if write == INITIAL else write

    def run(self, step: WitnessStep) -> None:
        """One step; a read must give what the witness says."""
        cache = self.caches[self.machine.domain_of(step.agent)]
        start, end = step.span.start, step.span.end
        if step.action is not Action.RUN:
            line = cache.span(start, end)[0]
            change = cache.evict if step.action is Action.EVICT else cache.prefetch
            change(np.array([line]))
        elif step.read is not None:
            assert cache.load(start, start + 1)[0] == self.value(step.read.write)
        else:
            self._act(cache, step)

    def _act(self, cache: Cache, step: WitnessStep) -> None:
        event = self.graph.events[step.event]
        start, end = step.span.start, step.span.end
        if event.kind is EventKind.ACCESS:
            assert not event.flushed
            cache.store(start, end, np.full(end - start, event.id, np.uint8))
        elif event.kind is EventKind.FLUSH:
            cache.flush(start, end)
        else:
            cache.invalidate(start, end)


@pytest.mark.parametrize("memory", ["bytes", "line", "mixed"])
def test_witnesses_read_the_same_wrong_value_on_simulated_memory(memory: str) -> None:
    replayed = 0
    for seed in range(1, 120, 2):
        graph, machine = random_program(seed, memory)
        witness = explore(graph, machine, ExploreOptions(outcomes=False)).witness
        if not witness or any(event.flushed for event in graph.events):
            continue
        replay = Replay(graph, machine)
        for step in witness:
            replay.run(step)
        last = witness[-1]
        assert last.read is not None
        assert last.read.write != last.expected
        replayed += 1
    assert replayed > 15
