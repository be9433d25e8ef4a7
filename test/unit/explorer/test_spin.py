"""The explorer's outcomes are those that Spin finds; skipped where Spin is not installed."""

import shutil
import subprocess
from pathlib import Path

import pytest
from promela import Model, promela
from random_programs import random_program
from zcir.runtime.events import EventGraph
from zcir.runtime.explorer import INITIAL, explore
from zcir.runtime.machine import Machine

pytestmark = pytest.mark.skipif(
    shutil.which("spin") is None or shutil.which("gcc") is None,
    reason="needs spin and gcc",
)

MAX_STEPS = 8
"""Steps beyond which Spin takes long: it has no idea of independent lines."""


def _models(memory: str, count: int) -> list[tuple[int, EventGraph, Machine, Model]]:
    """The first small programs with reads, at most half of them with one outcome alone."""
    single = 0
    result: list[tuple[int, EventGraph, Machine, Model]] = []
    seed = -1
    while len(result) < count:
        seed += 2
        graph, machine = random_program(seed, memory)
        if any(event.flushed for event in graph.events):
            continue
        size = graph.buffers[0].span.end
        model = promela(graph, machine, size)
        if 0 < len(model.reads) <= 4 and model.steps <= MAX_STEPS:
            if all(len(outcomes) < 2 for outcomes in explore(graph, machine).outcomes.values()):
                single += 1
                if single > count // 2:
                    continue
            result.append((seed, graph, machine, model))
    return result


def _spin(model: Model, folder: Path) -> set[tuple[int, ...]]:
    """The outcomes that Spin prints."""
    (folder / "m.pml").write_text(model.text)
    for command in (
        ["spin", "-a", "m.pml"],
        ["gcc", "-O1", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"],
    ):
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
    run = subprocess.run(
        ["./pan", "-m2000000", "-w22"],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "errors: 0" in run.stdout
    assert "max search depth too small" not in run.stdout
    rows = (line.split()[1:] for line in run.stdout.splitlines() if line.startswith("OUT"))
    return {tuple(map(int, row)) for row in rows}


@pytest.mark.parametrize("memory", ["bytes", "line", "mixed"])
def test_outcome_sets_equal_spins(memory: str, tmp_path: Path) -> None:
    several = 0
    for seed, graph, machine, model in _models(memory, 11):
        found = explore(graph, machine).outcomes
        outcomes = _spin(model, tmp_path)
        assert outcomes
        for line, expected in found.items():
            keys = {(r.event, r.span.start) for outcome in expected for r in outcome}
            places = [index for index, key in enumerate(model.reads) if key in keys]
            projected = {
                frozenset((*model.reads[i], INITIAL if row[i] == 0 else row[i] - 1) for i in places)
                for row in outcomes
            }
            ours = {frozenset((r.event, r.span.start, r.write) for r in o) for o in expected}
            assert projected == ours, (memory, seed, line)
            several += len(ours) > 1
    print(memory, several)
    assert several >= 6
