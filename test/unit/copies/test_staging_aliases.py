"""Explicit aliases between staging memory and a device's: the host and kernels share storage.

IR-51: without a kind staging is copied; an alias copies nothing, and is flushed and invalidated
where host and device are not coherent.
"""

from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects import stream
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.load import load, run_passes
from zcir.transforms.pipeline import TO_STREAM

PROGRAM = Path(__file__).parents[2] / "data" / "stream" / "staging_alias.mlir"
SELF = "stream.topology = #hal.device.topology<links = [(@a -> @a = {}, {host_coherent = true})]>"
X = np.arange(16, dtype=np.int32) * 5
STEP = np.arange(16, dtype=np.int32) + 7


def f(x: np.ndarray) -> np.ndarray:
    """What the kernel computes."""
    return STEP + 3 * x


def program(*, alias: bool, coherent: bool) -> ModuleOp:
    """The program at stream.cmd level; with the kinds that it states, or none."""
    text = PROGRAM.read_text()
    kind = ' attributes {stream.transfer_kind = "alias"}'
    assert text.count(kind) == 3
    if not alias:
        text = text.replace(kind, "")
    if coherent:
        text = text.replace("module {", f"module attributes {{{SELF}}} {{", 1)
    module = parse_text(make_context(), text, "staging.mlir")
    run_passes(make_context(), module, TO_STREAM)
    return module


@pytest.mark.parametrize("level", ["stream", "hal"])
@pytest.mark.parametrize("coherent", [False, True])
@pytest.mark.parametrize(("alias", "copies"), [(False, 3), (True, 0)])
def test_ir_51_an_alias_of_staging_memory_copies_nothing(
    alias: bool, copies: int, coherent: bool, level: str
) -> None:
    module = program(alias=alias, coherent=coherent)
    run_passes(make_context(), module, ("stream-verify-coherence",))
    if level == "hal":
        run_passes(make_context(), module, ("zc-to-hal", "hal-verify-coherence"))
    stored = f(X)
    stored[1] = 9
    for schedule in ("fifo", "adversarial:1", "adversarial:2"):
        run = load(module).run(inputs=[X], schedule=schedule, check=True)
        assert run.check is not None
        assert not run.check.reports
        assert run.statistics.total.copy_cmds == copies
        device = run.statistics["a"]
        assert (device.flush_cmds > 0, device.invalidate_cmds > 0) == (not coherent,) * 2
        assert run.results[0] == f(stored)[2]
        np.testing.assert_array_equal(run.results[1], f(f(stored)))


# What the host writes and reads is flushed and invalidated by the device, copied or not.
@pytest.mark.parametrize("alias", [False, True])
def test_ir_51_handoffs_between_host_and_device_stay(alias: bool) -> None:
    module = program(alias=alias, coherent=False)
    first, second, *_ = [op for op in module.walk() if isinstance(op, stream.CmdExecuteOp)]
    assert any(isinstance(op, stream.CmdFlushOp) for op in first.body.walk())
    kinds = {type(op) for op in second.body.walk()}
    assert {stream.CmdInvalidateOp, stream.CmdFlushOp} <= kinds
