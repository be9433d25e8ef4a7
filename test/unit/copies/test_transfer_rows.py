"""What becomes of one transfer, pass by pass: IR-03, IR-11, IR-21, IR-23, IR-52, IR-61, IR-62."""

import numpy as np
import pytest
from flow_programs import at
from small_programs import LINKS, function, main, make, module, move
from xdsl.dialects.builtin import ModuleOp
from zcir.dialects import stream
from zcir.dialects.diagnostics import OpError
from zcir.dialects.hal import AffinityAttr
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.load import load, run_passes
from zcir.transforms.pipeline import TO_STREAM

X = np.arange(16, dtype=np.int32) * 5
STEP = np.arange(16, dtype=np.int32) + 7
POISON = np.frombuffer(b"\xcd" * 64, np.int32)
HANDED_ON = (make("make", "1", "x", "a"), move("2", "1", "b"), make("make", "3", "2", "b"))
BACK = (move("out", "3", "a"),)


def parsed(*lines: str, links: str, devices: str = "ab") -> ModuleOp:
    return parse_text(make_context(), module(links, main(*lines, result="out"), devices), "t.mlir")


def lower(program: ModuleOp, *passes: str) -> ModuleOp:
    run_passes(make_context(), program, passes)
    return program


def copies(program: ModuleOp) -> int:
    return sum(isinstance(op, stream.CmdCopyOp) for op in program.walk())


def test_ir_03_leaving_out_the_copy_alone_is_refused_and_reads_poison() -> None:
    """A lowering that drops the copy and does not share the storage."""
    program = parsed(*HANDED_ON, *BACK, links=LINKS["none"])
    check = TO_STREAM.index("stream-verify-allocated")
    lower(program, *TO_STREAM[:check])
    right = lower(program.clone(), *TO_STREAM[check:])
    copy = next(op for op in program.walk() if isinstance(op, stream.CmdCopyOp))
    copy.detach()
    copy.erase()
    with pytest.raises(OpError, match="reads an allocation that nothing has written"):
        lower(program.clone(), TO_STREAM[check])
    lower(program, *TO_STREAM[check + 1 :])
    result = load(program).run(inputs=[X], check=True, strict=False)
    assert result.check is not None
    assert "uninitialized" in {report.rule.value for report in result.check.reports}
    np.testing.assert_array_equal(result.results[0], STEP + 3 * POISON)
    want = STEP + 3 * (STEP + 3 * X)
    np.testing.assert_array_equal(load(right).run(inputs=[X]).results[0], want)


REACH = "{transparent_access = true}"
FROM_TO = """
%c0 = arith.constant 0 : index
%c64 = arith.constant 64 : index
%0 = stream.async.splat on({a}) %k : i32 -> !stream.resource<*>{{%c64}}
%1 = stream.async.transfer {on} %0 : !stream.resource<*>{{%c64}} from({a}) -> to({b}) !stream.resource<*>{{%c64}} attributes {{stream.transfer_kind = "{kind}"}}
%2 = stream.async.clone on({b}) %1 : !stream.resource<*>{{%c64}} -> !stream.resource<*>{{%c64}}
%3 = stream.async.cast on({b}) %2 : !stream.resource<*>{{%c64}} -> !stream.resource<external>{{%c64}}
%4 = stream.tensor.export on({b}) %3 : tensor<16xi32> in !stream.resource<external>{{%c64}} -> !hal.buffer_view
util.return %4 : !hal.buffer_view"""  # noqa: E501
SHARED = ", ".join(
    f"(@{x} -> @{y} = {{unified_memory = true}})" for x in "abc" for y in "abc" if x != y
)


def moved(execution: str, target: str, kind: str) -> list[tuple[str, str]]:
    """Device and command of the copy, and of the maintenance that names another device.

    Before elision; what is handed over lies on a.
    """
    body = FROM_TO.format(a=at("a"), b=at(target), on=f"on({at(execution)})", kind=kind)
    head = "public @main() -> !hal.buffer_view"
    program = parse_text(
        make_context(), module(SHARED, function(head, *body.split("\n")), "abc"), "t.mlir"
    )
    start = TO_STREAM.index("stream-refine-usage")
    end = TO_STREAM.index("stream-place-cache-maintenance")
    lower(program, *TO_STREAM[start : end + 1])
    found: list[tuple[str, str]] = []
    for region in program.walk():
        if not isinstance(region, stream.CmdExecuteOp):
            continue
        assert isinstance(region.affinity, AffinityAttr)
        (device,) = region.affinity.device_names
        for op in region.body.walk():
            named = isinstance(op, stream.CmdFlushOp | stream.CmdInvalidateOp)
            if isinstance(op, stream.CmdCopyOp) or (named and op.source_affinity is not None):
                found.append((device, op.name.removeprefix("stream.cmd.")))
    return found


