"""flow and iree_tensor_ext in the reference: tensors as values, dispatches, workgroups."""

import numpy as np
import pytest
from reference_snippets import parse
from zcir.runtime.element_types import Array, InputError, Value
from zcir.runtime.reference import run_reference

F32 = np.float32
T = "!iree_tensor_ext.dispatch.tensor"


def call(text: str, *inputs: Value) -> list[Array]:
    return [np.asarray(value) for value in run_reference(parse(text), "f", inputs)]


def run(code: str, result: str, *inputs: tuple[str, Value]) -> Array:
    """`code` sees the inputs as %0, %1, … and constants %c0 … %c5; it defines %r."""
    constants = "\n".join(f"%c{n} = arith.constant {n} : index" for n in range(6))
    arguments = ", ".join(f"%{number}: {type_}" for number, (type_, _) in enumerate(inputs))
    text = f"""util.func public @f({arguments}) -> {result} {{
      {constants}
      {code}
      util.return %r : {result}
    }}"""
    (value,) = call(text, *(value for _, value in inputs))
    return value


X = np.arange(12, dtype=F32).reshape(3, 4)


def test_slice_and_update_make_new_values() -> None:
    code = """
    %s = flow.tensor.slice %0[%c1, %c2 for %c2, %c1] : tensor<3x4xf32> -> tensor<2x1xf32>
    %u = flow.tensor.update %s, %0[%c0, %c3] : tensor<2x1xf32> -> %0 as tensor<3x4xf32>
    %r = flow.tensor.update %s, %u[%c1, %c0] : tensor<2x1xf32> -> %u as tensor<3x4xf32>"""
    x = X.copy()
    expected = X.copy()
    expected[0:2, 3:4] = X[1:3, 2:3]
    expected[1:3, 0:1] = X[1:3, 2:3]
    got = run(code, "tensor<3x4xf32>", ("tensor<3x4xf32>", x))
    assert got.tolist() == expected.tolist()
    assert x.tolist() == X.tolist()


def test_updated_value_is_not_the_old_one() -> None:
    code = """
    %s = flow.tensor.slice %0[%c0 for %c2] : tensor<4xf32> -> tensor<2xf32>
    %u = flow.tensor.update %s, %0[%c2] : tensor<2xf32> -> %0 as tensor<4xf32>
    %r = arith.subf %u, %0 : tensor<4xf32>"""
    got = run(code, "tensor<4xf32>", ("tensor<4xf32>", X[0]))
    assert got.tolist() == [0, 0, -2, -2]


# The same value whatever device it is on, and whichever kind the transfer has.
@pytest.mark.parametrize("kind", ["", ' attributes {stream.transfer_kind = "alias"}'])
def test_transfers_and_barriers_keep_the_value(kind: str) -> None:
    code = f"""
    %t = flow.tensor.transfer %0 : tensor<4xf32> to #hal.device.affinity<@device_b>{kind}
    %b = flow.tensor.barrier %t : tensor<4xf32> on #hal.device.affinity<@device_b>
    %r = flow.tensor.clone %b : tensor<4xf32>"""
    assert run(code, "tensor<4xf32>", ("tensor<4xf32>", X[0])).tolist() == X[0].tolist()


def test_views() -> None:
    code = "%r = flow.tensor.reshape %0 : tensor<3x4xf32> -> tensor<2x6xf32>"
    got = run(code, "tensor<2x6xf32>", ("tensor<3x4xf32>", X))
    assert got.tolist() == X.reshape(2, 6).tolist()
    code = "%r = flow.tensor.bitcast %0 : tensor<4xf32> -> tensor<2x8xi8>"
    got = run(code, "tensor<2x8xi8>", ("tensor<4xf32>", X[1]))
    assert got.tobytes() == X[1].tobytes()
    code = "%r = flow.tensor.reshape %0 : tensor<?xf32>{%c4} -> tensor<2x?xf32>{%c2}"
    got = run(code, "tensor<2x?xf32>", ("tensor<?xf32>", X[1]))
    assert got.tolist() == X[1].reshape(2, 2).tolist()
    with pytest.raises(InputError, match=r"cannot lay 4 elements out as \[2, 3\]$"):
        run(code.replace("{%c2}", "{%c3}"), "tensor<2x?xf32>", ("tensor<?xf32>", X[1]))


