"""What checking costs: `python bench/submits.py`, as part of `make bench`.

A lowered chain of dispatches is run with and without checking (target: at most 3 times). Then
recorded command buffers are submitted 1,000 and 32,769 times to the bare queues, in two shapes:
two devices that hand a buffer back and forth, and submissions side by side that read one range
and write their own. A checked submission may cost at most 1.5 times as much in the long run; what
it costs next to one that is only executed is printed, too. All times are CPU time.
"""

import sys
from collections.abc import Callable
from statistics import median
from time import process_time

from shapes import chain
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.checker import check
from zcir.runtime.hal.buffer import Buffer, BufferParams
from zcir.runtime.hal.command_buffer import CommandBuffer
from zcir.runtime.hal.device import Device
from zcir.runtime.hal.flags import ExecutionStage
from zcir.runtime.hal.refs import BufferRef
from zcir.runtime.hal.semaphore import NULL_FENCE, Fence
from zcir.runtime.hal.system import System, SystemOptions
from zcir.runtime.load import load
from zcir.runtime.machine import HOST, Domain, Machine, Pool

SHORT, LONG = 1_000, 32_769
CHECKING_TARGET = 3.0
"""How many times longer a run of a program may take with checking."""
GROWTH_TARGET = 1.5
"""How many times longer a submission may take in the long run."""
SIZE = 4096
"""Bytes that a submission reads, and that it writes."""
RUNS = 3

OPS = 1_200
"""Of the chain."""

_AGENTS: tuple[str, ...] = ("a", "b", HOST)
_REACH: dict[str, frozenset[str]] = dict.fromkeys(_AGENTS, frozenset(("shared",)))
MACHINE = Machine(
    tuple(Domain((agent,)) for agent in _AGENTS),
    (Pool("shared", "a", 4096, 1 << 28),),
    _REACH,
    _REACH,
)
_ALL = ExecutionStage.DISPATCH | ExecutionStage.TRANSFER


def copying(device: Device) -> CommandBuffer:
    """Invalidate slot 0, copy it to slot 1, flush that."""
    commands = device.create_command_buffer(binding_capacity=2)
    source, target = BufferRef(0, 0, SIZE), BufferRef(1, 0, SIZE)
    commands.invalidate_buffer(source)
    commands.execution_barrier(_ALL, _ALL)
    commands.copy_buffer(source, target)
    commands.execution_barrier(_ALL, _ALL)
    commands.flush_buffer(target)
    commands.finalize()
    return commands


def filled(system: System, size: int) -> tuple[Buffer, Fence]:
    """A buffer that @a has filled and flushed, and the fence of that."""
    buffer = system.host.allocate("shared", size, BufferParams(name="%x"))
    commands = system.device("a").create_command_buffer(binding_capacity=1)
    commands.fill_buffer(BufferRef(0, 0, size), b"\\0")
    commands.execution_barrier(_ALL, _ALL)
    commands.flush_buffer(BufferRef(0, 0, size))
    commands.finalize()
    done = Fence.create("%filled")
    system.device("a").queue_execute(NULL_FENCE, done, commands, (buffer,))
    return buffer, done


def hand_over(system: System, submits: int) -> None:
    """Two devices copy one half to the other in turn, each waiting for the last; so does the host
    at the end."""
    buffer, done = filled(system, 2 * SIZE)
    halves = buffer.subspan(0, SIZE), buffer.subspan(SIZE, SIZE)
    recorded = [copying(system.device(name)) for name in "ab"]
    for number in range(submits):
        ready, done = done, Fence.create("%done")
        side = number % 2
        table = (halves[side], halves[1 - side])
        system.device("ab"[side]).queue_execute(ready, done, recorded[side], table)
    system.host.wait(done)


def side_by_side(system: System, submits: int) -> None:
    """@b reads one range in all submissions, which only the first write is before."""
    source, ready = filled(system, SIZE)
    targets = system.host.allocate("shared", SIZE * submits, BufferParams(name="%y"))
    commands = copying(system.device("b"))
    ends: list[Fence] = []
    for number in range(submits):
        ends.append(Fence.create("%done"))
        table = (source, targets.subspan(number * SIZE, SIZE))
        system.device("b").queue_execute(ready, ends[-1], commands, table)
    system.host.wait(Fence.join(ends))


def seconds(program: Callable[[System, int], None], submits: int, *, checked: bool) -> float:
    """CPU seconds of a run, with its judgement if `checked`."""
    start = process_time()
    system = System(MACHINE, SystemOptions(record=checked))
    program(system, submits)
    if checked:
        reports = check(system.graph, MACHINE).reports
        assert not reports, reports[0].message
    return process_time() - start


def chain_ratio() -> float:
    """How many times longer the run of a lowered chain takes with checking; printed."""
    context = make_context()
    program = load(parse_text(context, chain(OPS), "chain.mlir"), context=context)
    times: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(RUNS):
        for checked, row in times.items():
            start = process_time()
            run = program.run(count_missing=True, check=checked)
            row.append(process_time() - start)
            assert run.check is None or not run.check.reports
    plain, judged = median(times[False]), median(times[True])
    print(
        f"a chain of {OPS} ops lowered and run: {plain:.2f} s, checked {judged:.2f} s "
        f"({judged / plain:.2f} times, target {CHECKING_TARGET})"
    )
    return judged / plain


def growth(program: Callable[[System, int], None]) -> float:
    """How many times longer a checked submission takes in the long run; printed."""
    times = {
        (submits, checked): median(seconds(program, submits, checked=checked) for _ in range(RUNS))
        / submits
        for submits in (SHORT, LONG)
        for checked in (False, True)
    }
    result = times[LONG, True] / times[SHORT, True]
    row = "".join(f"{seconds * 1e6:9.0f}" for seconds in times.values())
    print(
        f"  {program.__name__:<14}{row}   checked {times[LONG, True] / times[LONG, False]:.1f} "
        f"times, in the long run {result:.2f} times (target {GROWTH_TARGET})",
        flush=True,
    )
    return result


def main() -> int:
    """Print a row for each shape; the exit code is 1 where a target is missed."""
    met = chain_ratio() <= CHECKING_TARGET
    print(
        "microseconds per submission of 3 commands: "
        f"{SHORT:,} and with checking, {LONG:,} and with checking"
    )
    for program in (hand_over, side_by_side):
        met &= growth(program) <= GROWTH_TARGET
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
