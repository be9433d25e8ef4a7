"""The kernel of `simple_zero_copy.py`: z = x + y in FP16, tile by tile through local buffers.

Each of 8 blocks adds 2048 elements, in tiles that are copied in, added and copied out. With two
local buffers the next tile is copied in before the last one is added; the result is the same.
"""

from typing import Any

import numpy as np
from zcir.runtime.host import kernel, reads, writes

TOTAL_LENGTH = 8 * 2048
"""Elements."""
USE_CORE_NUM = 8
"""Blocks."""
BLOCK_LENGTH = TOTAL_LENGTH // USE_CORE_NUM
"""Elements of a block."""
TILE_NUM = 8
"""Tiles of a block for each local buffer."""
BUFFER_NUM = 2
"""Local buffers of each queue."""


def add_block(block: int, x: Any, y: Any, z: Any, buffers: int) -> None:
    """Add the elements of one block, with so many local buffers."""
    tiles = TILE_NUM * buffers
    length = BLOCK_LENGTH // tiles
    local = np.empty((buffers, 2, length), x.dtype)

    def place(tile: int) -> slice:
        start = block * BLOCK_LENGTH + tile * length
        return slice(start, start + length)

    for step in range(tiles + buffers - 1):
        if step < tiles:  # copy in
            local[step % buffers, 0] = x[place(step)]
            local[step % buffers, 1] = y[place(step)]
        done = step - buffers + 1
        if done >= 0:  # compute and copy out
            inputs = local[done % buffers]
            z[place(done)] = inputs[0] + inputs[1]


@kernel(
    reads("x", np.float16, BLOCK_LENGTH),
    reads("y", np.float16, BLOCK_LENGTH),
    writes("z", np.float16, BLOCK_LENGTH),
)
def add_custom(block: int, x: Any, y: Any, z: Any) -> None:
    """One block of z = x + y."""
    add_block(block, x, y, z, BUFFER_NUM)
