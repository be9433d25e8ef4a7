"""Calls of a model with its inputs and outputs bound against calls that copy them.

`python bench/models.py` runs a model of two inputs and one output, their sum, with fresh buffers at
each call. For 4 KiB, 1 MiB and 64 MiB each it prints what a call takes when the caller's memory is
bound, and when the model owns its memory (`reuse=False`) and copies; how many times that is; and
what was copied, recorded and refreshed. Binding costs as many refreshes whatever the size; copying
costs its bytes.
"""

import argparse
import time

import numpy as np
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.host import HostPointer, Runtime
from zcir.runtime.model import Model, PlannedModel, load, plan_model

KIB = 1 << 10
SIZES = {4 * KIB: 50, KIB * KIB: 20, 64 * KIB * KIB: 3}
"""Bytes of each input and output, and how many calls are timed."""


def program(count: int) -> str:
    """A model that adds two tensors of `count` f32."""
    tensor, part = f"tensor<{count}xf32>", f"offsets = [0], sizes = [{count}], strides = [1]"
    ro = f"!iree_tensor_ext.dispatch.tensor<readonly:{tensor}>"
    wo = f"!iree_tensor_ext.dispatch.tensor<writeonly:{tensor}>"
    same = "affine_map<(d0) -> (d0)>"
    return f"""
module attributes {{stream.affinity.default = #hal.device.affinity<@npu>}} {{
  util.global private @npu = #hal.device.target<"local", {{ordinal = 0 : index}},
      [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  flow.executable private @add {{
    flow.executable.export public @add workgroups() -> (index, index, index) {{
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }}
    builtin.module {{
      func.func @add(%a: {ro}, %b: {ro}, %o: {wo}) {{
        %0 = iree_tensor_ext.dispatch.tensor.load %a, {part} : {ro} -> {tensor}
        %1 = iree_tensor_ext.dispatch.tensor.load %b, {part} : {ro} -> {tensor}
        %2 = tensor.empty() : {tensor}
        %3 = linalg.generic {{indexing_maps = [{same}, {same}, {same}],
              iterator_types = ["parallel"]}}
            ins(%0, %1 : {tensor}, {tensor}) outs(%2 : {tensor}) {{
        ^bb0(%e: f32, %f: f32, %out: f32):
          %4 = arith.addf %e, %f : f32
          linalg.yield %4 : f32
        }} -> {tensor}
        iree_tensor_ext.dispatch.tensor.store %3, %o, {part} : {tensor} -> {wo}
        return
      }}
    }}
  }}
  util.func public @f(%x: !hal.buffer_view, %y: !hal.buffer_view) -> !hal.buffer_view {{
    %0 = hal.tensor.import %x "x" : !hal.buffer_view -> {tensor}
    %1 = hal.tensor.import %y "y" : !hal.buffer_view -> {tensor}
    %2 = flow.dispatch @add::@add(%0, %1) : ({tensor}, {tensor}) -> {tensor}
    %3 = hal.tensor.export %2 "z" : {tensor} -> !hal.buffer_view
    util.return %3 : !hal.buffer_view
  }}
}}
"""


def planned(size: int, memory: str = "noncoherent") -> PlannedModel:
    """The model for tensors of `size` bytes."""
    context = make_context()
    module = parse_text(context, program(size // 4), "bench.mlir")
    return plan_model(module, memory=memory, context=context)


def mapped(runtime: Runtime, size: int, value: float) -> HostPointer:
    """Memory of one input or output, filled with f32 and handed over already."""
    pointer = runtime.malloc_host(size)
    runtime.host_register(pointer)
    pointer.view(np.float32)[:] = value
    return pointer


def calls(model: Model, size: int, count: int) -> float:
    """Seconds of one call, the fastest of `count`; each has another buffer for each operand."""
    runtime = model.runtime
    buffers = [[mapped(runtime, size, value) for value in (1, 2, 0)] for _ in range(2)]
    for x, y, z in buffers:
        model.run([x, y], [z])
    times: list[float] = []
    for call in range(count):
        x, y, z = buffers[call % 2]
        start = time.perf_counter()
        model.run([x, y], [z])
        times.append(time.perf_counter() - start)
    assert np.all(buffers[0][2].view(np.float32)[:8] == 3)
    return min(times)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--memory", default="noncoherent", choices=("coherent", "noncoherent"))
    memory = parser.parse_args().memory
    print("   bytes     bound us   copied us   ratio   copies  recordings  refreshed (bound)")
    for size, count in SIZES.items():
        plan = planned(size, memory)
        bound, owned = load(plan), load(plan, reuse=False)
        first = calls(bound, size, count)
        total = bound.runtime.statistics.total
        second = calls(owned, size, count)
        print(
            f"{size:>8}{first * 1e6:>13.0f}{second * 1e6:>12.0f}{second / first:>8.2f}"
            f"{total.copy_cmds:>9}{total.recordings:>12}{total.slots_refreshed:>11}",
            flush=True,
        )


if __name__ == "__main__":
    main()
