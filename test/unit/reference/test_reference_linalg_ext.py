"""scan, sort and topk of iree_linalg_ext in the reference, and constants kept as resources."""

import numpy as np
import pytest
from reference_snippets import evaluate, mlir_type, parse
from zcir.runtime.element_types import Array, InputError
from zcir.runtime.reference import run_reference, structured

RANDOM = np.random.default_rng(23)


def scan(op: str, values: Array, start: Array, dimension: int, is_inclusive: bool) -> list[Array]:
    element = mlir_type(values).removesuffix(">").split("x")[-1]
    types = f"{mlir_type(values)}, {mlir_type(values)}, {mlir_type(start)}"
    results = f"{mlir_type(values)}, {mlir_type(start)}"
    flag = "true" if is_inclusive else "false"
    body = f"""
    %e = tensor.empty() : {mlir_type(values)}
    %x, %y = "iree_linalg_ext.scan"(%0, %e, %1) <{{
        dimension = {dimension} : i64, inclusive = {flag}}}> ({{
    ^bb0(%a: {element}, %b: {element}):
      %s = {op} %a, %b : {element}
      "iree_linalg_ext.yield"(%s) : ({element}) -> ()
    }}) : ({types}) -> ({results})
    return %x, %y : {results}"""
    return [np.asarray(value) for value in evaluate(body, [values, start], results)]


# One op that numpy accumulates, one that any grouping suits, one that goes step by step.
@pytest.mark.parametrize(
    ("op", "dtype", "function"),
    [
        ("arith.addf", np.float32, np.add),
        ("arith.maxsi", np.int32, np.maximum),
        ("arith.subi", np.int32, np.subtract),
    ],
)
@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_scan(op: str, dtype: type[np.generic], function: np.ufunc, count: int) -> None:
    values = (RANDOM.standard_normal((count, 3)) * 50).astype(dtype)
    start = (RANDOM.standard_normal(3) * 50).astype(dtype)
    running, last = scan(op, values, start, 0, is_inclusive=True)
    expected = function.accumulate(values, axis=0)
    assert running.tolist() == expected.tolist()
    assert last.tolist() == (expected[-1] if count > 1 else start).tolist()
    running, last = scan(op, values, start, 0, is_inclusive=False)
    shifted = np.concatenate([start[None], values[:-1]])
    expected = function.accumulate(shifted, axis=0)
    assert running.tolist() == expected.tolist()
    assert last.tolist() == expected[-1].tolist()


def sort(values: Array, others: Array, predicate: str) -> list[Array]:
    types = f"{mlir_type(values)}, {mlir_type(others)}"
    body = f"""
    %x, %y = "iree_linalg_ext.sort"(%0, %1) <{{
        dimension = 1 : i64, operandSegmentSizes = array<i32: 0, 2>}}> ({{
    ^bb0(%a: f32, %b: f32, %u: i32, %v: i32):
      %s = arith.cmpf {predicate}, %a, %b : f32
      "iree_linalg_ext.yield"(%s) : (i1) -> ()
    }}) : ({types}) -> ({types})
    return %x, %y : {types}"""
    return [np.asarray(value) for value in evaluate(body, [values, others], types)]


@pytest.mark.parametrize("predicate", ["olt", "ole", "ogt", "oge"])
@pytest.mark.parametrize("block", [1, 100, 1 << 20])
def test_equal_keys_keep_their_order(
    predicate: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(structured, "BLOCK_POINTS", block)
    keys = RANDOM.integers(0, 4, (3, 20)).astype(np.float32)
    at = np.tile(np.arange(20, dtype=np.int32), (3, 1))
    got_keys, got_at = sort(keys, at, predicate)
    order = np.argsort(keys if "l" in predicate else -keys, axis=1, kind="stable")
    assert got_at.tolist() == order.tolist()
    assert got_keys.tolist() == np.take_along_axis(keys, order, axis=1).tolist()


def test_values_without_an_order() -> None:
    keys = np.array([[3, 1, np.nan, 2, 0]], np.float32)
    at = np.zeros((1, 5), np.int32)
    with pytest.raises(
        InputError, match=r"no strict weak order on these values; are there NaNs\?$"
    ):
        sort(keys, at, "olt")


def test_topk_takes_in_what_the_outputs_hold() -> None:
    values = np.array([[1, 5, 3, 5]], np.float32)
    kept, at = np.array([[4, -np.inf, -np.inf]], np.float32), np.array([[9, 0, 0]], np.int32)
    types = f"{mlir_type(kept)}, {mlir_type(at)}"
    body = f"""
    %x, %y = "iree_linalg_ext.topk"(%0, %1, %2) <{{dimension = 1 : i64}}> ({{
    ^bb0(%a: f32, %b: f32):
      %s = arith.cmpf ogt, %a, %b : f32
      "iree_linalg_ext.yield"(%s) : (i1) -> ()
    }}) : ({mlir_type(values)}, {types}) -> ({types})
    return %x, %y : {types}"""
    best, where = (np.asarray(value) for value in evaluate(body, [values, kept, at], types))
    assert best.tolist() == [[5, 5, 4]]
    assert where.tolist() == [[1, 3, 9]]


def test_a_constant_kept_as_a_resource() -> None:
    blob = "0x04000000" + np.array([1.5, -2], np.float32).tobytes().hex()
    text = f"""
    func.func @f() -> tensor<2xf32> {{
      %r = arith.constant dense_resource<weights> : tensor<2xf32>
      return %r : tensor<2xf32>
    }}
    {{-# dialect_resources: {{ builtin: {{ weights: "{blob}" }} }} #-}}"""
    (got,) = run_reference(parse(text), "f", [])
    assert np.asarray(got).tolist() == [1.5, -2]
    with pytest.raises(InputError, match=r"no contents for the resource elided.*; is it elided"):
        run_reference(parse(text.replace("<weights>", "<elided>")), "f", [])
