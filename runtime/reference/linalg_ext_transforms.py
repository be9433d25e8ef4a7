"""iree_linalg_ext's attention, fft and Winograd transforms, by their definitions.

Winograd's matrices are those of interpolation at 0, 1, -1, 2, -2, 1/2, -1/2 and infinity, so many
of them as a tile has elements (Lavin and Gray, "Fast Algorithms for Convolutional Neural
Networks"): an output is the value of a product of polynomials, a filter is divided by what the
points' distances make of it.
"""

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.polynomial import polynomial
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.interpreter import PythonValues
from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr

from ..element_types import Array, InputError
from .interpreter import NamedEvaluation, ReferenceInterpreter
from .regions import region_values
from .values import inherent, integers, round_float

_POINTS = (0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5)


def _loops_of(op: Operation) -> list[list[int]]:
    """The loops that index each operand of attention, its scalar excepted."""
    maps = cast("ArrayAttr[AffineMapAttr]", inherent(op, "indexing_maps")).data
    found: list[list[int]] = []
    for map_ in maps:
        loops = [result for result in map_.data.results if isinstance(result, AffineDimExpr)]
        if len(loops) != len(map_.data.results):
            raise InputError(f"expected maps of loops alone, got {map_.data}")
        found.append([loop.position for loop in loops])
    return found


def _run_attention(
    interpreter: ReferenceInterpreter, op: Operation, args: PythonValues
) -> PythonValues:
    """softmax(Q K scale + mask) V; scores in f32, weights in V's type, as IREE computes them."""
    query, key, value, scale, *mask, output = args
    of_query, of_key, of_value, _, *of_mask, of_output = _loops_of(op)
    inner = set(of_query) & set(of_key) - set(of_output) - set(of_value)
    scores_of = [loop for loop in range(16) if loop in {*of_query, *of_key} - inner]
    summed = [at for at, loop in enumerate(scores_of) if loop not in of_output]
    is_byte = query.dtype.itemsize == 1
    scaled = query if is_byte else query * query.dtype.type(scale)
    scores = np.einsum(_wide(scaled), of_query, _wide(key), of_key, scores_of)
    (scores,) = region_values(interpreter, op.regions[0].block, (scores,))
    if is_byte:
        scores = scores * np.float32(scale)
    if mask:
        scores = scores + _aligned(_addend(mask[0]), of_mask[0], scores_of)
    powers = np.exp(scores - scores.max(axis=tuple(summed), keepdims=True))
    weights = powers / powers.sum(axis=tuple(summed), keepdims=True)
    weights = _wide(round_float(weights, value.dtype))
    result = np.einsum(weights, scores_of, _wide(value), of_value, of_output)
    return (round_float(result, output.dtype),)


def _wide(values: Array) -> Array:
    return values.astype(np.float32)


def _addend(mask: Array) -> Array:
    """What a mask adds to scores: a false bit minus infinity, a true one nothing."""
    if mask.dtype.kind in "biu":
        return np.where((mask & 1) != 0, np.float32(0), np.float32(-np.inf))
    return _wide(mask)


def _aligned(values: Array, loops: Sequence[int], target: Sequence[int]) -> Array:
    """`values`, one dimension for each of `loops`, with one for each of `target`."""
    order = np.argsort([target.index(loop) for loop in loops])
    shape = [1] * len(target)
    for axis in order:
        shape[target.index(loops[axis])] = values.shape[axis]
    return values.transpose(order).reshape(shape)


