"""Copies that keep a model's storages apart: GE-33 to GE-37."""

import numpy as np
import pytest
from model_snippets import dispatch, export, model, run
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects.diagnostics import OpError
from zcir.runtime.load import Program
from zcir.runtime.model import load

TENSOR = "tensor<16xf32>"
LOAD = f"%var = util.global.load @state : {TENSOR}"


def merge(then: str, other: str) -> str:
    return f"""{LOAD}
    %r = scf.if %c -> ({TENSOR}) {{
      scf.yield {then} : {TENSOR}
    }} else {{
      scf.yield {other} : {TENSOR}
    }}
    {export("%r")}"""


def clones(module: ModuleOp) -> int:
    return sum(op.name == "flow.tensor.clone" for op in module.walk())


def isolated(body: str, spec: str = "model-isolate-io", **options: str) -> int:
    return clones(run(model(body, arguments="%c: i1", **options), spec)[0])  # pyright: ignore


# GE-34: each input that a branch hands on is copied there; a variable is not.
@pytest.mark.parametrize(
    ("then", "other", "copies"), [("%in0", "%in1", 2), ("%var", "%in1", 1), ("%var", "%var", 0)]
)
def test_ge34_branches_that_hand_on_inputs(then: str, other: str, copies: int) -> None:
    assert isolated(merge(then, other)) == copies


def test_ge34_inputs_through_nested_branches() -> None:
    inner = f"""%q = scf.if %c -> ({TENSOR}) {{
        scf.yield %in0 : {TENSOR}
      }} else {{
        scf.yield %var : {TENSOR}
      }}
      scf.yield %q : {TENSOR}"""
    body = merge("%in1", "%in1").replace(f"scf.yield %in1 : {TENSOR}", inner, 1)
    assert isolated(body) == 2


# GE-33: without the capability nothing is inserted, and one remark says so.
def test_ge33_devices_whose_copies_need_fixed_addresses() -> None:
    links = "stream.topology = #hal.device.topology<links = [(@a -> @a = {}, {memcpy_zero_copy = "
    text = model(merge("%in0", "%in1"), arguments="%c: i1", topology=links + "false})]>")
    module, remarks = run(text, "model-isolate-io")
    assert clones(module) == 0
    (only,) = remarks
    assert only.message == (
        "zero copy is not supported by copies of @a (memcpy_zero_copy = false): no copies inserted"
    )
    assert clones(run(text.replace("= false", "= true"), "model-isolate-io")[0]) == 2


# GE-33: a model whose shapes are known at run time only is left as it is.
def test_ge33_dynamic_shapes() -> None:
    text = """module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
      util.global private @a = #hal.device.target<"local"> : !hal.device
      util.func public @f(%x: !hal.buffer_view, %n: index) -> !hal.buffer_view {
        %0 = hal.tensor.import %x : !hal.buffer_view -> tensor<?xf32>{%n}
        %1 = hal.tensor.export %0 : tensor<?xf32>{%n} -> !hal.buffer_view
        util.return %1 : !hal.buffer_view
      }
    }"""
    module, remarks = run(text, "model-isolate-io")
    assert clones(module) == 0
    assert "shapes are known at run time only" in remarks[0].message


# GE-33: a device that the topology does not know cannot be asked.
def test_ge33_a_device_that_is_not_known() -> None:
    text = model(export("%in0")).replace("affinity<@a>", "affinity<@b>")
    with pytest.raises(OpError, match="@b"):
        run(text, "model-isolate-io")


# GE-35: an output that is an input or constant has a copy; one that is computed or a view has none.
@pytest.mark.parametrize(
    ("body", "copies"),
    [
        (export("%in0"), 1),
        (f"%k = flow.tensor.constant dense<1.0> : {TENSOR}\n{export('%k')}", 1),
        (f"{LOAD}\n{export('%var')}", 1),
        ("%r = " + dispatch("double", ("%in0",), 16) + "\n" + export("%r"), 0),
        (
            f"%q = flow.tensor.reshape %in0 : {TENSOR} -> tensor<4x4xf32>\n"
            '%y0 = hal.tensor.export %q "o" : tensor<4x4xf32> -> !hal.buffer_view',
            0,
        ),
    ],
)
def test_ge35_outputs_that_nothing_computes(body: str, copies: int) -> None:
    assert isolated(body) == copies


def run_model(program: Program, *arrays: np.ndarray) -> tuple[np.ndarray, int]:  # pyright: ignore
    result = program.run(inputs=arrays, check=True)
    assert result.check is not None
    assert not result.check.reports
    assert isinstance(result.results[0], np.ndarray)
    return result.results[0], result.statistics.total.copy_cmds


# GE-35: the input reaches the output's own storage by one copy command.
def test_ge35_one_copy_when_it_runs() -> None:
    program = load(run(model(export("%in0"), inputs=1))[0]).program
    data = np.arange(16, dtype=np.float32)
    result, copies = run_model(program, data, np.zeros(16, np.float32))
    assert result.tobytes() == data.tobytes()
    assert copies == 1


# GE-02, GE-60: what is computed is written to the output's storage, with no copy.
def test_ge60_no_copy_when_it_runs() -> None:
    body = "%r = " + dispatch("add", ("%in0", "%in1"), 16) + "\n" + export("%r")
    program = load(run(model(body))[0]).program
    data = np.arange(16, dtype=np.float32)
    result, copies = run_model(program, data, data, np.zeros(16, np.float32))
    assert result.tobytes() == (data + data).tobytes()
    assert copies == 0


COLLECTIVE = f"""{LOAD}
    %ch = flow.channel.default : !flow.channel
    %t = flow.tensor.empty : {TENSOR}
    %r = flow.collective.all_reduce sum, f32, %t, %var, %ch : ({TENSOR}, {TENSOR}, !flow.channel)
        -> %t as {TENSOR}
    {export("%r")}"""


# GE-36: between a collective and a variable, where addresses in the feature map are fixed.
@pytest.mark.parametrize(("refreshable", "copies"), [("false", 1), ("true", 0)])
def test_ge36_collectives_and_variables(refreshable: str, copies: int) -> None:
    assert isolated(COLLECTIVE, f"model-isolate-io{{fm_refreshable={refreshable}}}") == copies


# GE-37: canonicalize and cse leave them, twice; so do the passes that elide copies.
def test_ge37_isolating_copies_survive() -> None:
    text = model(COLLECTIVE)
    once = ("model-isolate-io{fm_refreshable=false}", "canonicalize", "cse")
    assert clones(run(text, *once)[0]) == clones(run(text, *once, "canonicalize", "cse")[0]) == 1
    both = model(f"{export('%in0')}\n{export('%in0', 1)}", inputs=1, outputs=2)
    assert clones(run(both, "model-isolate-io", "canonicalize", "cse", "canonicalize")[0]) == 2


def test_ge37_no_pass_elides_them() -> None:
    body = f"""%k = flow.tensor.clone %in0 : {TENSOR} MARK
    %r = {dispatch("double", ("%k",), 16)}
    {export("%r")}"""
    mark = "attributes {zc.isolation = 0 : i64}"
    counts = [
        sum(op.name == "stream.cmd.copy" for op in run(text, "zc-to-stream")[0].walk())
        for text in (model(body.replace("MARK", mark)), model(body.replace("MARK", "")))
    ]
    assert counts == [1, 0]
