"""Every report about values of a random program has a witness at its bytes."""

import pytest
from random_programs import random_program
from zcir.runtime.checker import Rule, check
from zcir.runtime.witness import OF_VALUES, witness_of


def _witnesses(memory: str, seeds: range) -> tuple[int, int]:
    """Reports with a witness, and how many of these execute every event at once."""
    found = exact = 0
    for seed in seeds:
        graph, machine = random_program(seed, memory)
        for report in check(graph, machine).reports:
            if report.rule not in OF_VALUES - {Rule.RACE}:
                continue
            witness = witness_of(report, graph, machine)
            assert witness is not None, (memory, seed, report.message)
            span = report.spans[0]
            assert witness.span.start < witness.line.end
            assert witness.line.start <= span.start < witness.line.end
            assert witness.steps[-1].read is not None
            found += 1
            exact += witness.exact
    return found, exact


@pytest.mark.parametrize("memory", ["bytes", "line", "mixed"])
def test_reports_have_witnesses(memory: str) -> None:
    found, exact = _witnesses(memory, range(1, 201, 2))
    print(memory, found, exact)
    assert found >= 20


@pytest.mark.deep
@pytest.mark.parametrize("memory", ["bytes", "line", "mixed"])
def test_many_reports_have_witnesses(memory: str) -> None:
    found, exact = _witnesses(memory, range(81, 4_001, 2))
    print(memory, found, exact)
    assert exact > found * 0.95
