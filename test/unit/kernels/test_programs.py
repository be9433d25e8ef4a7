"""The bodies of the programs that IREE wrote, at its three phases, chained by hand."""
# numpy's types of array expressions are partly unknown to the checker:
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kernel_harness import as_bytes, dispatch, parse
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.utils.exceptions import DiagnosticException
from zcir.runtime.kernels.kernel import CompiledKernel
from zcir.runtime.kernels.library import KernelLibrary, compile_export

PROGRAMS = Path(__file__).parents[2] / "data" / "programs"
Array = np.ndarray[Any, Any]


def module(program: str, phase: str, topology: str = "none") -> ModuleOp:
    name = f"{program}.{topology}.{phase}.mlir"
    return parse((PROGRAMS / name).read_text(), name)


def kernels(program: str, phase: str, topology: str = "none") -> list[CompiledKernel]:
    """All kernels of a program, in order."""
    library = KernelLibrary(module(program, phase, topology))
    return [
        library.lookup(executable, export)
        for executable in library.executables
        for export in library.exports(executable)
    ]


def run(
    kernel: CompiledKernel, inputs: list[Array], output: Array, constants: tuple[int, ...]
) -> Array:
    """Run a kernel whose last binding is its output; all tensors stand at their subspans' start."""
    room = 4096
    accesses = kernel.accesses(constants, (room,) * (len(inputs) + 1))
    memories = [np.zeros(room, np.uint8) for _ in accesses]
    starts = [
        int(access.reads[0, 0] if len(access.reads) else access.writes[0, 0]) for access in accesses
    ]
    for memory, start, array in zip(memories, starts, inputs, strict=False):
        data = as_bytes(array)
        memory[start : start + len(data)] = data
    dispatch(kernel, memories, constants)
    start = starts[-1]
    return memories[-1][start : start + output.nbytes].view(output.dtype).reshape(output.shape)


@pytest.mark.parametrize("topology", ["none", "unified", "oneway"])
@pytest.mark.parametrize("phase", ["flow", "stream", "executable-sources"])
@pytest.mark.parametrize(
    "program",
    [
        "alias", "chain", "dynamic", "fanout", "inplace", "pingpong", "reduction", "slice", "types",
    ],
)  # fmt: skip
def test_every_body_compiles(program: str, phase: str, topology: str) -> None:
    found = kernels(program, phase, topology)
    assert found
    for kernel in found:
        accesses = kernel.accesses((4, 0), (4096,) * 8)
        assert any(len(access.writes) for access in accesses)


@pytest.mark.parametrize("phase", ["flow", "stream", "executable-sources"])
def test_bodies_of_types(phase: str) -> None:
    """i8, f16 and i64: each pair of dispatches makes one result."""
    wrap, half, double, product, more = kernels("types", phase)
    inputs = [np.load(PROGRAMS / f"types.in{at}.npy") for at in range(3)]
    wants = [np.load(PROGRAMS / f"types.want{at}.npy") for at in range(3)]
    chains = [(wrap, wrap), (half, double), (product, more)]
    for chain, value, want in zip(chains, inputs, wants, strict=True):
        for kernel in chain:
            value = run(kernel, [value], value, ())
        np.testing.assert_array_equal(value, want)


@pytest.mark.parametrize("phase", ["flow", "stream", "executable-sources"])
def test_bodies_of_reduction(phase: str) -> None:
    total, spread = kernels("reduction", phase)
    a, want = np.load(PROGRAMS / "reduction.in0.npy"), np.load(PROGRAMS / "reduction.want0.npy")
    sums = run(total, [a], np.empty(8, np.float32), ())
    np.testing.assert_allclose(sums, a.sum(1), rtol=1e-6)
    np.testing.assert_allclose(run(spread, [a, sums], a, ()), want, rtol=1e-6)


@pytest.mark.parametrize("phase", ["flow", "stream", "executable-sources"])
def test_bodies_of_dynamic(phase: str) -> None:
    """The size is a push constant of two words."""
    double, square, less = kernels("dynamic", phase)
    a, want = np.load(PROGRAMS / "dynamic.in0.npy"), np.load(PROGRAMS / "dynamic.want0.npy")
    size = (len(a), 0)
    b = run(double, [a], a, size)
    c = run(square, [b], a, size)
    np.testing.assert_allclose(run(less, [c, b], a, size), want, rtol=1e-6)


def test_repeated_dispatches_share_a_plan() -> None:
    kernel = kernels("dynamic", "stream")[0]
    first = kernel.accesses((4, 0), (64, 64))
    assert kernel.accesses((4, 0), (64, 64)) is first
    for size in range(600):
        assert kernel.accesses((size, 0), (4096, 4096))[0].reads.sum() == 4 * size


def test_symbols() -> None:
    library = KernelLibrary(module("chain", "executable-sources"))
    export = "f_dispatch_0_elementwise_16_f32"
    short = library.kernel(SymbolRefAttr("f_dispatch_0", ["vmvx_bytecode_fb", export]))
    assert short.name == f"@f_dispatch_0::@{export}"
    assert library.kernel(SymbolRefAttr("f_dispatch_0", ["vmvx_bytecode_fb", export])) is short
    for path, message in {
        ("nowhere", export): "has no executable @nowhere",
        ("f_dispatch_0", "nothing"): "@f_dispatch_0 has no export @nothing",
        ("f_dispatch_0", "other", export): "in variant @other",
        ("f_dispatch_0",): "expected @executable::@export as entry point, got @f_dispatch_0",
    }.items():
        with pytest.raises(DiagnosticException, match=message):
            library.lookup(*path)


def test_workgroup_counts() -> None:
    text = """
  flow.executable private @ex {
    flow.executable.export public @k workgroups(%n: index) -> (index, index, index) {
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %x = arith.ceildivui %n, %c64 : index
      flow.return %x, %c1, %c1 : index, index, index
    }
    flow.executable.export public @plain
    builtin.module {
      func.func @k() {
        return
      }
      func.func @plain() {
        return
      }
    }
  }"""
    library = KernelLibrary(parse(text))
    assert library.lookup("ex", "k").workgroup_count((130,)) == (3, 1, 1)
    assert library.lookup("ex", "plain").workgroup_count(()) == (1, 1, 1)
    with pytest.raises(DiagnosticException, match="expected a workload of 1 values, got 2"):
        library.lookup("ex", "k").workgroup_count((1, 2))
    hal = kernels("dynamic", "executable-sources")[0]
    assert hal.workgroup_count((7,)) == (1, 1, 1)


def test_missing_body_is_refused() -> None:
    text = """
  flow.executable private @ex {
    flow.executable.export public @k
    builtin.module {
    }
  }"""
    (executable,) = (op for op in parse(text).walk() if op.name == "flow.executable")
    with pytest.raises(DiagnosticException, match="@k has no body: expected a function @k"):
        compile_export(executable, "k")


def test_control_flow_between_blocks_is_refused() -> None:
    text = """
  flow.executable private @ex {
    flow.executable.export public @k
    builtin.module {
      func.func @k() {
        cf.br ^bb1
      ^bb1:
        return
      }
    }
  }"""
    with pytest.raises(DiagnosticException, match="expected a body of one block"):
        KernelLibrary(parse(text)).lookup("ex", "k")
