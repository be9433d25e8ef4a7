"""Winograd's convolution: `iree_linalg_ext.winograd.input_transform`, filter and output.

The transforms interpolate at 0, 1, -1, 2, -2, 1/2, -1/2 and infinity, as many of them as a tile
has elements (A. Lavin, S. Gray, "Fast Algorithms for Convolutional Neural Networks"; the
scale is that of J. Liu et al., "Optimizing Winograd-Based Convolution with Tensor Cores", which
IREE takes, so that filters which it has transformed fit). Computed in f32.
"""

from typing import Any, NamedTuple

import numpy as np
from xdsl.ir import Operation

from ...dialects.diagnostics import fail
from .attributes import attribute, integers
from .program import Compiler, Env, Lowering
from .tensors import emit_checked
from .types import Array, dtype_of, element_type

_POINTS = (0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5)


class Transforms(NamedTuple):
    """The matrices that a tile, a filter and a product are multiplied with from both sides."""

    image: Array
    filter: Array
    product: Array


def winograd_transforms(outputs: int, kernel: int) -> Transforms:
    """The transforms for tiles of `outputs` results and filters of `kernel` taps per dimension.

    Raises:
        ValueError: for a tile of more elements than there are points.
    """
    size = outputs + kernel - 1
    if size - 1 > len(_POINTS):
        raise ValueError(f"expected tiles of at most {len(_POINTS) + 1} elements, got {size}")
    points = np.array(_POINTS[: size - 1])
    image = np.zeros((size, size))
    scale = np.ones(size)
    for row, point in enumerate(points):
        rest = np.delete(points, row)
        image[row, : size - 1] = np.poly(rest)[::-1]
        scale[row] = np.prod(point - rest)
    image[-1] = np.poly(points)[::-1]
    if scale[0] < 0:
        image[0], scale[0] = -image[0], -scale[0]
    powers = np.vander(np.append(points, 0.0), max(outputs, kernel), increasing=True)
    filters, product = powers[:, :kernel] / scale[:, None], powers[:, :outputs].T.copy()
    filters[-1], product[:, -1] = 0.0, 0.0
    filters[-1, -1] = product[-1, -1] = 1.0
    wide = np.float32
    return Transforms(image.astype(wide), filters.astype(wide), product.astype(wide))


def _number(op: Operation, name: str) -> int:
    found: Any = attribute(op, name)
    return found.value.data


def _transforms(op: Operation) -> Transforms:
    try:
        return winograd_transforms(_number(op, "output_tile_size"), _number(op, "kernel_size"))
    except ValueError as error:
        fail(op, str(error))


def lower_input_transform(compiler: Compiler, op: Operation) -> None:
    """Overlapping tiles of images: (N, H, W, C) or (N, C, H, W) to (T, T, N, H', W', C)."""
    source, output = compiler.slots(op.operands)
    (result,) = compiler.slots(op.results)
    matrix, step_size = _transforms(op).image, _number(op, "output_tile_size")
    channels_last = integers(op, "image_dimensions", ()) == (1, 2)
    dtype = dtype_of(element_type(op.results[0].type))

    def step(env: Env) -> None:
        images = env[source].astype(np.float32)
        images = images if channels_last else images.transpose(0, 2, 3, 1)
        size, counts = len(matrix), env[output].shape[3:5]
        sizes = [(count - 1) * step_size + size for count in counts]
        room = [max(0, want - have) for want, have in zip(sizes, images.shape[1:3], strict=True)]
        padded = np.pad(images, ((0, 0), (0, room[0]), (0, room[1]), (0, 0)))
        tiles: Array = np.lib.stride_tricks.sliding_window_view(padded, (size, size), (1, 2))
        some = tiles[:, ::step_size, ::step_size][:, : counts[0], : counts[1]]
        found = np.einsum("ap,nhwcpq,bq->abnhwc", matrix, some, matrix, optimize=True)
        env[result] = found.astype(dtype)

    emit_checked(compiler, op, step, (source, output))


def lower_filter_transform(compiler: Compiler, op: Operation) -> None:
    """Filters: (H, W, C, F) or (F, C, H, W) to (T, T, C, F)."""
    source, output = compiler.slots(op.operands)
    (result,) = compiler.slots(op.results)
    matrix = _transforms(op).filter
    letters = "pqcf" if integers(op, "kernel_dimensions", ()) == (0, 1) else "fcpq"
    dtype = dtype_of(element_type(op.results[0].type))

    def step(env: Env) -> None:
        filters = env[source].astype(np.float32)
        found = np.einsum(f"ap,{letters},bq->abcf", matrix, filters, matrix, optimize=True)
        env[result] = found.astype(dtype)

    emit_checked(compiler, op, step, (source, output))


def lower_output_transform(compiler: Compiler, op: Operation) -> None:
    """The images that tiles make: (T, T, N, H', W', C) to (N, H, W, C) or (N, C, H, W)."""
    source, output = compiler.slots(op.operands)
    (result,) = compiler.slots(op.results)
    matrix = _transforms(op).product
    letters = "nhawbc" if integers(op, "image_dimensions", ()) == (1, 2) else "nchawb"
    dtype = dtype_of(element_type(op.results[0].type))

    def step(env: Env) -> None:
        tiles = env[source].astype(np.float32)
        found = np.einsum(f"ap,pqnhwc,bq->{letters}", matrix, tiles, matrix, optimize=True)
        env[result] = found.astype(dtype).reshape(env[output].shape)

    emit_checked(compiler, op, step, (source, output))


WINOGRAD_LOWERINGS: dict[str, Lowering] = {
    "iree_linalg_ext.winograd.filter_transform": lower_filter_transform,
    "iree_linalg_ext.winograd.input_transform": lower_input_transform,
    "iree_linalg_ext.winograd.output_transform": lower_output_transform,
}
"""By op name."""
