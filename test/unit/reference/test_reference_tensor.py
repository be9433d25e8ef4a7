"""Tensor ops and control flow of the reference against numpy."""

import numpy as np
import pytest
from reference_snippets import evaluate, mlir_type
from zcir.runtime.element_types import Array, InputError, Value

RANDOM = np.random.default_rng(13)


def floats(*shape: int) -> Array:
    return RANDOM.standard_normal(shape).astype(np.float32)


def run(code: str, arguments: list[Array], result: str) -> Array:
    """`code` sees %0, %1, …, and constants %c0 … %c5; it defines %r."""
    constants = "\n".join(f"%c{n} = arith.constant {n} : index" for n in range(6))
    (got,) = evaluate(f"{constants}\n{code}\nreturn %r : {result}", arguments, result)
    return np.asarray(got)


def test_slices() -> None:
    x = floats(6, 8)
    t = mlir_type(x)
    got = run(f"%r = tensor.extract_slice %0[1, 2] [3, 2] [2, 3] : {t} to tensor<3x2xf32>", [x],
              "tensor<3x2xf32>")  # fmt: skip
    assert got.tolist() == x[1:6:2, 2:6:3].tolist()
    code = f"%r = tensor.extract_slice %0[%c1, 2] [%c3, 2] [%c2, 1] : {t} to tensor<?x2xf32>"
    assert run(code, [x], "tensor<?x2xf32>").tolist() == x[1:6:2, 2:4].tolist()


def test_rank_reducing_slices() -> None:
    x = floats(1, 6, 1, 8)
    t = mlir_type(x)
    code = f"%r = tensor.extract_slice %0[0, 2, 0, 1] [1, 1, 1, 5] [1, 1, 1, 1] : {t} to "
    assert run(f"{code} tensor<5xf32>", [x], "tensor<5xf32>").tolist() == x[0, 2, 0, 1:6].tolist()
    got = run(f"{code} tensor<1x5xf32>", [x], "tensor<1x5xf32>")
    assert got.tolist() == x[0, 2:3, 0, 1:6].tolist()
    code = f"%r = tensor.extract_slice %0[0, 0, 0, 1] [1, %c3, 1, 5] [1, 1, 1, 1] : {t} to "
    got = run(f"{code} tensor<?x5xf32>", [x], "tensor<?x5xf32>")
    assert got.tolist() == x[0, 0:3, 0, 1:6].tolist()


def test_insert_slice_leaves_its_operand_alone() -> None:
    x, part = floats(6, 8), floats(3, 2)
    t, p = mlir_type(x), mlir_type(part)
    got = run(
        f"%r = tensor.insert_slice %1 into %0[1, 2] [3, 2] [2, 3] : {p} into {t}", [x, part], t
    )
    expected = x.copy()
    expected[1:6:2, 2:6:3] = part
    assert got.tolist() == expected.tolist()
    row = floats(8)
    code = f"%r = tensor.insert_slice %1 into %0[%c2, 0] [1, 8] [1, 1] : tensor<8xf32> into {t}"
    expected = x.copy()
    expected[2] = row
    assert run(code, [x, row], t).tolist() == expected.tolist()


def test_pad() -> None:
    x = floats(2, 3)
    code = f"""%r = tensor.pad %0 low[1, %c2] high[0, 1] {{
    ^bb0(%i: index, %j: index):
      %v = arith.constant 7.5 : f32
      tensor.yield %v : f32
    }} : {mlir_type(x)} to tensor<3x?xf32>"""
    expected = np.pad(x, ((1, 0), (2, 1)), constant_values=7.5)
    assert run(code, [x], "tensor<3x?xf32>").tolist() == expected.tolist()


# The region is evaluated for all indices at once.
def test_pad_with_a_value_that_depends_on_the_place() -> None:
    x = np.zeros((1, 1), np.int64)
    code = f"""%r = tensor.pad %0 low[1, 1] high[1, 1] {{
    ^bb0(%i: index, %j: index):
      %p = arith.muli %i, %c5 : index
      %s = arith.addi %p, %j : index
      %v = arith.index_cast %s : index to i64
      tensor.yield %v : i64
    }} : {mlir_type(x)} to tensor<3x3xi64>"""
    assert run(code, [x], "tensor<3x3xi64>").tolist() == [[0, 1, 2], [5, 0, 7], [10, 11, 12]]


def test_generate() -> None:
    code = """%r = "tensor.generate"(%c3) ({
    ^bb0(%i: index, %j: index):
      %s = arith.subi %i, %j : index
      %v = arith.index_cast %s : index to i32
      "tensor.yield"(%v) : (i32) -> ()
    }) : (index) -> tensor<?x2xi32>"""
    assert run(code, [], "tensor<?x2xi32>").tolist() == [[0, -1], [1, 0], [2, 1]]


