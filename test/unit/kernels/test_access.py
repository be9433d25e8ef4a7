"""Accesses of dispatch bodies: exact byte runs, against sets of bytes counted one by one."""
# numpy's types of array expressions are partly unknown to the checker:
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_harness import dispatch, parse
from xdsl.utils.exceptions import DiagnosticException
from zcir.runtime.kernels.access import byte_slice, intersects, union
from zcir.runtime.kernels.api import Kernel, Runs
from zcir.runtime.kernels.library import KernelLibrary

DIMS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 4), st.integers(1, 3), st.integers(0, 2)),
    max_size=4,
)
"""For each dimension: offset, size, stride, and elements after the slice."""


def shape_of(dims: list[tuple[int, int, int, int]]) -> tuple[int, ...]:
    return tuple(offset + max(n - 1, 0) * stride + 1 + rest for offset, n, stride, rest in dims)


def counted(base: int, item: int, dims: list[tuple[int, int, int, int]]) -> list[int]:
    """The bytes of a slice, element by element, in the slice's order."""
    shape = shape_of(dims)
    result: list[int] = []
    for point in product(
        *(range(offset, offset + n * stride, stride) for offset, n, stride, _ in dims)
    ):
        at = 0
        for index, size in zip(point, shape, strict=True):
            at = at * size + index
        result.extend(range(base + at * item, base + (at + 1) * item))
    return result


def listed(runs: Runs) -> list[int]:
    return [byte for start, end in runs.tolist() for byte in range(start, end)]


def assert_canonical(runs: Runs) -> None:
    """Rows non-empty, sorted, disjoint and coalesced."""
    assert runs.dtype == np.int64
    assert runs.shape == (len(runs), 2)
    assert all(start < end for start, end in runs.tolist())
    assert all(a[1] < b[0] for a, b in pairwise(runs.tolist()))


@settings(deadline=None, max_examples=300)
@given(DIMS, st.sampled_from([1, 2, 4, 8]), st.integers(0, 7))
def test_runs_of_a_slice(dims: Any, item: int, base: int) -> None:
    offsets, sizes, strides, _ = zip(*dims, strict=True) if dims else ((), (), (), ())
    slice_ = byte_slice(base, shape_of(dims), item, offsets, sizes, strides)
    assert_canonical(slice_.runs)
    assert listed(slice_.runs) == counted(base, item, dims)
    assert slice_.length == len(counted(base, item, dims))


RUNS = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=5).map(
    lambda parts: union([np.array([[a, a + n]], np.int64) for a, n in parts])
)


@given(st.lists(RUNS, max_size=4))
def test_union(parts: list[Runs]) -> None:
    joined = union(parts)
    assert_canonical(joined)
    assert listed(joined) == sorted({byte for part in parts for byte in listed(part)})


@given(RUNS, RUNS)
def test_intersection(a: Runs, b: Runs) -> None:
    assert intersects(a, b) == bool({*listed(a)} & {*listed(b)})


def stream_kernel(arguments: str, body: str) -> Kernel:
    """A stream executable's kernel."""
    text = f"""
  stream.executable private @ex {{
    stream.executable.export public @k
    builtin.module {{
      func.func @k({arguments}) {{
        %c0 = arith.constant 0 : index
        {body}
        return
      }}
    }}
  }}"""
    return KernelLibrary(parse(text)).lookup("ex", "k")


TENSOR = "!iree_tensor_ext.dispatch.tensor"


