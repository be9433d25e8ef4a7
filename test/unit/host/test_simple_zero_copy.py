"""The sample of mapped host memory: phases, log, exit codes, release (rows ZC-02, ZC-20, ZC-26,
ZC-33 to ZC-41)."""

import importlib.util
import struct
import sys
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from zcir.runtime.host import HostError, Runtime, build_image, one_device

ROOT = Path(__file__).parents[3]

SET_UP = [
    "aclInit",
    "aclrtSetDevice",
    "aclrtCreateStream",
    *(["aclrtMallocHost", "aclrtHostRegisterV2", "aclrtHostGetDevicePointer"] * 3),
    "aclrtBinaryLoadFromFile",
    "aclrtBinaryGetFunction",
    "aclrtKernelArgsInit",
    *(["aclrtKernelArgsAppend"] * 3),
    "aclrtKernelArgsFinalize",
    "aclrtLaunchKernelWithConfig",
    "aclrtSynchronizeStream",
]
RELEASE = [
    "aclrtBinaryUnLoad",
    *(["aclrtHostUnregister", "aclrtFreeHost"] * 3),
    "aclrtDestroyStream",
    "aclrtResetDeviceForce",
    "aclFinalize",
]
GOOD = """[INFO] Start to run simple_zero_copy sample.
[INFO] Registered three Host buffers and obtained their Device mapping addresses.
[INFO] Verified 16384 FP16 additions through mapped Host memory.
[INFO] Run the simple_zero_copy sample successfully.
"""


def module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        f"zcir_example_{name}", ROOT / f"examples/{name}.py"
    )
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


@pytest.fixture(scope="module")
def sample() -> Any:
    return module("simple_zero_copy")