def test_shapes() -> None:
    x = floats(2, 3, 4)
    t = mlir_type(x)
    code = f"%r = tensor.collapse_shape %0 [[0, 1], [2]] : {t} into tensor<6x4xf32>"
    assert run(code, [x], "tensor<6x4xf32>").tolist() == x.reshape(6, 4).tolist()
    code = (
        f"%r = tensor.expand_shape %0 [[0], [1], [2, 3]] output_shape [2, 3, 2, 2] : "
        f"{t} into tensor<2x3x2x2xf32>"
    )
    got = run(code, [x], "tensor<2x3x2x2xf32>")
    assert got.tolist() == x.reshape(2, 3, 2, 2).tolist()
    code = f"%r = tensor.cast %0 : {t} to tensor<?x3x?xf32>"
    assert run(code, [x], "tensor<?x3x?xf32>").tolist() == x.tolist()
    shape = np.array([4, 6], np.int64)
    code = f"%r = tensor.reshape %0(%1) : ({t}, tensor<2xi64>) -> tensor<4x6xf32>"
    assert run(code, [x, shape], "tensor<4x6xf32>").tolist() == x.reshape(4, 6).tolist()


def test_making_tensors() -> None:
    code = """
    %v = arith.constant 2 : i16
    %w = arith.constant 3 : i16
    %r = tensor.from_elements %v, %w, %w, %v : tensor<2x2xi16>"""
    assert run(code, [], "tensor<2x2xi16>").tolist() == [[2, 3], [3, 2]]
    code = "%v = arith.constant 2 : i16\n%r = tensor.splat %v[%c3] : tensor<2x?xi16>"
    assert run(code, [], "tensor<2x?xi16>").tolist() == [[2] * 3] * 2
    code = '%v = "tensor.rank"(%0) : (tensor<2x2xi8>) -> index\n'
    code += "%r = tensor.from_elements %v : tensor<1xindex>"
    assert run(code, [np.zeros((2, 2), np.int8)], "tensor<1xindex>").tolist() == [2]


def test_elements() -> None:
    x = floats(3, 4)
    t = mlir_type(x)
    code = f"""
    %v = tensor.extract %0[%c1, %c3] : {t}
    %r = tensor.insert %v into %0[%c0, %c0] : {t}"""
    expected = x.copy()
    expected[0, 0] = x[1, 3]
    assert run(code, [x], t).tolist() == expected.tolist()
    code = f"%d = tensor.dim %0, %c1 : {t}\n%r = tensor.from_elements %d : tensor<1xindex>"
    assert run(code, [x], "tensor<1xindex>").tolist() == [4]


def test_concat() -> None:
    x, y = floats(2, 3), floats(2, 1)
    code = "%r = tensor.concat dim(1) %0, %1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> "
    got = run(f"{code} tensor<2x4xf32>", [x, y], "tensor<2x4xf32>")
    assert got.tolist() == np.concatenate([x, y], axis=1).tolist()


# What nobody wrote shows: it is no zero that a missing initialisation could hide behind.
def test_empty_is_not_zero() -> None:
    got = run("%r = tensor.empty() : tensor<4xf32>", [], "tensor<4xf32>")
    assert np.all(got == np.frombuffer(b"\xcd" * 4, np.float32))


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            "%r = tensor.extract_slice %0[%c5] [%c2] [1] : tensor<6xf32> to tensor<?xf32>",
            "slice [5] of 2 elements by 1 is outside of size 6",
        ),
        (
            "%v = tensor.extract %0[%c5] : tensor<6xf32>\n"
            "%w = arith.addi %c5, %c1 : index\n"
            "%r = tensor.insert %v into %0[%w] : tensor<6xf32>\n",
            "slice [6] of 1 elements by 1 is outside of size 6",
        ),
        (
            "%d = tensor.dim %0, %c1 : tensor<6xf32>\n%r = tensor.empty(%d) : tensor<?xf32>",
            "dimension 1 of a tensor of rank 1",
        ),
        (
            "%n = arith.constant -1 : index\n%r = tensor.empty(%n) : tensor<?xf32>",
            "expected sizes of 0 or more, got -1",
        ),
        (
            "%n = tensor.cast %0 : tensor<6xf32> to tensor<?xf32>\n"
            "%r = tensor.cast %n : tensor<?xf32> to tensor<5xf32>",
            "expected a value of 5xf32, got 6xf32",
        ),
        (
            "%s = tensor.from_elements %c4 : tensor<1xindex>\n"
            "%n = tensor.cast %0 : tensor<6xf32> to tensor<?xf32>\n"
            "%r = tensor.reshape %n(%s) : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>",
            "cannot lay 6 elements out as [4]",
        ),
    ],
)
def test_what_cannot_be_is_one_line(code: str, message: str) -> None:
    result = "tensor<5xf32>" if "tensor<5xf32>" in code else "tensor<?xf32>"
    result = "tensor<6xf32>" if "insert" in code else result
    with pytest.raises(InputError) as caught:
        run(code, [floats(6)], result)
    text = str(caught.value)
    assert text.startswith("snippet.mlir:")
    assert text.endswith(f"op: {message}")
    assert "\n" not in text


