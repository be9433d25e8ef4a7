"""A program called again and again on one machine, and functions that take fences."""

from pathlib import Path

import numpy as np
import pytest
from zcir.runtime.errors import HalError
from zcir.runtime.load import load

ROOT = Path(__file__).parents[3]
DATA = ROOT / "test" / "data" / "stream"
CHAIN = ROOT / "examples" / "chain.flow.mlir"
NONCOHERENT = ROOT / "examples" / "topologies" / "noncoherent.mlir"


@pytest.mark.parametrize("calls", [20, pytest.param(1000, marks=pytest.mark.deep)])
def test_recorded_once_and_right_with_bindings_of_each_call(calls: int) -> None:
    """GE-43, IR-57: three command buffers, recorded by initializers."""
    program = load(CHAIN, topology=NONCOHERENT)
    session = program.session()
    total = session.system.statistics.total
    assert session.system.statistics.total.recordings == 3
    for call in range(calls):
        value = np.arange(16, dtype=np.float32) + call
        (result,) = session.call(inputs=[value])
        (alone,) = program.run(inputs=[value]).results if call < 3 else (result,)
        np.testing.assert_array_equal(result, alone)
    session.finish()
    total = session.system.statistics.total
    assert total.recordings == 3
    assert total.dispatches == 3 * calls


def test_memoizing_changes_no_result() -> None:
    value = np.arange(16, dtype=np.float32)
    results = [
        load(CHAIN, topology=NONCOHERENT, passes=("zc-to-stream", last)).run(
            inputs=[value], check=True, schedule="adversarial:0"
        )
        for last in ("stream-to-hal", "zc-to-hal")
    ]
    np.testing.assert_array_equal(results[0].results[0], results[1].results[0])
    for result in results:
        assert result.check is not None
        assert not result.check.reports
        assert result.statistics.total.recordings == 3


@pytest.mark.parametrize("passes", [(), ("zc-to-hal",)])
@pytest.mark.parametrize("schedule", ["fifo", "random:3", "adversarial:0"])
def test_results_are_read_once_the_signal_fence_is_reached(
    passes: tuple[str, ...], schedule: str
) -> None:
    program = load(DATA / "coarse_fences.mlir", memory="noncoherent", passes=passes)
    run = program.run(inputs=[np.arange(4, dtype=np.int32)], check=True, schedule=schedule)
    np.testing.assert_array_equal(run.results[0], [7, 7, 2, 3])
    assert run.check is not None
    assert not run.check.reports
    assert run.statistics["host"].host_blocks == 1


def test_strict_runs_refuse_what_others_leave_to_the_checker() -> None:
    program = load(DATA / "dead_buffer.mlir")
    with pytest.raises(HalError, match="use of deallocated buffer"):
        program.run()
    run = program.run(check=True)
    assert run.check is not None
    assert {report.rule.value for report in run.check.reports} == {"lifetime"}
    with pytest.raises(HalError, match="use of deallocated buffer"):
        program.run(check=True, strict=True)
    program.run(strict=False)
