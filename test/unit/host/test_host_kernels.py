"""Kernel images, argument lists and launches (rows ZC-27 to ZC-33, case B43)."""

from pathlib import Path
from typing import Any

import pytest
from host_world import (
    BLOCK,
    BYTES,
    ELEMENTS,
    FOUR,
    ONE,
    THREE,
    TWO,
    add,
    filled,
    mapped,
    refused,
    runtime,
    total,
)
from zcir.runtime.host import ImageError, Runtime, build_image, kernel, reads, updates, writes
from zcir.runtime.host.kernel_calls import Function, KernelArgs

SOURCE = """
from zcir.runtime.host import kernel, reads, writes

@kernel(reads("x", "f2", 2048), reads("y", "f2", 2048), writes("z", "f2", 2048))
def add_custom(block, x, y, z):
    part = slice(block * 2048, (block + 1) * 2048)
    z[part] = x[part] + y[part]
"""

MODULE = """
flow.executable private @ex {
  flow.executable.export public @double
  builtin.module {
    func.func @double(%in: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, %out: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>) {
      %x = iree_tensor_ext.dispatch.tensor.load %in, offsets = [0], sizes = [16], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
      %y = arith.addf %x, %x : tensor<16xf32>
      iree_tensor_ext.dispatch.tensor.store %y, %out, offsets = [0], sizes = [16], strides = [1] : tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
      return
    }
  }
}
"""  # noqa: E501


@pytest.fixture
def image(tmp_path: Path) -> Path:
    source, output = tmp_path / "add_custom.py", tmp_path / "out" / "simple_zero_copy_kernel.o"
    source.write_text(SOURCE)
    build_image(source, "Ascend910B3", output)
    return output


def arguments(rt: Runtime, function: Function, *values: Any) -> KernelArgs:
    args = rt.kernel_args_init(function)
    for value in values:
        rt.kernel_args_append(args, value)
    rt.kernel_args_finalize(args)
    return args


def test_images_are_loaded_from_files(image: Path, tmp_path: Path) -> None:
    # ZC-27.
    rt = runtime()
    binary = rt.binary_load_from_file(image, None)
    function = rt.binary_get_function(binary, "add_custom")
    (_, a), (_, b), (out, c) = (mapped(rt, value) for value in (ONE, TWO, 0))
    args = arguments(rt, function, a, b, c)
    rt.launch_kernel_with_config(function, 8, None, None, args, None)
    rt.synchronize_stream()
    assert out.view("u2").numpy().tolist() == [THREE] * ELEMENTS
    with refused(rt, 107009, "cannot open .*/simple_zero_copy_kernel.o: No such file"):
        rt.binary_load_from_file(tmp_path / "absent" / "simple_zero_copy_kernel.o")
    rt.binary_unload(binary)
    with refused(rt, 107017, "invalid handle: .* is not loaded"):
        rt.launch_kernel_with_config(function, 8, None, None, args, None)
    with refused(rt, 107017, "is not loaded"):
        rt.binary_unload(binary)
    with refused(rt, 107017, "is not loaded"):
        rt.binary_get_function(binary, "add_custom")
    with refused(rt, 107017, "is not loaded"):
        rt.kernel_args_init(function)


def test_files_that_are_no_images_are_refused(image: Path, tmp_path: Path) -> None:
    # ZC-27.
    rt = runtime()
    other = tmp_path / "text.o"
    for text in ("nothing", "[]", '{"format": "elf"}', '{"target": 1, "source": 2, "format": 3}'):
        other.write_text(text)
        with refused(rt, 100003, "is not a kernel image; make one with build_image"):
            rt.binary_load_from_file(other)
    module = tmp_path / "wrong.mlir"
    module.write_text("flow.executable private @ex {")
    with refused(rt, 100003, r"wrong.mlir:1:30: expected an op, a block label or the end"):
        rt.binary_load_from_file(module)
    second = runtime(soc=("Ascend950PR",))
    with refused(second, 100003, "was built for Ascend910B3, the device is Ascend950PR"):
        second.binary_load_from_file(image)


