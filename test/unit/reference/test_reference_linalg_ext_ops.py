"""gather, scatter, arg_compare, topk_v2, attention, fft and winograd in the reference."""

import numpy as np
import pytest
from reference_snippets import evaluate, mlir_type
from zcir.runtime.element_types import Array, InputError

RANDOM = np.random.default_rng(29)


def randoms(*shape: int) -> Array:
    return RANDOM.standard_normal(shape).astype(np.float32)


def run(body: str, arguments: list[Array], *results: Array) -> list[Array]:
    """`body` names its results %r0, %r1, …; they have the types of `results`."""
    types = ", ".join(mlir_type(result) for result in results)
    names = ", ".join(f"%r{at}" for at in range(len(results)))
    text = f"{body}\nreturn {names} : {types}"
    return [np.asarray(value) for value in evaluate(text, arguments, types)]


def listed(arguments: list[Array]) -> tuple[str, str]:
    """Names and types of arguments."""
    names = ", ".join(f"%{at}" for at in range(len(arguments)))
    return names, ", ".join(mlir_type(argument) for argument in arguments)


@pytest.mark.parametrize("masked", [False, True])
def test_gather(masked: bool) -> None:
    source, indices = randoms(5, 4, 3), np.array([[4, 0], [1, 3]], np.int32)
    output, mask = randoms(2, 3), [np.array([True, False])] * masked
    names, types = listed([source, indices, *mask])
    last = f"%{2 + masked}"
    body = f"""%r0 = iree_linalg_ext.gather dimension_map = [0, 1] ins({names} : {types})
        outs({last} : {mlir_type(output)}) -> {mlir_type(output)}"""
    (got,) = run(body, [source, indices, *mask, output], output)
    want = source[indices[:, 0], indices[:, 1]]
    if masked:
        want[1] = output[1]
    assert got.tolist() == want.tolist()


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("body", ["arith.subf %u, %o", "arith.addf %u, %o"])
def test_scatter_takes_updates_of_one_place_in_order(masked: bool, body: str) -> None:
    updates, indices = randoms(5, 3), np.array([[3], [1], [3], [3], [0]], np.int32)
    original, mask = randoms(4, 3), [np.array([1, 1, 0, 1, 1], np.bool_)] * masked
    names, types = listed([updates, indices, *mask])
    text = f"""%r0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false)
        ins({names} : {types}) outs(%{2 + masked} : {mlir_type(original)}) {{
        ^bb0(%u: f32, %o: f32):
          %s = {body} : f32
          iree_linalg_ext.yield %s : f32
        }} -> {mlir_type(original)}"""
    (got,) = run(text, [updates, indices, *mask, original], original)
    want = original.copy()
    for at, place in enumerate(indices[:, 0]):
        if not masked or mask[0][at]:
            sign = -1 if "subf" in body else 1
            want[place] = updates[at] + sign * want[place]
    np.testing.assert_array_equal(got, want)


def test_an_index_outside_is_refused() -> None:
    source, indices, output = randoms(5, 3), np.array([[5]], np.int32), randoms(1, 3)
    body = """%r0 = iree_linalg_ext.gather dimension_map = [0]
        ins(%0, %1 : tensor<5x3xf32>, tensor<1x1xi32>) outs(%2 : tensor<1x3xf32>)
        -> tensor<1x3xf32>"""
    with pytest.raises(InputError, match="index 5 is outside of a dimension of size 5"):
        run(body, [source, indices, output], output)


@pytest.mark.parametrize(("given", "based"), [(False, False), (False, True), (True, False)])
def test_arg_compare(given: bool, based: bool) -> None:
    values = RANDOM.integers(0, 4, (3, 7)).astype(np.float32)
    held, where = np.array([9, -1, -1], np.float32), np.full(3, 77, np.int32)
    indices = [RANDOM.integers(0, 99, (3, 7)).astype(np.int32)] * given
    names, types = listed([values, *indices])
    outs = f"%{1 + given}, %{2 + given} : tensor<3xf32>, tensor<3xi32>"
    body = f"""%base = arith.constant 10 : index
        %r0, %r1 = iree_linalg_ext.arg_compare dimension(1) ins({names} : {types}) outs({outs})
        {"index_base(%base : index)" if based else ""} {{
        ^bb0(%a: f32, %b: f32):
          %s = arith.cmpf ogt, %a, %b : f32
          iree_linalg_ext.yield %s : i1
        }} -> tensor<3xf32>, tensor<3xi32>"""
    best, at = run(body, [values, *indices, held, where], held, where)
    assert best.tolist() == [9, *values[1:].max(1)]
    positions = values.argmax(1)
    chosen = indices[0][np.arange(3), positions] if given else positions + (10 if based else 0)
    assert at.tolist() == [77, *chosen[1:]]


