"""The host program of the reference: functions, globals, the border of the program, dispatches."""

import numpy as np
import pytest
from reference_snippets import parse
from zcir.runtime.element_types import Array, InputError, Value
from zcir.runtime.reference import Reference, run_reference

F32 = np.float32


def call(text: str, *inputs: Value | None, function: str | None = None) -> list[Value]:
    return run_reference(parse(text), function, inputs)


def one(text: str, *inputs: Value | None) -> Array:
    (value,) = call(text, *inputs)
    return np.asarray(value)


IDENTITY = (
    "util.func public @{0}(%x: tensor<4xf32>) -> tensor<4xf32> {{ util.return %x : tensor<4xf32> }}"
)
ONES = np.ones(4, F32)


def test_the_only_public_function_needs_no_name() -> None:
    text = IDENTITY.format("f") + IDENTITY.format("g").replace("public", "private")
    assert one(text, ONES).tolist() == [1] * 4
    assert Reference(parse(text)).functions() == ("f",)


FENCES = """
util.func private @later(%x: tensor<4xf32>, %w: !hal.fence, %s: !hal.fence) -> tensor<4xf32> {
  %0 = hal.tensor.barrier join(%x : tensor<4xf32>) => %s : !hal.fence
  util.return %0 : tensor<4xf32>
}
util.func public @f(%v: !hal.buffer_view, %o: !hal.buffer_view, %w: !hal.fence, %s: !hal.fence)
    -> !hal.buffer_view attributes {iree.abi.model = "coarse-fences"} {
  %x = hal.tensor.import wait(%w) => %v "input0" : !hal.buffer_view -> tensor<4xf32>
  %null = util.null : !hal.fence
  %c0 = arith.constant 0 : index
  %device = hal.devices.get %c0 : !hal.device
  %mine = hal.fence.create device(%device : !hal.device) flags("None") : !hal.fence
  %y = util.call @later(%x, %null, %mine) : (tensor<4xf32>, !hal.fence, !hal.fence) -> tensor<4xf32>
  %all = hal.fence.join at([%mine, %null, %w]) flags("None") -> !hal.fence
  %t = arith.constant -1 : i32
  %status = hal.fence.await until([%all]) timeout_millis(%t) flags("None") : i32
  util.status.check_ok %status
  %z = hal.tensor.alias wait(%w) => %y : tensor<4xf32> to %o : !hal.buffer_view
  %b = hal.tensor.barrier join(%z : tensor<4xf32>) => %s : !hal.fence
  %r = hal.tensor.export %b "output0" : tensor<4xf32> -> !hal.buffer_view
  util.return %r : !hal.buffer_view
}"""


# `iree.abi.model = "coarse-fences"`: the fences are made where they are not given.
def test_an_asynchronous_entry_point() -> None:
    for fences in ([], [None, None]):
        storage = np.zeros(4, F32)
        assert one(FENCES, ONES, storage, *fences).tolist() == [1] * 4
        assert storage.tolist() == [1] * 4
    with pytest.raises(InputError, match=r"^expected 2 inputs, got 3$"):
        call(FENCES, ONES, ONES, None)


def test_a_fence_that_failed() -> None:
    fail = "%code = arith.constant 13 : i32\nhal.fence.fail<%mine : !hal.fence> status(%code)\n"
    failing = FENCES.replace("%all =", f"{fail}%all =")
    with pytest.raises(InputError, match=r"'util.status.check_ok' op: status 13$"):
        call(failing, ONES, np.zeros(4, F32))


@pytest.mark.parametrize(
    ("function", "inputs", "message"),
    [
        ("h", [ONES], "no public function 'h' in the module; expected one of: f, g"),
        (None, [ONES], "expected a function name, one of: f, g"),
        ("f", [], "expected 1 inputs, got 0"),
        ("f", [ONES, ONES], "expected 1 inputs, got 2"),
        ("f", [np.ones(5, F32)], "input 0: expected 4xf32, got 5xf32"),
        ("f", [np.ones(4)], "input 0: expected 4xf32, got 4xf64"),
        ("f", [3], "input 0: expected a tensor 4xf32, got the number 3"),
        ("f", [None], "input 0: expected a tensor 4xf32, got no value"),
    ],
)
def test_bad_calls(function: str | None, inputs: list[Value | None], message: str) -> None:
    text = IDENTITY.format("f") + IDENTITY.format("g")
    with pytest.raises(InputError) as caught:
        call(text, *inputs, function=function)
    assert str(caught.value) == message


