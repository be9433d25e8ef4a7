"""Models for the tests of loading and running, and the memory that they run on."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.parser import Parser
from zcir.dialects.parsing import make_context
from zcir.dialects.topology import Topology
from zcir.runtime.host import HostPointer, Runtime
from zcir.runtime.model import LoweringOptions, Model, PlannedModel, PlanOptions, load, plan_model

SIZE = 4096
"""Bytes of each input and output of `sum_model`."""
COUNT = SIZE // 4

DEFAULTS = LoweringOptions()
PLAN = PlanOptions()

_TENSOR = "!iree_tensor_ext.dispatch.tensor"


def kernel(name: str, inputs: int, count: int) -> str:
    """The executable `@name`: one result, the sum of all inputs and 1, of `count` f32 each."""
    tensor, each = f"tensor<{count}xf32>", range(inputs)
    whole = f"offsets = [0], sizes = [{count}], strides = [1]"
    ro, wo = f"{_TENSOR}<readonly:{tensor}>", f"{_TENSOR}<writeonly:{tensor}>"
    loads = "\n".join(
        f"%i{k} = iree_tensor_ext.dispatch.tensor.load %a{k}, {whole} : {ro} -> {tensor}"
        for k in each
    )
    sums = "\n".join(f"%s{k + 1} = arith.addf %s{k}, %e{k} : f32" for k in each)
    maps = ", ".join(["affine_map<(d0) -> (d0)>"] * (inputs + 1))
    arguments = ", ".join(f"%a{k}: {ro}" for k in each)
    operands = ", ".join(f"%i{k}" for k in each)
    elements = ", ".join(f"%e{k} : f32" for k in each)
    types = ", ".join([tensor] * inputs)
    return f"""
flow.executable private @{name} {{
  flow.executable.export public @{name} workgroups() -> (index, index, index) {{
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }}
  builtin.module {{
    func.func @{name}({arguments}, %o: {wo}) {{
      {loads}
      %empty = tensor.empty() : {tensor}
      %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
          ins({operands} : {types}) outs(%empty : {tensor}) {{
      ^bb0({elements}, %out: f32):
        %s0 = arith.constant 1.0 : f32
        {sums}
        linalg.yield %s{inputs} : f32
      }} -> {tensor}
      iree_tensor_ext.dispatch.tensor.store %r, %o, {whole} : {tensor} -> {wo}
      return
    }}
  }}
}}
"""


def part_kernel(name: str, operands: Sequence[int], rows: int, columns: int = 1) -> str:
    """The executable `@name`: a result of rows x columns f32, each the sum of the element of that
    row in all operands, which have so many elements, and 1."""
    shape = f"{rows}x{columns}xf32" if columns > 1 else f"{rows}xf32"
    rank = 2 if columns > 1 else 1
    zeros, ones = ", ".join(["0"] * rank), ", ".join(["1"] * rank)
    sizes = f"{rows}, {columns}" if columns > 1 else str(rows)
    each = range(len(operands))
    types = [f"{_TENSOR}<readonly:tensor<{count}xf32>>" for count in operands]
    wo, part, result = (
        f"{_TENSOR}<writeonly:tensor<{shape}>>",
        f"tensor<{rows}xf32>",
        f"tensor<{shape}>",
    )
    loads = "\n".join(
        f"%i{k} = iree_tensor_ext.dispatch.tensor.load %a{k}, offsets = [0], sizes = [{rows}], "
        f"strides = [1] : {types[k]} -> {part}"
        for k in each
    )
    sums = "\n".join(f"%s{k + 1} = arith.addf %s{k}, %e{k} : f32" for k in each)
    dims = "(d0, d1)" if columns > 1 else "(d0)"
    maps = ", ".join(
        [f"affine_map<{dims} -> (d0)>"] * len(operands) + [f"affine_map<{dims} -> {dims}>"]
    )
    loops = ", ".join(['"parallel"'] * rank)
    return f"""
