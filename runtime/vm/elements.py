"""Contents of constants, and single elements that the host reads and writes through mappings."""

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, StringAttr
from xdsl.interpreters.builtin import scalar_attr
from xdsl.ir import Attribute, Operation

from ...dialects import util
from ...dialects.diagnostics import fail
from ...dialects.util.attributes import stored_bytes
from ..element_types import dtype_of_name
from ..hal.buffer import Buffer
from ..hal.host import Host
from ..hal.recorder import Source
from ..kernels.api import Bytes
from .words import bytes_of

_INDEX_BITS = 64


def constant_bytes(op: Operation, value: Attribute) -> Bytes:
    """The bytes of a constant as it lies in the program image.

    What is uninitialized is 0. Raises OpError at `op` for contents that are not in the module.
    """
    match value:
        case util.CompositeAttr():
            return np.concatenate([constant_bytes(op, part) for part in value.values])
        case util.BytePatternAttr():
            return np.full(_size(op, value), value.pattern.data & 0xFF, np.uint8)
        case util.UninitializedAttr():
            return np.zeros(_size(op, value), np.uint8)
        case StringAttr() as text:
            return np.frombuffer(text.data.encode(), np.uint8)
        case DenseIntOrFPElementsAttr() as elements:
            dtype = dtype_of_name(str(elements.get_element_type()))
            raw = elements.data.data
            # xDSL has 0xff for true, memory 1.
            data = (
                np.frombuffer(raw, np.uint8) != 0
                if dtype.kind == "b"
                else np.frombuffer(raw, dtype)
            )
            count = int(np.prod(elements.get_shape(), dtype=np.int64))
            return np.ascontiguousarray(np.broadcast_to(data, count)).view(np.uint8)
        case _:
            fail(op, f"expected a string or dense elements as contents, got {value}")


def _size(op: Operation, value: Attribute) -> int:
    size = stored_bytes(value)
    if size is None:
        fail(op, f"expected contents of a known size, got {value}")
    return size


def load_element(
    host: Host, buffer: Buffer, offset: int, type: Attribute, source: Source
) -> Attribute:
    """The element of `type` at an offset in bytes, read through a mapping that is invalidated."""
    dtype = np.dtype(dtype_of_name(str(type)))
    data = host.map_read(buffer, offset, dtype.itemsize, source)
    return scalar_attr(data.view(dtype)[0].item(), type, _INDEX_BITS)


def store_element(
    host: Host, buffer: Buffer, offset: int, value: tuple[Attribute, Attribute], source: Source
) -> None:
    """Write a value, given with its type, through a mapping that is flushed when it closes."""
    data = np.frombuffer(bytes_of(*value), np.uint8)
    host.map_write(buffer, offset, data, source)
