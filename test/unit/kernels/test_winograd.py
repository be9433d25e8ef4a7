"""The steps of Winograd's convolution in kernels, against the convolution itself."""

from typing import Any

import numpy as np
import pytest
from kernel_harness import run_body, tensor_type
from xdsl.utils.exceptions import DiagnosticException
from zcir.runtime.kernels.winograd import winograd_transforms

Array = np.ndarray[Any, Any]


def step(op: str, source: Array, output: Array, sizes: str) -> Array:
    """One step, named without its dialect."""
    text = f"""%out0 = "iree_linalg_ext.winograd.{op}"(%in0, %in1) <{{{sizes}}}>
        : ({tensor_type(source)}, {tensor_type(output)}) -> {tensor_type(output)}"""
    return run_body(text, [source, output], [output])[0]


@pytest.mark.parametrize("outputs", [2, 4, 6])
@pytest.mark.parametrize("channels_last", [False, True])
def test_steps_make_a_convolution(outputs: int, channels_last: bool) -> None:
    """Two by two tiles; what they have beyond the image is 0."""
    rng = np.random.default_rng(3)
    height, width = 2 * outputs + 1, 2 * outputs
    images = rng.standard_normal((2, height, width, 3)).astype(np.float32)
    filters = rng.standard_normal((3, 3, 3, 5)).astype(np.float32)
    size, tiles = outputs + 2, 2
    common = f"output_tile_size = {outputs} : i64, kernel_size = 3 : i64"
    at, taps = "array<i64: 1, 2>", "array<i64: 0, 1>"
    given, given_filters = images, filters
    if not channels_last:
        given = np.ascontiguousarray(images.transpose(0, 3, 1, 2))
        given_filters = np.ascontiguousarray(filters.transpose(3, 2, 0, 1))
        at = taps = "array<i64: 2, 3>"
    turned = np.zeros((size, size, 2, tiles, tiles, 3), np.float32)
    turned = step("input_transform", given, turned, f"{common}, image_dimensions = {at}")
    kernels = np.zeros((size, size, 3, 5), np.float32)
    sizes = f"{common}, kernel_dimensions = {taps}"
    kernels = step("filter_transform", given_filters, kernels, sizes)
    products = np.einsum("abnhwc,abcf->abnhwf", turned, kernels).astype(np.float32)
    whole = 2 * outputs
    shape = (2, whole, whole, 5) if channels_last else (2, 5, whole, whole)
    sizes = f"{common}, image_dimensions = {at}"
    got = step("output_transform", products, np.zeros(shape, np.float32), sizes)
    got = got if channels_last else got.transpose(0, 2, 3, 1)
    windows = np.lib.stride_tricks.sliding_window_view(images, (3, 3), (1, 2))
    want: Array = np.einsum("nhwcpq,pqcf->nhwf", windows, filters)
    inside = got[:, : height - 2, : width - 2]
    np.testing.assert_allclose(inside, want, rtol=1e-3, atol=2e-4)


def test_transforms_are_those_that_filters_were_transformed_with() -> None:
    """The scale that IREE takes: it may have transformed constant filters already."""
    transforms = winograd_transforms(6, 3)
    np.testing.assert_allclose(transforms.filter[1], [-2 / 9] * 3, rtol=1e-6)
    np.testing.assert_allclose(transforms.filter[3], [1 / 90, 2 / 90, 4 / 90], rtol=1e-6)
    np.testing.assert_array_equal(transforms.image[0], [1, 0, -5.25, 0, 5.25, 0, -1, 0])
    np.testing.assert_array_equal(transforms.product[1], [0, 1, -1, 2, -2, 0.5, -0.5, 0])


def test_tiles_too_large_are_refused() -> None:
    source, output = np.zeros((1, 10, 10, 1), np.float32), np.zeros((9, 9, 1, 1, 1, 1), np.float32)
    sizes = "output_tile_size = 7 : i64, kernel_size = 3 : i64, image_dimensions = array<i64: 1, 2>"
    with pytest.raises(DiagnosticException, match="tiles of at most 8 elements, got 9"):
        step("input_transform", source, output, sizes)