# IR-11, IR-52: who executes the copy has the rest of the handoff on the other side. The last copy
# is the clone that is exported.
@pytest.mark.parametrize(
    ("execution", "target", "want"),
    [
        ("a", "b", ["a copy", "a flush", "b invalidate", "b copy"]),
        ("b", "b", ["a flush", "b invalidate", "b copy", "b copy"]),
        ("c", "b", ["a flush", "c invalidate", "c copy", "c flush", "b invalidate", "b copy"]),
        ("a", "a", ["a copy", "a copy"]),
    ],
)
def test_ir_11_which_device_executes_decides_the_maintenance(
    execution: str, target: str, want: list[str]
) -> None:
    assert [" ".join(pair) for pair in moved(execution, target, "copy")] == want


@pytest.mark.parametrize("execution", ["a", "b", "c"])
def test_ir_52_an_alias_is_the_same_wherever_it_executes(execution: str) -> None:
    want = [("a", "flush"), ("b", "invalidate"), ("b", "copy")]
    assert moved(execution, "b", "alias") == want


@pytest.mark.parametrize(("link", "kind"), [("unified", "alias"), ("none", "copy")])
def test_ir_62_no_pass_makes_a_copy_of_an_alias(link: str, kind: str) -> None:
    """IR-21, IR-62: kinds stand before there are allocations, and copies come with these alone."""
    program = parsed(*HANDED_ON, *BACK, links=LINKS[link])
    resolved = TO_STREAM.index("stream-resolve-transfer-kinds")
    allocated = TO_STREAM.index("stream-schedule-allocation")
    for number, each in enumerate(TO_STREAM):
        lower(program, each)
        kinds = [op.kind for op in program.walk() if isinstance(op, stream.AsyncTransferOp)]
        if resolved <= number < allocated:
            assert kinds == [kind, kind], each
        clones = sum(isinstance(op, stream.AsyncCloneOp) for op in program.walk())
        want = 2 if kind == "copy" and number >= allocated else 0
        assert (copies(program), clones) == (want, 0), each
    total = load(program).run(inputs=[X]).statistics.total
    want = 2 if kind == "copy" else 0
    assert (total.copy_cmds, total.copy_bytes) == (want, 64 * want)


# a is the row's cpu, b its gpu0, c its gpu1.
EXAMPLE = (
    f"(@b -> @a = {{unified_memory = true, transparent_access = true}}), (@c -> @a = {REACH}), "
    "(@a -> @b = {unified_memory = true}), (@a -> @c = {})"
)


def kinds(source: str, target: str) -> list[str | None]:
    """Of a transfer from `source`, where an import lies, to `target` and of one back."""
    head = "public @main(%arg0: !hal.buffer_view) -> !hal.buffer_view"
    lines = (
        f"%x = hal.tensor.import on({at(source)}) %arg0 : !hal.buffer_view -> tensor<16xi32>",
        move("1", "x", target),
        make("make", "2", "1", target),
        move("3", "2", source),
        make("make", "4", "3", source),
        f"%r = hal.tensor.export on({at(source)}) %4 : tensor<16xi32> -> !hal.buffer_view",
        "util.return %r : !hal.buffer_view",
    )
    program = parse_text(make_context(), module(EXAMPLE, function(head, *lines), "abc"), "t.mlir")
    lower(program, *TO_STREAM[: TO_STREAM.index("stream-resolve-transfer-kinds") + 1])
    return [op.kind for op in program.walk() if isinstance(op, stream.AsyncTransferOp)]


def test_ir_23_kinds_of_the_example() -> None:
    assert kinds("a", "b") == ["alias", "alias"]
    assert kinds("b", "a") == ["alias", "alias"]
    assert kinds("a", "c") == ["alias", "alias"]
    # The import lies in gpu1's memory, which cpu does not reach; what cpu makes may lie in its own.
    assert kinds("c", "a") == ["copy", "alias"]