@settings(deadline=None, max_examples=25)
@given(DIMS.filter(bool), st.integers(0, 3))
def test_accesses_of_a_strided_copy(dims: Any, words: int) -> None:
    """A slice of one binding, at an offset that is a push constant, into a slice of another."""
    offsets, sizes, strides, _ = (list(column) for column in zip(*dims, strict=True))
    shape = "x".join([*map(str, shape_of(dims)), "i16"])
    part = "x".join([*map(str, sizes), "i16"])
    at = f"offsets = {offsets}, sizes = {sizes}, strides = {strides}"
    kernel = stream_kernel(
        "%a: !stream.binding, %b: !stream.binding, %n: i32",
        f"""
        %o = arith.index_cast %n : i32 to index
        %x = stream.binding.subspan %a[%o] : !stream.binding -> {typed("readonly", shape)}
        %y = stream.binding.subspan %b[%c0] : !stream.binding -> {typed("writeonly", shape)}
        %v = iree_tensor_ext.dispatch.tensor.load %x, {at}
            : {typed("readonly", shape)} -> tensor<{part}>
        iree_tensor_ext.dispatch.tensor.store %v, %y, {at}
            : tensor<{part}> -> {typed("writeonly", shape)}""",
    )
    base, length = words * 4, int(np.prod(shape_of(dims))) * 2
    source, target = kernel.accesses((base,), (base + length, length))
    assert listed(source.reads) == counted(base, 2, dims)
    assert listed(target.writes) == counted(0, 2, dims)
    assert not len(source.writes)
    assert not len(target.reads)
    memory = np.arange(base + length, dtype=np.uint8)
    result = np.zeros(length, np.uint8)
    dispatch(kernel, [memory, result], (base,))
    want = np.zeros(length, np.uint8)
    want[counted(0, 2, dims)] = memory[counted(base, 2, dims)]
    np.testing.assert_array_equal(result, want)


def load(name: str, source: str, offset: str, size: int, total: int, mode: str = "readonly") -> str:
    kind = f"{TENSOR}<{mode}:tensor<{total}xf32>>"
    return (
        f"%{name} = iree_tensor_ext.dispatch.tensor.load %{source}, offsets = [{offset}], "
        f"sizes = [{size}], strides = [1] : {kind} -> tensor<{size}xf32>"
    )


def store(
    value: str, target: str, offset: str, size: int, total: int, mode: str = "writeonly"
) -> str:
    kind = f"{TENSOR}<{mode}:tensor<{total}xf32>>"
    return (
        f"iree_tensor_ext.dispatch.tensor.store %{value}, %{target}, offsets = [{offset}], "
        f"sizes = [{size}], strides = [1] : tensor<{size}xf32> -> {kind}"
    )


def subspan(name: str, binding: str, total: int, mode: str) -> str:
    kind = f"{TENSOR}<{mode}:tensor<{total}xf32>>"
    return f"%{name} = stream.binding.subspan %{binding}[%c0] : !stream.binding -> {kind}"


def typed(mode: str, tensor: str) -> str:
    return f"{TENSOR}<{mode}:tensor<{tensor}>>"


TWO = "%a: !stream.binding, %b: !stream.binding"


def test_several_loads_of_one_binding_are_joined() -> None:
    kernel = stream_kernel(
        TWO,
        "\n".join(
            [
                subspan("x", "a", 16, "readonly"),
                subspan("y", "b", 2, "writeonly"),
                load("u", "x", "4", 2, 16),
                load("v", "x", "6", 2, 16),
                load("w", "x", "12", 2, 16),
                "%s = linalg.add ins(%u, %v : tensor<2xf32>, tensor<2xf32>) "
                "outs(%w : tensor<2xf32>) -> tensor<2xf32>",
                store("s", "y", "0", 2, 2),
            ]
        ),
    )
    source, target = kernel.accesses((), (64, 8))
    assert source.reads.tolist() == [[16, 32], [48, 56]]
    assert target.writes.tolist() == [[0, 8]]


