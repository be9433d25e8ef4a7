"""Filling memory: `aclrtMemset`, `aclrtMemsetD32` and their asynchronous forms."""

from __future__ import annotations

import numpy as np

from ..hal.command_buffer import CommandBuffer
from ..hal.recorder import Source
from ..hal.refs import BufferRef
from .caller import caller
from .calls import api
from .copies import Copies
from .errors import ErrorCode
from .memory import AllocationKind, HostPointer, Pointer
from .operands import Address
from .stream import DeviceState, Stream
from .tasks import Task, Use
from .transfers import transfer_task

WORD = 4
"""Bytes of a value of the D32 calls."""


class MemsetCalls(Copies):
    """Calls that fill memory with a value: device memory, or the host's from `malloc_host`."""

    @api("aclrtMemset")
    def memset(self, target: Address | None, target_max: int, value: int, count: int) -> None:
        """Set `count` bytes to `value` & 0xFF before this returns (`aclrtMemset`, CP-52).

        It is ordered after no task of any stream. No bytes are success without effect. Raises
        HostError: INVALID_PARAMETER for null; INVALID_RUNTIME_PARAMETER for more bytes than
        `target_max` or the memory has, and for host memory that is not from `malloc_host`;
        FORBIDDEN_IN_CAPTURE_MODE.
        """
        pointer = self._fill_target(target, target_max, count, 1)
        if pointer is not None:
            self._set_now(pointer, count, bytes((value & 0xFF,)))

    @api("aclrtMemsetAsync")
    def memset_async(
        self,
        target: Address | None,
        target_max: int,
        value: int,
        count: int,
        stream: Stream | None = None,
    ) -> None:
        """Issue the same to a stream and return (`aclrtMemsetAsync`, CP-53).

        Raises HostError as `memset` does, but for FORBIDDEN_IN_CAPTURE_MODE.
        """
        where = self.stream_of(stream)
        pointer = self._fill_target(target, target_max, count, 1)
        if pointer is not None:
            task = self._fill_task(where.context.device, pointer, count, bytes((value & 0xFF,)))
            self.submit(where, task)

    @api("aclrtMemsetD32")
    def memset_d32(self, target: Address | None, size: int, value: int, count: int) -> None:
        """Set `count` 32-bit words to `value` in memory of `size` bytes (`aclrtMemsetD32`, CP-54).

        Little-endian. Raises HostError as `memset` does, ADDRESS_UNALIGNED too.
        """
        pointer = self._fill_target(target, size, count, WORD)
        if pointer is not None:
            self._set_now(pointer, count * WORD, _word(value))

    @api("aclrtMemsetD32Async")
    def memset_d32_async(
        self,
        target: Address | None,
        size: int,
        value: int,
        count: int,
        stream: Stream | None = None,
    ) -> None:
        """Issue the same to a stream and return; host memory is set at once
        (`aclrtMemsetD32Async`, CP-54)."""
        where = self.stream_of(stream)
        pointer = self._fill_target(target, size, count, WORD)
        if pointer is None:
            return
        if isinstance(pointer, HostPointer):
            self._set_now(pointer, count * WORD, _word(value))
            return
        self.submit(
            where, self._fill_task(where.context.device, pointer, count * WORD, _word(value))
        )

    def _fill_target(
        self, target: Address | None, size: int, count: int, width: int
    ) -> Pointer | None:
        """The memory to fill; None where nothing is to be done."""
        if count == 0:
            return None
        self.require(devPtr=target)
        operand = self.operand(target, "devPtr")
        if count < 0 or (width == 1 and count > size):
            self.invalid("count", count, f"a value in the range (0, {size}]")
        if count * width > size:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"memSize {size} is less than {count * width}, which {count} values need",
                "memSize",
                size,
            )
        self.check_extent(operand, count * width)
        pointer = operand.pointer
        if pointer is None or pointer.allocation.kind is AllocationKind.REGISTERED_ARRAY:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                "devPtr: memory was not allocated by the runtime; use malloc or malloc_host",
                "devPtr",
            )
        if pointer.address % width:
            self.refuse(
                ErrorCode.ADDRESS_UNALIGNED,
                f"devPtr 0x{pointer.address:x} is not a multiple of {width}",
                "devPtr",
                pointer,
            )
        self.check_reach(self.context().device, operand)
        return pointer

    def _set_now(self, pointer: Pointer, size: int, pattern: bytes) -> None:
        self.check_synchronous()
        if isinstance(pointer, HostPointer):
            pointer.write(np.tile(np.frombuffer(pattern, np.uint8), size // len(pattern)))
            return
        context = self.context()
        self.run_now(context, self._fill_task(context.device, pointer, size, pattern))

    def _fill_task(self, device: DeviceState, pointer: Pointer, size: int, pattern: bytes) -> Task:
        source = Source("memset", caller())
        to = BufferRef(pointer.subspan(size))

        def fill(body: CommandBuffer) -> None:
            body.fill_buffer(to, pattern, source)

        use = Use(pointer.allocation, pointer.offset, pointer.offset + size, writes=True)
        touched = self.touched(device, pointer, size, writes=True)
        return transfer_task(source, (use,), touched, fill)


def _word(value: int) -> bytes:
    return (value & 0xFFFFFFFF).to_bytes(WORD, "little")
