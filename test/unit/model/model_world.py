"""Models for the tests of loading and running, and the memory that they run on."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.parser import Parser
from zcir.dialects.parsing import make_context
from zcir.dialects.topology import Topology
from zcir.runtime.host import HostPointer, Runtime
from zcir.runtime.model import LoweringOptions, Model, load

SIZE = 4096
"""Bytes of each input and output of `sum_model`."""
COUNT = SIZE // 4

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


@cache
def _planned(text: str, memory: str) -> Model:
    context = make_context()
    return load(Parser(context, text).parse_module(), memory=memory, context=context)


def loaded(
    text: str,
    memory: str = "noncoherent",
    *,
    options: LoweringOptions | None = None,
    schedule: str = "deferred",
    **settings: Any,
) -> Model:
    """The model of a program, planned once, on a machine of its own unless `runtime` is given."""
    planned = _planned(text, memory)
    runtime = settings.pop("runtime", None) or machine(planned.program.topology, schedule)
    return load(planned, options=options, runtime=runtime, **settings)


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
    return {"counters": runtime.statistics.as_dict(), "contents": contents}