def scalars(code: str, arguments: list[Value], *results: str) -> list[object]:
    """`code` in a function of scalars, returning %r0, %r1, …"""
    given = ", ".join(f"%r{number}" for number in range(len(results)))
    types = ", ".join(results)
    body = f"{code}\nreturn {given} : {types}"
    return [np.asarray(value).item() for value in evaluate(body, arguments, types)]


def test_for_carries_values() -> None:
    code = """
    %c0 = arith.constant 0 : index
    %c10 = arith.constant 10 : index
    %c3 = arith.constant 3 : index
    %z = arith.constant 0 : i64
    %o = arith.constant 1 : i64
    %r0, %r1 = scf.for %i = %c0 to %c10 step %c3 iter_args(%s = %z, %n = %z) -> (i64, i64) {
      %v = arith.index_cast %i : index to i64
      %t = arith.addi %s, %v : i64
      %m = arith.addi %n, %o : i64
      scf.yield %t, %m : i64, i64
    }"""
    assert scalars(code, [], "i64", "i64") == [0 + 3 + 6 + 9, 4]


def test_while_and_if() -> None:
    code = """
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %three = arith.constant 3 : i64
    %zero = arith.constant 0 : i64
    %start = arith.constant 27 : i64
    %r0, %r1 = scf.while (%n = %start, %k = %zero) : (i64, i64) -> (i64, i64) {
      %more = arith.cmpi ne, %n, %one : i64
      scf.condition(%more) %n, %k : i64, i64
    } do {
    ^bb0(%n: i64, %k: i64):
      %bit = arith.andi %n, %one : i64
      %odd = arith.cmpi eq, %bit, %one : i64
      %next = scf.if %odd -> (i64) {
        %p = arith.muli %n, %three : i64
        %q = arith.addi %p, %one : i64
        scf.yield %q : i64
      } else {
        %h = arith.divsi %n, %two : i64
        scf.yield %h : i64
      }
      %steps = arith.addi %k, %one : i64
      scf.yield %next, %steps : i64, i64
    }"""
    assert scalars(code, [], "i64", "i64") == [1, 111]


def test_blocks_loop_without_growing() -> None:
    body = """
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %end = arith.constant 20000 : i64
    cf.br ^head(%z, %z : i64, i64)
  ^head(%i: i64, %s: i64):
    %more = arith.cmpi slt, %i, %end : i64
    cf.cond_br %more, ^body, ^exit
  ^body:
    %t = arith.addi %s, %i : i64
    %j = arith.addi %i, %one : i64
    cf.br ^head(%j, %t : i64, i64)
  ^exit:
    return %s : i64"""
    (got,) = evaluate(body, [], "i64")
    assert got == sum(range(20000))


@pytest.mark.parametrize(("flag", "expected"), [(0, 10), (1, 11), (7, 12)])
def test_switches(flag: int, expected: int) -> None:
    code = f"""
    %i = arith.constant {flag} : index
    %r0 = scf.index_switch %i -> i64
    case 0 {{
      %a = arith.constant 10 : i64
      scf.yield %a : i64
    }}
    case 1 {{
      %a = arith.constant 11 : i64
      scf.yield %a : i64
    }}
    default {{
      %a = arith.constant 12 : i64
      scf.yield %a : i64
    }}"""
    assert scalars(code, [], "i64") == [expected]
    body = f"""
    %f = arith.constant {flag} : i32
    %a = arith.constant 10 : i64
    %b = arith.constant 11 : i64
    %c = arith.constant 12 : i64
    cf.switch %f : i32, [
      default: ^end(%c : i64),
      0: ^end(%a : i64),
      1: ^end(%b : i64)
    ]
  ^end(%v: i64):
    return %v : i64"""
    (got,) = evaluate(body, [], "i64")
    assert got == expected


def test_assert() -> None:
    code = '%r0 = arith.constant {} \ncf.assert %r0, "must hold"'
    assert scalars(code.format("true"), [], "i1") == [True]
    with pytest.raises(InputError, match=r"'cf\.assert' op: assertion failed: must hold$"):
        scalars(code.format("false"), [], "i1")


def test_a_step_of_zero_is_refused() -> None:
    code = """
    %r0 = arith.constant 0 : index
    scf.for %i = %r0 to %r0 step %r0 {
    }"""
    with pytest.raises(InputError, match=r"'scf\.for' op: expected a step above 0, got 0$"):
        scalars(code, [], "index")
