"""Models of unusual shape, and all ways to load under all schedules, on memory that is not
coherent: results are right and the check is clean."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from model_world import (
    exported,
    filled,
    floats,
    flow_text,
    loaded,
    mapped,
    program,
    ran,
    row_ge_21_text,
    state,
)
from numpy.typing import NDArray
from zcir.dialects.diagnostics import OpError
from zcir.runtime.host import HostError, HostPointer
from zcir.runtime.model import Model

TENSOR = "tensor<16xf32>"
WHOLE = "tensor<32xf32>"
PARTS = f"""%d = {ran("k", "%t0")}
    %g = {ran("k2", "%t0", "%t0")}
    %em = flow.tensor.empty : {WHOLE}
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %u = flow.tensor.update %d, %em[%c0] : {TENSOR} -> %em as {WHOLE}
    %v = flow.tensor.update %g, %u[%c16] : {TENSOR} -> %u as {WHOLE}
    """
CONCAT = flow_text(PARTS + exported("%v", shape="32"))
SPLAT = flow_text(
    f"%c = arith.constant 2.5 : f32\n%d = flow.tensor.splat %c : {TENSOR}\n" + exported("%d"),
    inputs=0,
)
NOTHING = flow_text(f"%d = {ran('k', '%t0')}", outputs=0).replace("-> ()", "")


def run(model: Model, inputs: Sequence[float], sizes: Sequence[int]) -> list[NDArray[np.float32]]:
    """The outputs of a call on mapped memory, filled with a value each; the check is clean."""
    runtime = model.runtime
    outputs = [mapped(runtime, 0, size) for size in sizes]
    model.run([mapped(runtime, value, 64) for value in inputs], outputs)
    assert not runtime.check().reports
    assert not runtime.host_access.hazards
    return [floats(out) for out in outputs]


def test_ge_29_a_concatenation_is_made_in_the_output() -> None:
    """GE-29: its parts are the producers', and nothing is copied."""
    model = loaded(CONCAT, schedule="adversarial:2")
    (result,) = run(model, [3], [128])
    np.testing.assert_array_equal(result, np.repeat([4, 7], 16))
    assert model.runtime.statistics.total.copy_cmds == 0
    (output,) = model.plan().outputs
    assert (output.basic_offsets, output.relative_offsets) == ((0, 0), (0, 64))


def test_a_model_without_inputs_fills_its_output() -> None:
    model = loaded(SPLAT)
    (result,) = run(model, [], [64])
    np.testing.assert_array_equal(result, filled(2.5, 64))
    assert model.runtime.statistics.total.copy_cmds == 0
    assert model.runtime.statistics.total.recordings == 1


def test_a_model_without_outputs_runs() -> None:
    model = loaded(NOTHING)
    assert run(model, [1], []) == []
    assert model.plan().outputs == ()


def test_a_model_of_scalars_too() -> None:
    """They are given beside the tensors, and checked like them."""
    text = flow_text(
        f"%q = scf.if %c -> ({TENSOR}) {{\n%d = {ran('k', '%t0')}\nscf.yield %d : {TENSOR}\n}} "
        f"else {{\n%g = {ran('k2', '%t0', '%t0')}\nscf.yield %g : {TENSOR}\n}}\n" + exported("%q"),
        scalars="%c: i1",
    )
    model = loaded(text)
    runtime = model.runtime
    source, target = mapped(runtime, 5, 64), mapped(runtime, 0, 64)
    for flag, expected in ((True, 6), (False, 11), (1, 6)):
        model.run([source], [target], [flag])
        np.testing.assert_array_equal(floats(target), filled(expected, 64))
    refused: tuple[tuple[list[Any], str], ...] = (
        ([], "expected 1 scalars for @f, got 0"),
        ([True, True], "expected 1 scalars for @f, got 2"),
    )
    for given, message in refused:
        before = state(model)
        with pytest.raises(HostError, match=message):
            model.run([source], [target], given)
        assert state(model) == before
    assert not runtime.check().reports


@pytest.mark.parametrize("given", ["mapped", "array", "none"])
def test_tensors_of_no_elements(given: str) -> None:
    text = program("""
  util.func public @f(%x: !hal.buffer_view) -> !hal.buffer_view {
    %t = hal.tensor.import %x "x" : !hal.buffer_view -> tensor<0x4xf32>
    %e = hal.tensor.export %t "y" : tensor<0x4xf32> -> !hal.buffer_view
    util.return %e : !hal.buffer_view
  }""")
    model = loaded(text)
    runtime = model.runtime
    nothing = np.empty((0, 4), np.float32)
    outputs: dict[str, Any] = {"mapped": mapped(runtime, 0, 64), "array": nothing, "none": None}
    source = mapped(runtime, 0, 64) if given == "mapped" else nothing
    model.run([source], [outputs[given]])
    assert runtime.statistics.total.copy_cmds == 0
    assert not runtime.check().reports


