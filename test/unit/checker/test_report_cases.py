"""Every kind of fault that asks for a report, as one table: flagged, and its repaired twin clean.

The explorer, which knows no rules, must say the same of the values where the fault is about them.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from test_cases import (
    CPU_NPU,
    exported,
    receive,
    recycled_output,
    recycled_transient,
    reused_slice,
    small_receive_buffer,
    views,
)
from zcir.runtime.checker import Rule, check
from zcir.runtime.event_builder import GraphBuilder, shared_memory
from zcir.runtime.explorer import ExploreOptions, explore
from zcir.runtime.load import load
from zcir.runtime.machine import Machine

HANDOFF = Path(__file__).resolve().parents[2] / "data/hal/handoff.mlir"
CPU_GPU = shared_memory(("host",), ("gpu",))
WIDE = shared_memory(("host",), ("npu",), line=32)
X = (0, 64)


def borrowed(*, consumed: bool) -> GraphBuilder:
    """An import is updated in place."""
    graph = GraphBuilder()
    graph.alloca("host", "%acc", *X, borrowed=not consumed)
    graph.access("host", writes=[X], flushed=True)
    graph.invalidate("npu", X)
    graph.access("npu", reads=[X], writes=[X])
    graph.flush("npu", X)
    return graph


def view_of_view(*, inner: int) -> GraphBuilder:
    """The CPU writes root bytes 1280 to 1344; the flush names the address of the inner view."""
    graph = GraphBuilder()
    graph.alloca("host", "%root", 0, 4096)
    graph.access("host", writes=[(1280, 1344)])
    graph.flush("host", (inner, inner + 64))
    graph.invalidate("npu", (1280, 1344))
    graph.access("npu", reads=[(1280, 1344)])
    return graph


def handoff(*, flush: bool = True, invalidate: bool = True) -> GraphBuilder:
    """The NPU hands X to the CPU, which read its old contents before."""
    graph = GraphBuilder()
    graph.alloca("host", "%x", *X)
    graph.access("host", writes=[X], flushed=True)
    graph.access("host", reads=[X])
    graph.access("npu", writes=[X])
    if flush:
        graph.flush("npu", X)
    if invalidate:
        graph.invalidate("host", X)
    graph.access("host", reads=[X])
    return graph


def mapped(*, flush: bool) -> GraphBuilder:
    """The host stores through a mapping, unmaps, and a device reads."""
    graph = GraphBuilder()
    graph.alloca("host", "%m", *X)
    graph.access("host", writes=[X], label="zero fill, then store")
    if flush:
        graph.flush("host", X)
    graph.invalidate("npu", X)
    graph.access("npu", reads=[X])
    return graph


def notice(*, early: bool) -> GraphBuilder:
    """The flush stands before or after the write that it publishes."""
    graph = GraphBuilder()
    graph.alloca("host", "%m", *X)
    for flushes in (early, not early):
        if flushes:
            graph.flush("host", X)
        else:
            graph.access("host", writes=[X])
    graph.invalidate("npu", X)
    graph.access("npu", reads=[X])
    return graph


def upload(*, ordered: bool) -> GraphBuilder:
    """A mapped upload and a dispatch, which its submission orders or not."""
    graph = GraphBuilder()
    alloca = graph.alloca("host", "%m", *X)
    write = graph.access("host", writes=[X], flushed=True, after=[alloca])
    acquire = graph.invalidate("npu", X, after=[write if ordered else alloca])
    graph.access("npu", reads=[X], after=[acquire])
    return graph


def freed_through_another_name(*, late: bool) -> GraphBuilder:
    """T is freed between its two uses, or after both."""
    graph = GraphBuilder()
    alloca = graph.alloca("host", "%t", *X)
    graph.access("npu", writes=[X])
    if not late:
        graph.discard("npu", X)
        graph.dealloca("npu", alloca)
    graph.access("npu", writes=[X])
    if late:
        graph.discard("npu", X)
        graph.dealloca("npu", alloca)
    return graph


def freed_twice(*, once: bool) -> GraphBuilder:
    """One buffer behind two branch results."""
    graph = GraphBuilder()
    alloca = graph.alloca("host", "%t", *X)
    graph.dealloca("npu", alloca)
    if not once:
        graph.dealloca("npu", alloca)
    return graph


def staged_upload(*, waits: bool) -> GraphBuilder:
    """The last leg of a blocking copy, and a kernel on another stream."""
    graph = GraphBuilder()
    alloca = graph.alloca("host", "%d", *X)
    leg = graph.access("npu", writes=[X], after=[alloca], label="last leg of the copy")
    graph.access("npu", reads=[X], after=[leg if waits else alloca])
    return graph


class Case(NamedTuple):
    """A fault and its repair."""

    id: str
    rule: Rule
    wrong: Callable[[], GraphBuilder]
    right: Callable[[], GraphBuilder]
    machine: Machine = CPU_NPU


CASES = (
    Case("B01", Rule.BORROWED, lambda: borrowed(consumed=False), lambda: borrowed(consumed=True)),
    Case("B11", Rule.STALE, lambda: view_of_view(inner=256), lambda: view_of_view(inner=1280)),
    Case("B15 flush", Rule.STALE, lambda: handoff(flush=False), handoff),
    Case("B15 invalidate", Rule.STALE, lambda: handoff(invalidate=False), handoff),
    Case(
        "B17",
        Rule.CLOBBER,
        lambda: recycled_output(flush=False),
        lambda: recycled_output(flush=True),
    ),
    Case("B19", Rule.STALE, lambda: mapped(flush=False), lambda: mapped(flush=True)),
    Case("B22", Rule.STALE, lambda: receive(late=False), lambda: receive(late=True)),
    Case("B25", Rule.STALE, lambda: notice(early=True), lambda: notice(early=False)),
    Case(
        "B27",
        Rule.LOST,
        lambda: small_receive_buffer(flush=False),
        lambda: small_receive_buffer(flush=True),
        WIDE,
    ),
    Case(
        "B30",
        Rule.LIFETIME,
        lambda: recycled_transient(discard=False),
        lambda: recycled_transient(discard=True),
    ),
    Case("B31", Rule.LOST, lambda: views(96, flush=False), lambda: views(128, flush=False)),
    Case(
        "B35",
        Rule.STALE,
        lambda: exported(copy_first=True, flush_first=False),
        lambda: exported(copy_first=True, flush_first=True),
    ),
    Case(
        "B37",
        Rule.RACE,
        lambda: reused_slice(waits=False),
        lambda: reused_slice(waits=True),
        CPU_GPU,
    ),
    Case("B40", Rule.RACE, lambda: upload(ordered=False), lambda: upload(ordered=True)),
    Case(
        "B41 use after free",
        Rule.LIFETIME,
        lambda: freed_through_another_name(late=False),
        lambda: freed_through_another_name(late=True),
    ),
    Case(
        "B41 twice", Rule.LIFETIME, lambda: freed_twice(once=False), lambda: freed_twice(once=True)
    ),
    Case("B53", Rule.RACE, lambda: staged_upload(waits=False), lambda: staged_upload(waits=True)),
)

OF_VALUES = {Rule.STALE, Rule.LOST, Rule.CLOBBER}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_fault_is_reported_and_the_repair_is_clean(case: Case) -> None:
    wrong, right = case.wrong().graph, case.right().graph
    rules = {report.rule for report in check(wrong, case.machine).reports}
    assert case.rule in rules
    assert check(right, case.machine).reports == ()
    decide = ExploreOptions(outcomes=False)
    assert not explore(right, case.machine, decide).wrong_values
    if case.rule in OF_VALUES:
        assert explore(wrong, case.machine, decide).wrong_values


@pytest.mark.parametrize("schedule", ["fifo", "random:3", "adversarial:0", "adversarial:4"])
def test_b60_the_checker_changes_nothing(schedule: str) -> None:
    program = load(HANDOFF)
    plain = program.run(schedule=schedule, count_missing=True)
    judged = program.run(schedule=schedule, count_missing=True, check=True)
    assert judged.check is not None
    assert not judged.check.reports
    np.testing.assert_array_equal(plain.results[0], judged.results[0])
