"""What the values of a host program are at run time, besides integers and floats.

Integers, floats and index values are xDSL attributes, as its own interpreters have them.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..hal.buffer import Buffer


@dataclass(slots=True, eq=False)
class HostArray:
    """An array of the caller: imported into a pool when the program first takes it there."""

    data: NDArray[Any]
    name: str
    """As messages name it."""
    placed: dict[str, Buffer] = field(default_factory=dict[str, Buffer])
    """By pool, the buffer that holds it."""
    given_away: bool = False
    """Whether the program owns the memory, and may leave results in it."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Its dimensions."""
        return self.data.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """Its element type."""
        return self.data.dtype


@dataclass(slots=True, eq=False)
class DeviceArray:
    """A buffer view that the program made: a buffer with a shape and an element type."""

    buffer: Buffer
    shape: tuple[int, ...]
    dtype: np.dtype[Any]


BufferView = HostArray | DeviceArray
"""A `!hal.buffer_view`."""
