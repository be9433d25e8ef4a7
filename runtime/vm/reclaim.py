"""What of a program's memory nothing holds any more between two calls.

A HAL buffer lives as long as someone refers to it. Between calls those are the globals of the
program and what it memoized: inputs, results that have been read and whatever else the program
made and did not give back are garbage.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from ..hal.buffer import Buffer, Storage
from ..hal.command_buffer import CommandBuffer
from .hal_values import CallerBuffer
from .state import VmState
from .values import DeviceArray, HostArray


def unreachable(state: VmState, held_besides: Iterable[object] = ()) -> list[Buffer]:
    """Buffers of storages that the program made and no global or memoized value leads to, nor one
    of `held_besides`, in the order in which they were made."""
    roots = (state.globals, state.memoized, state.placed, list(held_besides))
    held = {storage for root in roots for storage in storages_of(root)}
    return [buffer for storage, buffer in state.made.items() if storage not in held]


def storages_of(value: object) -> Iterator[Storage]:
    """The storages that a value of the interpreter keeps alive."""
    match value:
        case Buffer():
            yield value.storage
        case DeviceArray():
            yield value.buffer.storage
        case HostArray():
            yield from storages_of(value.placed)
        case CallerBuffer():
            yield from storages_of(value.storage.view)
            yield from storages_of(value.storage.buffer)
        case CommandBuffer():
            yield from value.storages
        case Mapping():
            parts = cast(Mapping[object, object], value)
            yield from _all(parts.keys())
            yield from _all(parts.values())
        case list() | tuple():
            yield from _all(cast(Iterable[object], value))
        case _:
            pass


def _all(values: Iterable[object]) -> Iterator[Storage]:
    for value in values:
        yield from storages_of(value)
