"""Large and small kernels through the Python API, against plain numpy and stock IREE.

`python bench/throughput.py` times a call of `program.session().f` on coherent and on non-coherent
memory, inputs placed and results read back included, for a product of 1024 x 1024 matrices and an
elementwise chain of 16 M elements between two devices; numpy does the same in the same process and
in turn. Times are CPU seconds of the fastest call, so that a busy machine disturbs them little; a
ratio above its target is exit code 1. Then `iree-run-module` runs what iree-compile makes of the
same source, with vmvx and llvm-cpu, and zc-run what it makes of it up to flow: whole commands,
files read and written. Last come 1,000 dispatches of 16 elements, by dispatch.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime import load

Array = NDArray[np.float32]

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
ROUNDS = 6
MEMORIES = ("coherent", "noncoherent")
SIDE = 1024
ELEMENTS = 1 << 24
TINY = 1000


class Workload(NamedTuple):
    """A program, what numpy does for it, and what it may cost."""

    name: str
    source: str
    devices: int
    inputs: tuple[Array, ...]
    numpy: Callable[..., Array]
    targets: tuple[float, float]
    """How many times numpy's time a call may take on coherent and on non-coherent memory."""


_MATMUL = """
func.func @f(%a: tensor<NxNxf32>, %b: tensor<NxNxf32>) -> tensor<NxNxf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<NxNxf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<NxNxf32>) -> tensor<NxNxf32>
  %c = linalg.matmul ins(%a, %b : tensor<NxNxf32>, tensor<NxNxf32>)
      outs(%init : tensor<NxNxf32>) -> tensor<NxNxf32>
  return %c : tensor<NxNxf32>
}
""".replace("N", str(SIDE))


def chain_of(x: Array) -> Array:
    """What the program `examples/chain.mlir` computes."""
    double = np.add(x, x)
    return np.subtract(np.multiply(double, double), double)


def workloads() -> list[Workload]:
    """What is timed."""
    random = np.random.default_rng(0)
    square = [random.random((SIDE, SIDE), np.float32) for _ in range(2)]
    long = random.random(ELEMENTS, np.float32)
    chain = (ROOT / "examples" / "chain.mlir").read_text().replace("16xf32", f"{ELEMENTS}xf32")
    return [
        Workload("matmul", _MATMUL, 1, tuple(square), np.matmul, (1.3, 4.0)),
        Workload("chain", chain, 2, (long,), chain_of, (2.0, 4.0)),
    ]


def compile_with_iree(source: Path, devices: int, backend: str, *flags: str) -> None:
    """Run iree-compile for a number of local devices; raises CalledProcessError."""
    targets = [
        f"--iree-hal-target-device=device_{'ab'[index]}=local[{index}]" for index in range(devices)
    ]
    if backend == "llvm-cpu":
        targets.append("--iree-llvmcpu-target-cpu=host")
    backends = f"--iree-hal-local-target-device-backends={backend}"
    subprocess.run([BIN / "iree-compile", source, *targets, backends, *flags], check=True)


def fastest_in_turn(actions: Sequence[Callable[[], object]]) -> list[float]:
    """CPU seconds of the fastest of several runs of each action; they take turns."""
    best = [float("inf")] * len(actions)
    for _ in range(ROUNDS):
        for index, action in enumerate(actions):
            start = process_time()
            action()
            best[index] = min(best[index], process_time() - start)
    return best


def time_calls(workload: Workload, flow: Path) -> bool:
    """Print a row for numpy and each memory; True where all is within the targets."""
    sessions = [
        load(flow, topology=ROOT / "examples" / "topologies" / f"{memory}.mlir").session()
        for memory in MEMORIES
    ]
    wanted = workload.numpy(*workload.inputs)
    for session in sessions:
        np.testing.assert_allclose(session.f(*workload.inputs), wanted, rtol=1e-3)
    del wanted
    calls: list[Callable[[], object]] = [lambda: workload.numpy(*workload.inputs)]
    calls += [lambda session=session: session.f(*workload.inputs) for session in sessions]
    base, *ours = fastest_in_turn(calls)
    print(f"  {workload.name:<8}numpy        {base * 1e3:9.1f}")
    within = True
    for memory, seconds, target in zip(MEMORIES, ours, workload.targets, strict=True):
        ratio = seconds / base
        within = within and ratio <= target
        print(
            f"  {workload.name:<8}{memory:<13}{seconds * 1e3:9.1f}{ratio:8.2f}   target: {target}",
            flush=True,
        )
    return within


