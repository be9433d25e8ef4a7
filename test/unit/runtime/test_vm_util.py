"""What host programs do with numbers, lists, bytes and globals, beside the devices; and traces.

The reference says the same of each: it shares no code with the host VM.
"""

# IR is easier to read in one line for each op.
# ruff: noqa: E501

import numpy as np
import pytest
from zcir.dialects.diagnostics import OpError
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime import HalError, load
from zcir.runtime.reference import run_reference

HEAD = """
util.global private mutable @g = 5 : i32
util.global private mutable @h = 7 : i32
util.func private @twice(%list: !util.list<i32>, %at: index) {
  %old = util.list.get %list[%at] : !util.list<i32>
  %new = arith.addi %old, %old : i32
  util.list.set %list[%at], %new : !util.list<i32>
  util.return
}
util.func public @f(%n: index, %i: i32, %x: f32) -> (RESULTS) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
"""
SIZE, NUMBER, FLOAT = 3, -2, 1.5


def _module(body: str, results: str = "i32") -> str:
    return HEAD.replace("RESULTS", results) + body + "\n}\n"


def _run(text: str) -> list[object]:
    """The results on the host VM, which are the reference's."""
    module = parse_text(make_context(), text, "p.mlir")
    inputs = [SIZE, NUMBER, np.float32(FLOAT)]
    results = load(module).run("f", inputs).results
    wanted = run_reference(parse_text(make_context(), text, "p.mlir"), "f", inputs)
    assert [np.asarray(r).item() for r in results] == [np.asarray(w).item() for w in wanted]
    return [np.asarray(result).item() for result in results]


ALLOC = "%b = util.buffer.alloc uninitialized : !util.buffer{%c16}\n"
FILLED = ALLOC + "util.buffer.fill %i, %b[%c0 for %c16] : i32 -> !util.buffer{%c16}\n"


