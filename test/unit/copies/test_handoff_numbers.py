"""What small hand-overs cost, in the numbers of the table: copies, maintenance, allocations, waits.

One line of 64 bytes is handed over; imports and exports have maintenance of their own, which names
no other side. IR-01, IR-08, IR-41 to IR-49, IR-52, IR-60.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pytest
from small_programs import LINKS, add, main, make, module, move
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from zcir.dialects import stream
from zcir.dialects.access import op_affinity
from zcir.dialects.hal import AffinityAttr
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.load import RunResult, load, run_passes

X = np.arange(16, dtype=np.int32) * 5
STEP = np.arange(16, dtype=np.int32) + 7
COHERENT = LINKS["unified"].replace("true})", "true}, {coherent = true})")
ALL_SHARED = ", ".join(
    f"(@{x} -> @{y} = {{unified_memory = true}})" for x in "abc" for y in "abc" if x != y
)


def f(x: np.ndarray) -> np.ndarray:
    """What `make` and `add` compute."""
    return STEP + 3 * x


def lowered(*lines: str, links: str, result: str = "out", devices: str = "ab") -> ModuleOp:
    context = make_context()
    text = module(links, main(*lines, result=result), devices=devices)
    program = parse_text(context, text, "numbers.mlir")
    run_passes(context, program, ("zc-to-stream",))
    return program


def run(program: ModuleOp, schedule: str = "adversarial:3") -> RunResult:
    result = load(program).run(inputs=[X], schedule=schedule, check=True)
    assert result.check is not None
    assert not result.check.reports
    return result


class Maintenance(NamedTuple):
    """The devices that flush to another device, and that invalidate from one, in order."""

    flushes: list[str]
    invalidates: list[str]


def handed_over(program: ModuleOp) -> Maintenance:
    ops = list(program.walk())
    flushes = [op for op in ops if isinstance(op, stream.CmdFlushOp) and op.source_affinity]
    invalidates = [
        op for op in ops if isinstance(op, stream.CmdInvalidateOp) and op.source_affinity
    ]
    return Maintenance(_devices(flushes), _devices(invalidates))


def _devices(ops: Iterable[Operation]) -> list[str]:
    found: list[str] = []
    for op in ops:
        region = op.parent_op()
        assert region is not None
        affinity = op_affinity(region)
        assert isinstance(affinity, AffinityAttr)
        found.extend(affinity.device_names)
    return found


CHAIN = (
    make("make", "1", "x", "a"),
    move("2", "1", "b"),
    make("make", "3", "2", "b"),
    move("out", "3", "a"),
)
IN_PLACE = (
    make("make", "1", "x", "a"),
    move("2", "1", "b"),
    add("3", "2", "b"),
    move("4", "3", "a"),
    add("out", "4", "a"),
)


def test_ir_42_coherent_shared_memory_needs_order_alone() -> None:
    program = lowered(*CHAIN, links=COHERENT)
    assert handed_over(program) == Maintenance([], [])
    result = run(program)
    total = result.statistics.total
    assert (total.copy_cmds, total.allocs, total.dispatches) == (0, 2, 2)
    # IR-41: a's region and b's, which waits for it; none for the transfers.
    assert (total.submits, total.waits) == (2, 1)
    np.testing.assert_array_equal(result.results[0], f(f(X)))


# IR-41: what b waits for is a's region, through the allocation that b takes late.
def test_ir_41_b_waits_for_the_timepoint_of_a() -> None:
    program = lowered(*CHAIN, links=COHERENT)
    first, second = [op for op in program.walk() if isinstance(op, stream.CmdExecuteOp)]
    assert (_devices_of(first), _devices_of(second)) == ("a", "b")
    assert second.await_timepoint is not None
    taken = second.await_timepoint.owner
    assert isinstance(taken, stream.ResourceAllocaOp)
    assert taken.await_timepoint is first.result_timepoint


# IR-41 as well: the empty regions of the transfers are gone.
def test_ir_43_each_way_flushes_once_and_invalidates_once() -> None:
    program = lowered(*IN_PLACE, links=LINKS["unified"])
    assert handed_over(program) == Maintenance(["a", "b"], ["b", "a"])
    assert sum(isinstance(op, stream.CmdExecuteOp) for op in program.walk()) == 3
    result = run(program)
    assert (result.statistics.total.copy_cmds, result.statistics.total.allocs) == (0, 1)
    np.testing.assert_array_equal(result.results[0], f(f(f(X))))


def test_ir_44_separate_memories_copy() -> None:
    result = run(lowered(*CHAIN[:2], make("make", "out", "2", "b"), links=LINKS["none"]))
    total = result.statistics.total
    # To b, and the result, which is asked for on a.
    assert (total.copy_cmds, total.copy_bytes) == (2, 128)
    np.testing.assert_array_equal(result.results[0], f(f(X)))


def test_ir_45_several_consumers_share_one_storage() -> None:
    program = lowered(
        make("make", "1", "x", "a"),
        move("2", "1", "b"),
        move("3", "1", "c"),
        make("make", "4", "2", "b"),
        make("make", "5", "3", "c"),
        make("make", "6", "1", "a"),
        move("7", "4", "a"),
        move("8", "5", "a"),
        "%out = flow.dispatch @sum::@f(%6, %7, %8, %k) {stream.affinity = "
        "#hal.device.affinity<@a>} : (tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, i32) "
        "-> tensor<16xi32>",
        links=ALL_SHARED,
        devices="abc",
    )
    made = next(op for op in program.walk() if isinstance(op, stream.ResourceAllocaOp)).result
    covering = [
        op
        for op in program.walk()
        if isinstance(op, stream.CmdFlushOp | stream.CmdInvalidateOp) and made in _captured(op)
    ]
    assert [op.name for op in covering] == [
        "stream.cmd.flush",
        "stream.cmd.invalidate",
        "stream.cmd.invalidate",
    ]
    (free,) = [
        op
        for op in program.walk()
        if isinstance(op, stream.ResourceDeallocaOp) and op.operand is made
    ]
    users = [
        op
        for op in program.walk()
        if isinstance(op, stream.CmdExecuteOp) and made in op.resource_operands
    ]
    assert free.await_timepoint is not None
    join = free.await_timepoint.owner
    assert isinstance(join, stream.TimepointJoinOp)
    readers = {op.result_timepoint for op in users[1:]}
    assert {_devices_of(op) for op in users} == {"a", "b", "c"}
    assert readers <= {*join.await_timepoints, users[0].result_timepoint}
    assert run(program).statistics.total.copy_cmds == 0


def _devices_of(op: Operation) -> str:
    affinity = op_affinity(op)
    assert isinstance(affinity, AffinityAttr)
    return affinity.device_names[0]


def _captured(op: stream.CmdFlushOp | stream.CmdInvalidateOp) -> list[object]:
    """What the region around `op` captures as its target."""
    region = op.parent_op()
    assert isinstance(region, stream.CmdExecuteOp)
    arguments = region.body.block.args
    pairs = zip(arguments, region.resource_operands, strict=True)
    return [captured for argument, captured in pairs if argument is op.target]


# An update in place on b while a still reads: order is enough where the reader does not need the
# update's result, and a clone is forced where it does (IR-46, IR-47).
@pytest.mark.parametrize(
    ("reads_both", "copies", "seeds"),
    [(False, 0, 20), (True, 1, 5), pytest.param(False, 0, 100, marks=pytest.mark.deep)],
)
def test_ir_46_an_update_in_place_spares_who_still_reads(
    reads_both: bool, copies: int, seeds: int
) -> None:
    lines = (
        make("make", "1", "x", "a"),
        move("2", "1", "b"),
        add("3", "2", "b"),
        move("4", "3", "a"),
        make("make", "5", "1", "a"),
        "%6 = flow.dispatch @two::@f(%4, %1, %k) {stream.affinity = #hal.device.affinity<@a>} : "
        "(tensor<16xi32>, tensor<16xi32>, i32) -> tensor<16xi32>"
        if reads_both
        else make("make", "6", "4", "a"),
        "%out = flow.dispatch @two::@f(%5, %6, %k) {stream.affinity = #hal.device.affinity<@a>} : "
        "(tensor<16xi32>, tensor<16xi32>, i32) -> tensor<16xi32>",
    )
    program = lowered(*lines, links=LINKS["unified"])
    old = f(X)
    new = f(old)
    last = STEP + 3 * new + 5 * old if reads_both else f(new)
    for seed in range(seeds):
        result = run(program, f"adversarial:{seed}")
        assert result.statistics.total.copy_cmds == copies
        np.testing.assert_array_equal(result.results[0], STEP + 3 * f(old) + 5 * last)


# IR-48, IR-49: producer, transfer and consumer in regions of their own have one allocation, which
# is freed after the consumer though its maker's last use was before.
def test_ir_49_three_regions_have_one_allocation() -> None:
    program = lowered(
        *CHAIN[:3], move("4", "3", "a"), make("make", "out", "4", "a"), links=COHERENT
    )
    result = run(program)
    first, *_ = [op for op in program.walk() if isinstance(op, stream.ResourceAllocaOp)]
    frees = {op.operand: op for op in program.walk() if isinstance(op, stream.ResourceDeallocaOp)}
    consumer = [
        op
        for op in program.walk()
        if isinstance(op, stream.CmdExecuteOp) and first.result in op.resource_operands
    ][-1]
    assert _devices_of(consumer) == "b"
    assert frees[first.result].await_timepoint is consumer.result_timepoint
    assert result.statistics.total.allocs == 3


# IR-60: handing over gives nothing up. After b has read, a reads again, and b again: no copies, and
# maintenance for the one write only, since nobody wrote in between.
def test_ir_60_a_handoff_does_not_move_ownership() -> None:
    program = lowered(
        make("make", "1", "x", "a"),
        move("2", "1", "b"),
        make("make", "3", "2", "b"),
        move("4", "3", "a"),
        "%5 = flow.dispatch @two::@f(%4, %1, %k) {stream.affinity = #hal.device.affinity<@a>} : "
        "(tensor<16xi32>, tensor<16xi32>, i32) -> tensor<16xi32>",
        move("6", "5", "b"),
        "%7 = flow.dispatch @two::@f(%6, %2, %k) {stream.affinity = #hal.device.affinity<@b>} : "
        "(tensor<16xi32>, tensor<16xi32>, i32) -> tensor<16xi32>",
        move("out", "7", "a"),
        links=LINKS["unified"],
    )
    # %1 is flushed once and invalidated once; so are %3 and %5, which go the other way and back.
    assert handed_over(program) == Maintenance(["a", "b", "a"], ["b", "a", "b"])
    y = f(X)
    z = STEP + 3 * f(y) + 5 * y
    for seed in range(8):
        result = run(program, f"adversarial:{seed}")
        assert result.statistics.total.copy_cmds == 0
        np.testing.assert_array_equal(result.results[0], STEP + 3 * z + 5 * y)


# IR-08: two equal transfers are one handoff: one flush, one invalidate.
def test_ir_08_equal_transfers_are_one_handoff() -> None:
    program = lowered(
        make("make", "1", "x", "a"),
        move("2", "1", "b"),
        move("3", "1", "b"),
        make("make", "4", "2", "b"),
        "%5 = flow.dispatch @two::@f(%4, %3, %k) {stream.affinity = #hal.device.affinity<@b>} : "
        "(tensor<16xi32>, tensor<16xi32>, i32) -> tensor<16xi32>",
        move("out", "5", "a"),
        links=LINKS["unified"],
    )
    assert handed_over(program) == Maintenance(["a"], ["b"])
    assert run(program).statistics.total.copy_cmds == 0