flow.executable private @{name} {{
  flow.executable.export public @{name} workgroups() -> (index, index, index) {{
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
    flow.return %x, %y, %z : index, index, index
  }}
  builtin.module {{
    func.func @{name}({", ".join(f"%a{k}: {types[k]}" for k in each)}, %o: {wo}) {{
      {loads}
      %empty = tensor.empty() : {result}
      %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{loops}]}}
          ins({", ".join(f"%i{k}" for k in each)} : {", ".join([part] * len(operands))})
          outs(%empty : {result}) {{
      ^bb0({", ".join(f"%e{k} : f32" for k in each)}, %out: f32):
        %s0 = arith.constant 1.0 : f32
        {sums}
        linalg.yield %s{len(operands)} : f32
      }} -> {result}
      iree_tensor_ext.dispatch.tensor.store %r, %o, offsets = [{zeros}], sizes = [{sizes}],
          strides = [{ones}] : {result} -> {wo}
      return
    }}
  }}
}}
"""


def row_ge_21_text() -> str:
    """The I/O of GE-21, D0(1000) O0(700) D1(200) O1(300), and temporaries of 4096 bytes: O0 is D0 +
    2 + 1 in its first 175 elements, each row of three of O1 is D1 + 2 + 1."""
    body = """
  util.func public @f(%d0: !hal.buffer_view, %d1: !hal.buffer_view)
      -> (!hal.buffer_view, !hal.buffer_view) {
    %a = hal.tensor.import %d0 "D0" : !hal.buffer_view -> tensor<250xf32>
    %b = hal.tensor.import %d1 "D1" : !hal.buffer_view -> tensor<50xf32>
    %two = arith.constant 2.0 : f32
    %t = flow.tensor.splat %two : tensor<1024xf32>
    %p = flow.dispatch @p::@p(%a, %t) : (tensor<250xf32>, tensor<1024xf32>) -> tensor<175xf32>
    %q = flow.dispatch @q::@q(%b, %t) : (tensor<50xf32>, tensor<1024xf32>) -> tensor<25x3xf32>
    %o0 = hal.tensor.export %p "O0" : tensor<175xf32> -> !hal.buffer_view
    %o1 = hal.tensor.export %q "O1" : tensor<25x3xf32> -> !hal.buffer_view
    util.return %o0, %o1 : !hal.buffer_view, !hal.buffer_view
  }"""
    return program(body, part_kernel("p", (250, 1024), 175), part_kernel("q", (50, 1024), 25, 3))


def row_ge_04_text() -> str:
    """Memory of 10240 bytes, of which 2048 are an input and 2048 an output, the input + 2 + 1."""
    body = """
  util.func public @f(%x: !hal.buffer_view) -> !hal.buffer_view {
    %a = hal.tensor.import %x "x" : !hal.buffer_view -> tensor<512xf32>
    %two = arith.constant 2.0 : f32
    %t = flow.tensor.splat %two : tensor<1536xf32>
    %p = flow.dispatch @p::@p(%a, %t) : (tensor<512xf32>, tensor<1536xf32>) -> tensor<512xf32>
    %y = hal.tensor.export %p "y" : tensor<512xf32> -> !hal.buffer_view
    util.return %y : !hal.buffer_view
  }"""
    return program(body, part_kernel("p", (512, 1536), 512))


def program(body: str, *kernels: str) -> str:
    """A module with a device, kernels and a function."""
    return f"""