@pytest.mark.parametrize(
    ("body", "results", "wanted"),
    [
        (
            """%l = util.list.create : !util.list<i32>
            util.list.resize %l, %n : !util.list<i32>
            util.list.set %l[%c1], %i : !util.list<i32>
            util.call @twice(%l, %c1) : (!util.list<i32>, index) -> ()
            %a = util.list.get %l[%c1] : !util.list<i32>
            %b = util.list.get %l[%c2] : !util.list<i32>
            %s = util.list.size %l : !util.list<i32>
            util.return %a, %b, %s : i32, i32, index""",
            "i32, i32, index",
            [-4, 0, 3],
        ),
        (
            """%l = util.list.construct [%i : i32, %x : f32] : !util.list<?>
            util.list.resize %l, %n : !util.list<?>
            util.list.resize %l, %c2 : !util.list<?>
            util.list.set %l[%c0], %x : f32 -> !util.list<?>
            %a = util.list.get %l[%c0] : !util.list<?> -> f32
            %s = util.list.size %l : !util.list<?>
            util.return %a, %s : f32, index""",
            "f32, index",
            [1.5, 2],
        ),
        (
            FILLED
            + """util.buffer.store %x, %b[%c4 for %c4] : f32 -> !util.buffer{%c16}
            %sub = util.buffer.subspan %b[%c4] : !util.buffer{%c16} -> !util.buffer{%c8}
            %cut = util.buffer.slice %b[%c4] : !util.buffer{%c16} -> !util.buffer{%c8}
            util.buffer.store %i, %sub[%c4 for %c4] : i32 -> !util.buffer{%c8}
            %a = util.buffer.load %b[%c4 for %c4] : !util.buffer{%c16} -> f32
            %d = util.buffer.load %cut[%c0 for %c4] : !util.buffer{%c8} -> f32
            %s = util.buffer.size %sub : !util.buffer
            %e = util.buffer.load %b[%c1 for %c1] : !util.buffer{%c16} -> i8
            util.buffer.dealloc %b : !util.buffer{%c16}
            util.return %a, %d, %s, %e : f32, f32, index, i8""",
            "f32, f32, index, i8",
            [1.5, 1.5, 8, -1],
        ),
        (
            FILLED
            + """util.buffer.store %x, %b[%c0 for %c4] : f32 -> !util.buffer{%c16}
            %p = util.buffer.compare %b[%c0], %b[%c8], %c4 : !util.buffer{%c16}, !util.buffer{%c16}
            util.buffer.copy %b[%c0], %b[%c4], %c8 : !util.buffer{%c16} -> !util.buffer{%c16}
            %a = util.buffer.load %b[%c4 for %c4] : !util.buffer{%c16} -> f32
            %d = util.buffer.load %b[%c8 for %c4] : !util.buffer{%c16} -> i32
            %q = util.buffer.compare %b[%c0], %b[%c4], %c4 : !util.buffer{%c16}, !util.buffer{%c16}
            util.return %p, %a, %d, %q : i1, f32, i32, i1""",
            "i1, f32, i32, i1",
            [False, 1.5, -2, True],
        ),
        (
            """%text = util.buffer.constant : !util.buffer = "abc"
            %s = util.buffer.size %text : !util.buffer
            %a = util.buffer.load %text[%c1 for %c1] : !util.buffer{%s} -> i8
            %same = util.cmp.eq %text, %text : !util.buffer
            %copy = util.buffer.slice %text[%c0] : !util.buffer{%s} -> !util.buffer{%s}
            %other = util.cmp.ne %text, %copy : !util.buffer
            util.return %s, %a, %same, %other : index, i8, i1, i1""",
            "index, i8, i1, i1",
            [3, 98, True, True],
        ),
        (
            """%p = util.global.address @g : !util.ptr<i32>
            %a = util.global.load.indirect %p : !util.ptr<i32> -> i32
            util.global.store.indirect %i, %p : i32 -> !util.ptr<i32>
            %b = util.global.load @g : i32
            %c = util.global.load @h : i32
            util.return %a, %b, %c : i32, i32, i32""",
            "i32, i32, i32",
            [5, -2, 7],
        ),
        (
            """%a = util.switch index from [%c4, %c8] at %c1 else %n : index
            %b = util.switch index from [%c4, %c8] at %n else %c16 : index
            %c = util.range.min %n, %c8, %c2 : index
            %d = util.range.max %n, %c8, %c2 : index
            %e, %g = util.range.extents [%c4 for %c8], [%n for %c2] : index
            %s = util.sizeof i3
            %t = util.sizeof f64
            util.return %a, %b, %c, %d, %e, %g, %s, %t : index, index, index, index, index, index, index, index""",
            "index, index, index, index, index, index, index, index",
            [8, 16, 2, 8, 3, 11, 1, 8],
        ),
        (
            """%a = util.unfoldable_constant 7 : i32
            %b = util.numeric.optional_narrow %a : i32 as si8 {min_value = 0 : i8, max_value = 9 : i8}
            %c = util.hoistable_conversion "there" inverts("back") (%v = %b) : (i32) -> i32 {
              %0 = arith.addi %v, %v : i32
              util.return %0 : i32
            }
            %l = util.list.create : !util.list<i32>
            %o = util.cast %l : !util.list<i32> to !util.object
            %m = util.cast %o : !util.object to !util.list<i32>
            %same = util.cmp.eq %l, %m : !util.list<i32>
            %none = util.null : !util.list<i32>
            %other = util.cmp.eq %l, %none : !util.list<i32>
            util.return %c, %same, %other : i32, i1, i1""",
            "i32, i1, i1",
            [14, True, False],
        ),
    ],
    ids=["list", "variants", "views", "copies", "constant", "pointers", "choices", "same"],
)
def test_host_values(body: str, results: str, wanted: list[object]) -> None:
    assert _run(_module(body, results)) == wanted


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "%l = util.list.create : !util.list<i32>\n%a = util.list.get %l[%c0] : !util.list<i32>",
            "OUT_OF_RANGE; index 0 is outside of a list of 0",
        ),
        (
            "%l = util.list.construct [%i : i32] : !util.list<i32>\nutil.list.set %l[%c1], %i : !util.list<i32>",
            "OUT_OF_RANGE; index 1 is outside of a list of 1",
        ),
        (
            "%l = util.list.create : !util.list<i32>\n%m = arith.constant -1 : index\nutil.list.resize %l, %m : !util.list<i32>",
            "OUT_OF_RANGE; expected a size of at least 0, got -1",
        ),
        (
            "%l = util.null : !util.list<i32>\n%s = util.list.size %l : !util.list<i32>",
            "INVALID_ARGUMENT; expected a list, got null",
        ),
        (
            "%m = arith.constant -1 : index\n%b = util.buffer.alloc uninitialized : !util.buffer{%m}",
            "OUT_OF_RANGE; expected a size of at least 0, got -1",
        ),
        (
            FILLED + "%a = util.buffer.load %b[%c16 for %c4] : !util.buffer{%c16} -> i32",
            "OUT_OF_RANGE; range [16 for 4] is outside of the source's 16",
        ),
        (
            FILLED + "util.buffer.fill %i, %b[%c0 for %n] : i32 -> !util.buffer{%c16}",
            "expected a length that is a multiple of the pattern's 4 bytes, got 3",
        ),
        (
            """%t = util.buffer.constant : !util.buffer = "abcd"
            util.buffer.store %i, %t[%c0 for %c4] : i32 -> !util.buffer{%c4}""",
            "PERMISSION_DENIED; attempted to write to a constant",
        ),
        (
            '%p = arith.constant true\nscf.if %p {\nutil.scf.unreachable "no way"\n}',
            "reached: no way",
        ),
    ],
)
def test_what_cannot_be_done_says_where(body: str, message: str) -> None:
    text = _module(body + "\nutil.return %i : i32")
    program = load(parse_text(make_context(), text, "p.mlir"))
    with pytest.raises((HalError, OpError)) as refused:
        program.run("f", [SIZE, NUMBER, FLOAT])
    assert message in str(refused.value)
    assert refused.value.location.startswith("p.mlir:")


TRACE = """
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local", {}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  util.func public @f(%x: !hal.buffer_view, %y: !hal.buffer_view) {
    %0 = hal.tensor.import %x : !hal.buffer_view -> tensor<2x2xi32>
    %n = hal.buffer_view.dim<%y : !hal.buffer_view>[0] : index
    %1 = hal.tensor.import %y : !hal.buffer_view -> tensor<?xf32>{%n}
    flow.tensor.trace "seen" = [%0 : tensor<2x2xi32>, %1 : tensor<?xf32>{%n}]
    util.return
  }
}
"""


@pytest.mark.parametrize("passes", [("zc-to-stream",), ("zc-pipeline",)])
def test_traces_are_maintained_for_the_host_and_printed_on_standard_error(
    passes: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    program = load(parse_text(make_context(), TRACE, "trace.mlir"), passes=passes)
    program.f([[1, 2], [3, 4]], [1.5, 2, 3])
    wanted = "=== seen ===\n2x2xi32=[1 2][3 4]\n3xf32=1.5 2 3\n\n"
    assert capsys.readouterr().err == wanted
    assert program.check().reports == ()


def test_endless_recursion_is_an_error_at_the_call() -> None:
    context = make_context()
    text = """util.func public @f() {
      util.call @f() : () -> ()
      util.return
    }"""
    program = load(parse_text(context, text, "t.mlir"), context=context)
    with pytest.raises(OpError, match="calls nest too deep") as stopped:
        program.run()
    assert stopped.value.location == "t.mlir:2:7"