@pytest.fixture(scope="module")
def image(sample: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("image") / "simple_zero_copy_kernel.o"
    build_image(sample.KERNEL_SOURCE, "Ascend910B3", output)
    return output


class Run:
    """A run of the sample with calls that fail."""

    def __init__(self, sample: Any, image: Path, coherent: bool = True) -> None:
        self.runtime = Runtime(topology=one_device(host_coherent=coherent))
        self.log = StringIO()
        self.session = sample.Session(self.runtime, image, self.log)

    def result(self) -> int:
        return self.session.run()

    @property
    def lines(self) -> list[str]:
        return self.log.getvalue().splitlines()


@pytest.mark.parametrize("coherent", [True, False])
def test_sample_runs_its_calls_in_order_and_releases_in_reverse(
    sample: Any, image: Path, coherent: bool
) -> None:
    # ZC-01, ZC-02, ZC-36: on a mapping that is not coherent, too.
    run = Run(sample, image, coherent)
    assert run.result() == 0
    assert run.log.getvalue() == GOOD
    assert run.runtime.calls == SET_UP + RELEASE
    counters = run.runtime.statistics.total
    assert (counters.copy_cmds, counters.dispatches, counters.imports) == (0, 1, 3)
    assert run.runtime.statistics["npu"].allocs == 0
    assert not run.runtime.allocations
    assert not run.runtime.check().reports


def test_data_is_that_of_the_document(sample: Any) -> None:
    # ZC-26.
    patterns = (sample.HALF_ONE, sample.HALF_TWO, sample.HALF_THREE)
    assert [struct.unpack("e", struct.pack("H", p))[0] for p in patterns] == [1.0, 2.0, 3.0]
    assert (sample.DEVICE_ID, sample.BLOCK_DIM, sample.ELEMENT_COUNT) == (0, 8, 16384)
    assert sample.BUFFER_SIZE == 32768


def test_output_is_zero_before_the_launch(sample: Any, image: Path) -> None:
    # ZC-26, ZC-34: verification before the launch fails at the first element.
    run = Run(sample, image)
    run.session.initialize_runtime()
    run.session.prepare_mapped_buffers()
    assert not run.session.output.host.read().any()
    with pytest.raises(sample.PhaseError, match="index 0: actual=0x0000, expected=0x4200"):
        run.session.verify()


@pytest.mark.parametrize("index", range(len(SET_UP)))
def test_a_failing_call_ends_the_run_and_all_is_released(
    sample: Any, image: Path, index: int
) -> None:
    # ZC-02, ZC-35, ZC-36, ZC-38: every call of the phases fails once.
    run = Run(sample, image)
    call = SET_UP[index]
    run.runtime.faults.fail(call, 507899, SET_UP[: index + 1].count(call))
    assert run.result() == -1
    errors = [line for line in run.lines if line.startswith("[ERROR]")]
    assert errors[0] == f"[ERROR] {call} failed with error code 507899: injected fault"
    assert run.runtime.calls == SET_UP[: index + 1] + released(SET_UP[:index])
    assert not run.runtime.initialized
    # Without the wait the kernel may still use the buffers, which the runtime then keeps.
    kept = 3 if call == "aclrtSynchronizeStream" else 0
    assert len(errors) == 1 + 2 * kept
    assert len(run.runtime.allocations) == len(run.runtime.registry.registrations) == kept


def released(acquired: list[str]) -> list[str]:
    """The calls that undo what was acquired."""
    allocated = acquired.count("aclrtMallocHost")
    registered = acquired.count("aclrtHostRegisterV2")
    calls = ["aclrtBinaryUnLoad"] * acquired.count("aclrtBinaryLoadFromFile")
    for buffer in (2, 1, 0):
        calls += ["aclrtHostUnregister"] * (buffer < registered)
        calls += ["aclrtFreeHost"] * (buffer < allocated)
    calls += ["aclrtDestroyStream"] * acquired.count("aclrtCreateStream")
    calls += ["aclrtResetDeviceForce"] * acquired.count("aclrtSetDevice")
    return calls + ["aclFinalize"] * acquired.count("aclInit")


@pytest.mark.parametrize("index", range(len(RELEASE)))
def test_an_error_of_the_release_is_recorded_and_the_rest_released(
    sample: Any, image: Path, index: int
) -> None:
    # ZC-37: every call of the release fails once, though the data were right.
    run = Run(sample, image)
    call = RELEASE[index]
    run.runtime.faults.fail(call, 507911, RELEASE[: index + 1].count(call))
    assert run.result() == -1
    assert f"[ERROR] Cleanup failed: {call} returned error code 507911" in run.lines
    assert run.runtime.calls == SET_UP + RELEASE
    assert any("Verified 16384" in line for line in run.lines)
    # Memory that is still registered cannot be freed: that is told, too.
    told = 2 if call == "aclrtHostUnregister" else 1
    assert sum("Cleanup failed" in line for line in run.lines) == told


def test_a_null_device_address_is_a_failure(sample: Any, image: Path) -> None:
    # ZC-20.
    run = Run(sample, image)
    run.runtime.faults.give_null("aclrtHostGetDevicePointer", 1)
    assert run.result() == -1
    assert "[ERROR] Mapped Device address is null." in run.lines
    assert run.runtime.calls[-5:] == [
        "aclrtHostUnregister",
        "aclrtFreeHost",
        "aclrtDestroyStream",
        "aclrtResetDeviceForce",
        "aclFinalize",
    ]
    assert not run.runtime.allocations


def test_verification_names_the_first_wrong_element(sample: Any, image: Path) -> None:
    # ZC-34.
    run = Run(sample, image)
    for phase in ("initialize_runtime", "prepare_mapped_buffers", "load_kernel", "execute"):
        getattr(run.session, phase)()
    run.session.output.host.view("u2")[5] = 0
    run.session.output.host.view("u2")[9] = 0
    text = "Result mismatch at index 5: actual=0x0000, expected=0x4200"
    with pytest.raises(sample.PhaseError, match=text):
        run.session.verify()


def test_number_of_local_buffers_does_not_change_the_result() -> None:
    # ZC-33.
    kernel = module("simple_zero_copy_kernel")
    rng = np.random.default_rng(7)
    x, y = (rng.integers(0, 0x7C00, kernel.TOTAL_LENGTH, np.uint16).view("f2") for _ in "xy")
    results = [np.zeros(kernel.TOTAL_LENGTH, "f2") for _ in range(3)]
    with np.errstate(over="ignore"):
        for buffers, z in zip((1, 2, 4), results, strict=True):
            for block in range(kernel.USE_CORE_NUM):
                kernel.add_block(block, x, y, z, buffers)
        assert all(z.tobytes() == (x + y).tobytes() for z in results)


def test_command_line(sample: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # ZC-40, ZC-41: the log is in a file, too; any error gives another exit code.
    out = [f"--out={tmp_path / 'out'}"]
    assert sample.main(out) == 0
    text = capsys.readouterr().out
    assert text == "[INFO]: Current compile soc version is Ascend910B3\n" + GOOD
    assert (tmp_path / "out" / "output_msg.txt").read_text() == text
    assert sample.main([*out, "--blocks=7", "--memory=noncoherent"]) == 1
    assert "[ERROR] Result mismatch at index 14336: actual=0x0000" in capsys.readouterr().out
    assert sample.main([*out, "--fail=aclrtHostRegisterV2:2=507910"]) == 1
    text = capsys.readouterr().out
    assert "\n[ERROR] aclrtHostRegisterV2 failed with error code 507910" in text
    assert sample.main([*out, "--fail=aclrtHostGetDevicePointer=0"]) == 1
    assert "Mapped Device address is null." in capsys.readouterr().out
    assert sample.main([*out, "--soc=Toaster9000"]) == 2
    text = capsys.readouterr().out
    assert text == (
        "[ERROR] unsupported device Toaster9000; expected a product of Ascend910B, Ascend910_93, "
        "Ascend950\n"
    )
    trace = tmp_path / "trace.json"
    assert sample.main([*out, "--soc=Ascend950PR", f"--trace={trace}"]) == 0
    assert "kernel add_custom" in trace.read_text()


def test_an_injected_fault_has_no_effect() -> None:
    # ZC-35.
    runtime = Runtime()
    runtime.faults.fail("aclInit", 123456)
    with pytest.raises(HostError, match=r"aclInit: injected fault \(error 123456\)") as caught:
        runtime.init()
    assert caught.value.code == 123456
    assert not runtime.initialized
    runtime.init()