def test_loop_over_tiles_tells_each_slice() -> None:
    """Loads and stores in a loop with known bounds are exact."""
    kernel = stream_kernel(
        TWO,
        "\n".join(
            [
                "%one = arith.constant 1 : index",
                "%three = arith.constant 3 : index",
                "%four = arith.constant 4 : index",
                subspan("x", "a", 16, "readonly"),
                subspan("y", "b", 16, "writeonly"),
                "scf.for %i = %c0 to %three step %one {",
                "%o = arith.muli %i, %four : index",
                load("u", "x", "%o", 2, 16),
                store("u", "y", "%o", 2, 16),
                "}",
            ]
        ),
    )
    source, target = kernel.accesses((), (64, 64))
    assert source.reads.tolist() == [[0, 8], [16, 24], [32, 40]]
    assert target.writes.tolist() == source.reads.tolist()
    memory, result = np.arange(64, dtype=np.uint8), np.zeros(64, np.uint8)
    dispatch(kernel, [memory, result])
    np.testing.assert_array_equal(result[16:24], memory[16:24])


def test_load_at_a_loaded_place_reads_the_whole_binding() -> None:
    kernel = stream_kernel(
        TWO,
        "\n".join(
            [
                "%i = stream.binding.subspan %a[%c0] : !stream.binding -> "
                + typed("readonly", "1xi32"),
                subspan("x", "a", 16, "readonly"),
                subspan("y", "b", 2, "writeonly"),
                "%n = iree_tensor_ext.dispatch.tensor.load %i, offsets = [0], sizes = [1], "
                f"strides = [1] : {TENSOR}<readonly:tensor<1xi32>> -> tensor<1xi32>",
                "%m = tensor.extract %n[%c0] : tensor<1xi32>",
                "%o = arith.index_cast %m : i32 to index",
                load("u", "x", "%o", 2, 16),
                store("u", "y", "0", 2, 2),
            ]
        ),
    )
    source, _ = kernel.accesses((), (64, 8))
    assert source.reads.tolist() == [[0, 64]]
    memory, result = np.arange(16, dtype=np.int32), np.zeros(8, np.uint8)
    memory[0] = 5
    dispatch(kernel, [memory.view(np.uint8), result])
    np.testing.assert_array_equal(result.view(np.int32), [5, 6])


def at_a_loaded_place(mode: str, stores: int = 1) -> Kernel:
    """Copies y's first two elements to the place that x's first element names."""
    return stream_kernel(
        TWO,
        "\n".join(
            [
                subspan("x", "a", 4, "readonly"),
                subspan("y", "b", 16, mode),
                load("u", "x", "0", 2, 4),
                "%m = tensor.extract %u[%c0] : tensor<2xf32>",
                "%k = arith.fptosi %m : f32 to i32",
                "%o = arith.index_cast %k : i32 to index",
                *[store("u", "y", "%o", 2, 16).replace("writeonly", mode)] * stores,
            ]
        ),
    )


@pytest.mark.parametrize(("mode", "stores"), [("writeonly", 1), ("readwrite", 2)])
def test_store_at_a_loaded_place_is_refused(mode: str, stores: int) -> None:
    """Nothing to write the rest from, or two that would each write all."""
    with pytest.raises(DiagnosticException, match="at a place that depends on data, and not"):
        at_a_loaded_place(mode, stores)


def test_store_at_a_loaded_place_writes_all_of_its_tensor_anew() -> None:
    kernel = at_a_loaded_place("readwrite")
    source, target = kernel.accesses((), (16, 64))
    assert source.reads.tolist() == [[0, 8]]
    assert target.reads.tolist() == target.writes.tolist() == [[0, 64]]
    memory, result = np.array([5, 7, 0, 0], np.float32), np.arange(16, dtype=np.float32)
    dispatch(kernel, [memory.view(np.uint8), result.view(np.uint8)])
    assert result.tolist() == [0, 1, 2, 3, 4, 5, 7, *range(7, 16)]


def test_load_of_what_was_stored_is_refused() -> None:
    """Stores are done at the end; a load of other bytes is fine."""

    def kernel(offset: int) -> Kernel:
        return stream_kernel(
            TWO,
            "\n".join(
                [
                    subspan("x", "a", 8, "readonly"),
                    subspan("y", "b", 8, "readwrite"),
                    load("u", "x", "0", 2, 8),
                    store("u", "y", "0", 2, 8, "readwrite"),
                    load("v", "y", str(offset), 2, 8, "readwrite"),
                    store("v", "y", "6", 2, 8, "readwrite"),
                ]
            ),
        )

    with pytest.raises(DiagnosticException, match="loads bytes of binding 1 that it stored before"):
        kernel(1).accesses((), (32, 32))
    assert kernel(2).accesses((), (32, 32))[1].reads.tolist() == [[8, 16]]


