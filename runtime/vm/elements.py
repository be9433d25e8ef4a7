"""Contents of constants, and single elements that the host reads and writes through mappings."""

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, StringAttr
from xdsl.interpreters.builtin import scalar_attr
from xdsl.ir import Attribute, Operation

from ...dialects.diagnostics import fail
from ..element_types import dtype_of_name
from ..hal.buffer import Buffer
from ..hal.host import Host
from ..hal.recorder import Source
from ..kernels.api import Bytes
from .words import bytes_of

_INDEX_BITS = 64


def constant_bytes(op: Operation, value: Attribute) -> Bytes:
    """The bytes of a string or of dense elements; an error at `op` for other contents."""
    match value:
        case StringAttr() as text:
            return np.frombuffer(text.data.encode(), np.uint8)
        case DenseIntOrFPElementsAttr() as elements:
            dtype = dtype_of_name(str(elements.get_element_type()))
            data = np.frombuffer(elements.data.data, dtype)
            count = int(np.prod(elements.get_shape(), dtype=np.int64))
            return np.ascontiguousarray(np.broadcast_to(data, count)).view(np.uint8)
        case _:
            fail(op, f"expected a string or dense elements as contents, got {value}")


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
