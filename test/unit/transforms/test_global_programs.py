"""Globals and constants from flow to commands (IR-46, IR-49): state outlives calls."""

from pathlib import Path

import numpy as np
import pytest
from zcir.dialects import stream
from zcir.dialects.parsing import make_context, parse_file, parse_text
from zcir.runtime.load import load, run_passes

COUNTER = Path(__file__).parents[2] / "data" / "globals" / "counter.flow.mlir"
X = np.array([1, 2, 3, 4], np.float32)
TOTAL = np.array([1, 2, 3, 4], np.float32)
ADDED = np.array([10.5, 21.5, 32.5, 43.5], np.float32)
"""What a call adds besides its input: the weights and the offset."""


@pytest.mark.parametrize(
    ("memory", "pipeline"), [("coherent", "zc-to-stream"), ("noncoherent", "zc-pipeline")]
)
def test_calls_of_one_process_see_what_those_before_stored(memory: str, pipeline: str) -> None:
    program = load(COUNTER, passes=(pipeline,), memory=memory)
    result = program.run("thrice", inputs=[X], schedule="adversarial:1", check=True)
    assert result.check is not None
    assert not result.check.reports
    first, third = (np.asarray(value) for value in result.results)
    np.testing.assert_array_equal(first, TOTAL + X + ADDED)
    np.testing.assert_array_equal(third, TOTAL + 3 * (X + ADDED))


def test_only_what_a_global_and_the_caller_both_keep_is_copied() -> None:
    context = make_context()
    module = parse_file(context, str(COUNTER))
    run_passes(context, module, ("zc-to-stream",))
    copies = [op for op in module.walk() if isinstance(op, stream.CmdCopyOp)]
    # The total goes to the global and to the caller. Constants are shared by both devices.
    assert len(copies) == 1


GIVEN = """
util.global private @a = #hal.device.target<"local"> : !hal.device
util.global private mutable @v : tensor<4xf32>
util.func public @set(%arg0: !hal.buffer_view) {
  %x = hal.tensor.import on(#hal.device.affinity<@a>) consume %arg0 "x"
      : !hal.buffer_view -> tensor<4xf32>
  util.global.store %x, @v : tensor<4xf32>
  util.return
}
util.func public @get() -> !hal.buffer_view {
  %x = util.global.load @v : tensor<4xf32>
  %r = hal.tensor.export on(#hal.device.affinity<@a>) %x "y" : tensor<4xf32> -> !hal.buffer_view
  util.return %r : !hal.buffer_view
}
"""


# IR-46, IR-50: what the caller gave away is kept as it is; what the caller gets is a copy.
@pytest.mark.parametrize("pipeline", ["zc-to-stream", "zc-pipeline"])
def test_a_global_keeps_what_the_caller_gave_away(pipeline: str) -> None:
    context = make_context()
    module = parse_text(context, GIVEN, "given.mlir")
    run_passes(context, module, (pipeline,))
    session = load(module, context=context).session(check=True)
    for value in (X, 2 * X):
        session.call("set", [value])
        assert session.statistics.total.copy_cmds == (value is not X)
        np.testing.assert_array_equal(session.call("get", [])[0], value)
    assert session.statistics.total.copy_cmds == 2
    assert not session.check().reports
