"""A program called again and again on one machine, and functions that take fences."""

from pathlib import Path

import numpy as np
import pytest
from zcir.runtime.checker import check, render
from zcir.runtime.errors import HalError
from zcir.runtime.kernels import library
from zcir.runtime.load import load
from zcir.runtime.session import Session

ROOT = Path(__file__).parents[3]
DATA = ROOT / "test" / "data" / "stream"
PROGRAMS = ROOT / "test" / "data" / "programs"
COUNTER = ROOT / "test" / "data" / "globals" / "counter.flow.mlir"
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


def _live(session: Session) -> int:
    """Storages that the program has on the machine."""
    session.reclaim()
    return len(session._state.made)


@pytest.mark.parametrize("name", ["chain", "fanout", "inplace", "slice", "types"])
def test_calls_leave_no_memory_behind(name: str) -> None:
    """IR-48: inputs and results are freed between calls, with no fault of lifetime; the memory
    that later calls reuse is as right as fresh memory."""
    program = load(PROGRAMS / f"{name}.none.flow.mlir", topology=NONCOHERENT)
    inputs = [np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.in*.npy"))]
    wanted = [np.load(path) for path in sorted(PROGRAMS.glob(f"{name}.want*.npy"))]
    for schedule in ("fifo", "random:3", "adversarial:1"):
        session = program.session(record=True, schedule=schedule)
        tops: list[list[int]] = []
        for _ in range(4):
            for result, want in zip(session.call(inputs=inputs), wanted, strict=True):
                np.testing.assert_array_equal(np.asarray(result), want)
            assert _live(session) == 0
            tops.append([pool._top for pool in session.system.memory.pools.values()])
        session.finish()
        # What the first call took is enough for all.
        assert tops[1:] == tops[:1] * 3
        verdict = check(session.system.graph, session.system.machine)
        assert [line for report in verdict.reports for line in render(report)] == []


def test_what_a_global_keeps_is_not_freed() -> None:
    session = load(COUNTER, memory="noncoherent").session(schedule="adversarial:1")
    x = np.array([1, 2, 3, 4], np.float32)
    total = x
    added = np.array([10.5, 21.5, 32.5, 43.5], np.float32)
    kept: list[int] = []
    for _ in range(3):
        first, third = session.call("thrice", inputs=[x])
        np.testing.assert_array_equal(np.asarray(first), total + x + added)
        total = np.asarray(third)
        kept.append(_live(session))
    assert kept[0] > 0
    assert kept == kept[:1] * 3


def test_nothing_is_freed_under_a_submission_that_waits() -> None:
    """A dealloca that waits for a fence of the host keeps what it uses."""
    session = load(DATA / "left_over.mlir").session()
    session.call("hold")
    assert _live(session) == 1
    session.call("go")
    assert _live(session) == 0
    session.finish()


def test_kernels_are_compiled_once_for_all_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_export = library.compile_export

    def counted(*args: object) -> object:
        compiled.append(str(args[1]))
        return compile_export(*args)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(library, "compile_export", counted)
    program = load(CHAIN, topology=NONCOHERENT)
    value = np.arange(16, dtype=np.float32)
    results = [program.run(inputs=[value]).results[0] for _ in range(3)]
    assert len(compiled) == len(set(compiled)) == 3
    np.testing.assert_array_equal(np.asarray(results), np.broadcast_to(results[0], (3, 16)))
