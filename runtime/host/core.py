"""The state of a runtime, and what all topics of the host API share.

Each topic is a class over `RuntimeCore` in a file of its own; `runtime.Runtime` puts them
together. A call checks all of its arguments before it changes anything.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any, NoReturn

from ...dialects.topology import DeviceProperties
from ..checker import CheckResult, check
from ..costs import CostModel
from ..counters import Statistics
from ..hal.buffer import Buffer, BufferParams
from ..hal.command_buffer import CommandBuffer
from ..hal.flags import BufferUsage, MemoryType
from ..hal.recorder import Source
from ..hal.semaphore import Semaphore
from ..hal.system import System, SystemOptions
from ..timeline import Timeline
from .caller import caller
from .calls import Needs
from .errors import ErrorCode, HostError, invalid_value, null_argument
from .faults import Faults
from .host_access import HostAccess
from .memory import Allocation
from .options import HOST_POOL, HostOptions, host_machine
from .registry import Registry
from .stream import Context, DeviceState, Position, Stream
from .tasks import Task

MEMORY_ALIGNMENT = 64
"""Bytes that addresses of allocations are multiples of (ZC-07, CP-59)."""


class RuntimeCore:
    """Devices, memory and streams of one simulated machine."""

    def __init__(self, options: HostOptions | None = None, **changes: Any) -> None:
        """A runtime that is not initialized. `changes` replace fields of `options`."""
        self.options = replace(options or HostOptions(), **changes)
        self.machine = host_machine(self.options)
        self.system = System(self.machine, SystemOptions(schedule=self.options.schedule))
        self.host_access = HostAccess(
            self.system,
            maintenance=self.options.maintenance,
            hazards_are_errors=self.options.hazards_are_errors,
        )
        model = CostModel(self.machine, self.options.topology, self.options.costs)
        self._timeline = Timeline(self.system.graph, model)
        self.registry = Registry()
        self.faults = Faults()
        self.calls: list[str] = []
        """Documented names of all calls, in order, failed ones too."""
        self.operation = ""
        """The call at hand."""
        self.devices = [
            DeviceState(index, name, self.system.device(name), self.options.soc_of(index))
            for index, name in enumerate(self.options.topology.device_names)
        ]
        self.allocations: dict[Allocation, None] = {}
        """All that are alive, in order of their birth."""
        self.contexts: dict[int, Context] = {}
        """The default context of each device that has been set, by device id."""
        self.current: dict[int, Context] = {}
        """By thread."""
        self.numbers = count()
        """Numbers for contexts, streams, events and other handles."""
        self.recordings: dict[object, CommandBuffer] = {}
        """Command buffers that are replayed, by what they were recorded for."""
        self.host_work: deque[Callable[[], None]] = deque()
        """What was issued and needs the host to go on, such as the host program of a model: it is
        done when the host next waits, whatever for."""
        self.initialized = False
        self.was_finalized = False

    # What an observer asks.

    @property
    def statistics(self) -> Statistics:
        """Counters of the host and of each device."""
        return self.system.statistics

    @property
    def timeline(self) -> Timeline:
        """Simulated time of all that has happened so far; see `zcir.runtime.timeline`."""
        return self._timeline.advance()

    @property
    def host_ns(self) -> float:
        """The host's clock: when its last action ended, in simulated nanoseconds."""
        return self.timeline.host_ns

    def set_duration(self, label: str, duration_ns: float) -> None:
        """Let tasks with that label (`kernel NAME`, …) take a fixed simulated time from now on."""
        self._timeline.advance()
        self._timeline.model.durations_ns[label] = duration_ns

    def check(self) -> CheckResult:
        """Judge all executions of what has happened so far; see `zcir.runtime.checker`.

        Tasks that have not executed are not part of it.
        """
        return check(self.system.graph, self.machine)

    # For calls.

    def enter(self, operation: str, needs: Needs) -> bool:
        """Begin a call; whether a fault makes it give null. Raises HostError, see `api`."""
        self.calls.append(operation)
        self.operation = operation
        fault = self.faults.take(operation)
        if fault is not None and fault.code:
            raise HostError(fault.code, operation, "injected fault")
        if needs is not Needs.NOTHING and not self.initialized:
            self.refuse(ErrorCode.NOT_INITIALIZED, "the runtime is not initialized; init it first")
        if needs is Needs.CONTEXT:
            self.context()
        return fault is not None

    def refuse(
        self, code: int, message: str, parameter: str = "", value: object = None
    ) -> NoReturn:
        """Raise the HostError of the call at hand."""
        raise HostError(code, self.operation, message, parameter=parameter, value=value)

    def require(self, **values: object) -> None:
        """Refuse the first argument that is None."""
        for name, value in values.items():
            if value is None:
                raise null_argument(self.operation, name)

    def require_positive(self, **values: int) -> None:
        """Refuse the first argument that is not positive."""
        for name, value in values.items():
            if value <= 0:
                self.refuse(
                    ErrorCode.INVALID_PARAMETER,
                    f"{name} must be greater than 0, got {value}",
                    name,
                    value,
                )

    def require_zero(self, code: int = ErrorCode.INVALID_PARAMETER, **values: object) -> None:
        """Refuse the first reserved argument that is not 0."""
        for name, value in values.items():
            if value != 0:
                self.refuse(code, f"{name} is reserved and must be 0, got {value}", name, value)

    def device_of(self, index: int) -> DeviceState:
        """The device with that id; INVALID_DEVICE_ID for another."""
        if not 0 <= index < len(self.devices):
            self.refuse(
                ErrorCode.INVALID_DEVICE_ID,
                f"invalid device id {index}; expected 0 to {len(self.devices) - 1}",
                "deviceId",
                index,
            )
        return self.devices[index]

    def properties(self, device: DeviceState) -> DeviceProperties:
        """What the topology says of a device."""
        return self.options.topology.device(device.name)

    def context(self) -> Context:
        """The context of the calling thread; NO_CONTEXT without one."""
        context = self.current.get(threading.get_ident())
        if context is None or not context.alive:
            self.refuse(ErrorCode.NO_CONTEXT, "the context is null; set a device first")
        return context

    def stream_of(self, stream: Stream | None) -> Stream:
        """The stream that a call names; None is the default stream of the current context.

        INVALID_HANDLE for a destroyed one, STREAM_OF_OTHER_CONTEXT for one that is not of the
        current context.
        """
        context = self.context()
        if stream is None:
            return context.default_stream
        if not stream.alive or not stream.context.alive:
            self.refuse(
                ErrorCode.INVALID_HANDLE, f"invalid handle: {stream.name} is destroyed", "stream"
            )
        if stream.context is not context:
            self.refuse(
                ErrorCode.STREAM_OF_OTHER_CONTEXT,
                f"{stream.name} belongs to context {stream.context.number} on device "
                f"{stream.context.device.index}, the current context is {context.number} on device "
                f"{context.device.index}",
                "stream",
            )
        return stream

    def new_stream(self, context: Context) -> Stream:
        """A stream of a context, without tasks."""
        number = next(self.numbers)
        stream = Stream(number, context, Semaphore(f"stream{number}"))
        context.streams.append(stream)
        return stream

    def submit(self, stream: Stream, task: Task) -> None:
        """Issue a task to a stream; a stream that captures stores it instead."""
        if stream.capture is not None:
            stream.capture.add(stream, task)
            return
        for allocation in dict.fromkeys(use.allocation for use in task.uses):
            if allocation.is_host:
                self.host_access.hand_over(allocation)
        wait, signal = stream.advance()
        task.enqueue(stream.context.device.hal, wait, signal)
        self.host_access.submitted(task.uses, stream.number, stream.value, task.label)

    def wait_for(self, position: Position, what: str) -> None:
        """Block the host until a position is reached; what has failed on the way is raised."""
        self.host_access.notice()
        while self.host_work:
            self.host_work.popleft()()
        try:
            self.system.host.wait(position.fence(what), source=Source(f"wait for {what}", caller()))
        finally:
            # What failed will not execute any more, so that it is no longer in flight either.
            self.host_access.learn(position.clock)
        self.check_zero_copy()

    def check_zero_copy(self) -> None:
        """With the option `assert_zero_copy`: refuse where a copy command has executed."""
        copies = self.statistics.total.copy_cmds
        if self.options.assert_zero_copy and copies:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER, f"expected zero copies, executed {copies}"
            )

    # Memory.

    def allocate(self, pool: str, size: int, name: str, agent: str) -> Buffer:
        """`size` bytes of a pool, aligned; `agent` counts them. Their contents are undefined."""
        host = pool == HOST_POOL
        kind = (
            MemoryType.HOST_LOCAL | MemoryType.DEVICE_VISIBLE if host else MemoryType.DEVICE_LOCAL
        )
        usage = BufferUsage.DEFAULT | (BufferUsage.MAPPING if host else BufferUsage.NONE)
        location = caller()
        params = BufferParams(kind, usage, name=name, location=location)
        # Sizes are multiples of the alignment so that all addresses of a pool are.
        rounded = -(-size // MEMORY_ALIGNMENT) * MEMORY_ALIGNMENT
        if rounded > self.system.memory.pools[pool].pool.size:
            self.refuse(
                ErrorCode.ALLOCATION_FAILED,
                f"allocation of {size} bytes failed: pool {pool} has "
                f"{self.system.memory.pools[pool].pool.size}",
                "size",
                size,
            )
        source = Source(self.operation, location)
        buffer = self.system.host.allocate(pool, rounded, params, source, agent=agent)
        return buffer.subspan(0, size)

    def check_idle(self, allocation: Allocation, what: str = "buffer") -> None:
        """Refuse where a task in flight, or a captured graph, still uses an allocation."""
        pending = self.host_access.in_flight(allocation, 0, allocation.size)
        if pending:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"{what} in use by pending submission: {allocation.name} is used by "
                f"{pending[0].label}; synchronize first",
            )
        if allocation.holders:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"{what} is referenced by {allocation.holders[0]}, which {allocation.name} must "
                "outlive",
            )

    def out_of_reach(self, allocation: Allocation, end: int, device: DeviceState) -> str:
        """Why a device cannot address the first `end` bytes of host memory, or "" (case B56).

        Addresses are counted from the start of host memory.
        """
        reach = self.properties(device).address_reach
        base = self.system.memory.pools[HOST_POOL].base
        last = allocation.address - base + end
        if reach is None or last <= reach:
            return ""
        return (
            f"device {device.name} reaches host addresses below {reach}, the memory ends at {last}"
        )

    def invalid(self, parameter: str, value: object, rule: str) -> NoReturn:
        """Refuse a value that breaks `rule`."""
        raise invalid_value(self.operation, parameter, value, rule)
