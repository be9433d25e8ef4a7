"""One flush, invalidate, discard, barrier or fence wait out of a lowered example is reported.

IR-01, IR-16, IR-30, IR-32, IR-35: each operation of our own output is needed, and the checker
says so; the originals are silent, with nothing redundant.
"""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.load import Program, load

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ("chain", "fanout", "inplace")
TOPOLOGIES = ("coherent", "noncoherent", "discrete", "oneway")
SHARE = [*(("chain", topology) for topology in TOPOLOGIES), ("inplace", "noncoherent")]
"""What is tried in the short run; `test_maintenance_sweep.py` takes a share of all programs."""
COMMANDS = ("flush_buffer", "invalidate_buffer", "discard_buffer", "execution_barrier")


def _lowered(example: str, topology: str) -> str:
    program = load(
        ROOT / f"examples/{example}.flow.mlir",
        topology=ROOT / f"examples/topologies/{topology}.mlir",
    )
    return str(program.module)


def _program(text: str) -> Program:
    context = make_context()
    return load(parse_text(context, text, "mutant.mlir"), context=context)


def _mutants(text: str) -> Iterator[tuple[int, str]]:
    lines = text.split("\n")
    null = next(line.split("=")[0].strip() for line in lines if "util.null" in line)
    for number, line in enumerate(lines):
        changed: str | None = None
        if any(command in line for command in COMMANDS):
            changed = ""
        elif (wait := re.search(r"wait\((%\w+)\)", line)) and wait.group(1) != null:
            changed = line.replace(wait.group(0), f"wait({null})")
        elif "hal.fence.await" in line:
            changed = re.sub(r"until\(\[%\w+\]\)", f"until([{null}])", line)
        if changed is not None:
            yield number + 1, "\n".join([*lines[:number], changed, *lines[number + 1 :]])


@pytest.mark.parametrize(
    ("example", "topology"),
    [
        pytest.param(*case, marks=() if case in SHARE else pytest.mark.deep)
        for case in product(EXAMPLES, TOPOLOGIES)
    ],
)
def test_every_mutant_is_reported_and_the_original_is_not(example: str, topology: str) -> None:
    text = _lowered(example, topology)
    original = _program(text).run(check=True, count_missing=True)
    assert original.check is not None
    assert not original.check.reports
    assert not original.check.redundant
    count = 0
    for line, mutant in _mutants(text):
        outcome = _program(mutant).run(check=True, count_missing=True)
        assert outcome.check is not None
        assert outcome.check.reports, f"line {line} of the lowered {example} is not needed"
        count += 1
    assert count >= 8


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_missing_flush_reads_a_wrong_value_in_some_schedule(example: str) -> None:
    text = _lowered(example, "noncoherent")
    right = _program(text).run(count_missing=True).results
    line = next(n for n, row in enumerate(text.split("\n"), 1) if "flush_buffer" in row)
    mutant = _program(dict(_mutants(text))[line])
    seen = (
        mutant.run(schedule=f"adversarial:{seed}", count_missing=True).results for seed in range(40)
    )
    assert any(not np.array_equal(wrong[0], right[0]) for wrong in seen)