def test_making_tensors() -> None:
    code = "%v = arith.constant 2.5 : f32\n%r = flow.tensor.splat %v : tensor<2x?xf32>{%c3}"
    assert run(code, "tensor<2x?xf32>").tolist() == [[2.5] * 3] * 2
    code = "%r = flow.tensor.constant dense<[1, 2]> : tensor<2xi32>"
    assert run(code, "tensor<2xi32>").tolist() == [1, 2]
    code = "%r = flow.tensor.dynamic_constant dense<[1, 2]> : tensor<2xi32> -> tensor<?xi32>"
    assert run(code, "tensor<?xi32>").tolist() == [1, 2]
    for made in ("empty", "alloca"):
        got = run(f"%r = flow.tensor.{made} : tensor<2xi16>", "tensor<2xi16>")
        assert got.view(np.uint16).tolist() == [0xCDCD] * 2


def test_elements() -> None:
    code = """
    %v = flow.tensor.load %0[%c1, %c3] : tensor<3x4xf32>
    %r = flow.tensor.store %v, %0[%c0, %c0] : tensor<3x4xf32>"""
    got = run(code, "tensor<3x4xf32>", ("tensor<3x4xf32>", X))
    assert got[0, 0] == X[1, 3]
    assert X[0, 0] == 0
    wide = code.replace("%c3", "%1")
    with pytest.raises(InputError, match="index 5 is outside of a dimension of size 4"):
        run(wide, "tensor<3x4xf32>", ("tensor<3x4xf32>", X), ("index", 5))


def test_stated_shapes_are_checked() -> None:
    code = "%r = flow.tensor.tie_shape %0 : tensor<?xf32>{{%c{}}}"
    given = ("tensor<?xf32>", X[0])
    assert run(code.format(4), "tensor<?xf32>", given).tolist() == X[0].tolist()
    with pytest.raises(InputError, match=r"op: expected a tensor of \[5\], got \[4\]$"):
        run(code.format(5), "tensor<?xf32>", given)


KERNEL = f"""
flow.executable private @exe {{
  flow.executable.export public @entry
  builtin.module {{
    func.func @entry(%x: {T}<readonly:tensor<4xf32>>, %k: f32, %y: {T}<readwrite:tensor<4xf32>>,
                     %z: {T}<writeonly:tensor<4xf32>>) {{
      %0 = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0], sizes = [4], strides = [1]
        : {T}<readonly:tensor<4xf32>> -> tensor<4xf32>
      %1 = iree_tensor_ext.dispatch.tensor.load %y, offsets = [0], sizes = [4], strides = [1]
        : {T}<readwrite:tensor<4xf32>> -> tensor<4xf32>
      %2 = arith.addf %0, %1 : tensor<4xf32>
      iree_tensor_ext.dispatch.tensor.store %2, %y, offsets = [0], sizes = [4], strides = [1]
        : tensor<4xf32> -> {T}<readwrite:tensor<4xf32>>
      %e = tensor.empty() : tensor<4xf32>
      %3 = linalg.fill ins(%k : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      iree_tensor_ext.dispatch.tensor.store %3, %z, offsets = [0], sizes = [4], strides = [1]
        : tensor<4xf32> -> {T}<writeonly:tensor<4xf32>>
      return
    }}
  }}
}}
util.func public @f(%x: tensor<4xf32>, %y: tensor<4xf32>, %k: f32)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {{
  %0:2 = flow.dispatch @exe::@entry(%x, %k, %y)
    : (tensor<4xf32>, f32, tensor<4xf32>) -> (%y, tensor<4xf32>)
  util.return %0#0, %0#1, %y : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}}"""


# The tied argument is updated in the kernel's own copy; its old value is still there to read.
def test_tied_results_update_a_value_of_their_own() -> None:
    x, y = X[0], X[1]
    updated, filled, old = call(KERNEL, x, y, 2.5)
    assert updated.tolist() == (x + y).tolist()
    assert filled.tolist() == [2.5] * 4
    assert old.tolist() == y.tolist()