def command_seconds(command: Sequence[str | Path]) -> float:
    """CPU seconds of a command that prints nothing of use; raises RuntimeError where it fails."""
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command[0]} failed with exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def time_commands(workload: Workload, source: Path, flow: Path) -> None:
    """Print whole commands, from files to a file."""
    inputs: list[str] = []
    for index, array in enumerate(workload.inputs):
        path = source.with_suffix(f".in{index}.npy")
        np.save(path, array)
        inputs.append(f"--input=@{path}")
    output = f"--output=@{source.with_suffix('.out.npy')}"
    topology = f"--topology={ROOT / 'examples' / 'topologies' / 'coherent.mlir'}"
    commands: dict[str, list[str | Path]] = {
        "zc-run": [sys.executable, "-m", "zcir.tools.zc_run", flow, topology]
    }
    for backend in ("vmvx", "llvm-cpu"):
        module = source.with_suffix(f".{backend}.vmfb")
        compile_with_iree(source, workload.devices, backend, "-o", str(module))
        local = ["--device=local-sync"] * workload.devices
        run = [BIN / "iree-run-module", f"--module={module}", "--function=f", *local]
        commands[f"iree {backend}"] = run
    for name, command in commands.items():
        seconds = min(command_seconds([*command, *inputs, output]) for _ in range(2))
        print(f"  {workload.name:<8}{name:<13}{seconds * 1e3:9.1f}", flush=True)


_TINY = """\
module attributes {stream.affinity.default = #hal.device.affinity<@device_a>} {
  util.global private @device_a = #hal.device.target<"local", {}, [
    #hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  flow.executable private @ex {
    flow.executable.export public @double workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @double(%i: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>,
                        %o: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %i, offsets = [0], sizes = [16], strides = [1]
            : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %1 = arith.addf %0, %0 : tensor<16xf32>
        iree_tensor_ext.dispatch.tensor.store %1, %o, offsets = [0], sizes = [16], strides = [1]
            : tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
        return
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view) -> !hal.buffer_view {
    %0 = hal.tensor.import %arg0 "x" : !hal.buffer_view -> tensor<16xf32>
"""


def tiny(dispatches: int) -> str:
    """A flow program of that many dispatches of 16 elements, each on what the one before made."""
    body = [
        f"    %{number + 1} = flow.dispatch @ex::@double(%{number}) "
        ": (tensor<16xf32>) -> tensor<16xf32>\n"
        for number in range(dispatches)
    ]
    end = (
        f'    %r = hal.tensor.export %{dispatches} "y" : tensor<16xf32> -> !hal.buffer_view\n'
        "    util.return %r : !hal.buffer_view\n  }\n}\n"
    )
    return "".join([_TINY, *body, end])


def time_tiny() -> None:
    """Print microseconds for each of many dispatches."""
    module = parse_text(make_context(), tiny(TINY), "tiny.mlir")
    small = np.full(16, 2.0**-64, np.float32)
    # One line for all devices and the host, and a cache for each.
    for memory in MEMORIES:
        for record in (False, True):
            session = load(module, memory=memory).session(record=record)
            assert session.statistics.total.dispatches == 0
            seconds = fastest_in_turn([lambda session=session: session.f(small)])[0]
            events = "events" if record else "no events"
            each = seconds / TINY * 1e6
            print(f"  {TINY} dispatches  {memory:<13}{events:<10}{each:8.1f} us each", flush=True)


def main() -> int:
    print("CPU milliseconds of a call                ratio")
    ready: list[tuple[Workload, Path, Path]] = []
    with tempfile.TemporaryDirectory() as folder:
        within = True
        for workload in workloads():
            source = Path(folder) / f"{workload.name}.mlir"
            source.write_text(workload.source)
            flow = source.with_suffix(".flow")
            compile_with_iree(
                source, workload.devices, "vmvx", "--compile-to=flow", "-o", str(flow)
            )
            within = time_calls(workload, flow) and within
            ready.append((workload, source, flow))
        print("\nCPU milliseconds of a command, files read and written")
        for workload, source, flow in ready:
            time_commands(workload, source, flow)
    print("\nSmall dispatches, a call of all of them")
    time_tiny()
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
