"""The hal dialect as far as the host program of a flow-level module uses it.

Buffers are the caller's arrays: an import takes a copy of their contents, so that no later write
is seen by the tensor, and `hal.tensor.alias` leaves the result in the storage that the caller
gave. Everything is computed where it stands, so fences are always reached.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IndexType
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.hal import buffer_view as views
from ...dialects.hal import fence as fences
from ...dialects.hal import tensor as hal_tensor
from ...dialects.hal.types import BufferType
from ..element_types import Array, InputError, describe, is_integer, name_of_dtype
from ..io import fit_tensor
from .control import single
from .dispatch import seen_as
from .interpreter import NamedEvaluation, ReferenceInterpreter, unchanged
from .tensor import DYNAMIC, mixed
from .values import element_dtype, is_tensor, tensor_shape


@dataclass
class Buffer:
    """A `!hal.buffer`: bytes, of an array that may be the caller's."""

    array: Array


@dataclass
class BufferView:
    """A `!hal.buffer_view`: an array that may be the caller's."""

    array: Array


@dataclass
class Fence:
    """A `!hal.fence`; `failed` is a status code other than 0 once something went wrong."""

    failed: int = 0


_NUMERICAL_KIND = {"i": 0x10, "u": 0x12, "f": 0x21, "c": 0x23, "b": 0x13}
"""IREE's number for how bits are read, by numpy's kind; the width in bits is the low byte."""

_FLOAT_NUMBERS = {"bf16": 0x22000010}

_DENSE_ROW_MAJOR = 1


def element_type_number(dtype: np.dtype[Any]) -> int:
    """`iree_hal_element_type_t` for elements of `dtype`."""
    name = name_of_dtype(dtype)
    if name in _FLOAT_NUMBERS:
        return _FLOAT_NUMBERS[name]
    if dtype.kind not in _NUMERICAL_KIND:
        raise InputError(f"no runtime number for element type {name}")
    return (_NUMERICAL_KIND[dtype.kind] << 24) | (dtype.itemsize * 8)


def writable_bytes(array: Array, what: str) -> Array:
    """The bytes of a caller's array, to write into; InputError where that is not possible."""
    if not array.flags.c_contiguous or not array.flags.writeable:
        raise InputError(f"{what}: expected a writable row-major array")
    return array.reshape(-1).view(np.uint8)