module attributes {{stream.affinity.default = #hal.device.affinity<@npu>}} {{
  util.global private @npu = #hal.device.target<"local", {{ordinal = 0 : index}},
      [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  {"".join(kernels)}
  {body}
}}
"""


def sum_text(inputs: int, count: int = COUNT, before_export: str = "") -> str:
    """The program of `sum_model`."""
    tensor, each = f"tensor<{count}xf32>", range(inputs)
    imports = "\n".join(
        f'%t{k} = hal.tensor.import %x{k} "x{k}" : !hal.buffer_view -> {tensor}' for k in each
    )
    arguments = ", ".join(f"%x{k}: !hal.buffer_view" for k in each)
    operands, types = ", ".join(f"%t{k}" for k in each), ", ".join([tensor] * inputs)
    body = f"""
  util.func public @f({arguments}) -> !hal.buffer_view {{
    {imports}
    %d = flow.dispatch @k::@k({operands}) : ({types}) -> {tensor}
    {before_export}
    %e = hal.tensor.export %d "y" : {tensor} -> !hal.buffer_view
    util.return %e : !hal.buffer_view
  }}"""
    return program(body, kernel("k", inputs, count))


def flow_text(
    body: str, inputs: int = 1, outputs: int = 1, count: int = 16, scalars: str = ""
) -> str:
    """A function @f of `inputs` views of `count` f32, which `body` finds as %t0, %t1, …; it leaves
    its results in %e0, %e1, …, and may use `@k` of one operand and `@k2` of two."""
    tensor, views = f"tensor<{count}xf32>", ", ".join(["!hal.buffer_view"] * outputs)
    imports = "\n".join(
        f'%t{k} = hal.tensor.import %x{k} "x{k}" : !hal.buffer_view -> {tensor}'
        for k in range(inputs)
    )
    arguments = [f"%x{k}: !hal.buffer_view" for k in range(inputs)] + ([scalars] if scalars else [])
    results = ", ".join(f"%e{k}" for k in range(outputs))
    ends = f"util.return {results} : {views}" if outputs else "util.return"
    function = f"""
  util.func public @f({", ".join(arguments)}) -> ({views}) {{
    {imports}
    {body}
    {ends}
  }}"""
    return program(function, kernel("k", 1, count), kernel("k2", 2, count))


def ran(kernel: str, *operands: str, count: int = 16, attributes: str = "") -> str:
    """A dispatch of a kernel of `flow_text`."""
    tensor = f"tensor<{count}xf32>"
    types = ", ".join([tensor] * len(operands))
    names = ", ".join(operands)
    return f"flow.dispatch @{kernel}::@{kernel}({names}) {attributes} : ({types}) -> {tensor}"


def exported(value: str, number: int = 0, shape: str = "16") -> str:
    """Output `number`."""
    return (
        f'%e{number} = hal.tensor.export {value} "y{number}" : tensor<{shape}xf32> '
        "-> !hal.buffer_view"
    )


@cache
def planned(text: str, memory: str, options: LoweringOptions, plan: PlanOptions) -> PlannedModel:
    """A program, planned and lowered once."""
    context = make_context()
    module = Parser(context, text).parse_module()
    return plan_model(module, options=options, plan_options=plan, memory=memory, context=context)


def loaded(
    text: str,
    memory: str = "noncoherent",
    *,
    options: LoweringOptions = DEFAULTS,
    plan: PlanOptions = PLAN,
    schedule: str = "deferred",
    runtime: Runtime | None = None,
    **settings: Any,
) -> Model:
    """The model of a program, planned once, on a machine of its own unless `runtime` is given."""
    model = planned(text, memory, options, plan)
    runtime = runtime or machine(model.program.topology, schedule)
    return load(model, runtime=runtime, **settings)


def machine(topology: Topology, schedule: str = "deferred") -> Runtime:
    """A fresh machine with device 0 set."""
    runtime = Runtime(topology=topology, schedule=schedule)
    runtime.init()
    runtime.set_device(0)
    return runtime


def mapped(runtime: Runtime, value: float | None = None, size: int = SIZE) -> HostPointer:
    """Page-locked host memory that the device reaches, filled with an f32 `value` if given."""
    pointer = runtime.malloc_host(size)
    runtime.host_register(pointer)
    if value is not None:
        pointer.view(np.float32)[:] = value
    return pointer


def filled(value: float, size: int = SIZE) -> NDArray[np.float32]:
    """Pageable host memory."""
    return np.full(size // 4, value, np.float32)


def floats(pointer: HostPointer) -> NDArray[np.float32]:
    """What the host reads."""
    return pointer.view(np.float32).numpy()


def state(model: Model) -> dict[str, object]:
    """What a refused call must leave as it is: counters, allocations and their contents."""
    runtime = model.runtime
    pools = runtime.system.memory.pools
    contents = {
        (a.name, a.address): bytes(
            pools[a.buffer.pool].data[a.address - pools[a.buffer.pool].base :][: a.size]
        )
        for a in runtime.allocations
    }
    return {
        "counters": runtime.statistics.as_dict(),
        "contents": contents,
        "holders": {a.name: list(a.holders) for a in runtime.allocations},
        "events": len(runtime.system.graph.events),
        "models": [(model.copy_only, model.policy, model.shape_inferences)],
    }