def test_a_module_without_functions() -> None:
    with pytest.raises(InputError, match=r"^the module has no public function$"):
        call("util.func private @f(tensor<4xf32>) -> tensor<4xf32>", ONES)
    with pytest.raises(InputError, match=r"^no public function 'f' in the module$"):
        call("util.func private @f(tensor<4xf32>) -> tensor<4xf32>", ONES, function="f")


def test_primitives_come_in_and_go_out() -> None:
    text = """util.func public @f(%a: i32, %b: f32, %c: i1, %d: index) -> (i32, f32, i1, index) {
      util.return %a, %b, %c, %d : i32, f32, i1, index
    }"""
    values = call(text, 5, 0.1, True, np.array(7, np.int64))
    assert [type(value) for value in values] == [np.int32, np.float32, np.bool_, np.int64]
    assert [np.asarray(value).item() for value in values] == [5, F32(0.1), True, 7]
    with pytest.raises(InputError, match=r"^input 0: expected a number i32, got f32$"):
        call(text, F32(5), 0.1, True, 7)


# IR-50: buffer views are checked where they are imported, under the name the program gives them.
IMPORT = """
util.func public @f(%v: !hal.buffer_view) -> !hal.buffer_view {
  %n = hal.buffer_view.dim<%v : !hal.buffer_view>[0] : index
  %x = hal.tensor.import %v "input0" : !hal.buffer_view -> tensor<?x2xf32>{%n}
  %r = hal.tensor.export %x "output0" : tensor<?x2xf32>{%n} -> !hal.buffer_view
  util.return %r : !hal.buffer_view
}"""


def test_import_and_export() -> None:
    x = np.arange(6, dtype=F32).reshape(3, 2)
    result = one(IMPORT, x)
    assert result.tolist() == x.tolist()
    assert not np.shares_memory(result, x)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.ones((3, 3), F32), "input0: expected 3x2xf32, got 3x3xf32"),
        (np.ones((3, 2), np.int32), "input0: expected 3x2xf32, got 3x2xi32"),
        (np.ones((), F32), "expected an input of rank 1 or more, got 0"),
    ],
)
def test_a_view_that_does_not_fit(value: Array, message: str) -> None:
    with pytest.raises(InputError) as caught:
        call(IMPORT, value)
    assert caught.value.message.endswith(f"op: {message}")
    assert caught.value.location in ("snippet.mlir:3:3", "snippet.mlir:4:3")


def test_views_tell_what_they_are() -> None:
    text = """
    util.func public @f(%v: !hal.buffer_view) -> (index, i32, i1) {
      %rank = hal.buffer_view.rank<%v : !hal.buffer_view> : index
      %type = hal.buffer_view.element_type<%v : !hal.buffer_view> : i32
      %want = hal.element_type<f32> : i32
      %same = arith.cmpi eq, %type, %want : i32
      util.return %rank, %type, %same : index, i32, i1
    }"""
    assert call(text, np.ones((2, 3), F32)) == [2, 0x21000020, True]
    numbers = {np.int8: 0x10000008, np.uint8: 0x12000008, np.float64: 0x21000040}
    for dtype, number in numbers.items():
        assert call(text, np.ones(1, dtype))[1] == number


ASSERT = """
util.func public @f(%v: !hal.buffer_view) {
  %type = hal.element_type<i32> : i32
  %encoding = hal.encoding_type<dense_row_major> : i32
  %c4 = arith.constant 4 : index
  hal.buffer_view.assert<%v : !hal.buffer_view> message("input0") shape([%c4])
    type(%type) encoding(%encoding)
  util.return
}"""


def test_asserted_views() -> None:
    assert call(ASSERT, np.ones(4, np.int32)) == []
    assert call(ASSERT, np.ones(4, np.uint32)) == []
    for wrong in (np.ones(5, np.int32), np.ones(4, F32), np.ones(4, np.int64)):
        with pytest.raises(InputError, match=r"op: input0: expected \[4\] of type 0x10000020, got"):
            call(ASSERT, wrong)


ALIAS = """
util.func public @f(%v: !hal.buffer_view, %s: !hal.buffer_view) -> !hal.buffer_view {
  %x = hal.tensor.import %v "x" : !hal.buffer_view -> tensor<4xf32>
  %y = arith.addf %x, %x : tensor<4xf32>
  %o = hal.tensor.alias %y : tensor<4xf32> to %s : !hal.buffer_view
  %z = arith.addf %o, %x : tensor<4xf32>
  %r = hal.tensor.export %z "r" : tensor<4xf32> -> !hal.buffer_view
  util.return %r : !hal.buffer_view
}"""


