"""Single faults of ownership, handoff and lifetime, end to end, on several kinds of memory.

Cases B01 (borrowed storage written in place; IREE 3.13 returns the sum twice), B15 (a handoff whose
source is updated after it) and B41 (one storage under two names after branches).
"""

from pathlib import Path

import numpy as np
import pytest
from zcir.dialects.parsing import make_context, parse_file
from zcir.runtime.load import RunResult, load

CASES = Path(__file__).parents[2] / "data" / "cases"
MEMORIES = ("coherent", "noncoherent", "discrete")


def run(name: str, memory: str, seed: int, *inputs: np.ndarray | np.int32) -> RunResult:
    """The program compiled for and run on `memory`; the checker has nothing to report."""
    context = make_context()
    module = parse_file(context, str(CASES / f"{name}.flow.mlir"))
    if memory == "discrete":
        module.attributes.pop("stream.topology", None)
    program = load(module, memory=memory, context=context)
    result = program.run(inputs=inputs, schedule=f"adversarial:{seed}", check=True)
    assert result.check is not None
    assert not result.check.reports
    return result


# The init belongs to the caller: one copy, whatever the memory is (IR-50).
@pytest.mark.parametrize("memory", MEMORIES)
def test_b01_a_borrowed_init_is_not_written(memory: str) -> None:
    factor = np.array([[1, 2], [3, 4]], np.float32)
    double = np.array([[2, 0], [0, 2]], np.float32)
    init = np.full((2, 2), 7, np.float32)
    result = run("borrowed_init", memory, 1, factor, double, init)
    np.testing.assert_array_equal(np.asarray(result.results[0]), [[9, 11], [13, 15]])
    np.testing.assert_array_equal(np.asarray(result.results[1]), np.full((2, 2), 7))
    np.testing.assert_array_equal(init, np.full((2, 2), 7))
    assert result.statistics.total.copy_cmds == 1


# b's reader sees the value before a's update, under every schedule (IR-47).
@pytest.mark.parametrize("memory", MEMORIES)
def test_b15_the_other_device_reads_what_was_handed_over(memory: str) -> None:
    for seed in range(3):
        result = run("late_update", memory, seed, np.array([1, 2, 3, 4], np.int32))
        np.testing.assert_array_equal(np.asarray(result.results[0]), [2, 5, 10, 17])
        np.testing.assert_array_equal(np.asarray(result.results[1]), [9, 9, 9, 16])


# Never freed before the last use under either name, nor twice, on any path (IR-48).
@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("path", [0, 1, 2])
def test_b41_one_storage_under_two_names_outlives_both(path: int, memory: str) -> None:
    x = np.arange(16, dtype=np.float32)
    result = run("same_on_all_paths", memory, 1, x, np.int32(path))
    np.testing.assert_array_equal(np.asarray(result.results[0]), (2 * x) ** 2 - 2 * x)