def test_slices_of_what_a_kernel_sees() -> None:
    body = f"""
    %r = flow.dispatch.workgroups(%0, %c1) : (tensor<3x4xf32>, index) -> tensor<2x4xf32> =
      (%x: {T}<readonly:tensor<3x4xf32>>, %n: index, %y: {T}<writeonly:tensor<2x4xf32>>) {{
      %row = iree_tensor_ext.dispatch.tensor.load %x, offsets = [%n, 0], sizes = [1, 4],
        strides = [1, 1] : {T}<readonly:tensor<3x4xf32>> -> tensor<4xf32>
      iree_tensor_ext.dispatch.tensor.store %row, %y, offsets = [0, 0], sizes = [1, 4],
        strides = [1, 1] : tensor<4xf32> -> {T}<writeonly:tensor<2x4xf32>>
      %two = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0, 0], sizes = [2, 2],
        strides = [2, 3] : {T}<readonly:tensor<3x4xf32>> -> tensor<2x2xf32>
      iree_tensor_ext.dispatch.tensor.store %two, %y, offsets = [0, 1], sizes = [2, 2],
        strides = [1, 2] : tensor<2x2xf32> -> {T}<writeonly:tensor<2x4xf32>>
      flow.return
    }}"""
    got = run(body, "tensor<2x4xf32>", ("tensor<3x4xf32>", X))
    expected = np.frombuffer(b"\xcd" * 32, F32).reshape(2, 4).copy()
    expected[0] = X[1]
    expected[0:2, 1:4:2] = X[0:3:2, 0:4:3]
    assert got.tobytes() == expected.tobytes()


# A kernel that asks for its workgroup runs once for each, on the same tensors.
def test_workgroups() -> None:
    body = f"""
    %r = flow.dispatch.workgroups[%c3](%0) : (tensor<3x4xf32>) -> tensor<3x4xf32> =
      (%x: {T}<readonly:tensor<3x4xf32>>, %y: {T}<writeonly:tensor<3x4xf32>>) {{
      %i = flow.dispatch.workgroup.id[1] : index
      %n = flow.dispatch.workgroup.count[1] : index
      %one = arith.constant 1 : index
      %l = arith.subi %n, %one : index
      %k = arith.subi %l, %i : index
      %row = iree_tensor_ext.dispatch.tensor.load %x, offsets = [%i, 0], sizes = [1, 4],
        strides = [1, 1] : {T}<readonly:tensor<3x4xf32>> -> tensor<1x4xf32>
      iree_tensor_ext.dispatch.tensor.store %row, %y, offsets = [%k, 0], sizes = [1, 4],
        strides = [1, 1] : tensor<1x4xf32> -> {T}<writeonly:tensor<3x4xf32>>
      flow.return
    }} count(%w: index) -> (index, index, index) {{
      %u = arith.constant 1 : index
      flow.return %u, %w, %u : index, index, index
    }}"""
    got = run(body, "tensor<3x4xf32>", ("tensor<3x4xf32>", X))
    assert got.tolist() == X[::-1].tolist()


def test_a_region_sees_the_values_around_it() -> None:
    code = """
    %r = flow.dispatch.region -> (tensor<4xf32>) {
      %s = arith.mulf %0, %0 : tensor<4xf32>
      flow.return %s : tensor<4xf32>
    }"""
    assert run(code, "tensor<4xf32>", ("tensor<4xf32>", X[1])).tolist() == (X[1] ** 2).tolist()


def test_missing_kernels() -> None:
    elsewhere = KERNEL.replace("@exe {", "@other {")
    with pytest.raises(InputError, match=r"'flow.dispatch' op: no entry point @exe::@entry$"):
        call(elsewhere, X[0], X[1], 2.5)
    nameless = KERNEL.replace("func.func @entry", "func.func @kernel")
    with pytest.raises(InputError, match=r"op: no function @entry with a body in the executable$"):
        call(nameless, X[0], X[1], 2.5)
