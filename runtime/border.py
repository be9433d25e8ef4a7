"""Values on the border between the caller and a program: arguments going in, results coming out."""

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from .element_types import Array, InputError, Scalar, Value, dtype_of_name
from .vm.state import VmState, read_view
from .vm.values import DeviceArray, HostArray


def to_argument(
    value: Value, type: Attribute, name: str, *, given_away: bool
) -> HostArray | Attribute:
    """A value of the caller as the interpreter has it.

    Args:
        value: an array or a number that fits.
        type: what the function takes.
        name: what messages call it.
        given_away: whether the program may write to the caller's memory.

    Raises:
        InputError: nothing can be given for an argument of that type.
    """
    if isinstance(value, np.ndarray):
        return HostArray(value, name, given_away=given_away)
    return to_scalar(value, type)


def to_scalar(value: Scalar, type: Attribute) -> Attribute:
    """A number of the caller as the interpreter has it; InputError for a type without numbers."""
    number = np.asarray(value).item()
    if isinstance(type, AnyFloat):
        return FloatAttr(float(number), type)
    if isinstance(type, IndexType):
        return IntegerAttr(int(number), type)
    if isa(type, IntegerType):
        return IntegerAttr(int(number), type)
    raise InputError(f"no value can be given for an argument of type {type}")


def to_result(state: VmState, value: object, arguments: Sequence[object]) -> Value:
    """A value of the interpreter as the caller gets it: an array, or a number of numpy's.

    A result that lies in storage which the caller gave away, as `hal.tensor.alias` asks, is
    written to the caller's array, and that array is given back.

    Raises:
        InputError: the value has no form outside, or that array is read-only.
    """
    match value:
        case HostArray():
            # Where nothing was to write to it, it is as the caller gave it.
            if not value.given_away or not value.placed:
                return value.data
            buffer = next(iter(value.placed.values()))
            view = DeviceArray(buffer, value.shape, value.dtype)
            return _hand_back(value, view, read_view(state, view))
        case DeviceArray():
            data = read_view(state, value)
            owner = _owner(value, arguments)
            return data if owner is None else _hand_back(owner, value, data)
        case IntegerAttr() | FloatAttr():
            return _number(value)
        case _:
            raise InputError(f"a result of kind {type(value).__name__} cannot be given back")


def _number(value: "IntegerAttr | FloatAttr") -> Scalar:
    """A primitive with its type: numpy's `int32` for an i32."""
    number = value.value.data
    name = str(value.type)
    if name == "i1":
        return np.bool_(number)
    try:
        return dtype_of_name(name).type(number)
    except InputError:
        return number


def _owner(view: DeviceArray, arguments: Sequence[object]) -> HostArray | None:
    """The argument whose memory, given away by the caller, holds a result."""
    for argument in arguments:
        if isinstance(argument, HostArray) and argument.given_away:
            storages = [buffer.storage for buffer in argument.placed.values()]
            if view.buffer.storage in storages:
                return argument
    return None


def _hand_back(owner: HostArray, view: DeviceArray, data: Array) -> Array:
    """Write a result to the part of the caller's array that it lies in."""
    target = owner.data
    if not target.flags.writeable:
        raise InputError(f"{owner.name} holds a result, but the array given for it is read-only")
    content = np.ascontiguousarray(target).reshape(-1).view(np.uint8)
    start = view.buffer.offset
    content[start : start + data.nbytes] = data.reshape(-1).view(np.uint8)
    if not np.shares_memory(content, target):
        target[...] = content.view(target.dtype).reshape(target.shape)
    same = data.shape == target.shape and data.dtype == target.dtype
    return target if same else data
