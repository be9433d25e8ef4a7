"""FP16 addition on mapped host memory: the kernel reads and writes it in place, nothing is copied.

    .venv/bin/python examples/simple_zero_copy.py [--memory=noncoherent] [--fail=aclrtMallocHost:2]

Four phases, of which one that fails ends the run: initialize the runtime, prepare three buffers of
page-locked host memory that are registered and mapped, load the kernel, execute and verify. What
was acquired is released in reverse order in every case, and an error there is recorded while the
rest is still released. The exit code is 1 after any `[ERROR]`, 2 where the kernel cannot be built.
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from zcir.runtime.host import (
    HostError,
    HostPointer,
    ImageError,
    MappedPointer,
    RegisterFlag,
    Runtime,
    build_image,
    one_device,
)
from zcir.runtime.host.kernel_calls import Binary, Function, KernelArgs
from zcir.runtime.host.stream import Stream
from zcir.runtime.trace import write_trace

DEVICE_ID = 0
BLOCK_DIM = 8
ELEMENT_COUNT = 8 * 2048
BUFFER_SIZE = ELEMENT_COUNT * 2
"""Bytes."""
HALF_ONE, HALF_TWO, HALF_THREE = 0x3C00, 0x4000, 0x4200
"""FP16 bit patterns of 1.0, 2.0 and 3.0."""
KERNEL_SOURCE = Path(__file__).parent / "simple_zero_copy_kernel.py"
KERNEL_PATH = "fatbin/simple_zero_copy_kernel/simple_zero_copy_kernel.o"


class Log(Protocol):
    """Where lines are written."""

    def write(self, text: str, /) -> object:
        """Write text."""
        ...


class PhaseError(Exception):
    """What ends a phase that no call of the runtime has refused."""


@dataclass(slots=True)
class MappedBuffer:
    """Host memory that a kernel works on, and how far it is set up."""

    host: HostPointer | None = None
    device: MappedPointer | None = None
    registered: bool = False


class Session:
    """What the sample holds, its phases, and its end."""

    def __init__(
        self, runtime: Runtime, kernel_path: Path, log: Log, blocks: int = BLOCK_DIM
    ) -> None:
        self.runtime = runtime
        self.kernel_path = kernel_path
        self.blocks = blocks
        self.failed = False
        """Whether an error was logged."""
        self.input_a, self.input_b, self.output = MappedBuffer(), MappedBuffer(), MappedBuffer()
        self._log = log
        self._initialized = self._device_set = False
        self._stream: Stream | None = None
        self._binary: Binary | None = None
        self._function: Function | None = None
        self._args: KernelArgs | None = None

    def run(self) -> int:
        """All phases, then the release; 0, or -1 where anything failed."""
        self.info("Start to run simple_zero_copy sample.")
        try:
            for phase in (
                self.initialize_runtime,
                self.prepare_mapped_buffers,
                self.load_kernel,
                self.execute_and_verify,
            ):
                phase()
        except HostError as error:
            self.error(f"{error.operation} failed with error code {error.code}: {error.message}")
        except PhaseError as error:
            self.error(str(error))
        finally:
            self.release()
        if self.failed:
            return -1
        self.info("Run the simple_zero_copy sample successfully.")
        return 0

    def initialize_runtime(self) -> None:
        """Phase 1."""
        self.runtime.init(None)
        self._initialized = True
        self.runtime.set_device(DEVICE_ID)
        self._device_set = True
        self._stream = self.runtime.create_stream()

    def prepare_mapped_buffers(self) -> None:
        """Phase 2: allocate, register, map and fill."""
        contents = (
            (self.input_a, HALF_ONE),
            (self.input_b, HALF_TWO),
            (self.output, 0),
        )
        for buffer, _ in contents:
            self._allocate(buffer)
        for buffer, pattern in contents:
            assert buffer.host is not None
            buffer.host.view(np.uint16)[:] = pattern
        self.info("Registered three Host buffers and obtained their Device mapping addresses.")

    def load_kernel(self) -> None:
        """Phase 3: the kernel, and its arguments in the order of its parameters."""
        runtime = self.runtime
        self._binary = runtime.binary_load_from_file(self.kernel_path, None)
        self._function = runtime.binary_get_function(self._binary, "add_custom")
        self._args = runtime.kernel_args_init(self._function)
        for buffer in (self.input_a, self.input_b, self.output):
            runtime.kernel_args_append(self._args, buffer.device, 8)
        runtime.kernel_args_finalize(self._args)

    def execute_and_verify(self) -> None:
        """Phase 4."""
        self.execute()
        self.verify()

    def execute(self) -> None:
        """Launch the kernel and wait for it."""
        assert self._function is not None
        assert self._args is not None
        self.runtime.launch_kernel_with_config(
            self._function, self.blocks, self._stream, None, self._args, None
        )
        self.runtime.synchronize_stream(self._stream)

    def verify(self) -> None:
        """Compare every element on the host; the first that is wrong ends it."""
        assert self.output.host is not None
        actual = self.output.host.view(np.uint16).numpy()
        wrong = np.flatnonzero(actual != HALF_THREE)
        if len(wrong):
            index = int(wrong[0])
            raise PhaseError(
                f"Result mismatch at index {index}: actual=0x{int(actual[index]):04x}, "
                f"expected=0x{HALF_THREE:04x}"
            )
        self.info(f"Verified {ELEMENT_COUNT} FP16 additions through mapped Host memory.")

    def release(self) -> None:
        """Undo what was done, in reverse order; each step runs whatever the others do."""
        runtime = self.runtime
        if self._binary is not None:
            binary, self._binary = self._binary, None
            self._clean(lambda: runtime.binary_unload(binary))
        for buffer in (self.output, self.input_b, self.input_a):
            self._release_buffer(buffer)
        if self._stream is not None:
            stream, self._stream = self._stream, None
            self._clean(lambda: runtime.destroy_stream(stream))
        if self._device_set:
            self._device_set = False
            self._clean(lambda: runtime.reset_device_force(DEVICE_ID))
        if self._initialized:
            self._initialized = False
            self._clean(runtime.finalize)

    def info(self, text: str) -> None:
        """Log what went well."""
        print(f"[INFO] {text}", file=self._log)

    def error(self, text: str) -> None:
        """Log what went wrong; the exit code will tell."""
        self.failed = True
        print(f"[ERROR] {text}", file=self._log)

    def _allocate(self, buffer: MappedBuffer) -> None:
        runtime = self.runtime
        buffer.host = runtime.malloc_host(BUFFER_SIZE)
        runtime.host_register(buffer.host, RegisterFlag.MAPPED, BUFFER_SIZE)
        buffer.registered = True
        # A null address with success is a failure, too.
        device = runtime.host_get_device_pointer(buffer.host, 0)
        if not device:
            raise PhaseError("Mapped Device address is null.")
        buffer.device = device

    def _release_buffer(self, buffer: MappedBuffer) -> None:
        host = buffer.host
        if buffer.registered:
            buffer.registered, buffer.device = False, None
            self._clean(lambda: self.runtime.host_unregister(host))
        if host is not None:
            buffer.host = None
            self._clean(lambda: self.runtime.free_host(host))

    def _clean(self, call: Callable[[], None]) -> None:
        try:
            call()
        except HostError as error:
            self.error(f"Cleanup failed: {error.operation} returned error code {error.code}")


class Tee:
    """Writes to two streams."""

    def __init__(self, first: Log, second: Log) -> None:
        self._streams = (first, second)

    def write(self, text: str, /) -> None:
        """Write to both."""
        for stream in self._streams:
            stream.write(text)


def _inject(runtime: Runtime, text: str) -> None:
    """`CALL[:OCCURRENCE][=CODE]`: let that call fail; the code 0 lets it give null."""
    call, _, code = text.partition("=")
    name, _, occurrence = call.partition(":")
    if code == "0":
        runtime.faults.give_null(name, int(occurrence or 1))
    else:
        runtime.faults.fail(name, int(code or 107000), int(occurrence or 1))


def main(arguments: list[str] | None = None) -> int:
    """Build the kernel and run the sample; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--memory", choices=("coherent", "noncoherent"), default="coherent")
    parser.add_argument("--soc", default="Ascend910B3", help="the product that is simulated")
    parser.add_argument("--blocks", type=int, default=BLOCK_DIM)
    parser.add_argument("--out", type=Path, default=Path("build/simple_zero_copy"))
    parser.add_argument("--fail", action="append", default=[], metavar="CALL[:N][=CODE]")
    parser.add_argument("--trace", type=Path, help="write simulated time as Chrome trace events")
    options = parser.parse_args(arguments)
    try:
        build_image(KERNEL_SOURCE, options.soc, options.out / KERNEL_PATH)
    except ImageError as error:
        print(f"[ERROR] {error}")
        return 2
    topology = one_device(host_coherent=options.memory == "coherent")
    runtime = Runtime(topology=topology, soc=(options.soc,), assert_zero_copy=True)
    for text in options.fail:
        _inject(runtime, text)
    with (options.out / "output_msg.txt").open("w") as file:
        log = Tee(sys.stdout, file)
        print(f"[INFO]: Current compile soc version is {options.soc}", file=log)
        result = Session(runtime, options.out / KERNEL_PATH, log, options.blocks).run()
    if options.trace is not None:
        with options.trace.open("w") as file:
            write_trace(runtime.timeline, file)
    return 0 if result == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