@pytest.mark.parametrize(("given", "indexed"), [(False, False), (False, True), (True, True)])
def test_topk_v2(given: bool, indexed: bool) -> None:
    values = RANDOM.integers(0, 9, (2, 8)).astype(np.float32)
    indices = [RANDOM.integers(0, 99, (2, 8)).astype(np.int32)] * given
    outputs: list[Array] = [randoms(2, 3), *[np.zeros((2, 3), np.int32)] * indexed]
    names, types = listed([values, *indices])
    outs = ", ".join(f"%{1 + given + at}" for at in range(len(outputs)))
    kinds = ", ".join(mlir_type(output) for output in outputs)
    results = ", ".join(f"%r{at}" for at in range(len(outputs)))
    body = f"""{results} = iree_linalg_ext.topk_v2 dimension(1) is_sorted ins({names} : {types})
        outs({outs} : {kinds}) {{
        ^bb0(%a: f32, %b: f32):
          %s = arith.cmpf ogt, %a, %b : f32
          iree_linalg_ext.yield %s : i1
        }} -> {kinds}"""
    got = run(body, [values, *indices, *outputs], *outputs)
    order = np.argsort(-values, axis=1, kind="stable")[:, :3]
    assert got[0].tolist() == np.take_along_axis(values, order, 1).tolist()
    if indexed:
        chosen = np.take_along_axis(indices[0], order, 1) if given else order
        assert got[1].tolist() == chosen.tolist()


