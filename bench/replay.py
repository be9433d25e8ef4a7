"""Replay of a recorded command buffer of 10,000 copies, against the same copies made with numpy.

`python bench/replay.py` prints microseconds per command: recording, decoding, and execution with
new bindings on coherent and on non-coherent memory, without and with the event graph.
"""

import time
from collections.abc import Callable

import numpy as np
from timing import fastest
from zcir.runtime.hal.buffer import BufferParams
from zcir.runtime.hal.refs import BufferRef
from zcir.runtime.hal.semaphore import NULL_FENCE
from zcir.runtime.hal.system import System, SystemOptions
from zcir.runtime.machine import HOST, Domain, Machine, Pool

COMMANDS = 10_000
SIZE = 64
"""Bytes of each copy."""
REPEATS = 5


def machine(coherent: bool) -> Machine:
    agents: tuple[str, ...] = ("a", HOST)
    domains = (Domain(agents),) if coherent else tuple(Domain((agent,)) for agent in agents)
    reach: dict[str, frozenset[str]] = dict.fromkeys(agents, frozenset(("shared",)))
    return Machine(domains, (Pool("shared", "a", 4096, 1 << 28),), reach, reach)


def best(action: Callable[[], object]) -> float:
    """Microseconds per command of the fastest of several runs."""
    return fastest(action, REPEATS) / COMMANDS * 1e6


def numpy_copies() -> float:
    source = np.zeros(COMMANDS * SIZE, dtype=np.uint8)
    target = np.zeros(COMMANDS * SIZE, dtype=np.uint8)

    def copy() -> None:
        for start in range(0, COMMANDS * SIZE, SIZE):
            target[start : start + SIZE] = source[start : start + SIZE]

    return best(copy)


def replay(coherent: bool, record: bool) -> tuple[float, float, float]:
    """Microseconds per command of recording, decoding and executing."""
    system = System(machine(coherent), SystemOptions(record=record))
    device = system.device("a")
    commands = device.create_command_buffer(binding_capacity=2)
    start = time.perf_counter()
    for offset in range(0, COMMANDS * SIZE, SIZE):
        commands.copy_buffer(BufferRef(0, offset, SIZE), BufferRef(1, offset, SIZE))
    recorded = time.perf_counter()
    commands.finalize()
    decoded = time.perf_counter()
    tables = [
        tuple(
            system.host.allocate("shared", COMMANDS * SIZE, BufferParams(name=f"%{i}"))
            for i in range(2)
        )
        for _ in range(REPEATS)
    ]
    executed = best(lambda: device.queue_execute(NULL_FENCE, NULL_FENCE, commands, tables.pop()))
    each = 1e6 / COMMANDS
    return (recorded - start) * each, (decoded - recorded) * each, executed


def main() -> None:
    base = numpy_copies()
    print(f"{COMMANDS} copies of {SIZE} bytes, microseconds per copy")
    print(f"numpy                          {base:6.2f}")
    for coherent in (True, False):
        for record in (False, True):
            recording, decoding, executing = replay(coherent, record)
            name = "coherent" if coherent else "non-coherent"
            events = "events" if record else "no events"
            print(
                f"{name:12} {events:9} replay   {executing:6.2f}  ({executing / base:4.1f}x)"
                f"  recording {recording:5.2f}  decoding {decoding:5.2f}"
            )


if __name__ == "__main__":
    main()
