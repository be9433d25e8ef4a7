"""Small machines and kernels that the tests of the HAL share."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from zcir.runtime.hal.buffer import Buffer, BufferParams
from zcir.runtime.hal.command_buffer import CommandBuffer
from zcir.runtime.hal.device import Device
from zcir.runtime.hal.dispatch import Workload
from zcir.runtime.hal.flags import ExecutionStage
from zcir.runtime.hal.recorder import UNNAMED, Source
from zcir.runtime.hal.refs import BufferRef
from zcir.runtime.hal.system import System, SystemOptions
from zcir.runtime.kernels.api import NO_RUNS, BindingAccess, BindingView, Bytes, one_run
from zcir.runtime.machine import HOST, Domain, Machine, Pool, WriteBack

D, T = ExecutionStage.DISPATCH, ExecutionStage.TRANSFER
ALL = D | T


@dataclass(frozen=True)
class Add:
    """out = in + constant, byte by byte; binding 0 is read, the last is written."""

    name: str = "@ex::@add"

    def accesses(
        self, constants: tuple[int, ...], binding_lengths: tuple[int, ...]
    ) -> tuple[BindingAccess, ...]:
        size = min(binding_lengths)
        if len(binding_lengths) == 1:
            return (BindingAccess(0, one_run(0, size), one_run(0, size)),)
        return (
            BindingAccess(0, one_run(0, size), NO_RUNS),
            BindingAccess(1, NO_RUNS, one_run(0, size)),
        )

    def run(self, views: Sequence[BindingView], constants: tuple[int, ...]) -> None:
        size = min(view.length for view in views)
        views[-1].store(0, views[0].load(0, size) + np.uint8(constants[0]))


def machine(
    *devices: str,
    coherent: bool = False,
    discrete: bool = False,
    line: int = 64,
    write_back: WriteBack = WriteBack.BYTES,
    size: int = 1 << 20,
) -> Machine:
    """A host and devices over one pool `shared`, or, discrete, over a pool each."""
    agents = (HOST, *devices)
    if coherent:
        domains = (Domain(tuple(sorted(agents)), line, write_back),)
    else:
        domains = tuple(Domain((agent,), line, write_back) for agent in agents)
    if not discrete:
        names = frozenset(("shared",))
        reach = dict.fromkeys(agents, names)
        return Machine(domains, (Pool("shared", agents[-1], 4096, size),), reach, reach)
    pools = tuple(Pool(agent, agent, (1 + i) << 24, size) for i, agent in enumerate(agents))
    own = {agent: frozenset((agent,)) for agent in agents}
    return Machine(domains, pools, own, dict.fromkeys(agents, frozenset(agents)))


def system(
    *devices: str,
    schedule: str = "fifo",
    record: bool = True,
    strict: bool = True,
    **kind: object,
) -> System:
    """A system on `machine(*devices, **kind)`."""
    made = machine(*devices, **kind)  # pyright: ignore[reportArgumentType]
    return System(made, SystemOptions(schedule=schedule, record=record, strict=strict))


def named(name: str) -> BufferParams:
    """Parameters of a buffer that allows everything."""
    return BufferParams(name=name)


def at(label: str, line: int) -> Source:
    """An op at a line of the program."""
    return Source(label, f"t.mlir:{line}:1")


def dispatch(
    commands: CommandBuffer,
    add: int,
    *bindings: Buffer | BufferRef,
    source: Source = UNNAMED,
) -> None:
    """Record the Add kernel."""
    refs = [b if isinstance(b, BufferRef) else BufferRef(b) for b in bindings]
    commands.dispatch(Add(), Workload((add,)), refs, source)


def barrier(commands: CommandBuffer) -> None:
    """Record a full barrier."""
    commands.execution_barrier(ALL, ALL)


def full(size: int, value: int) -> Bytes:
    """`size` bytes of `value`."""
    return np.full(size, value, dtype=np.uint8)


def record(device: Device, slots: int = 0) -> CommandBuffer:
    """A reusable command buffer of `device`."""
    return device.create_command_buffer(binding_capacity=slots)
