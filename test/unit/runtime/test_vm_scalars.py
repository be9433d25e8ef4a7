"""Numbers of host programs, as the host VM and the reference compute them."""

import numpy as np
import pytest
from zcir.dialects.diagnostics import OpError
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.element_types import Value
from zcir.runtime.load import load
from zcir.runtime.reference import run_reference

CONTEXT = make_context()
INTEGERS = [(7, 2), (-7, 2), (1 << 30, 4)]
FLOATS = [(7.5, 2.0), (-0.1, 0.2)]


def both(
    kind: str, body: str, result: str, inputs: tuple[Value, ...]
) -> tuple[list[Value], list[Value]]:
    """The result %r of `body` on %a and %b of type `kind`: the VM's, and the reference's."""
    text = f"""util.func public @f(%a: {kind}, %b: {kind}) -> {result} {{
      {body}
      util.return %r : {result}
    }}"""
    module = parse_text(CONTEXT, text, "m.mlir")
    run = load(module, context=CONTEXT).run(inputs=list(inputs))
    return run.results, list(run_reference(module, "f", list(inputs)))


def agree(kind: str, body: str, result: str) -> None:
    for inputs in FLOATS if kind.startswith("f") else INTEGERS:
        got, want = both(kind, body, result, inputs)
        np.testing.assert_allclose(
            np.asarray(got[0], np.float64), np.asarray(want[0], np.float64), rtol=1e-6
        )


@pytest.mark.parametrize("op", ["divf", "remf", "minnumf", "maxnumf", "minimumf"])
def test_floats_are_combined(op: str) -> None:
    agree("f32", f"%r = arith.{op} %a, %b : f32", "f32")


@pytest.mark.parametrize(
    ("op", "source", "target"),
    [
        ("sitofp", "i32", "f32"),
        ("uitofp", "i32", "f64"),
        ("fptosi", "f32", "i32"),
        ("extf", "f32", "f64"),
        ("truncf", "f64", "f16"),
        ("truncf", "f32", "bf16"),
    ],
)
def test_numbers_change_their_type(op: str, source: str, target: str) -> None:
    agree(source, f"%r = arith.{op} %a : {source} to {target}", target)


@pytest.mark.parametrize("op", ["arith.negf", "math.absf", "math.exp", "math.floor", "math.tanh"])
def test_functions_of_a_float(op: str) -> None:
    agree("f32", f"%r = {op} %a : f32", "f32")


@pytest.mark.parametrize(
    "body",
    [
        "%r = arith.shli %a, %b : i32",
        "%r, %carry = arith.addui_extended %a, %b : i32, i1",
        "%r = math.ctlz %a : i32",
        "%r = scf.execute_region -> i32 { scf.yield %b : i32 }",
        "cf.switch %a : i32, [default: ^d, 7: ^e(%b : i32), -7: ^e(%a : i32)]\n"
        "^d:\n %c = arith.constant 3 : i32\n cf.br ^e(%c : i32)\n^e(%r: i32):",
    ],
    ids=["shift", "carry", "bits", "region", "switch"],
)
def test_integers_and_control_flow_between_them(body: str) -> None:
    agree("i32", body, "i32")


@pytest.mark.parametrize(
    "affine",
    ["apply affine_map<(x)[s] -> (x * 2 + s ceildiv 3)>", "min affine_map<(x)[s] -> (x mod 4, s)>"],
)
def test_affine_maps_of_indices(affine: str) -> None:
    agree("index", f"%r = affine.{affine}(%a)[%b]", "index")


def test_an_assertion_that_does_not_hold_ends_the_program_with_its_message() -> None:
    body = '%c = arith.cmpi eq, %a, %b : i32\n cf.assert %c, "equal"\n %r = arith.addi %a, %b : i32'
    assert both("i32", body, "i32", (2, 2))[0] == [4]
    with pytest.raises(OpError, match=r"'cf\.assert' op failed: equal"):
        both("i32", body, "i32", (2, 3))


def test_what_is_unreachable_ends_the_program_with_its_message() -> None:
    module = parse_text(CONTEXT, 'util.func public @f() { util.unreachable "here" }', "m.mlir")
    with pytest.raises(OpError, match=r"'util\.unreachable' op reached: here"):
        load(module, context=CONTEXT).run()


def test_types_that_nothing_computes_with_are_refused() -> None:
    text = """util.func public @f() -> i32 {
      %a = arith.constant 1 : i128
      %b = math.ctpop %a : i128
      %r = arith.trunci %b : i128 to i32
      util.return %r : i32
    }"""
    module = parse_text(CONTEXT, text, "m.mlir")
    with pytest.raises(OpError, match="wider than 64 bits"):
        load(module, context=CONTEXT).run()
