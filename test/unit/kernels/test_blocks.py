"""Large spaces are evaluated in blocks, and results written where they are stored."""

# numpy's types of array expressions are partly unknown to the checker:
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from generic_ops import generic, random
from kernel_harness import SharedView, compile_body

BF16 = np.dtype(ml_dtypes.bfloat16)
Array = np.ndarray[Any, Any]


@pytest.mark.parametrize("shape", [(1 << 19,), (3, 1 << 18), (1 << 10, 1 << 10), (1 << 18, 3)])
def test_blocks_make_no_difference(shape: Any) -> None:
    a, b = random(shape), random(shape[-1:], seed=1)
    loops = ", ".join(f"d{at}" for at in range(len(shape)))
    region = """
      %x = arith.addf %a, %b : f32
      %y = arith.mulf %x, %x : f32
      %z = arith.subf %y, %a : f32
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      %k = arith.sitofp %j : i32 to f32
      %s = arith.addf %z, %k : f32"""
    maps = [
        f"({loops}) -> ({loops})",
        f"({loops}) -> (d{len(shape) - 1})",
        f"({loops}) -> ({loops})",
    ]
    got = generic(maps, "p" * len(shape), [a, b], [a], region, "%s")[0]
    rows = np.arange(shape[0], dtype=np.float32).reshape(-1, *(1,) * (len(shape) - 1))
    np.testing.assert_array_equal(got, (a + b) ** 2 - a + rows)


@pytest.mark.parametrize(("out_map", "iterators", "axis"), [
    ("(d0, d1) -> (d0)", "pr", 1), ("(d0, d1) -> (d1)", "rp", 0), ("(d0, d1) -> ()", "rr", None),
])  # fmt: skip
def test_reductions_in_blocks(out_map: str, iterators: str, axis: Any) -> None:
    a = random((1 << 9, 1 << 10), np.float64)
    want = (a * a + a).sum(axis)
    region = """
      %q = arith.mulf %a, %a : f64
      %p = arith.addf %q, %a : f64
      %s = arith.addf %o0, %p : f64"""
    init = np.zeros(np.shape(want))
    got = generic(["(d0, d1) -> (d0, d1)", out_map], iterators, [a], [init], region, "%s")[0]
    np.testing.assert_allclose(got, want, rtol=1e-10)


def test_long_sum_in_f16_is_in_order_through_blocks() -> None:
    a = np.ones(1 << 19, np.float16)
    region = """
      %q = arith.mulf %a, %a : f16
      %t = arith.addf %q, %q : f16
      %s = arith.addf %o0, %t : f16"""
    init = np.zeros((), np.float16)
    got = generic(["(d0) -> (d0)", "(d0) -> ()"], "r", [a], [init], region, "%s")[0]
    assert got == 4096


def overlapping(shift: int, op: str) -> Array:
    """A large elementwise op whose output binding lies `shift` floats after its input."""
    count = 1 << 17
    memory = random((count + shift,))
    a, before = memory[:count], memory.copy()
    kernel = compile_body(
        f"""
    %e = tensor.empty() : tensor<{count}xf32>
    %out0 = linalg.generic {{indexing_maps = [affine_map<(d0) -> ({op})>,
        affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}}
        ins(%in0 : tensor<{count}xf32>) outs(%e : tensor<{count}xf32>) {{
    ^bb0(%a: f32, %o: f32):
      %r = arith.addf %a, %a : f32
      linalg.yield %r : f32
    }} -> tensor<{count}xf32>""",
        [a],
        [a],
    )
    views = [SharedView(memory[start:][:count].view(np.uint8)) for start in (0, shift)]
    kernel.run(views, ())
    got, want = memory[shift:], before[:count] * 2
    np.testing.assert_array_equal(got, want[::-1] if op != "d0" else want)
    return got


@pytest.mark.parametrize("shift", [0, 1, 1000, 1 << 17])
@pytest.mark.parametrize("op", ["d0", f"-d0 + {(1 << 17) - 1}"])
def test_result_in_place_of_what_is_read(shift: int, op: str) -> None:
    """In place, and overlapping in part: an op is done as if all was read before it writes."""
    overlapping(shift, op)