def test_second_store_of_borrowed_memory_is_safe() -> None:
    """Swapping two bindings: what is stored second was borrowed from what the first overwrites."""
    kernel = stream_kernel(
        TWO,
        "\n".join(
            [
                subspan("x", "a", 4, "readwrite"),
                subspan("y", "b", 4, "readwrite"),
                load("u", "x", "0", 4, 4, "readwrite"),
                load("v", "y", "0", 4, 4, "readwrite"),
                store("v", "x", "0", 4, 4, "readwrite"),
                store("u", "y", "0", 4, 4, "readwrite"),
            ]
        ),
    )
    a, b = np.arange(16, dtype=np.uint8), np.arange(100, 116, dtype=np.uint8)
    dispatch(kernel, [a, b])
    assert a[0] == 100
    assert b[0] == 0


def test_dead_load_is_no_access() -> None:
    kernel = stream_kernel(
        TWO,
        "\n".join(
            [
                subspan("x", "a", 4, "readonly"),
                subspan("y", "b", 4, "readwrite"),
                load("u", "x", "0", 4, 4),
                load("v", "y", "0", 4, 4, "readwrite"),
                "%s = linalg.copy ins(%u : tensor<4xf32>) "
                "outs(%v : tensor<4xf32>) -> tensor<4xf32>",
                store("s", "y", "0", 4, 4, "readwrite"),
            ]
        ),
    )
    _, target = kernel.accesses((), (16, 16))
    assert not len(target.reads)
    dispatch(kernel, [np.zeros(16, np.uint8), np.zeros(16, np.uint8)])


def test_slice_out_of_its_tensor_is_refused() -> None:
    kernel = stream_kernel(
        TWO + ", %n: i32",
        "\n".join(
            [
                "%o = arith.index_cast %n : i32 to index",
                subspan("x", "a", 4, "readonly"),
                subspan("y", "b", 4, "writeonly"),
                load("u", "x", "%o", 2, 4),
                store("u", "y", "0", 2, 4),
            ]
        ),
    )
    assert kernel.accesses((2,), (16, 16))[0].reads.tolist() == [[8, 16]]
    with pytest.raises(DiagnosticException, match=r"slice \[3, 4\] leaves dimension 0 of 4"):
        kernel.accesses((3,), (16, 16))


def test_missing_constants_and_bindings_are_refused() -> None:
    kernel = stream_kernel(
        TWO + ", %n: index",
        "\n".join(
            [
                subspan("x", "a", 4, "readonly"),
                subspan("y", "b", 4, "writeonly"),
                load("u", "x", "%n", 2, 4),
                store("u", "y", "0", 2, 4),
            ]
        ),
    )
    assert kernel.accesses((1, 0), (16, 16))[0].reads.tolist() == [[4, 12]]
    with pytest.raises(DiagnosticException, match="expected 2 push constants, got 1"):
        kernel.accesses((1,), (16, 16))
    with pytest.raises(DiagnosticException, match="expected at least 2 bindings, got 1"):
        kernel.accesses((1, 0), (16,))


def test_packed_elements_are_refused() -> None:
    with pytest.raises(DiagnosticException, match="elements of type i4 are packed in memory"):
        stream_kernel(
            "%a: !stream.binding",
            "%x = stream.binding.subspan %a[%c0] : !stream.binding -> "
            f"{TENSOR}<readonly:tensor<4xi4>>\n"
            "%u = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0], sizes = [4], "
            f"strides = [1] : {TENSOR}<readonly:tensor<4xi4>> -> tensor<4xi4>",
        )