@register_impls
class ReferenceHal(InterpreterFunctions):
    """Tensors at the border of the program, buffer views and fences."""

    @impl(hal_tensor.TensorImportOp)
    def run_import(
        self, interpreter: Interpreter, op: hal_tensor.TensorImportOp, _: PythonValues
    ) -> PythonValues:
        """A copy of a buffer's contents as a tensor of the stated type."""
        source, dims = (
            interpreter.get_values([op.source])[0],
            interpreter.get_values(op.target_dims),
        )
        name = op.tensor_name.data if op.tensor_name is not None else "tensor"
        encoding: Attribute = op.target_encoding
        dtype, shape = element_dtype(encoding), _shape(encoding, dims)
        if op.byte_offset is not None or isinstance(source, Buffer):
            at = op.byte_offset and single(interpreter.get_values([op.byte_offset])[0], "an offset")
            array = _from_bytes(source.array, at or 0, shape, dtype)
        else:
            array = fit_tensor(source.array, tuple(shape), dtype, name)
        return (seen_as(array, op.target, dims),)

    @impl(hal_tensor.TensorExportOp)
    def run_export(
        self, interpreter: Interpreter, op: hal_tensor.TensorExportOp, _: PythonValues
    ) -> PythonValues:
        """A buffer of its own with the contents of a tensor."""
        (source,), dims = (
            interpreter.get_values([op.source]),
            interpreter.get_values(op.source_dims),
        )
        encoding: Attribute = op.source_encoding
        if encoding != op.source.type:
            content = np.frombuffer(source.tobytes(), element_dtype(encoding))
            source = content.reshape(_shape(encoding, dims)).copy()
        if isinstance(op.target.type, BufferType):
            return (Buffer(np.frombuffer(source.tobytes(), np.uint8).copy()),)
        return (BufferView(source.copy()),)

    @impl(hal_tensor.TensorAliasOp)
    def run_alias(
        self, interpreter: Interpreter, op: hal_tensor.TensorAliasOp, _: PythonValues
    ) -> PythonValues:
        """The tensor, whose elements the caller's storage holds from here on."""
        source, storage = interpreter.get_values([op.source, op.storage])
        target = writable_bytes(storage.array, "storage of a result")
        content = np.frombuffer(source.tobytes(), np.uint8)
        if content.size > target.size:
            want = describe(source.shape, name_of_dtype(source.dtype))
            got = describe(storage.array.shape, name_of_dtype(storage.array.dtype))
            raise InputError(f"expected storage for {want}, got {got}")
        target[: content.size] = content
        return (source,)

    @impl(views.ElementTypeOp)
    def run_element_type_constant(
        self, _: Interpreter, op: views.ElementTypeOp, args: PythonValues
    ) -> PythonValues:
        """The runtime's number for an element type."""
        return (np.int32(element_type_number(element_dtype(op.type))),)

    @impl(views.EncodingTypeOp)
    def run_encoding_type_constant(
        self, _: Interpreter, op: views.EncodingTypeOp, args: PythonValues
    ) -> PythonValues:
        """Dense and row-major, the one encoding there is."""
        return (np.int32(_DENSE_ROW_MAJOR),)

    @impl(views.BufferViewBufferOp)
    def run_buffer(
        self, _: Interpreter, op: views.BufferViewBufferOp, args: PythonValues
    ) -> PythonValues:
        """The buffer under a view."""
        return (Buffer(args[0].array),)

    @impl(views.BufferViewElementTypeOp)
    def run_element_type(
        self, _: Interpreter, op: views.BufferViewElementTypeOp, args: PythonValues
    ) -> PythonValues:
        """The runtime's number for the elements of a view."""
        return (np.int32(element_type_number(args[0].array.dtype)),)

    @impl(views.BufferViewEncodingTypeOp)
    def run_encoding_type(
        self, _: Interpreter, op: views.BufferViewEncodingTypeOp, args: PythonValues
    ) -> PythonValues:
        """Dense and row-major, the one encoding there is."""
        return (np.int32(_DENSE_ROW_MAJOR),)

    @impl(views.BufferViewRankOp)
    def run_rank(
        self, _: Interpreter, op: views.BufferViewRankOp, args: PythonValues
    ) -> PythonValues:
        """The number of dimensions of a view."""
        return (np.int64(args[0].array.ndim),)

    @impl(views.BufferViewDimOp)
    def run_dim(
        self, _: Interpreter, op: views.BufferViewDimOp, args: PythonValues
    ) -> PythonValues:
        """One dimension of a view."""
        shape, index = args[0].array.shape, op.index.value.data
        if index >= len(shape):
            raise InputError(f"expected an input of rank {index + 1} or more, got {len(shape)}")
        return (np.int64(shape[index]),)

    @impl(views.BufferViewAssertOp)
    def run_assert(
        self, interpreter: Interpreter, op: views.BufferViewAssertOp, args: PythonValues
    ) -> PythonValues:
        """Fail with the message unless a view has the stated shape and element type."""
        array: Array = args[0].array
        shape = [single(size, "a size") for size in interpreter.get_values(op.shape)]
        number = element_type_number(array.dtype)
        wanted = int(args[1])
        is_same = number == wanted or (is_integer(array.dtype) and _is_integer_of(wanted, array))
        if list(array.shape) != shape or not is_same:
            got = describe(array.shape, name_of_dtype(array.dtype))
            raise InputError(
                f"{op.message.data}: expected {shape} of type {wanted:#010x}, got {got}"
            )
        return ()

    @impl(fences.FenceCreateOp)
    def run_fence_create(
        self, _: Interpreter, op: fences.FenceCreateOp, args: PythonValues
    ) -> PythonValues:
        """A fence of its own."""
        return (Fence(),)

    @impl(fences.FenceJoinOp)
    def run_fence_join(
        self, _: Interpreter, op: fences.FenceJoinOp, args: PythonValues
    ) -> PythonValues:
        """A fence that has failed if one of the fences has."""
        return (Fence(_first_failure(args)),)

    @impl(fences.FenceQueryOp)
    def run_fence_query(
        self, _: Interpreter, op: fences.FenceQueryOp, args: PythonValues
    ) -> PythonValues:
        """0, or the status of a failure."""
        return (np.int32(_first_failure(args)),)

    @impl(fences.FenceFailOp)
    def run_fence_fail(
        self, _: Interpreter, op: fences.FenceFailOp, args: PythonValues
    ) -> PythonValues:
        """Mark the fence as failed with a status."""
        if args[0] is not None:
            args[0].failed = int(args[1])
        return ()

    @impl(fences.FenceAwaitOp)
    def run_fence_await(
        self, interpreter: Interpreter, op: fences.FenceAwaitOp, _: PythonValues
    ) -> PythonValues:
        """0, or the status of a failure: everything is done already."""
        return (np.int32(_first_failure(interpreter.get_values(op.fences))),)


def _first_failure(awaited: Sequence[Fence | None]) -> int:
    """The status of the first fence that failed; a null fence is reached."""
    return next((fence.failed for fence in awaited if fence is not None and fence.failed), 0)


def _is_integer_of(number: int, array: Array) -> bool:
    """Whether a runtime element type is an integer of the width of `array`'s."""
    kind, bits = number >> 24, number & 0xFF
    return kind in (0x10, 0x11, 0x12) and bits == array.dtype.itemsize * 8


def _shape(type_: Attribute, dims: Sequence[Any]) -> list[int]:
    """The shape of a tensor type with its dynamic dimensions filled in."""
    if not is_tensor(type_):
        raise InputError(f"expected a tensor type, got {type_}")
    return mixed([DYNAMIC if size is None else size for size in tensor_shape(type_)], dims)


def _from_bytes(source: Array, offset: int, shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    content = np.frombuffer(source.tobytes(), np.uint8)
    length = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if offset < 0 or offset + length > content.size:
        raise InputError(
            f"expected {length} bytes from {offset} on, got a buffer of {content.size}"
        )
    return content[offset : offset + length].view(dtype).reshape(shape)


def _opaque(_: ReferenceInterpreter, op: Operation, args: PythonValues) -> PythonValues:
    """Objects of the runtime that a value does not depend on."""
    return tuple(_stand_in(result) for result in op.results)


def _stand_in(result: SSAValue) -> Any:
    return np.int64(0) if isinstance(result.type, IndexType) else None


BY_NAME: dict[str, NamedEvaluation] = {
    # Queries for devices, by which the host program makes its fences.
    **dict.fromkeys(("hal.devices.get", "hal.device.resolve", "hal.device.allocator"), _opaque),
    **dict.fromkeys(
        (
            "hal.buffer_view.trace",
            "hal.fence.signal",
            "hal.tensor.barrier",
            "hal.tensor.transients",
        ),
        unchanged,
    ),
}