@pytest.mark.parametrize("mask", [None, "float", "bit"])
def test_attention(mask: str | None) -> None:
    q, k, v = randoms(2, 4, 8), randoms(2, 6, 8), randoms(6, 2, 5)  # keys first in V
    masks = {None: [], "float": [randoms(6, 4)], "bit": [randoms(6, 4) > -0.5]}[mask]
    out = np.zeros((2, 4, 5), np.float32)
    letters = ["b, m, k", "b, l, k", "l, b, n", "", *["l, m"] * len(masks), "b, m, n"]
    maps = ", ".join(f"affine_map<(b, m, n, k, l) -> ({text})>" for text in letters)
    arrays = [q, k, v, *masks, out]
    names = [f"%{at}" for at in range(len(arrays))]
    types = [mlir_type(array) for array in arrays]
    names.insert(3, "%scale")
    types.insert(3, "f32")
    body = f"""%scale = arith.constant 0.25 : f32
        %r0 = iree_linalg_ext.attention <indexing_maps = [{maps}]>
        ins({", ".join(names[:-1])} : {", ".join(types[:-1])}) outs({names[-1]} : {types[-1]}) {{
        ^bb0(%x: f32):
          %y = arith.addf %x, %x : f32
          iree_linalg_ext.yield %y : f32
        }} -> {types[-1]}"""
    (got,) = run(body, arrays, out)
    scores = np.einsum("bmk,blk->bml", q, k) * 0.5
    if mask == "float":
        scores = scores + masks[0].T
    elif mask == "bit":
        scores = np.where(masks[0].T, scores, -np.inf)
    powers = np.exp(scores)
    want = np.einsum("bml,lbn->bmn", powers / powers.sum(-1, keepdims=True), v)
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("with_factors", [False, True])
def test_stages_make_a_fourier_transform(with_factors: bool) -> None:
    signal = (randoms(3, 8) + 1j * randoms(3, 8)).astype(np.complex64)
    state = signal[:, [0, 4, 2, 6, 1, 5, 3, 7]]
    for stage in (1, 2, 3):
        half = 2 ** (stage - 1)
        angles: Array = np.linspace(0, -np.pi, half, endpoint=False)
        turn = np.exp(1j * angles)
        parts = [np.real(state).copy(), np.imag(state).copy()]
        factors = [np.real(turn).astype(np.float32), np.imag(turn).astype(np.float32)]
        factors = factors * with_factors
        types = "".join(f", {mlir_type(factor)}" for factor in factors)
        names = "".join(f", %{2 + at}" for at in range(len(factors)))
        body = f"""%s = arith.constant {stage} : index
            %r0, %r1 = iree_linalg_ext.fft ins(%s{names} : index{types})
            outs(%0, %1 : tensor<3x8xf32>, tensor<3x8xf32>) : tensor<3x8xf32>, tensor<3x8xf32>"""
        real, imaginary = run(body, [*parts, *factors], *parts)
        state = (real + 1j * imaginary).astype(np.complex64)
    np.testing.assert_allclose(state, np.fft.fft(signal), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("channels_last", [False, True])
@pytest.mark.parametrize("outputs", [4, 6])
def test_winograd_steps_make_a_convolution(channels_last: bool, outputs: int) -> None:
    """Two by two tiles of a 10 x 9 image with 2 channels; what tiles have beyond it is 0."""
    images, filters = randoms(1, 10, 9, 2), randoms(3, 3, 2, 5)
    size = outputs + 2
    sizes = f"output_tile_size({outputs}) kernel_size(3)"
    given = [images, filters]
    at, taps = "[1, 2]", "[0, 1]"
    if not channels_last:
        given, at, taps = (
            [images.transpose(0, 3, 1, 2), filters.transpose(3, 2, 0, 1)],
            "[2, 3]",
            "[2, 3]",
        )
    tiles, kernels = np.zeros((size, size, 1, 2, 2, 2), np.float32), randoms(size, size, 2, 5)
    body = f"""%e = tensor.empty() : {mlir_type(tiles)}
        %f = tensor.empty() : {mlir_type(kernels)}
        %r0 = iree_linalg_ext.winograd.input_transform {sizes} image_dimensions({at})
          ins(%0 : {mlir_type(given[0])}) outs(%e : {mlir_type(tiles)}) -> {mlir_type(tiles)}
        %r1 = iree_linalg_ext.winograd.filter_transform {sizes} kernel_dimensions({taps})
          ins(%1 : {mlir_type(given[1])}) outs(%f : {mlir_type(kernels)}) -> {mlir_type(kernels)}"""
    turned, filtered = run(body, [np.ascontiguousarray(array) for array in given], tiles, kernels)
    products = np.einsum("abnhwc,abcf->abnhwf", turned, filtered)
    wide = (1, 2 * outputs, 2 * outputs, 5) if channels_last else (1, 5, 2 * outputs, 2 * outputs)
    output = np.zeros(wide, np.float32)
    body = f"""%e = tensor.empty() : {mlir_type(output)}
        %r0 = iree_linalg_ext.winograd.output_transform {sizes} image_dimensions({at})
          ins(%0 : {mlir_type(products)}) outs(%e : {mlir_type(output)}) -> {mlir_type(output)}"""
    (got,) = run(body, [products], output)
    got = got if channels_last else got.transpose(0, 2, 3, 1)
    windows = np.lib.stride_tricks.sliding_window_view(images, (3, 3), (1, 2))
    want = np.einsum("nhwcpq,pqcf->nhwf", windows, filters)
    np.testing.assert_allclose(got[:, :8, :7], want[:, :8, :7], rtol=1e-3, atol=2e-4)


def test_pack_and_unpack() -> None:
    """Tiles of 2 x 4 of a 5 x 7 tensor, columns counted first; beyond it stands 9."""
    values, tiles = randoms(5, 7), np.zeros((2, 3, 4, 2), np.float32)
    layout = "outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 2]"
    body = f"""%z = arith.constant 9.0 : f32
        %r0 = linalg.pack %0 padding_value(%z : f32) {layout} into %1
          : tensor<5x7xf32> -> {mlir_type(tiles)}"""
    (packed,) = run(body, [values, tiles], tiles)
    wide = np.full((6, 8), 9, np.float32)
    wide[:5, :7] = values
    assert packed.tolist() == wide.reshape(3, 2, 2, 4).transpose(2, 0, 3, 1).tolist()
    body = f"%r0 = linalg.unpack %0 {layout} into %1 : {mlir_type(tiles)} -> tensor<5x7xf32>"
    (whole,) = run(body, [packed, np.zeros_like(values)], values)
    assert whole.tolist() == values.tolist()


def test_contract() -> None:
    left, right, start = randoms(2, 4, 8), randoms(8, 5, 2), randoms(5, 2, 4)
    maps = ", ".join(
        f"affine_map<(b, m, n, k) -> ({text})>" for text in ("b, m, k", "k, n, b", "n, b, m")
    )
    body = f"""%r0 = linalg.contract indexing_maps = [{maps}]
        ins(%0, %1 : {mlir_type(left)}, {mlir_type(right)}) outs(%2 : {mlir_type(start)})
        -> {mlir_type(start)}"""
    (got,) = run(body, [left, right, start], start)
    want = np.einsum("bmk,knb->nbm", left, right) + start
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)
