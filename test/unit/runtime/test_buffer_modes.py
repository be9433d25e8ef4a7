"""IR-25 at run time: native and import serve an alias, copy and none do not.

IR-50 at run time: a buffer of the caller is used where it lies, or refused by name.
"""

from pathlib import Path

import numpy as np
import pytest
from hal_world import Add, machine, record
from zcir.dialects.diagnostics import OpError
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.element_types import InputError
from zcir.runtime.errors import HalError, StatusCode
from zcir.runtime.hal.buffer import BufferParams
from zcir.runtime.hal.dispatch import Workload
from zcir.runtime.hal.flags import MemoryType
from zcir.runtime.hal.refs import BufferRef
from zcir.runtime.hal.semaphore import NULL_FENCE
from zcir.runtime.hal.system import System
from zcir.runtime.load import Program, load
from zcir.runtime.machine import Machine
from zcir.runtime.vm.state import read_view
from zcir.runtime.vm.values import DeviceArray

ROOT = Path(__file__).parents[3]
CHAIN = ROOT / "examples" / "chain.flow.mlir"
HANDOVER = ROOT / "test" / "data" / "cases" / "handover.flow.mlir"
X = np.arange(16, dtype=np.float32)


def links(directory: Path, mode: str, back: str = "") -> Path:
    """A topology file: b reaches a's memory in a mode, a reaches b's in another or the same."""
    back = back or mode
    path = directory / f"{mode}-{back}.mlir"
    path.write_text(
        f"""module attributes {{stream.topology = #hal.device.topology<links = [
          (@device_b -> @device_a = {{}}, {{buffer_read = "{mode}", buffer_write = "{mode}"}}),
          (@device_a -> @device_b = {{}}, {{buffer_read = "{back}", buffer_write = "{back}"}})
        ]>}} {{
          util.global private @device_a : !hal.device
          util.global private @device_b : !hal.device
        }}"""
    )
    return path


@pytest.mark.parametrize(
    ("mode", "imports", "copies"), [("native", 0, 0), ("import", 1, 0), ("copy", 0, 2)]
)
def test_native_and_import_share_what_copy_copies(
    mode: str, imports: int, copies: int, tmp_path: Path
) -> None:
    # There and back: b imports what it works on in a's pool; nothing else is imported or copied.
    program = load(CHAIN, topology=links(tmp_path, mode, "copy"))
    run = program.run(inputs=[X], check=True, schedule="adversarial:1")
    np.testing.assert_array_equal(np.asarray(run.results[0]), (2 * X) ** 2 - 2 * X)
    assert run.check is not None
    assert not run.check.reports
    assert run.statistics["device_b"].imports >= imports
    assert bool(run.statistics["device_b"].imports) is bool(imports)
    assert run.statistics.total.copy_cmds == copies


def imported_machine() -> Machine:
    """a and b over one pool, of which b has to import each buffer."""
    base = machine("a", "b", coherent=True)
    return Machine(
        base.domains, base.pools, base.in_place, base.by_copy, {"b": frozenset(("shared",))}
    )


def test_a_buffer_is_imported_once_however_often_it_is_used() -> None:
    # IMPORT imports 1 over 5 runs, by slot or directly; what only transfers touch needs none.
    system = System(imported_machine())
    a, b = system.device("a"), system.device("b")
    buffer, other, copied = (
        system.host.allocate("shared", 64, BufferParams(name=name)) for name in ("%m", "%n", "%c")
    )
    for device in (a, b):
        direct, slots = record(device), record(device, slots=1)
        direct.dispatch(Add(), Workload((1,)), [BufferRef(buffer)])
        direct.fill_buffer(BufferRef(copied), b"\0")
        slots.dispatch(Add(), Workload((1,)), [BufferRef(0)])
        direct.finalize()
        slots.finalize()
        counts: list[int] = []
        for table in [(buffer,)] * 5 + [(other,)] * 2:
            device.queue_execute(NULL_FENCE, NULL_FENCE, direct)
            device.queue_execute(NULL_FENCE, NULL_FENCE, slots, table)
            counts.append(device.counters.imports)
        assert counts == ([0] * 7 if device is a else [1, 1, 1, 1, 1, 2, 2])


def test_an_alias_compiled_for_import_is_refused_where_the_machine_copies(tmp_path: Path) -> None:
    # IR-27.
    with pytest.raises(InputError, match=r"@device_\w reaches the memory of @device_\w in place"):
        load(CHAIN, topology=links(tmp_path, "import"), memory=str(links(tmp_path, "copy")))
    load(CHAIN, topology=links(tmp_path, "copy"), memory=str(links(tmp_path, "import")))


def test_no_interop_is_refused_with_both_names(tmp_path: Path) -> None:
    message = "a device that can copy from @device_a to @device_b, but .* cannot reach both"
    with pytest.raises(OpError, match=message):
        load(CHAIN, topology=links(tmp_path, "none"))


def handed_over(topology: Path | str) -> Program:
    """a and b double what the caller lent."""
    context = make_context()
    module = parse_text(context, HANDOVER.read_text(), "handover.flow.mlir")
    return load(module, topology=ROOT / "examples" / "topologies" / f"{topology}.mlir")


@pytest.mark.parametrize("memory", [MemoryType.HOST_LOCAL | MemoryType.DEVICE_VISIBLE])
def test_an_import_that_both_devices_reach_is_shared(memory: MemoryType) -> None:
    # IR-50: HOST_LOCAL import accessible to both: copies 0, in the pool that serves both.
    for topology, pool in (("noncoherent", "device_a"), ("oneway", "device_b")):
        session = handed_over(topology).session()
        params = BufferParams(name="%lent", memory_type=memory)
        lent = session.system.host.import_array(X.view(np.uint8), pool, params)
        for view in session.call_views("f", [DeviceArray(lent, (16,), X.dtype)]):
            assert isinstance(view, DeviceArray)
            np.testing.assert_array_equal(read_view(session._state, view), 2 * X)
        assert session.system.statistics.total.copy_cmds == 0


def test_an_import_that_one_device_does_not_reach_is_refused() -> None:
    # IR-50: memory of a alone, handed to b, which reaches its own only.
    session = handed_over("oneway").session()
    params = BufferParams(name="%lent", memory_type=MemoryType.DEVICE_LOCAL)
    lent = session.system.host.import_array(X.view(np.uint8), "device_a", params)
    message = "device_b does not reach pool device_a of buffer %lent in place"
    with pytest.raises(HalError, match=message) as refused:
        session.call_views("f", [DeviceArray(lent, (16,), X.dtype)])
    assert refused.value.code is StatusCode.PERMISSION_DENIED
    assert session.system.statistics["device_b"].dispatches == 0


def test_memory_that_devices_do_not_see_is_refused() -> None:
    session = handed_over("noncoherent").session()
    params = BufferParams(name="%lent", memory_type=MemoryType.HOST_LOCAL)
    lent = session.system.host.import_array(X.view(np.uint8), "device_a", params)
    with pytest.raises(HalError, match="expected tensor to have memory type DeviceVisible"):
        session.call_views("f", [DeviceArray(lent, (16,), X.dtype)])