def test_alias_writes_the_storage_and_no_tensor() -> None:
    storage = np.zeros(4, F32)
    assert one(ALIAS, ONES, storage).tolist() == [3] * 4
    assert storage.tolist() == [2] * 4
    # The storage is the input's own buffer: the tensor that was imported keeps its value.
    both = np.ones(4, F32)
    assert one(ALIAS, both, both).tolist() == [3] * 4
    assert both.tolist() == [2] * 4


def test_storage_that_does_not_do() -> None:
    with pytest.raises(InputError, match=r"op: expected storage for 4xf32, got 3xf32$"):
        call(ALIAS, ONES, np.zeros(3, F32))
    with pytest.raises(InputError, match="expected a writable row-major array"):
        call(ALIAS, ONES, np.zeros((4, 2), F32)[:, 0])
    frozen = np.zeros(4, F32)
    frozen.flags.writeable = False
    with pytest.raises(InputError, match="expected a writable row-major array"):
        call(ALIAS, ONES, frozen)


def test_bytes_as_buffers() -> None:
    text = """
    util.func public @f(%b: !hal.buffer) -> !hal.buffer {
      %x = hal.tensor.import %b "x" : !hal.buffer -> tensor<2xf32>
      %y = arith.addf %x, %x : tensor<2xf32>
      %r = hal.tensor.export %y "r" : tensor<2xf32> -> !hal.buffer
      util.return %r : !hal.buffer
    }"""
    result = one(text, np.array([1, 2], F32).view(np.int8))
    assert result.view(F32).tolist() == [2, 4]
    with pytest.raises(InputError, match="expected 8 bytes from 0 on, got a buffer of 4"):
        call(text, np.zeros(4, np.int8))


def test_another_encoding_at_the_border() -> None:
    text = """
    util.func public @f(%v: !hal.buffer_view) -> !hal.buffer_view {
      %x = hal.tensor.import %v "x" : !hal.buffer_view -> tensor<2x2xui8> as tensor<4xi8>
      %r = hal.tensor.export %x "r" : tensor<2x2xui8> as tensor<4xi8> -> !hal.buffer_view
      util.return %r : !hal.buffer_view
    }"""
    x = np.array([[1, 2], [3, 200]], np.uint8)
    result = one(text, x)
    assert result.dtype == np.uint8
    assert result.tolist() == x.tolist()


STATE = """
util.global private mutable @state = dense<1.0> : tensor<4xf32>
util.global private @scale : f32
util.initializer {
  %c = arith.constant 2.0 : f32
  util.global.store %c, @scale : f32
  util.return
}
util.func public @step() -> (tensor<4xf32>, f32) {
  %s = util.global.load @state : tensor<4xf32>
  %t = arith.addf %s, %s : tensor<4xf32>
  util.global.store %t, @state : tensor<4xf32>
  %a = util.global.address @scale : !util.ptr<f32>
  %scale = util.global.load.indirect %a : !util.ptr<f32> -> f32
  util.return %t, %scale : tensor<4xf32>, f32
}"""


def test_globals_live_as_long_as_the_module_is_loaded() -> None:
    program = Reference(parse(STATE))
    first, scale = program.call("step", [])
    second, _ = program.call("step", [])
    assert np.asarray(first).tolist() == [2] * 4
    assert np.asarray(second).tolist() == [4] * 4
    assert scale == 2
    assert np.asarray(Reference(program.module).call("step", [])[0]).tolist() == [2] * 4


@pytest.mark.parametrize(
    ("initial", "type_", "expected"),
    [
        ("", " : i32", 0),
        ("", " : tensor<2xf32>", [0, 0]),
        (" = 7", " : i64", 7),
        (" = #util.byte_pattern<1> : tensor<2xi16>", "", [257, 257]),
    ],
)
def test_initial_values(initial: str, type_: str, expected: object) -> None:
    kind = type_.removeprefix(" : ") or initial.split(" : ")[1]
    text = f"""
    util.global private @g{initial}{type_}
    util.func public @f() -> {kind} {{
      %v = util.global.load @g : {kind}
      util.return %v : {kind}
    }}"""
    assert one(text).tolist() == expected


def test_host_arithmetic() -> None:
    text = """
    util.func public @f(%a: index, %b: index) -> (index, index, index, index, index, index) {
      %c16 = arith.constant 16 : index
      %0 = util.align %a, %c16 : index
      %1 = util.sizeof f64
      %2 = util.range.min %a, %b : index
      %3 = util.range.max %a, %b : index
      %min, %max = util.range.extents [%a for %c16], [%b for %c16] : index
      util.return %0, %1, %2, %3, %min, %max : index, index, index, index, index, index
    }"""
    assert call(text, 17, 40) == [32, 8, 17, 40, 17, 55]