def _run_fft(_: ReferenceInterpreter, op: Operation, args: PythonValues) -> PythonValues:
    """One stage of butterflies: (u + w v, u - w v) in blocks of 2^stage elements."""
    stage, *factors, real, imaginary = args
    size = 2 ** int(stage)
    blocks: Array = (real + 1j * imaginary.astype(real.dtype)).reshape(*real.shape[:-1], -1, size)
    turn: Array
    if factors:
        turn = factors[0] + 1j * factors[1]
    else:
        angles: Array = np.linspace(0, -np.pi, size // 2, endpoint=False)
        turn = np.exp(1j * angles).astype(blocks.dtype)
    left: Array = blocks[..., : size // 2]
    right: Array = turn * blocks[..., size // 2 :]
    result: Array = np.concatenate([left + right, left - right], axis=-1).reshape(real.shape)
    return np.real(result).astype(real.dtype), np.imag(result).astype(real.dtype)


def _matrices(op: Operation) -> tuple[Array, Array, Array]:
    """Winograd's transforms of a tile, of a filter and of a product, in f32."""
    (outputs,), (kernel,) = integers(op, "output_tile_size"), integers(op, "kernel_size")
    count = outputs + kernel - 2
    if count > len(_POINTS):
        raise InputError(f"expected tiles of at most {len(_POINTS) + 1}, got {count + 1}")
    points = np.array(_POINTS[:count])
    image, filters = np.zeros((count + 1, count + 1)), np.zeros((count + 1, kernel))
    product = np.zeros((outputs, count + 1))
    for row, point in enumerate(points):
        others: Array = np.asarray(polynomial.polyfromroots(np.delete(points, row)))
        distance = cast(float, np.prod(point - np.delete(points, row)))
        # Signs are such that the first entry of a filter's first row is positive.
        sign = np.sign(distance) if point == 0 else 1.0
        image[row, :count] = sign * others
        filters[row] = sign * point ** np.arange(kernel) / distance
        product[:, row] = point ** np.arange(outputs)
    image[count] = polynomial.polyfromroots(points)
    filters[count, -1] = product[-1, count] = 1.0
    return _wide(image), _wide(filters), _wide(product)


def _images_last(op: Operation, name: str, array: Array) -> tuple[Array, tuple[int, ...]]:
    """`array` with the dimensions that attribute `name` lists last, and the order that made it."""
    listed = integers(op, name)
    order = (*(axis for axis in range(array.ndim) if axis not in listed), *listed)
    return array.transpose(order), order


def _windows(count: int, step: int, size: int) -> Array:
    """The positions in each of `count` windows of `size` that start `step` apart."""
    return np.add.outer(np.arange(0, count * step, step), np.arange(size))


def _run_input_transform(
    _: ReferenceInterpreter, op: Operation, args: PythonValues
) -> PythonValues:
    transform, _filters, _product = _matrices(op)
    (step,) = integers(op, "output_tile_size")
    images, _order = _images_last(op, "image_dimensions", args[0])  # N C H W
    output: Array = args[1]
    size, height, width = len(transform), output.shape[3], output.shape[4]
    down, across = (_windows(count, step, size) for count in (height, width))
    # What a tile has beyond the image is 0; an image may also have more than its tiles.
    room = [max(images.shape[2], height * step + size), max(images.shape[3], width * step + size)]
    padded = np.zeros((*images.shape[:2], *room), np.float32)
    padded[..., : images.shape[2], : images.shape[3]] = images
    tiles = padded[:, :, down[:, None, :, None], across[None, :, None, :]]
    result = transform @ tiles @ transform.T  # N C H' W' T T
    return (round_float(result.transpose(4, 5, 0, 2, 3, 1), output.dtype),)


def _run_filter_transform(
    _: ReferenceInterpreter, op: Operation, args: PythonValues
) -> PythonValues:
    _image, transform, _product = _matrices(op)
    filters, order = _images_last(op, "kernel_dimensions", args[0])
    result = transform @ _wide(filters) @ transform.T
    # Filters of HWCF come as C F H W, those of FCHW as F C H W.
    channels_first = order[0] > order[2]
    result = result.transpose(2, 3, 0, 1) if channels_first else result.transpose(2, 3, 1, 0)
    return (round_float(result, args[1].dtype),)


def _run_output_transform(
    _: ReferenceInterpreter, op: Operation, args: PythonValues
) -> PythonValues:
    _image, _filters, transform = _matrices(op)
    tiles, output = _wide(args[0]).transpose(2, 5, 3, 4, 0, 1), args[1]  # N C H' W' T T
    parts = transform @ tiles @ transform.T
    whole = parts.transpose(0, 1, 2, 4, 3, 5)
    whole = whole.reshape(*whole.shape[:2], whole.shape[2] * whole.shape[3], -1)
    _same, order = _images_last(op, "image_dimensions", output)
    return (round_float(whole.transpose(np.argsort(order)), output.dtype),)


BY_NAME: dict[str, NamedEvaluation] = {
    "iree_linalg_ext.attention": _run_attention,
    "iree_linalg_ext.fft": _run_fft,
    "iree_linalg_ext.winograd.filter_transform": _run_filter_transform,
    "iree_linalg_ext.winograd.input_transform": _run_input_transform,
    "iree_linalg_ext.winograd.output_transform": _run_output_transform,
}
