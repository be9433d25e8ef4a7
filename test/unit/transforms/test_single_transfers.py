"""Which regions become one queue operation and which a command buffer (IR-38 to IR-40)."""

from collections.abc import Sequence

import pytest
from stream_cases import Program, Region
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.load import load, run_passes

COMMAND, QUEUE = "hal.command_buffer.", "hal.device.queue."
UPKEEP = {"flush_buffer", "invalidate_buffer"}
TRANSFERS = {"copy_buffer", "fill_buffer"}


def lowered(ops: Sequence[str], *, coherent: bool, also: tuple[str, ...] = ()) -> ModuleOp:
    """A region of `ops` at hal level; what coherent memory does not need is elided before."""
    storages = {"x": 64, "out": 128}
    start = Region("start", "npu", ["fill 1 x 0 64", "fill 1 out 0 128"])
    program = Program(storages, [start, Region("it", "npu", ops, ["start"])], coherent=coherent)
    context = make_context()
    module = parse_text(context, program.text(), "mix.mlir")
    elide = ("stream-elide-cache-maintenance",) if coherent else ()
    run_passes(context, module, (*also, *elide, "stream-to-hal"))
    return module


def commands(module: ModuleOp) -> list[list[str]]:
    """What each command buffer holds, barriers left out."""
    found: list[list[str]] = []
    for op in module.walk():
        name = op.name.removeprefix(COMMAND)
        if name == "create":
            found.append([])
        elif op.name.startswith(COMMAND) and name in UPKEEP | TRANSFERS:
            found[-1].append(name.removesuffix("_buffer"))
    return found


def queue(module: ModuleOp) -> list[str]:
    """Queue operations that transfer."""
    names = [op.name.removeprefix(QUEUE) for op in module.walk() if op.name.startswith(QUEUE)]
    return [name for name in names if name in ("copy", "fill", "update")]


FIRST = ["fill", "fill"]
"""What the first region of each program holds."""
FLUSH, INVALIDATE = "flush out 0 64", "invalidate x 0 64"
COPY, FILL, COPY_TOO = "copy x 0 64 out 0", "fill 5 x 0 64", "copy x 0 64 out 64"


@pytest.mark.parametrize(
    ("ops", "on_noncoherent", "on_coherent"),
    [
        ([INVALIDATE, FILL], ["invalidate", "fill"], "fill"),
        ([COPY, FLUSH], ["copy", "flush"], "copy"),
        ([INVALIDATE, COPY, FLUSH], ["invalidate", "copy", "flush"], "copy"),
        ([COPY, COPY_TOO], ["copy", "copy"], None),
    ],
    ids=["invalidate-fill", "copy-flush", "invalidate-copy-flush", "copy-copy"],
)
def test_one_transfer_without_maintenance_is_a_queue_operation(
    ops: list[str], on_noncoherent: list[str], on_coherent: str | None
) -> None:
    # IR-38, IR-39.
    kept = lowered(ops, coherent=False)
    assert commands(kept) == [FIRST, on_noncoherent]
    assert queue(kept) == []
    freed = lowered(ops, coherent=True)
    if on_coherent is None:
        assert (commands(freed), queue(freed)) == ([FIRST, on_noncoherent], [])
    else:
        assert (commands(freed), queue(freed)) == ([FIRST], [on_coherent])


@pytest.mark.parametrize(("op", "kind"), [(FLUSH, "flush"), (INVALIDATE, "invalidate")])
def test_maintenance_alone_keeps_its_submission(op: str, kind: str) -> None:
    # IR-40: canonicalized twice it is still there, executes once, and the host waits for it.
    module = lowered([op], coherent=False, also=("canonicalize", "canonicalize"))
    assert commands(module) == [FIRST, [kind]]
    run = load(module).run(record=True, strict=False)
    npu = run.statistics["npu"]
    assert (npu.flush_cmds, npu.invalidate_cmds) == ((1, 0) if kind == "flush" else (0, 1))
    assert npu.recordings == 2
    position = {event.label.split()[0]: event.id for event in run.graph.events}
    maintained = position[f"{COMMAND}{kind}_buffer"]
    waits = [event.id for event in run.graph.events if event.label == "hal.fence.await"]
    assert maintained < max(waits)
    # On coherent memory nothing is left, and the wait is for the region before (IR-41).
    assert commands(lowered([op], coherent=True)) == [FIRST]
