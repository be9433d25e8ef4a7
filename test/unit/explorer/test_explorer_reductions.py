"""Each reduction leaves the outcomes, and the length of the shortest witness, as they are."""

import random
from itertools import product

import pytest
from random_programs import random_program
from zcir.runtime.event_builder import GraphBuilder, mixed_memory
from zcir.runtime.events import EventGraph
from zcir.runtime.explorer import ExploreOptions, TooManyStatesError, explore
from zcir.runtime.machine import Machine, WriteBack


def _racing_program(seed: int) -> tuple[EventGraph, Machine]:
    """Four or five events on two lines in a random order: races give many outcomes."""
    rng = random.Random(seed)
    mode = rng.choice(list(WriteBack))
    machine = mixed_memory((("a",), 2, mode), (("b",), rng.choice([1, 2]), mode))
    graph = GraphBuilder()
    graph.alloca("a", "%x", 0, 4)
    for index in range(1, rng.choice([5, 6])):
        after = {0} | {before for before in range(1, index) if rng.random() < 0.3}
        start = rng.randrange(4)
        span = (start, rng.randint(start + 1, 4))
        agent = rng.choice("ab")
        kind = rng.random()
        if kind < 0.35:
            graph.access(agent, writes=[span], after=after)
        elif kind < 0.75:
            graph.access(agent, reads=[span], after=after)
        elif kind < 0.9:
            graph.flush(agent, span, after=after)
        else:
            graph.invalidate(agent, span, after=after)
    return graph.graph, machine


def compare(graph: EventGraph, machine: Machine, limit: int) -> int:
    """Explore with each combination of switches; how many were not too large."""
    reduced = explore(graph, machine)
    done = 0
    for independent, telling in product((True, False), repeat=2):
        options = ExploreOptions(independent, telling, max_states=limit)
        try:
            full = explore(graph, machine, options)
        except TooManyStatesError:
            continue
        done += 1
        assert full.outcomes == reduced.outcomes
        assert full.wrong_values == reduced.wrong_values
        if independent:
            assert len(full.witness) == len(reduced.witness)
            assert full.executions >= reduced.executions
    return done


def test_outcomes_of_racing_programs_do_not_depend_on_the_reductions() -> None:
    assert sum(compare(*_racing_program(seed), limit=600) for seed in range(30)) > 75


@pytest.mark.deep
def test_many_outcomes_do_not_depend_on_the_reductions() -> None:
    done = sum(compare(*_racing_program(seed), limit=20_000) for seed in range(60, 600))
    for memory in ("bytes", "line", "mixed"):
        done += sum(compare(*random_program(seed, memory), limit=5_000) for seed in range(150))
    assert done > 2000
