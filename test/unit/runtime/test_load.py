"""Programs on machines: what a machine must give (IR-27), and inputs that do not fit."""

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from zcir.dialects.diagnostics import OpError
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.element_types import InputError, Value
from zcir.runtime.events import EventKind, Span
from zcir.runtime.load import is_flow, load

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
CHAIN = EXAMPLES / "chain.flow.mlir"
ONES = np.ones(16, np.float32)


def _topology(name: str) -> Path:
    return EXAMPLES / "topologies" / f"{name}.mlir"


def test_coherence_that_the_machine_lacks_is_refused() -> None:
    # IR-27: compiled for coherent memory, run on non-coherent memory.
    with pytest.raises(InputError, match=r"module assumes coherent link .* runtime reports"):
        load(CHAIN, topology=_topology("coherent"), memory="noncoherent")


def test_reach_that_the_machine_lacks_is_refused() -> None:
    # IR-27: compiled for shared memory, run on a memory for each device.
    with pytest.raises(InputError, match="reaches the memory of @device_b in place"):
        load(CHAIN, topology=_topology("noncoherent"), memory="discrete")


def test_a_stronger_machine_runs_and_skips_the_maintenance() -> None:
    # IR-27, IR-28: two flushes and two invalidates of the handoffs, one of each for the host.
    run = load(CHAIN, topology=_topology("noncoherent"), memory="coherent").run(inputs=[ONES])
    np.testing.assert_array_equal(run.results[0], np.full(16, 2, np.float32))
    assert run.statistics.total.flush_cmds == 0
    assert run.statistics.total.maintenance_skipped >= 6


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([], "expected 1 inputs, got 0"),
        ([ONES, ONES], "expected 1 inputs, got 2"),
        ([np.ones(8, np.float32)], "expected 16xf32, got 8xf32"),
        ([np.ones(16, np.int32)], "expected 16xf32, got 16xi32"),
        ([1.0], "expected a tensor 16xf32"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(inputs: list[Value], message: str) -> None:
    program = load(CHAIN, topology=_topology("coherent"))
    with pytest.raises(InputError, match=message):
        program.run(inputs=inputs)


def test_unknown_functions_and_passes_are_refused() -> None:
    program = load(CHAIN, topology=_topology("coherent"))
    with pytest.raises(InputError, match="unknown function 'g'; the module has @f"):
        program.run("g", [ONES])
    with pytest.raises(OpError, match="unknown pass 'nopass'"):
        load(CHAIN, passes=["nopass"])


def test_a_program_that_only_hands_out_a_constant_is_lowered(tmp_path: Path) -> None:
    path = tmp_path / "constant.flow.mlir"
    path.write_text(
        """
        util.global private @device = #hal.device.target<"local", []> : !hal.device
        util.global private @c {stream.affinity.default = #hal.device.affinity<@device>}
          = dense<[1, 2, 3]> : tensor<3xi32>
        util.func public @f() -> !hal.buffer_view {
          %0 = util.global.load immutable @c : tensor<3xi32>
          %1 = hal.tensor.export %0 : tensor<3xi32> -> !hal.buffer_view
          util.return %1 : !hal.buffer_view
        }
        """
    )
    np.testing.assert_array_equal(load(path).run().results[0], np.array([1, 2, 3], np.int32))


def test_a_resource_too_small_for_its_export_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "narrow.stream.mlir"
    path.write_text(
        """
        util.global private @device = #hal.device.target<"local", []> : !hal.device
        util.func public @f() -> !hal.buffer_view {
          %size = arith.constant 12 : index
          %r, %t = stream.resource.alloca uninitialized on(#hal.device.affinity<@device>)
            : !stream.resource<external>{%size} => !stream.timepoint
          %0 = stream.tensor.export on(#hal.device.affinity<@device>) %r
            : tensor<3xf64> in !stream.resource<external>{%size} -> !hal.buffer_view
          util.return %0 : !hal.buffer_view
        }
        """
    )
    with pytest.raises(OpError, match="expected a resource of 24 bytes for its shape, got 12"):
        load(path).run()


@pytest.mark.parametrize("schedule", ["fifo", "random:1", "adversarial:0"])
def test_every_strategy_of_a_topology_gives_the_same_order(schedule: str, tmp_path: Path) -> None:
    """IR-34: `maintenance` of the self-links, from the topology to the queue: the same values, and
    producer < flush < signal < invalidate < read at each handoff."""
    text = _topology("noncoherent").read_text()
    orders: list[list[tuple[str, str, tuple[Span, ...]]]] = []
    for how in ("queue", "host", "split"):
        path = tmp_path / f"{how}.mlir"
        path.write_text(
            text.replace("host_visible = true,", f'host_visible = true, maintenance = "{how}",')
        )
        program = load(CHAIN, topology=path)
        assert {device.maintenance.value for device in program.topology.devices} == {how}
        run = program.run(inputs=[ONES], schedule=schedule, check=True)
        np.testing.assert_array_equal(run.results[0], np.full(16, 2, np.float32))
        assert run.check is not None
        assert not run.check.reports
        work = [e for e in run.graph.events if e.agent != "host" and e.kind is not EventKind.SYNC]
        orders.append([(e.agent, str(e.kind), (*e.reads, *e.writes, *e.target)) for e in work])
    assert orders[0] == orders[1] == orders[2]
    handoff = [(agent, kind) for agent, kind, _ in orders[0] if kind in ("flush", "invalidate")]
    assert handoff[:4] == [
        ("device_a", "invalidate"),
        ("device_a", "flush"),
        ("device_b", "invalidate"),
        ("device_b", "flush"),
    ]


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("", "%t = arith.constant dense<2.0> : tensor<4xf32>"),
        (
            "util.global private mutable @g = dense<2.0> : tensor<4xf32>",
            "%t = util.global.load @g : tensor<4xf32>",
        ),
    ],
    ids=["constant", "global"],
)
def test_a_program_without_dispatches_is_lowered_as_any_other(head: str, body: str) -> None:
    text = f"""module attributes {{stream.affinity.default = #hal.device.affinity<@device_a>}} {{
      util.global private @device_a = #hal.device.target<"local"> : !hal.device
      {head}
      util.func public @f() -> !hal.buffer_view {{
        {body}
        %v = hal.tensor.export %t "t" : tensor<4xf32> -> !hal.buffer_view
        util.return %v : !hal.buffer_view
      }}
    }}"""
    module = parse_text(make_context(), text, "m.mlir")
    assert is_flow(module)
    program = load(module)
    assert not is_flow(program.module)
    np.testing.assert_array_equal(program.run().results[0], np.full(4, 2, np.float32))


@pytest.mark.parametrize(
    ("declared", "dtype"),
    [("4xcomplex<f32>", np.complex64), ("?x2xbf16", ml_dtypes.bfloat16), ("i1", np.bool_)],
)
def test_element_types_are_read_from_the_declaration(declared: str, dtype: type) -> None:
    text = f"""util.func public @f(%x: !hal.buffer_view, %n: i32) -> i32 attributes {{iree.reflection = {{
      iree.abi.declaration = "sync func @f(%input0: tensor<{declared}>, %input1: i32) -> (%output0: i32)"}}}} {{
      util.return %n : i32
    }}"""  # noqa: E501
    argument, _ = load(parse_text(make_context(), text, "m.mlir")).arguments()
    assert argument.dtype == dtype


def test_a_module_without_a_public_function_is_refused_by_its_place() -> None:
    program = load(parse_text(make_context(), "\nmodule @m {}", "m.mlir"))
    with pytest.raises(
        InputError, match=r"^m\.mlir:2:1: expected a public function to call, got none"
    ):
        program.run()
