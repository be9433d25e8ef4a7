"""`zcir.runtime.load`: functions of a program as attributes, and what is known of their calls."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import zcir.runtime
from numpy.typing import ArrayLike
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime import Fence, HalError, InputError

ROOT = Path(__file__).parents[3]
DATA = ROOT / "test" / "data"
CHAIN = ROOT / "examples" / "chain.flow.mlir"
NONCOHERENT = ROOT / "examples" / "topologies" / "noncoherent.mlir"
COUNTER = DATA / "globals" / "counter.flow.mlir"
ALIAS = DATA / "programs" / "alias.none.flow.mlir"
FENCES = DATA / "stream" / "coarse_fences.mlir"


@cache
def chain() -> zcir.runtime.Program:
    return zcir.runtime.load(CHAIN, topology=NONCOHERENT)


def test_a_function_is_an_attribute_and_its_calls_are_counted_judged_and_traced(
    tmp_path: Path,
) -> None:
    program = zcir.runtime.load(CHAIN, topology=NONCOHERENT)
    x = np.arange(16, dtype=np.float32)
    np.testing.assert_array_equal(program.f(x), 4 * x * x - 2 * x)
    # Lists become arrays of the type that the function takes.
    np.testing.assert_array_equal(program.f([1] * 16), np.full(16, 2, np.float32))
    assert program.statistics.total.dispatches == 6
    assert program.statistics["device_a"].submits > 0
    assert program.check().reports == ()
    path = tmp_path / "t.json"
    program.write_trace(path)
    rows = json.loads(path.read_text())["traceEvents"]
    assert sum(row.get("cat") == "access" for row in rows if row["ph"] == "X") >= 6


def test_a_function_tells_what_it_takes_and_which_there_are() -> None:
    program = zcir.runtime.load(COUNTER)
    assert repr(program) == "<program of @thrice on @device_a, @device_b>"
    assert repr(program.thrice) == "<function @thrice(4xf32)>"
    assert "thrice" in dir(program)
    assert "thrice" in dir(program.session())
    with pytest.raises(AttributeError, match="unknown function 'twice'; the module has @thrice"):
        _ = program.twice
    with pytest.raises(KeyError, match="unknown function 'twice'"):
        _ = program["twice"]
    assert not hasattr(program, "_private")
    assert not hasattr(program.session(), "_private")


def test_globals_live_from_call_to_call_in_each_session() -> None:
    program = zcir.runtime.load(COUNTER)
    ones = np.ones(4, np.float32)
    first, third = program.thrice(ones)
    np.testing.assert_array_equal(first, [12.5, 24.5, 36.5, 48.5])
    fourth, _ = program["thrice"](ones)
    np.testing.assert_array_equal(fourth - third, first - [1, 2, 3, 4])
    # Another session begins anew, and so does each `run`.
    np.testing.assert_array_equal(program.session().thrice(ones)[0], first)
    np.testing.assert_array_equal(program.session()["thrice"](ones)[0], first)
    np.testing.assert_array_equal(program.run(inputs=[ones]).results[0], first)


def test_only_a_session_that_records_can_be_judged_or_traced(tmp_path: Path) -> None:
    session = chain().session()
    session.f(np.ones(16, np.float32))
    assert session.statistics.total.dispatches == 3
    with pytest.raises(InputError, match=r"check\(\) needs the events of the session"):
        session.check()
    with pytest.raises(InputError, match=r"write_trace\(\) needs .* open it with record=True"):
        session.write_trace(tmp_path / "t.json")
    assert not (tmp_path / "t.json").exists()


def test_a_session_is_judged_over_all_its_calls() -> None:
    """As IREE leaves it, the chain has no maintenance: each call reads stale."""
    program = zcir.runtime.load(DATA / "programs" / "chain.unified.stream.mlir")
    session = program.session(record=True)
    session.f(np.ones(16, np.float32))
    once = len(session.check().reports)
    session.f(np.ones(16, np.float32))
    assert 0 < once < len(session.check().reports)


@pytest.mark.parametrize("spacing", [1, 2])
@pytest.mark.parametrize("topology", [None, NONCOHERENT])
def test_an_aliased_result_is_in_the_callers_array(spacing: int, topology: Path | None) -> None:
    program = zcir.runtime.load(ALIAS, topology=topology)
    x, storage = np.arange(16, dtype=np.float32), np.zeros(16 * spacing, np.float32)[::spacing]
    result = program.f(x, storage)
    assert result is storage
    np.testing.assert_array_equal(storage, 4 * x * x - 2 * x)
    assert program.check().reports == ()
    with pytest.raises(InputError, match=r"%arg1 holds a result, but the array .* is read-only"):
        program.f(x, np.frombuffer(bytes(64), np.float32))


def test_what_is_not_given_away_stays_as_it_is() -> None:
    program = zcir.runtime.load(ALIAS)
    x = np.arange(16, dtype=np.float32)
    program.f(x, np.zeros(16, np.float32))
    np.testing.assert_array_equal(x, np.arange(16))


BUFFER = """
module {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func public @f(%x: !hal.buffer_view, %out: !hal.buffer) -> !hal.buffer_view attributes {iree.reflection = {iree.abi.declaration = "sync func @f(%input0: tensor<4xi32>, %input1: !hal.buffer {iree.abi.output = 0 : index}) -> (%output0: tensor<4xi32>)"}} {
    %0 = hal.tensor.import on(#hal.device.affinity<@a>) %x : !hal.buffer_view -> tensor<4xi32>
    %1 = hal.tensor.alias on(#hal.device.affinity<@a>) %0 : tensor<4xi32> to %out : !hal.buffer
    %2 = hal.tensor.export on(#hal.device.affinity<@a>) %1 : tensor<4xi32> -> !hal.buffer_view
    util.return %2 : !hal.buffer_view
  }
}
"""  # noqa: E501


@pytest.mark.parametrize("passes", [(), ("zc-to-stream",)])
def test_storage_may_be_given_as_a_buffer(passes: tuple[str, ...]) -> None:
    module = parse_text(make_context(), BUFFER, "buffer.mlir")
    program = zcir.runtime.load(module, passes=passes)
    # At stream level an import tells the type; a buffer at hal level has none.
    assert [argument.given_away for argument in program.arguments()] == [False, True]
    storage = np.zeros(4, np.int32)
    result = program.f([1, 2, 3, 4], storage)
    np.testing.assert_array_equal(result, [1, 2, 3, 4])
    np.testing.assert_array_equal(storage, [1, 2, 3, 4])
    assert program.check().reports == ()


RETURNED = """
module attributes {stream.affinity.default = #hal.device.affinity<@a>} {
  util.global private @a = #hal.device.target<"local"> : !hal.device
  util.func public @f(%out: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %seven = arith.constant 7 : i32
    %0 = stream.tensor.import on(#hal.device.affinity<@a>) consume %out : !hal.buffer_view -> tensor<4xi32> in !stream.resource<external>{%c16}
    %1 = stream.cmd.execute on(#hal.device.affinity<@a>) with(%0 as %o: !stream.resource<external>{%c16}) {
      stream.cmd.fill %seven, %o[%c0 for %c16] : i32 -> !stream.resource<external>{%c16}
      stream.cmd.flush %o[%c0 for %c16] : !stream.resource<external>{%c16}
    } => !stream.timepoint
    %2 = stream.timepoint.await %1 => %0 : !stream.resource<external>{%c16}
    util.return %out : !hal.buffer_view
  }
}
"""  # noqa: E501


@pytest.mark.parametrize("passes", [(), ("zc-to-hal",)])
def test_storage_that_is_returned_itself_holds_what_was_written(passes: tuple[str, ...]) -> None:
    """As IREE's stream phase has it, with the export folded away."""
    module = parse_text(make_context(), RETURNED, "returned.mlir")
    program = zcir.runtime.load(module, passes=passes)
    storage = np.zeros(4, np.int32)
    assert program.f(storage) is storage
    np.testing.assert_array_equal(storage, 7)
    assert program.check().reports == ()


SCALARS = """
util.func public @f(%a: i32, %b: f32, %c: i1, %d: index, %e: i8) -> (i32, f32, i1, index, i8) {
  util.return %a, %b, %c, %d, %e : i32, f32, i1, index, i8
}
util.func public @nothing() {
  util.return
}
"""


def test_numbers_come_back_with_their_types() -> None:
    program = zcir.runtime.load(parse_text(make_context(), SCALARS, "scalars.mlir"))
    results = program.f(-3, 0.1, True, 7, 200)
    types = (np.int32, np.float32, np.bool_, np.int64, np.int8)
    assert [type(result) for result in results] == list(types)
    assert results == (-3, np.float32(0.1), True, 7, -56)
    assert program.nothing() is None


@pytest.mark.parametrize("passes", [(), ("zc-to-hal",)])
def test_async_calls_wait_for_a_given_fence_and_signal_one(passes: tuple[str, ...]) -> None:
    """`iree.abi.model = "coarse-fences"`: the second call waits for the first one's signal."""
    session = zcir.runtime.load(FENCES, memory="noncoherent", passes=passes).session(record=True)
    gate, done = Fence.create("gate"), Fence.create("done")
    first = session.submit("f", [np.arange(4, dtype=np.int32)], wait=gate)
    second = session.submit("f", [np.arange(4, 8, dtype=np.int32)], wait=first.signal, signal=done)
    assert second.signal is done
    assert not done.settled
    with pytest.raises(HalError, match=r"DEADLINE_EXCEEDED; .*done"):
        session.system.host.wait(done, timeout=0)
    session.system.host.signal(gate)
    np.testing.assert_array_equal(second.results()[0], [7, 7, 6, 7])
    np.testing.assert_array_equal(first.results()[0], [7, 7, 2, 3])
    assert session.check().reports == ()


def test_a_wait_that_can_never_end_is_an_error() -> None:
    session = zcir.runtime.load(FENCES).session()
    call = session.submit("f", [np.arange(4, dtype=np.int32)], wait=Fence.create("never"))
    with pytest.raises(HalError, match="DEADLINE_EXCEEDED"):
        call.results()


def test_functions_without_fences_take_none() -> None:
    session = chain().session()
    with pytest.raises(InputError, match="@f takes no fences"):
        session.submit("f", [np.ones(16, np.float32)], signal=Fence.create("signal"))


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ((), "expected 1 inputs, got 0"),
        ((1, 2, 3), "expected 1 inputs, got 3"),
        (([1, 2],), "input 0: expected 16xf32, got 2xf32"),
        (([[1], [2, 3]],), "input 0: no array can be made of the list given: "),
        ((np.ones(16, np.int32),), "input 0: expected 16xf32, got 16xi32"),
        ((np.ones(16, np.complex128),), "input 0: expected 16xf32, got 16xcf128"),
        ((1.0,), "input 0: expected 16xf32, got f32"),
        (("text",), "input 0: no array can be made of the str given"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(inputs: tuple[ArrayLike, ...], message: str) -> None:
    program = chain()
    with pytest.raises(InputError) as refused:
        program.f(*inputs)
    assert message in refused.value.message
    assert "\n" not in refused.value.message
