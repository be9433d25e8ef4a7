"""The faults of missing, early and misplaced maintenance as one table: placed, needed, coherent.

K4 (missing), K5 (too early), K6 (shared lines and rounding), K7 (order), K11 (in what is recorded
and replayed). For each case the passes give the right value under hostile schedules, the named
operations are there, without any of them the checker reports the rule, and coherent memory gets
none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from stream_cases import Program, Region
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects import stream
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.checker import Rule, render, render_redundant
from zcir.runtime.element_types import Value
from zcir.runtime.load import load, run_passes
from zcir.runtime.session import Session

MAINTAIN = ("stream-place-cache-maintenance", "stream-elide-cache-maintenance")
UPKEEP = (stream.CmdFlushOp, stream.CmdInvalidateOp, stream.CmdDiscardOp)
SCHEDULES = ("fifo", "random:1", "adversarial:0", "adversarial:1", "adversarial:2")


@dataclass(frozen=True)
class Case:
    """A program without maintenance, and what it lacks."""

    id: str
    program: Program
    out: Sequence[tuple[int, int]]
    """What the host reads: values, and how many bytes have them."""
    needs: Sequence[tuple[str, str, Rule]]
    """Kind and region of operations, and the rule that breaks without them."""

    @property
    def inputs(self) -> list[Value]:
        """The caller's memory: it holds what comes out."""
        return [self.wanted] * len(self.program.lent)

    @property
    def wanted(self) -> np.ndarray:
        return np.concatenate([np.full(count, value, np.int8) for value, count in self.out])


X64 = {"x": 64, "y": 64, "out": 64}
CASES = (
    Case(
        "B15: the reader has the old contents in its cache",
        Program(
            X64,
            [
                Region("clear", "npu", ["fill 0 x 0 64"]),
                Region("look", "cpu", ["copy x 0 64 y 0"], ["clear"]),
                Region("write", "npu", ["fill 6 x 0 64"], ["look"]),
                Region("read", "cpu", ["copy x 0 64 out 0"], ["write"]),
            ],
        ),
        [(6, 64)],
        [("flush", "write", Rule.STALE), ("invalidate", "read", Rule.STALE)],
    ),
    Case(
        "B17: zeros of a cleared buffer are evicted over the result",
        Program(
            {"out": 128},
            [
                Region("clear", "cpu", ["fill 0 out 0 128"]),
                Region("write", "npu", ["fill 39 out 0 128"], ["clear"]),
            ],
        ),
        [(39, 128)],
        [("flush", "write", Rule.STALE), ("discard", "clear", Rule.CLOBBER)],
    ),
    Case(
        "B22: the invalidate stands behind the wait for the write",
        Program(
            X64,
            [
                Region("fill", "cpu", ["fill 3 x 0 64"]),
                Region("write", "npu", ["fill 7 x 0 64"], ["fill"]),
                Region("touch", "cpu", ["fill 1 y 0 64"], ["fill"]),
                Region("read", "cpu", ["copy x 0 64 out 0"], ["write", "touch"]),
            ],
        ),
        [(7, 64)],
        [("invalidate", "read", Rule.STALE)],
    ),
    Case(
        "B25: the flush stands behind the write that it publishes",
        Program(
            {"x": 64, "out": 64},
            [
                Region("write", "cpu", ["fill 5 x 0 64"]),
                Region("read", "npu", ["copy x 0 64 out 0"], ["write"]),
            ],
        ),
        [(5, 64)],
        [("flush", "write", Rule.STALE), ("flush", "read", Rule.STALE)],
    ),
    Case(
        "B27: a neighbour's unsaved bytes share the line that is dropped",
        Program(
            {"x": 32, "out": 32},
            [
                Region("clear", "cpu", ["fill 0 x 0 32"]),
                Region("neighbour", "cpu", ["fill 1 x 24 32"], ["clear"]),
                Region("write", "npu", ["fill 7 x 8 24"], ["clear"]),
                Region("read", "cpu", ["copy x 0 32 out 0"], ["write", "neighbour"]),
            ],
            line=32,
        ),
        [(0, 8), (7, 16), (1, 8)],
        [("flush", "neighbour", Rule.LOST), ("invalidate", "read", Rule.STALE)],
    ),
    Case(
        "B30: the next owner of freed memory is another device",
        Program(
            {"old": 64, "new": 64, "out": 64},
            [
                Region("first", "npu", ["fill 8 old 0 64"]),
                Region("second", "cpu", ["fill 3 new 0 64"]),
                Region("read", "npu", ["copy new 0 64 out 0"], ["second"]),
            ],
            frees={"old": "first"},
            made_after={"new": "old"},
        ),
        [(3, 64)],
        [("discard", "first", Rule.LIFETIME), ("flush", "second", Rule.STALE)],
    ),
    Case(
        "B31: two views meet in the middle of a line",
        Program(
            {"x": 192, "out": 192},
            [
                Region("clear", "cpu", ["fill 0 x 0 192"]),
                Region("left", "cpu", ["fill 2 x 0 96"], ["clear"]),
                Region("right", "npu", ["fill 1 x 96 192"], ["clear"]),
                Region("read", "cpu", ["copy x 0 192 out 0"], ["left", "right"]),
            ],
        ),
        [(2, 96), (1, 96)],
        [("flush", "left", Rule.LOST), ("flush", "right", Rule.STALE)],
    ),
    Case(
        "B32: a range that is no whole number of lines",
        Program(
            {"x": 96, "out": 96},
            [
                Region("write", "npu", ["fill 4 x 0 96"]),
                Region("read", "cpu", ["copy x 0 96 out 0"], ["write"]),
            ],
        ),
        [(4, 96)],
        [("flush", "write", Rule.STALE), ("flush", "read", Rule.STALE)],
    ),
    Case(
        "B35: all that writes the export is flushed before its timepoint",
        Program(
            {"x": 64, "out": 64},
            [
                Region("make", "npu", ["fill 4 x 0 64"]),
                Region("copy", "npu", ["copy x 0 64 out 0"], ["make"]),
            ],
        ),
        [(4, 64)],
        [("flush", "copy", Rule.STALE)],
    ),
    Case(
        "B37: a slice is written again once its reader is done",
        Program(
            {"p": 64, "y": 64, "out": 64},
            [
                Region("first", "cpu", ["fill 1 p 0 64"]),
                Region("read", "npu", ["copy p 0 64 out 0"], ["first"]),
                Region("second", "cpu", ["fill 2 p 0 64"], ["read"]),
                Region("again", "npu", ["copy p 0 64 y 0"], ["second"]),
            ],
        ),
        [(1, 64)],
        [("flush", "first", Rule.STALE), ("invalidate", "again", Rule.STALE)],
    ),
    Case(
        "B40: what the host uploads through a mapping is read by the device",
        Program(
            {"in": 64, "out": 64},
            [
                Region("look", "cpu", ["copy in 0 64 out 0"]),
                Region("read", "npu", ["copy in 0 64 out 0"], ["look"]),
            ],
            lent=["in"],
        ),
        [(5, 64)],
        [("invalidate", "read", Rule.STALE), ("discard", "look", Rule.CLOBBER)],
    ),
)


