"""The checker says that a program is right if and only if no execution reads a wrong value."""

from collections import Counter

import pytest
from random_programs import random_program
from zcir.runtime.checker import Rule, check
from zcir.runtime.explorer import ExploreOptions, explore

JUDGED = {Rule.STALE, Rule.LOST, Rule.CLOBBER, Rule.FALSE_SHARING}
"""Rules that say which value is read. Uninitialized reads are none of the explorer's business."""

DECIDE = ExploreOptions(outcomes=False)


def agree(memory: str, seeds: range) -> Counter[str]:
    """Judge programs both ways; how many were right and how many broke each rule."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        graph, machine = random_program(seed, memory)
        rules = {report.rule for report in check(graph, machine).reports} & JUDGED
        result = explore(graph, machine, DECIDE)
        assert result.wrong_values == bool(rules), (memory, seed, rules)
        counts["wrong" if rules else "right"] += 1
        counts.update(rule.value for rule in rules)
    return counts


@pytest.mark.parametrize("memory", ["bytes", "line", "mixed"])
def test_checker_and_explorer_agree(memory: str) -> None:
    counts = agree(memory, range(170))
    print(memory, dict(sorted(counts.items())))
    assert min(counts["right"], counts["wrong"]) > 50


@pytest.mark.deep
@pytest.mark.parametrize("memory", ["bytes", "line", "mixed"])
def test_checker_and_explorer_agree_on_many(memory: str) -> None:
    counts = agree(memory, range(170, 10_170))
    print(memory, dict(sorted(counts.items())))
    assert min(counts["right"], counts["wrong"]) > 3000