def test_sources_that_are_no_kernels_are_not_built(tmp_path: Path) -> None:
    # ZC-41: an unknown product, and a build that fails.
    source = tmp_path / "kernel.py"
    with pytest.raises(ImageError, match="cannot read the source"):
        build_image(source, "Ascend910B3", tmp_path / "k.o")
    source.write_text("def add(: pass")
    with pytest.raises(ImageError, match="SyntaxError"):
        build_image(source, "Ascend910B3", tmp_path / "k.o")
    source.write_text("x = 1")
    with pytest.raises(ImageError, match="no function is a @kernel"):
        build_image(source, "Ascend910B3", tmp_path / "k.o")
    source.write_text(SOURCE)
    with pytest.raises(ImageError, match="unsupported device Toaster9000"):
        build_image(source, "Toaster9000", tmp_path / "k.o")
    assert not (tmp_path / "k.o").exists()


def test_bodies_of_dispatches_are_kernels_too(tmp_path: Path) -> None:
    # ZC-27: an image may be a module with executables.
    module = tmp_path / "kernels.mlir"
    module.write_text(MODULE)
    for coherent in (True, False):
        rt = runtime(coherent=coherent)
        function = rt.binary_get_function(rt.binary_load_from_file(module), "double")
        (x, a), (y, b) = mapped(rt, 0, 64), mapped(rt, 0, 64)
        x.view("f4")[:] = 2.5
        args = arguments(rt, function, a, b)
        rt.launch_kernel_with_config(function, 1, None, None, args, None)
        rt.synchronize_stream()
        assert y.view("f4").numpy().tolist() == [5.0] * 16
        assert not rt.check().reports
        short = rt.host_get_device_pointer(y + 32)
        with refused(rt, 107000, r"OUT_OF_RANGE: .*\[0, 64\) of binding 1, which has 32"):
            rt.launch(function, 1, None, a, short)


def test_kernels_are_found_by_name(image: Path) -> None:
    # ZC-28.
    rt = runtime()
    binary = rt.binary_load_from_file(image)
    assert rt.binary_get_function(binary, "add_custom").name == "add_custom"
    with refused(rt, 100029, "kernel add_cust0m not found"):
        rt.binary_get_function(binary, "add_cust0m")


def test_argument_lists_are_sealed(image: Path) -> None:
    # ZC-29.
    rt = runtime()
    function = rt.binary_get_function(rt.binary_load_from_file(image), "add_custom")
    (_, a), (_, b), (out, c) = (mapped(rt, value) for value in (ONE, TWO, 0))
    args = rt.kernel_args_init(function)
    with refused(rt, 100000, "paramSize must be greater than 0, got 0"):
        rt.kernel_args_append(args, a, 0)
    with refused(rt, 100000, "param is null"):
        rt.kernel_args_append(args, None)
    first = rt.kernel_args_append(args, a)
    rt.kernel_args_append(args, b)
    with refused(rt, 107000, "kernel add_custom: expected 3 arguments, got 2"):
        rt.kernel_args_finalize(args)
    pointer = c
    rt.kernel_args_append(args, pointer)
    pointer = a
    with refused(rt, 107000, "arguments are not finalized"):
        rt.launch_kernel_with_config(function, 8, None, None, args)
    rt.kernel_args_finalize(args)
    with refused(rt, 107000, "arguments are finalized"):
        rt.kernel_args_append(args, pointer)
    rt.launch_kernel_with_config(function, 8, None, None, args)
    rt.synchronize_stream()
    assert out.view("u2")[0] == THREE
    rt.kernel_args_update(first, b)
    with refused(rt, 107000, "arguments are not finalized"):
        rt.launch_kernel_with_config(function, 8, None, None, args)
    rt.kernel_args_finalize(args)
    rt.launch_kernel_with_config(function, 8, None, None, args)
    rt.synchronize_stream()
    assert out.view("u2")[0] == FOUR
    assert total(rt).recordings == 1


def test_arguments_are_taken_in_the_order_of_appending() -> None:
    # ZC-30: (A, out, B): the output stays as it is, and B becomes 1.0 + 0.
    rt = runtime()
    (_, a), (second, b), (out, c) = (mapped(rt, value) for value in (ONE, TWO, 0))
    rt.launch(add, 8, None, a, c, b)
    rt.synchronize_stream()
    assert out.view("u2").numpy().tolist() == [0] * ELEMENTS
    assert second.view("u2").numpy().tolist() == [ONE] * ELEMENTS
    with refused(rt, 107000, "PERMISSION_DENIED: kernel add writes binding 2, which is read-only"):
        rt.launch(add, 8, None, a, b, c.read_only())
    rt.launch(add, 8, None, a.read_only(), b, c)


