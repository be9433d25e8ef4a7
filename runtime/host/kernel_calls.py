"""Kernels by name and their argument lists: `aclrtBinaryLoadFromFile`, `aclrtKernelArgs…`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .block_kernel import BlockKernel
from .calls import api
from .core import RuntimeCore
from .errors import ErrorCode
from .images import HostKernel, ImageError, load_image
from .stream import Context


@dataclass(slots=True, eq=False)
class Binary:
    """A loaded kernel image."""

    path: str
    context: Context
    kernels: dict[str, HostKernel]
    alive: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A kernel of a binary."""

    name: str
    kernel: HostKernel
    binary: Binary | None
    """None for a kernel that the program gave itself."""

    @property
    def arity(self) -> int | None:
        """How many arguments it takes, pointers and scalars; None where only a launch tells."""
        if not isinstance(self.kernel, BlockKernel):
            return None
        count = self.kernel.body.__code__.co_argcount
        return count - 1


@dataclass(frozen=True, slots=True)
class ParamHandle:
    """Names an argument of a list, to update it (`aclrtParamHandle`)."""

    arguments: KernelArgs
    index: int


@dataclass(slots=True, eq=False)
class KernelArgs:
    """The arguments of a kernel, in the order of its parameters (ZC-30)."""

    function: Function
    values: list[Any] = field(default_factory=list[Any])
    finalized: bool = False


class KernelCalls(RuntimeCore):
    """Calls that load kernels and put together their arguments."""

    @api("aclrtBinaryLoadFromFile")
    def binary_load_from_file(self, path: str | Path, options: None = None) -> Binary:
        """Load a kernel image for the current device (`aclrtBinaryLoadFromFile`, ZC-27).

        Raises HostError CANNOT_OPEN_FILE, or INVALID_FILE for a file that is no image or was
        built for another product.
        """
        context = self.context()
        try:
            image = load_image(path)
        except OSError as error:
            self.refuse(
                ErrorCode.CANNOT_OPEN_FILE, f"cannot open {path}: {error.strerror}", "binPath", path
            )
        except ImageError as error:
            self.refuse(ErrorCode.INVALID_FILE, str(error), "binPath", path)
        if image.target not in ("", context.device.soc):
            self.refuse(
                ErrorCode.INVALID_FILE,
                f"{path} was built for {image.target}, the device is {context.device.soc}",
                "binPath",
                path,
            )
        return Binary(str(path), context, image.kernels)

    @api("aclrtBinaryUnLoad")
    def binary_unload(self, binary: Binary) -> None:
        """Unload an image; functions of it are invalid then (`aclrtBinaryUnLoad`).

        Raises HostError INVALID_HANDLE for a second time.
        """
        self._check_binary(binary)
        binary.alive = False

    @api("aclrtBinaryGetFunction")
    def binary_get_function(self, binary: Binary, name: str) -> Function:
        """The kernel of that name (`aclrtBinaryGetFunction`, ZC-28).

        Raises HostError KERNEL_NOT_FOUND, INVALID_HANDLE.
        """
        self._check_binary(binary)
        kernel = binary.kernels.get(name)
        if kernel is None:
            listed = ", ".join(binary.kernels)
            self.refuse(
                ErrorCode.KERNEL_NOT_FOUND,
                f"kernel {name} not found in {binary.path}, which has {listed}",
                "kernelName",
                name,
            )
        return Function(name, kernel, binary)

    @api("aclrtKernelArgsInit")
    def kernel_args_init(self, function: Function) -> KernelArgs:
        """An empty argument list for a function (`aclrtKernelArgsInit`, ZC-29)."""
        self.check_function(function)
        return KernelArgs(function)

    @api("aclrtKernelArgsAppend")
    def kernel_args_append(self, args: KernelArgs, value: Any, size: int = 8) -> ParamHandle:
        """Append the value of an argument, which is taken now (`aclrtKernelArgsAppend`).

        `size` is that of the parameter in bytes, 8 for a pointer. Raises HostError
        INVALID_PARAMETER for a size that is not positive, INVALID_RUNTIME_PARAMETER for a list
        that is finalized.
        """
        self.check_function(args.function)
        self.require(param=value)
        self.require_positive(paramSize=size)
        if args.finalized:
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                "arguments are finalized: update one through its handle, or begin another list",
            )
        args.values.append(value)
        return ParamHandle(args, len(args.values) - 1)

    @api("aclrtKernelArgsParaUpdate")
    def kernel_args_update(self, handle: ParamHandle, value: Any, size: int = 8) -> None:
        """Replace an argument; the list is to be finalized again (`aclrtKernelArgsParaUpdate`)."""
        self.check_function(handle.arguments.function)
        self.require(param=value)
        self.require_positive(paramSize=size)
        handle.arguments.values[handle.index] = value
        handle.arguments.finalized = False

    @api("aclrtKernelArgsFinalize")
    def kernel_args_finalize(self, args: KernelArgs) -> None:
        """Seal an argument list, so that it can be launched with (`aclrtKernelArgsFinalize`).

        Raises HostError INVALID_RUNTIME_PARAMETER for a wrong number of arguments.
        """
        self.check_function(args.function)
        self.check_count(args.function, len(args.values))
        args.finalized = True

    def check_function(self, function: Function) -> None:
        """Refuse the function of an image that is not loaded."""
        if function.binary is not None:
            self._check_binary(function.binary)

    def check_count(self, function: Function, count: int) -> None:
        """Refuse a wrong number of arguments."""
        if function.arity not in (None, count):
            self.refuse(
                ErrorCode.INVALID_RUNTIME_PARAMETER,
                f"kernel {function.name}: expected {function.arity} arguments, got {count}",
                "args",
                count,
            )

    def _check_binary(self, binary: Binary) -> None:
        if not binary.alive or not binary.context.alive:
            self.refuse(
                ErrorCode.INVALID_HANDLE,
                f"invalid handle: {binary.path} is not loaded",
                "binHandle",
                binary,
            )
