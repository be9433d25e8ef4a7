"""Archives of parameters at run time: loads, gathers and scatters, from stream cmd and from hal."""

import numpy as np
import pytest
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.checker import Rule
from zcir.runtime.element_types import Array, InputError
from zcir.runtime.errors import HalError, StatusCode
from zcir.runtime.load import Program, load

MAINTAIN = ("stream-place-cache-maintenance", "stream-elide-cache-maintenance")
SCHEDULES = ("fifo", "random:1", "adversarial:0", "adversarial:1")
R = "!stream.resource<external>{%c64}"
PROGRAM = f"""
module attributes {{stream.topology = #hal.device.topology<links = [(@a -> @b = {{unified_memory = true}}), (@b -> @a = {{unified_memory = true}})]>}} {{
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.global private @b = #hal.device.target<"local"> : !hal.device
  util.func public @f() -> !hal.buffer_view {{
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c48 = arith.constant 48 : index
    %c64 = arith.constant 64 : index
    %begin = arith.constant 0 : i64
    %eight = arith.constant 8 : i64
    %scope = util.buffer.constant : !util.buffer = "model"
    %w = util.buffer.constant : !util.buffer = "w"
    %state = util.buffer.constant : !util.buffer = "state"
    %weights, %x, %loaded = stream.cmd.parameter.load on(#hal.device.affinity<@a>) {{
      %scope::%w[%eight] : {R},
      %scope::%w[%begin] : {R}
    }} => !stream.timepoint
    %out, %made = stream.resource.alloca uninitialized on(#hal.device.affinity<@b>) await(%loaded) => {R} => !stream.timepoint
    %copied = stream.cmd.execute on(#hal.device.affinity<@b>) await(%made) => with(%weights as %w_: {R}, %out as %o_: {R}) {{
      stream.cmd.copy %w_[%c0], %o_[%c0], %c32 : {R} -> {R}
    }} => !stream.timepoint
    %read = stream.cmd.parameter.gather on(#hal.device.affinity<@b>) await(%copied) => {{
      %state[%begin] -> %out[%c32 for %c16] : {R},
      %state[%begin] -> %out[%c48 for %c16] : {R}
    }} => !stream.timepoint
    %written = stream.cmd.parameter.write on(#hal.device.affinity<@a>) await(%read) => %out[%c0 for %c16] : {R} -> %state[%begin] => !stream.timepoint
    %r = stream.timepoint.await %written => %out : {R}
    %v = stream.tensor.export on(#hal.device.affinity<@b>) %r : tensor<64xi8> in {R} -> !hal.buffer_view
    util.return %v : !hal.buffer_view
  }}
}}
"""  # noqa: E501
W = np.arange(72, dtype=np.int8)


def program(passes: tuple[str, ...], state: Array) -> Program:
    context = make_context()
    module = parse_text(context, PROGRAM, "parameters.mlir")
    archives = {"model": {"w": W}, "": {"state": state}}
    return load(module, passes=passes, context=context, parameters=archives)


@pytest.mark.parametrize("passes", [MAINTAIN, (*MAINTAIN, "zc-to-hal")], ids=["stream", "hal"])
def test_parameters_are_read_and_written_through_the_devices_caches(
    passes: tuple[str, ...],
) -> None:
    for schedule in SCHEDULES:
        state = np.full(16, 7, np.int8)
        run = program(passes, state).run(schedule=schedule, check=True)
        want = np.concatenate([W[8:40], np.full(32, 7, np.int8)])
        np.testing.assert_array_equal(np.asarray(run.results[0]), want)
        np.testing.assert_array_equal(state, W[8:24])
        assert run.check is not None
        assert not run.check.reports
        assert run.statistics.total.file_bytes == 2 * 64 + 2 * 16 + 16
        assert run.statistics.total.copy_cmds == 1


def test_parameters_without_maintenance_are_stale() -> None:
    run = program((), np.full(16, 7, np.int8)).run(check=True)
    assert run.check is not None
    assert {report.rule for report in run.check.reports} == {Rule.STALE}


def test_what_no_archive_has_or_allows_is_refused() -> None:
    context = make_context()
    module = parse_text(context, PROGRAM, "parameters.mlir")
    only_w = load(module, passes=MAINTAIN, parameters={"model": {"w": W}})
    with pytest.raises(HalError, match="parameter state is not among those given: model::w") as e:
        only_w.run()
    assert e.value.code is StatusCode.NOT_FOUND
    state = np.zeros(16, np.int8)
    state.flags.writeable = False
    with pytest.raises(HalError, match="opened with access Read, the operation requires Write"):
        program(MAINTAIN, state).run()
    with pytest.raises(HalError, match=r"range \[0 for 16\] is outside of the file's 8 bytes"):
        program(MAINTAIN, np.zeros(8, np.int8)).run()
    with pytest.raises(InputError, match="parameter state is not contiguous"):
        program(MAINTAIN, np.zeros(32, np.int8)[::2]).run()