def test_launches_are_asynchronous() -> None:
    # ZC-31.
    rt = runtime()
    (_, a), (_, b), (_, c) = (mapped(rt, value) for value in (ONE, TWO, 0))
    function = Function("add", add, None)
    args = arguments(rt, function, a, b, c)
    with refused(rt, 100000, "numBlocks must be greater than 0, got 0"):
        rt.launch_kernel_with_config(function, 0, None, None, args)
    with refused(rt, 100000, "reserve must be null"):
        rt.launch_kernel_with_config(function, 8, None, None, args, 1)  # pyright: ignore[reportArgumentType]
    with refused(rt, 100000, "cfg must be null"):
        rt.launch_kernel_with_config(function, 8, None, 1, args)  # pyright: ignore[reportArgumentType]
    with refused(rt, 100000, "func is null"):
        rt.launch(None, 8, None)  # pyright: ignore[reportArgumentType]
    rt.launch_kernel_with_config(function, 8, None, None, args)
    assert total(rt).dispatches == 0
    rt.synchronize_stream()
    assert total(rt).dispatches == 1


def test_scalars_are_arguments() -> None:
    # ZC-29: a value that is no pointer.
    rt = runtime()

    @kernel(updates("x", "u2", BLOCK))
    def scale(block: int, x: Any, factor: int) -> None:
        x[block * BLOCK : (block + 1) * BLOCK] *= factor

    memory, a = mapped(rt, 3)
    rt.launch(scale, 8, None, a, 5)
    rt.launch(scale, 8, None, a, 2)
    rt.launch(scale, 8, None, a, 5)
    rt.synchronize_stream()
    assert memory.view("u2").numpy().tolist() == [150] * ELEMENTS
    assert total(rt).recordings == 2
    with refused(rt, 107000, "kernel scale: expected 2 arguments, got 1"):
        rt.launch(scale, 8, None, a)


def test_a_kernel_sees_only_what_it_reads() -> None:
    rt = runtime()
    seen: list[int] = []

    @kernel(reads("x", "u1"), writes("z", "u1"))
    def look(block: int, x: Any, z: Any) -> None:
        seen.extend(set(z.tolist()))
        with pytest.raises(ValueError, match="read-only"):
            x[0] = 1
        z[:] = x

    (_, a), (out, c) = mapped(rt, 0x0101, 64), mapped(rt, 0, 64)
    rt.launch(look, 1, None, a, c)
    rt.synchronize_stream()
    assert seen == [0xCD]
    assert out.read().tolist() == [1] * 64


def test_an_argument_keeps_its_owner() -> None:
    # Case B43: a freed argument is refused, though other memory lies at its address by then.
    rt = runtime()
    (_, c) = mapped(rt, 0)
    first = rt.malloc(BYTES)
    function = Function("add", add, None)
    args = rt.kernel_args_init(function)
    rt.kernel_args_append(args, first)
    rt.free(first)
    second = rt.malloc(BYTES)
    assert second.address == first.address
    rt.kernel_args_append(args, second)
    rt.kernel_args_append(args, c)
    rt.kernel_args_finalize(args)
    with refused(rt, 107000, "argument 0 refers to freed memory"):
        rt.launch_kernel_with_config(function, 8, None, None, args)
    assert first != second


def test_kernels_reach_their_own_device() -> None:
    # ZC-09.
    from zcir.runtime.host import peer_devices

    rt = Runtime(topology=peer_devices("a", "b"))
    rt.init()
    rt.set_device(0)
    memory = rt.malloc(BYTES)
    rt.set_device(1)
    with refused(rt, 107000, "memory that kernels of device 1 do not reach"):
        rt.launch(add, 8, None, memory, memory, memory)


def test_uninitialized_arguments_are_reported() -> None:
    # CP-55's rule: what a kernel reads has to be written.
    rt = runtime()
    device = rt.malloc(BYTES)
    (_, c) = mapped(rt, 0)
    rt.launch(add, 8, None, device, c, c)
    rt.synchronize_stream()
    (report,) = rt.check().reports
    assert report.rule == "uninitialized"
    assert filled(rt, ONE).view("u2")[0] == ONE