@pytest.mark.parametrize(
    ("element", "value"), [("f32", np.float32(3)), ("i8", np.int8(-3)), ("i1", np.bool_(True))]
)
def test_a_tensor_of_rank_0(element: str, value: Any) -> None:
    text = program(f"""
  util.func public @f(%x: !hal.buffer_view) -> !hal.buffer_view {{
    %t = hal.tensor.import %x "x" : !hal.buffer_view -> tensor<{element}>
    %e = hal.tensor.export %t "y" : tensor<{element}> -> !hal.buffer_view
    util.return %e : !hal.buffer_view
  }}""")
    model = loaded(text)
    target = np.zeros((), value.dtype)
    model.run([np.array(value)], [target])
    assert target[()] == value


def test_many_outputs() -> None:
    """Forty, each in memory of its own; two thirds of them one tensor."""
    values = [f"%d{k}" for k in range(14)]
    body = "\n".join(f"{value} = {ran('k', '%t0' if k == 0 else values[k - 1])}"
                     for k, value in enumerate(values))  # fmt: skip
    body += "\n" + "\n".join(exported(values[k % 14], k) for k in range(40))
    model = loaded(flow_text(body, outputs=40))
    results = run(model, [1], [64] * 40)
    assert [result[-1] for result in results] == [k % 14 + 2 for k in range(40)]
    # The first of each is written in place.
    assert model.runtime.statistics.total.copy_cmds == 40 - 14


def test_a_result_that_is_no_tensor_is_refused() -> None:
    text = flow_text(exported("%t0"), scalars="%n: index").replace(
        "-> (!hal.buffer_view) {", "-> (!hal.buffer_view, index) {"
    )
    text = text.replace("util.return %e0 : !hal.buffer_view", "util.return %e0, %n : "
                        "!hal.buffer_view, index")  # fmt: skip
    with pytest.raises(OpError, match="result 1 of @f is no exported tensor"):
        loaded(text)


MODELS: dict[str, tuple[str, list[tuple[int, float]], list[tuple[int, float]]]] = {
    "four": (row_ge_21_text(), [(1000, 5), (200, 7)], [(700, 8), (300, 10)]),
    "chain": (
        flow_text(f"%d = {ran('k', '%t0')}\n%g = {ran('k2', '%d', '%t1')}\n{exported('%g')}", 2),
        [(64, 1), (64, 2)],
        [(64, 5)],
    ),
    "twice": (
        flow_text(f"%d = {ran('k', '%t0')}\n{exported('%d')}\n{exported('%d', 1)}", outputs=2),
        [(64, 1)],
        [(64, 2), (64, 2)],
    ),
    "wired": (flow_text(exported("%t0")), [(64, 4)], [(64, 4)]),
    "weights": (
        flow_text(
            f"%w = flow.tensor.constant dense<3.0> : {TENSOR}\n%d = {ran('k2', '%t0', '%w')}\n"
            + exported("%d")
        ),
        [(64, 1)],
        [(64, 5)],
    ),
}
KINDS = ("mapped", "pinned", "pageable", "device")
SEEDS = (1, *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(2, 41)))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_way_is_right_under_adversarial_schedules(name: str, seed: int) -> None:
    """All kinds of memory and all ways to load, on memory that is not coherent: three calls on
    fresh buffers each."""
    text, inputs, outputs = MODELS[name]
    for number, reuse in enumerate((None, True, False)):
        kind = KINDS[(seed + number) % 4]
        if reuse and kind in ("pinned", "pageable"):
            kind = "mapped"
        model = loaded(text, schedule=f"adversarial:{seed}", reuse=reuse)
        runtime = model.runtime
        for call in range(3):
            given = [memory(model, kind, size, value + call) for size, value in inputs]
            wanted = [memory(model, kind, size, 0) for size, _ in outputs]
            model.run(given, wanted)
            for buffer, (size, value) in zip(wanted, outputs, strict=True):
                np.testing.assert_array_equal(
                    contents(model, buffer, size)[:16], filled(expected(name, value, call), 64)
                )
        assert not runtime.check().reports
        assert not runtime.host_access.hazards


def expected(name: str, value: float, call: int) -> float:
    """What the model of `MODELS` computes of inputs that are `call` more each."""
    return value + call * (2 if name == "chain" else 1)


def memory(model: Model, kind: str, size: int, value: float) -> Any:
    """Memory of a kind with `value` in each element."""
    runtime, data = model.runtime, filled(value, size)
    if kind == "pageable":
        return data
    if kind == "device":
        pointer = runtime.malloc(size)
        runtime.memcpy(pointer, size, data, size)
        return pointer
    pointer = runtime.malloc_host(size)
    pointer.view(np.float32)[:] = value
    if kind == "mapped":
        runtime.host_register(pointer)
    return pointer


def contents(model: Model, buffer: Any, size: int) -> NDArray[np.float32]:
    """What is in memory of a kind."""
    if isinstance(buffer, HostPointer):
        return floats(buffer)
    data = filled(0, size)
    model.runtime.memcpy(data, size, buffer, size)
    return data
