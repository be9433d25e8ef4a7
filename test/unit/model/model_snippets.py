"""Models at flow level, as text, for the tests of I/O plans and of loaded models."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from zcir.dialects.diagnostics import Note, collect_remarks, verify_module
from zcir.dialects.io_plan import IoPlan, read_plan
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.load import run_passes

VIEW = "!hal.buffer_view"
HEADER = """
  util.global private @a = #hal.device.target<"local",
    [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  util.global private mutable @state : tensor<{count}xf32>
"""


def kernel(name: str, inputs: int, body: str, count: int) -> str:
    """An executable with one export that computes `count` f32 elementwise; `body` gives %r."""
    tensor = f"tensor<{count}xf32>"
    read = f"!iree_tensor_ext.dispatch.tensor<readonly:{tensor}>"
    write = f"!iree_tensor_ext.dispatch.tensor<writeonly:{tensor}>"
    part = f"offsets = [0], sizes = [{count}], strides = [1]"
    numbers = range(inputs)
    arguments = ", ".join([*(f"%a{i}: {read}" for i in numbers), f"%out: {write}"])
    loads = "\n".join(
        f"        %t{i} = iree_tensor_ext.dispatch.tensor.load %a{i}, {part} : {read} -> {tensor}"
        for i in numbers
    )
    maps = ", ".join(["affine_map<(d0) -> (d0)>"] * (inputs + 1))
    names = ", ".join(f"%t{i}" for i in numbers)
    block = ", ".join([*(f"%x{i}: f32" for i in numbers), "%o: f32"])
    return f"""
  flow.executable private @{name} {{
    flow.executable.export public @{name} workgroups() -> (index, index, index) {{
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }}
    builtin.module {{
      func.func @{name}({arguments}) {{
{loads}
        %e = tensor.empty() : {tensor}
        %g = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
            ins({names} : {", ".join([tensor] * inputs)}) outs(%e : {tensor}) {{
        ^bb0({block}):
          {body}
          linalg.yield %r : f32
        }} -> {tensor}
        iree_tensor_ext.dispatch.tensor.store %g, %out, {part} : {tensor} -> {write}
        return
      }}
    }}
  }}"""


def kernels(count: int) -> str:
    """`@add`: x0 + x1; `@double`: x0 + x0."""
    add = kernel("add", 2, "%r = arith.addf %x0, %x1 : f32", count)
    return add + kernel("double", 1, "%r = arith.addf %x0, %x0 : f32", count)


def dispatch(name: str, operands: Sequence[str], count: int, attributes: str = "") -> str:
    """A dispatch of one of the kernels."""
    tensor = f"tensor<{count}xf32>"
    types = ", ".join([tensor] * len(operands))
    return (
        f"flow.dispatch @{name}::@{name}({', '.join(operands)}) {attributes} "
        f": ({types}) -> {tensor}"
    )


def model(
    body: str,
    *,
    inputs: int = 2,
    outputs: int = 1,
    count: int = 16,
    arguments: str = "",
    topology: str = "",
) -> str:
    """A module whose function @f takes views %v0, %v1, … and returns %y0, %y1, … of `body`.

    `body` finds the inputs imported as %in0, %in1, …
    """
    tensor = f"tensor<{count}xf32>"
    views = [f"%v{i}: {VIEW}" for i in range(inputs)] + ([arguments] if arguments else [])
    imports = "\n".join(
        f'    %in{i} = hal.tensor.import %v{i} "in{i}" : {VIEW} -> {tensor}' for i in range(inputs)
    )
    results = ", ".join([VIEW] * outputs)
    names = ", ".join(f"%y{i}" for i in range(outputs))
    default = "stream.affinity.default = #hal.device.affinity<@a>"
    return f"""module attributes {{{default}{", " + topology if topology else ""}}} {{
{HEADER.format(count=count)}{kernels(count)}
  util.func public @f({", ".join(views)}) -> ({results}) {{
{imports}
{body}
    util.return {names} : {results}
  }}
}}
"""


def export(value: str, number: int = 0, count: int = 16) -> str:
    """Exports `value` as output `number`."""
    return f'%y{number} = hal.tensor.export {value} "out{number}" : tensor<{count}xf32> -> {VIEW}'


def run(text: str, *passes: str) -> tuple[ModuleOp, list[Note]]:
    """The module of `text` after `passes`, and the remarks they made."""
    context = make_context()
    module = parse_text(context, text, "model.mlir")
    verify_module(module)
    with collect_remarks() as remarks:
        run_passes(context, module, passes)
    return module, remarks


def plan_of(text: str, *passes: str) -> IoPlan:
    """The plan of a model after `passes`, by default after `model-plan-io`."""
    module, _ = run(text, *(passes or ("model-plan-io",)))
    plan = read_plan(module)
    assert plan is not None
    return plan
