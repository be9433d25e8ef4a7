"""Launching kernels: `aclrtLaunchKernelWithConfig`.

A launch is one dispatch in a command buffer of the stream's device, with the cache maintenance of
its arguments around it. Arguments are slots of the binding table, so that the command buffer is
recorded once and replayed with other addresses (ZC-45).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..hal.buffer import Buffer
from ..hal.command_buffer import CommandBuffer
from ..hal.device import Device
from ..hal.dispatch import Workload
from ..hal.recorder import Source
from ..hal.refs import BufferRef
from ..hal.semaphore import Fence
from ..kernels.api import BindingAccess, Kernel, Runs
from ..machine import WriteBack
from .block_kernel import BlockKernel, BlockOrder, in_order
from .caller import caller
from .calls import api
from .errors import ErrorCode
from .images import HostKernel
from .kernel_calls import Function, KernelArgs, KernelCalls
from .memory import DevicePointer, MappedPointer, Pointer
from .stream import DeviceState, Stream
from .tasks import Task, Touched, Use, record_maintained

_SHOWN_RUNS = 16
"""Ranges of one argument that are kept apart; more count as their hull."""


@dataclass(frozen=True, slots=True)
class _Argument:
    """A pointer argument and what the kernel does to it."""

    pointer: Pointer
    extent: int
    """Bytes that are bound."""
    access: BindingAccess | None
    invalidate: bool
    flush: bool

    @property
    def buffer(self) -> Buffer:
        return self.pointer.subspan(self.extent)


@cache
def shuffled(seed: int) -> BlockOrder:
    """Blocks in an order that the seed gives; the same function for the same seed."""

    def order(blocks: int) -> Iterable[int]:
        return random.Random(seed).sample(range(blocks), blocks)

    return order


class LaunchCalls(KernelCalls):
    """Calls that launch kernels."""

    block_order: BlockOrder = staticmethod(in_order)
    """In which order the blocks of a kernel run; see `shuffled`."""

    @api("aclrtLaunchKernelWithConfig")
    def launch_kernel_with_config(
        self,
        function: Function,
        blocks: int,
        stream: Stream | None,
        config: None,
        args: KernelArgs,
        reserve: None = None,
    ) -> None:
        """Issue a kernel with its arguments to a stream and return
        (`aclrtLaunchKernelWithConfig`, ZC-31). `stream` None is the default stream.

        Raises HostError: INVALID_PARAMETER for no blocks and for `reserve`; INVALID_HANDLE for
        a kernel that is unloaded; INVALID_RUNTIME_PARAMETER for arguments that are not finalized,
        are no pointers to memory of the device, or are too small (OUT_OF_RANGE).
        """
        self.require(func=function, argsHandle=args)
        self.require_positive(numBlocks=blocks)
        if config is not None:
            self.refuse(ErrorCode.INVALID_PARAMETER, "cfg must be null", "cfg", config)
        if reserve is not None:
            self.refuse(ErrorCode.INVALID_PARAMETER, "reserve must be null", "reserve", reserve)
        self.check_function(function)
        if not args.finalized or args.function is not function:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"arguments are not finalized for kernel {function.name}",
                "argsHandle",
            )
        self._launch(function, blocks, self.stream_of(stream), args.values)

    @api("aclrtLaunchKernel")
    def launch(
        self, kernel: HostKernel | Function, blocks: int, stream: Stream | None, *args: Any
    ) -> None:
        """Issue a kernel with `args` to a stream, without an argument list; else as
        `launch_kernel_with_config`."""
        self.require(func=kernel)
        self.require_positive(numBlocks=blocks)
        function = kernel if isinstance(kernel, Function) else Function(kernel.name, kernel, None)
        self.check_function(function)
        self.check_count(function, len(args))
        self._launch(function, blocks, self.stream_of(stream), args)

    def _launch(
        self, function: Function, blocks: int, stream: Stream, values: Sequence[Any]
    ) -> None:
        device = stream.context.device
        pointers = [value for value in values if not isinstance(value, int | float)]
        scalars = tuple(value for value in values if isinstance(value, int | float))
        for index, value in enumerate(values):
            if not isinstance(value, int | float):
                self._check_argument(index, value, device)
        kernel, workload = self._bound(function.kernel, blocks, scalars)
        arguments = self._arguments(kernel, workload, pointers, device)
        label = f"kernel {function.name}"
        if isinstance(function.kernel, BlockKernel) and function.kernel.duration_ns is not None:
            self.set_duration(label, function.kernel.duration_ns)
        source = Source(label, caller())
        key = (kernel, workload, device.index, tuple((a.invalidate, a.flush) for a in arguments))
        table = tuple(argument.buffer for argument in arguments)

        def record(commands: CommandBuffer, refs: Sequence[BufferRef]) -> None:
            touched = [
                Touched(ref, argument.invalidate, argument.flush)
                for ref, argument in zip(refs, arguments, strict=True)
            ]
            record_maintained(
                commands, touched, lambda body: body.dispatch(kernel, workload, refs, source)
            )

        def enqueue(queue: Device, wait: Fence, signal: Fence) -> None:
            commands = self.recordings.get(key)
            if commands is None:
                commands = queue.create_command_buffer(binding_capacity=len(table))
                record(commands, [BufferRef(slot) for slot in range(len(table))])
                commands.finalize()
                self.recordings[key] = commands
            queue.queue_execute(wait, signal, commands, table, source)

        uses = tuple(use for argument in arguments for use in _uses(argument))

        def record_directly(commands: CommandBuffer) -> None:
            record(commands, [BufferRef(buffer) for buffer in table])

        self.submit(stream, Task(label, uses, enqueue, record_directly))

    def _bound(
        self, kernel: HostKernel, blocks: int, scalars: tuple[Any, ...]
    ) -> tuple[Kernel, Workload]:
        """The HAL's kernel; compiled bodies take scalars as push constants."""
        if isinstance(kernel, BlockKernel):
            workload = Workload(workgroups=(blocks, 1, 1))
            return kernel.bind(blocks, scalars, self.block_order), workload
        constants = tuple(int(scalar) & 0xFFFFFFFF for scalar in scalars)
        return kernel, Workload(constants, (blocks, 1, 1))

    def _check_argument(self, index: int, value: Any, device: DeviceState) -> None:
        """Refuse what the device cannot dereference."""
        if not isinstance(value, DevicePointer | MappedPointer):
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"argument {index} is not a device-visible address: {value!r}; give memory of the "
                "device, or host_get_device_pointer of registered host memory",
                f"argument {index}",
                value,
            )
        if isinstance(value, MappedPointer):
            registration = value.registration
            if registration is None or not registration.alive:
                self.refuse(
                    ErrorCode.INVALID_RUNTIME_PARAMETER,
                    f"argument {index} refers to an unregistered mapping",
                    f"argument {index}",
                    value,
                )
            elif device.index not in registration.imported_by:
                self.refuse(
                    ErrorCode.INVALID_RUNTIME_PARAMETER,
                    f"argument {index} is not mapped on device {device.index}",
                    f"argument {index}",
                    value,
                )
        if not value.allocation.alive:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"argument {index} refers to freed memory: {value!r}",
                f"argument {index}",
                value,
            )
        if value.allocation.buffer.pool not in device.hal.reach.in_place:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"argument {index} is not a device-visible address: {value!r} is memory that "
                f"kernels of device {device.index} do not reach",
                f"argument {index}",
                value,
            )

    def _arguments(
        self, kernel: Kernel, workload: Workload, pointers: Sequence[Pointer], device: DeviceState
    ) -> list[_Argument]:
        """What the kernel does to each argument; OUT_OF_RANGE for one that is too small."""
        lengths = tuple(max(pointer.size, 0) for pointer in pointers)
        accesses = {a.binding: a for a in kernel.accesses(workload.constants, lengths)}
        arguments: list[_Argument] = []
        for index, (pointer, length) in enumerate(zip(pointers, lengths, strict=True)):
            access = accesses.get(index)
            ends = [
                int(runs[-1, 1])
                for runs in (() if access is None else (access.reads, access.writes))
                if len(runs)
            ]
            end = max(ends, default=0)
            if end > length:
                self.refuse(
                    ErrorCode.INVALID_RUNTIME_PARAMETER,
                    f"OUT_OF_RANGE: kernel {kernel.name} accesses bytes [0, {end}) of binding "
                    f"{index}, which has {length}",
                    f"argument {index}",
                    pointer,
                )
            if access is not None and len(access.writes) and not pointer.writable:
                self.refuse(
                    ErrorCode.INVALID_RUNTIME_PARAMETER,
                    f"PERMISSION_DENIED: kernel {kernel.name} writes binding {index}, which is "
                    "read-only",
                    f"argument {index}",
                    pointer,
                )
            arguments.append(self._argument(pointer, length, end, access, device, kernel))
        return arguments

    def _argument(
        self,
        pointer: Pointer,
        length: int,
        end: int,
        access: BindingAccess | None,
        device: DeviceState,
        kernel: Kernel,
    ) -> _Argument:
        # A declared kernel is bound to what it touches, so that maintenance goes no further.
        extent = end if not hasattr(kernel, "workgroup_count") else length
        port = device.hal.ports[pointer.allocation.buffer.pool]
        if access is None or not self.options.maintenance or not port.cached:
            return _Argument(pointer, extent, access, invalidate=False, flush=False)
        domain = self.machine.domains[device.hal.domain]
        partial = domain.write_back is WriteBack.LINE and bool(
            ((access.writes + pointer.allocation.address + pointer.offset) % port.line).any()
        )
        invalidate = len(access.reads) > 0 or partial
        return _Argument(pointer, extent, access, invalidate, flush=len(access.writes) > 0)


def _uses(argument: _Argument) -> list[Use]:
    if argument.access is None:
        return []
    allocation, offset = argument.pointer.allocation, argument.pointer.offset
    return [
        Use(allocation, offset + start, offset + end, writes)
        for runs, writes in ((argument.access.reads, False), (argument.access.writes, True))
        for start, end in _ranges(runs)
    ]


def _ranges(runs: Runs) -> list[tuple[int, int]]:
    if len(runs) > _SHOWN_RUNS:
        return [(int(runs[0, 0]), int(runs[-1, 1]))]
    return [(int(start), int(end)) for start, end in runs]