def placed(program: Program, passes: tuple[str, ...] = MAINTAIN) -> ModuleOp:
    context = make_context()
    module = parse_text(context, program.text(), "case.mlir")
    run_passes(context, module, passes)
    return module


def upkeep(module: ModuleOp, program: Program) -> list[tuple[str, str]]:
    """Kind and region of each maintenance op."""
    regions = [op for op in module.walk() if isinstance(op, stream.CmdExecuteOp)]
    return [
        (op.name.rpartition(".")[2], region.name)
        for execute, region in zip(regions, program.regions, strict=True)
        for op in execute.walk()
        if isinstance(op, UPKEEP)
    ]


def without(module: ModuleOp, number: int) -> ModuleOp:
    mutant = module.clone()
    op = [op for op in mutant.walk() if isinstance(op, UPKEEP)][number]
    op.detach()
    op.erase()
    return mutant


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id.partition(":")[0])
def test_maintenance_is_placed_and_each_part_of_it_needed(case: Case) -> None:
    module = placed(case.program)
    for schedule in SCHEDULES:
        run = load(module).run(inputs=case.inputs, schedule=schedule, check=schedule == "fifo")
        np.testing.assert_array_equal(np.asarray(run.results[0]), case.wanted)
        if run.check is not None:
            assert [line for report in run.check.reports for line in render(report)] == []
            redundant = [op for op in run.check.redundant if op.event.location]
            assert [render_redundant(op) for op in redundant] == []
    there = upkeep(module, case.program)
    for kind, region, rule in case.needs:
        assert (kind, region) in there
        mutant = load(without(module, there.index((kind, region))))
        verdict = mutant.run(inputs=case.inputs, check=True).check
        assert verdict is not None
        assert rule in {report.rule for report in verdict.reports}, (kind, region)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id.partition(":")[0])
def test_coherent_memory_gets_no_maintenance(case: Case) -> None:
    module = placed(replace(case.program, coherent=True))
    assert upkeep(module, case.program) == []
    (result,) = load(module).run(inputs=case.inputs, schedule="adversarial:0").results
    np.testing.assert_array_equal(np.asarray(result), case.wanted)


def test_what_is_recorded_once_maintains_in_each_replay() -> None:
    """K11: the same cases with command buffers that are recorded before the first call."""
    for case in CASES[:2] + CASES[-1:]:
        sessions: list[Session] = []
        # Recorded for each submission, and memoized.
        for last in ((), ("zc-to-hal",)):
            session = load(placed(case.program, (*MAINTAIN, *last))).session(schedule="random:3")
            for _ in range(2):
                (result,) = session.call(inputs=case.inputs)
                np.testing.assert_array_equal(np.asarray(result), case.wanted, case.id)
            session.finish()
            sessions.append(session)
        apart, once = (session.system.statistics.total for session in sessions)
        counted = ("flush_cmds", "flush_bytes", "invalidate_cmds", "discard_cmds", "copy_cmds")
        assert [getattr(apart, c) for c in counted] == [getattr(once, c) for c in counted]
        regions = len(case.program.regions)
        assert (apart.recordings, once.recordings) == (2 * regions, regions)
