"""Transfers left where there is nothing to hand over: IR-04, IR-05, IR-06, IR-08, IR-09."""

import numpy as np
import pytest
from small_programs import LINKS, main, make, module, move
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects import flow, stream
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.load import load, run_passes
from zcir.transforms.pipeline import TO_STREAM

X = np.arange(16, dtype=np.int32) * 5
STEP = np.arange(16, dtype=np.int32) + 7
COHERENT = LINKS["unified"].replace("true})", "true}, {coherent = true})")
UNTIL_KINDS = ("flow-to-stream", "stream-resolve-transfer-kinds")
ELIDE = (*UNTIL_KINDS, "stream-elide-async-copies")


def f(x: np.ndarray) -> np.ndarray:
    """What `make` computes."""
    return STEP + 3 * x


def transfers(links: str, lines: tuple[str, ...], *passes: str) -> list[str | None]:
    """The kinds of the transfers left, at flow or stream level."""
    program = parsed(links, lines)
    run_passes(make_context(), program, passes)
    return [
        op.transfer_kind if isinstance(op, flow.TensorTransferOp) else op.kind
        for op in program.walk()
        if isinstance(op, stream.AsyncTransferOp | flow.TensorTransferOp)
    ]


def parsed(links: str, lines: tuple[str, ...]) -> ModuleOp:
    return parse_text(make_context(), module(links, main(*lines, result="out")), "t.mlir")


THERE = (make("make", "1", "x", "a"), move("2", "1", "b"), make("make", "3", "2", "b"))
LOCAL = (make("make", "1", "x", "a"), move("2", "1", "a"), make("make", "out", "2", "a"))
TWICE = (*THERE[:2], move("3", "2", "b"), make("make", "4", "3", "b"), move("out", "4", "a"))
UNSEEN = (*THERE[:2], move("3", "2", "a"), make("make", "out", "3", "a"))
SEEN = (
    *THERE,
    move("4", "2", "a"),
    move("5", "3", "a"),
    "%out = flow.dispatch @two::@f(%4, %5, %k) {stream.affinity = #hal.device.affinity<@a>} : "
    "(tensor<16xi32>, tensor<16xi32>, i32) -> tensor<16xi32>",
)
WAY_BACK = (*THERE, move("out", "3", "a"))


# By pattern: transfers on coherent links, on others, and kinds where there is no link.
@pytest.mark.parametrize(
    ("lines", "passes", "coherent", "other", "apart"),
    [
        # IR-04, IR-05: elided, kept as aliases, kept as copies.
        pytest.param(WAY_BACK, ELIDE, 0, 2, ["copy", "copy"], id="topology"),
        # IR-06: the middle is used on b, or not.
        pytest.param(SEEN, ELIDE, 0, 3, ["copy", "copy", "copy"], id="seen"),
        pytest.param(UNSEEN, ELIDE, 0, 0, [], id="unseen"),
        pytest.param(SEEN, ("flow-to-stream", "canonicalize"), 3, 3, None, id="fold seen"),
        pytest.param(UNSEEN, ("flow-to-stream", "canonicalize"), 0, 0, None, id="fold unseen"),
        # IR-08: within one device.
        pytest.param(LOCAL, ELIDE, 0, 0, [], id="local"),
        pytest.param(LOCAL, ("flow-to-stream", "canonicalize"), 0, 0, None, id="local clone"),
        # IR-09: the second of two to the same device.
        pytest.param(TWICE, ("canonicalize",), 2, 2, None, id="flow"),
    ],
)
def test_ir_04_who_is_coherent_needs_no_transfer(
    lines: tuple[str, ...],
    passes: tuple[str, ...],
    coherent: int,
    other: int,
    apart: list[str] | None,
) -> None:
    assert len(transfers(COHERENT, lines, *passes)) == coherent
    left = transfers(LINKS["unified"], lines, *passes)
    assert len(left) == other
    if apart is not None:
        assert left == ["alias"] * other
        assert transfers(LINKS["none"], lines, *passes) == apart


# IR-05: whatever gives the access, it is coherence that lets a transfer go.
@pytest.mark.parametrize(
    ("there", "back"),
    [("unified_memory", "unified_memory"), ("transparent_access",) * 2, ("transparent_access", "")],
)
def test_ir_05_access_alone_elides_nothing(there: str, back: str) -> None:
    for coherent, left in ((True, 0), (False, 1)):
        links = ", ".join(
            f"({ends} = {{{f'{access} = true' if access else ''}}}, {{coherent = "
            f"{'true' if coherent else 'false'}}})"
            for ends, access in (("@a -> @b", there), ("@b -> @a", back))
        )
        # Without a link back, b does not reach a's memory, in which the result is to be.
        want = ["alias"] * left + (["alias"] * left if back else ["copy"])
        assert transfers(links, WAY_BACK, *ELIDE) == want


# IR-04, IR-41: without the transfer b still waits for a, and has the right numbers.
@pytest.mark.parametrize("lines", [WAY_BACK, SEEN, UNSEEN])
def test_ir_04_order_stays_where_a_transfer_goes(lines: tuple[str, ...]) -> None:
    program = parsed(COHERENT, lines)
    run_passes(make_context(), program, TO_STREAM)
    once, twice = f(X), f(f(X))
    want = STEP + 3 * once + 5 * twice if lines is SEEN else twice
    for seed in range(5):
        result = load(program).run(inputs=[X], schedule=f"adversarial:{seed}", check=True)
        assert result.check is not None
        assert not result.check.reports
        assert result.statistics.total.copy_cmds == 0
        np.testing.assert_array_equal(result.results[0], want)