def test_lists() -> None:
    text = """
    util.func public @f() -> (i32, i32, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %v = arith.constant 42 : i32
      %l = util.list.create : !util.list<i32>
      util.list.resize %l, %c3 : !util.list<i32>
      util.list.set %l[%c1], %v : !util.list<i32>
      %a = util.list.get %l[%c1] : !util.list<i32>
      %b = util.list.get %l[%c0] : !util.list<i32>
      %n = util.list.size %l : !util.list<i32>
      util.return %a, %b, %n : i32, i32, index
    }"""
    assert call(text) == [42, 0, 3]
    with pytest.raises(InputError, match="index 3 is outside of a list of 3"):
        call(text.replace("%l[%c1], %v", "%l[%c3], %v"))


def test_buffers() -> None:
    text = """
    util.func public @f() -> (i16, i1, i1, index) {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %p = arith.constant 0x0201 : i16
      %b = util.buffer.alloc uninitialized : !util.buffer{%c8}
      util.buffer.fill %p, %b[%c0 for %c8] : i16 -> !util.buffer{%c8}
      %s = util.buffer.subspan %b[%c4] : !util.buffer{%c8} -> !util.buffer{%c4}
      %k = util.buffer.slice %b[%c4] : !util.buffer{%c8} -> !util.buffer{%c4}
      %q = arith.constant 7 : i16
      util.buffer.store %q, %b[%c4 for %c2] : i16 -> !util.buffer{%c8}
      %v = util.buffer.load %s[%c0 for %c2] : !util.buffer{%c4} -> i16
      %same = util.buffer.compare %s[%c0], %k[%c0], %c4 : !util.buffer{%c4}, !util.buffer{%c4}
      util.buffer.copy %k[%c0], %b[%c4], %c4 : !util.buffer{%c4} -> !util.buffer{%c8}
      %now = util.buffer.compare %s[%c0], %k[%c0], %c4 : !util.buffer{%c4}, !util.buffer{%c4}
      %n = util.buffer.size %b : !util.buffer
      util.return %v, %same, %now, %n : i16, i1, i1, index
    }"""
    assert call(text) == [7, False, True, 8]
    with pytest.raises(InputError, match="bytes 8 to 10 are outside of a buffer of 8"):
        call(text.replace("%b[%c4 for %c2]", "%b[%c8 for %c2]"))


def test_calls_and_recursion() -> None:
    text = """
    util.func private @g(%n: i64) -> i64 {
      %one = arith.constant 1 : i64
      %more = arith.cmpi sgt, %n, %one : i64
      %r = scf.if %more -> (i64) {
        %m = arith.subi %n, %one : i64
        %p = util.call @g(%m) : (i64) -> i64
        %q = arith.muli %n, %p : i64
        scf.yield %q : i64
      } else {
        scf.yield %one : i64
      }
      util.return %r : i64
    }
    util.func public @f(%n: i64) -> i64 {
      %r = util.call @g(%n) : (i64) -> i64
      util.return %r : i64
    }"""
    assert call(text, 10) == [3628800]
    with pytest.raises(InputError, match=r"nested or called too deep$"):
        call(text, 100000)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("%r = util.call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>", "no function @g with a body"),
        ('util.scf.unreachable "gone"\n%r = flow.tensor.empty : tensor<4xf32>', "reached: gone"),
        ('%r = "test.op"(%x) : (tensor<4xf32>) -> tensor<4xf32>', "not supported by the reference"),
        (
            '%s = util.string.format "plain"() : () -> !util.buffer\n'
            "%r = flow.tensor.empty : tensor<4xf32>",
            "not supported by the reference",
        ),
        (
            '%s = arith.constant 5 : i32\nutil.status.check_ok %s, "late"\n'
            "%r = flow.tensor.empty : tensor<4xf32>",
            "status 5: late",
        ),
    ],
)
def test_what_cannot_be_run_names_the_op(code: str, message: str) -> None:
    text = f"""
    util.func private @g(tensor<4xf32>) -> tensor<4xf32>
    util.func public @f(%x: tensor<4xf32>) -> tensor<4xf32> {{
      {code}
      util.return %r : tensor<4xf32>
    }}"""
    with pytest.raises(InputError) as caught:
        call(text, ONES)
    assert str(caught.value).startswith("snippet.mlir:")
    assert str(caught.value).endswith(f"op: {message}")
    assert "\n" not in str(caught.value)
