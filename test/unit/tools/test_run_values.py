"""zc-run: inputs, outputs and expectations as iree-run-module has them; what does not fit is one
line on standard error and exit code 2, what differs exit code 1."""

import io
import json
import os
import re
import time
from pathlib import Path

import numpy as np
import pytest
from zcir.runtime.hal.system import System
from zcir.runtime.load import load
from zcir.tools import zc_check, zc_run
from zcir.tools.progress import Progress

Capture = pytest.CaptureFixture[str]

DECLARATION = "sync func @f(%input0: tensor<4xf32>, %input1: i32) -> (%output0: tensor<4xf32>)"
PROGRAM = f"""
util.global private mutable @total = 0 : i32
util.func public @f(%x: !hal.buffer_view, %n: i32) -> (!hal.buffer_view, i32) attributes {{
    iree.reflection = {{iree.abi.declaration = "{DECLARATION}"}}}} {{
  util.return %x, %n : !hal.buffer_view, i32
}}
util.func public @add(%n: i32) -> i32 {{
  %old = util.global.load @total : i32
  %new = arith.addi %old, %n : i32
  util.global.store %new, @total : i32
  util.return %new : i32
}}
util.func public @bytes(%x: !hal.buffer_view) -> !hal.buffer_view attributes {{
    iree.reflection = {{iree.abi.declaration = "sync func @g(%input0: tensor<?xi8>)"}}}} {{
  util.return %x : !hal.buffer_view
}}
"""
F = ("--function=f", "--input=4xf32=1,2,3,4", "--input=i32=3")
RESULTS = "result[0]: hal.buffer_view\n4xf32=1 2 3 4\nresult[1]: i32=3\n"
MATCHED = "[SUCCESS] all function outputs matched their expected values.\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the program is, and some arrays."""
    monkeypatch.chdir(tmp_path)
    Path("p.mlir").write_text(PROGRAM)
    np.save("x.npy", np.arange(1, 5, dtype=np.float32))
    with open("two.npy", "wb") as file:
        np.save(file, np.arange(1, 5, dtype=np.float32))
        np.save(file, np.int32(3))
    return tmp_path


def run(capsys: Capture, *args: str, tool: object = zc_run) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a tool on the program."""
    assert tool in (zc_run, zc_check)
    main = zc_run.main if tool is zc_run else zc_check.main
    with pytest.raises(SystemExit) as stop:
        main(["p.mlir", *args])
    captured = capsys.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, captured.out, captured.err


@pytest.mark.parametrize(
    "inputs",
    [
        ("4xf32=1,2,3,4", "i32=3"),
        ("4xf32=[1][2 3] 4", "3"),
        ("@x.npy", "0x3"),
        ("@two.npy", "+two.npy"),
        ("*two.npy",),
        ("4xf32=@x.bin", "03"),
    ],
)
def test_inputs_in_every_notation(inputs: tuple[str, ...], capsys: Capture) -> None:
    Path("x.bin").write_bytes(np.arange(1, 5, dtype=np.float32).tobytes())
    texts = [f"--input={text}" for text in inputs]
    assert run(capsys, "--function=@f", *texts) == (0, RESULTS, "")


def test_outputs_go_where_they_are_sent(capsys: Capture) -> None:
    assert run(capsys, *F, "--output=@y.npy", "--output=+y.npy") == (0, "", "")
    with open("y.npy", "rb") as file:
        np.testing.assert_array_equal(np.load(file), [1, 2, 3, 4])
        number = np.load(file)
    assert (number.shape, number.dtype, int(number)) == ((), np.int32, 3)
    assert run(capsys, *F, "--output=-", "--output=")[1] == "hal.buffer_view\n4xf32=1 2 3 4\n"
    assert run(capsys, *F, "--output=@y.bin", "--output=+y.bin")[0] == 0
    assert Path("y.bin").read_bytes() == np.array([1, 2, 3, 4], np.float32).tobytes() + (
        b"\3\0\0\0"
    )
    _, out, _ = run(capsys, *F, "--output_max_element_count=2")
    assert out.splitlines()[1] == "4xf32=1 2..."


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (("--expected_output=4xf32=1,2,3,4", "--expected_output=3"), 0),
        (("--expected_output=@x.npy", "--expected_output=i32=3"), 0),
        (("--expected_output=(ignored)", "--expected_output=ui32=3"), 0),
        (("--expected_output=4xf32=1,2,3,4.00005", "--expected_output=3"), 0),
        (("--expected_output=4xf32=1,2,3,4.05", "--expected_output=3"), 1),
        (
            (
                "--expected_output=4xf32=1,2,3,4.05",
                "--expected_output=3",
                "--expected_f32_threshold=0.1",
            ),
            0,
        ),
        (("--expected_output=4xf32=1,2,3,4.05", "--expected_output=3", "--expected_rtol=.1"), 0),
        (
            (
                "--expected_output=4xf32=1,2,3,4.00001",
                "--expected_output=3",
                "--equality_mode=exact",
            ),
            1,
        ),
        (("--expected_output=4xf32=1,2,3,nan", "--expected_output=3"), 1),
        (("--expected_output=4xf32=1,2,3,4", "--expected_output=4"), 1),
        (("--expected_output=4xf32=1,2,3,4", "--expected_output=3.0"), 1),
        (("--expected_output=2x2xf32=1,2,3,4", "--expected_output=3"), 1),
        (("--expected_output=4xf64=1,2,3,4", "--expected_output=3"), 1),
        (("--expected_output=4xf32=1,2,3,4",), 1),
    ],
)
def test_results_against_expectations(flags: tuple[str, ...], code: int, capsys: Capture) -> None:
    """As in iree-run-module nothing else is printed, unless an --output asks for it."""
    found, out, err = run(capsys, *F, *flags)
    assert (found, err) == (code, "")
    assert out.startswith("[FAILED] ") if code else out == MATCHED


def test_integers_match_whatever_their_sign_and_nan_matches_nan(capsys: Capture) -> None:
    np.save("u8.npy", np.array([200, 7], np.uint8))
    flags = ("--input=2xi8=-56 7", "--expected_output=@u8.npy")
    assert run(capsys, "--function=bytes", *flags) == (0, MATCHED, "")
    nan = ("--input=4xf32=nan 1 inf -inf", "--input=0")
    same = ("--expected_output=4xf32=nan 1 inf -inf", "--expected_output=0")
    assert run(capsys, "--function=f", *nan, *same) == (0, MATCHED, "")
    other = ("--expected_output=4xf32=nan 1 inf inf", "--expected_output=0")
    code, out, _ = run(capsys, "--function=f", *nan, *other)
    assert code == 1
    assert "element at index 3 (-INF) does not match the expected (INF)" in out


def test_calls_share_state_and_each_has_its_flags(capsys: Capture) -> None:
    flags = ("--call=add", "--input=2", "--call=@add", "--input=3", "--expected_output=5")
    assert run(capsys, *flags) == (0, f"EXEC @add\nresult[0]: i32=2\nEXEC @add\n{MATCHED}", "")
    wrong = ("--call=add", "--input=2", "--expected_output=3", "--call=add", "--input=3")
    code, out, _ = run(capsys, *wrong)
    assert code == 1
    assert out.endswith("EXEC @add\nresult[0]: i32=5\n")
    reads_on = ("--call=f", "--input=@two.npy", "--input=1", "--call=add", "--input=+two.npy")
    assert run(capsys, *reads_on, "--output=")[1].endswith("EXEC @add\n")
    # zc-check judges all of them; inputs not given count.
    assert run(capsys, "--call=add", "--call=add", tool=zc_check)[0] == 0


def test_statistics_alone_are_json(capsys: Capture) -> None:
    _, out, _ = run(capsys, *F, "--output=", "--output=", "--stats-format=json")
    rows = json.loads(out)
    assert rows["total"]["dispatches"] == 0
    assert "peak_bytes" in rows["host"]


def test_standard_input_is_a_file(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(PROGRAM))
    with pytest.raises(SystemExit) as stop:
        zc_run.main(["-", *F])
    assert (stop.value.code, capsys.readouterr().out) == (0, RESULTS)


def test_closed_streams_are_empty(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """`zc-run … >&-` runs in silence, and `zc-run - <&-` has nothing to read."""
    with monkeypatch.context() as closed:
        closed.setattr("sys.stdout", None)
        with pytest.raises(SystemExit) as stop:
            zc_run.main(["p.mlir", *F])
    assert stop.value.code == 0
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(SystemExit) as stop:
        zc_run.main(["-", *F])
    assert stop.value.code == 2
    assert "got none" in capsys.readouterr().err


BAD: dict[tuple[str, ...], str] = {
    # How many there are.
    ("--function=f",): "expected 2 inputs, got 0",
    (*F, "--input=1"): "expected 2 inputs, got 3",
    (*F, "--output=-"): "1 outputs given for 2 results",
    (*F, "--output=", "--output=", "--output="): "3 outputs given for 2 results",
    # Shapes, element types and numbers.
    (F[0], "--input=5xf32=1", F[2]): "input 0: expected 4xf32, got 5xf32",
    (F[0], "--input=4xi32=1", F[2]): "input 0: expected 4xf32, got 4xi32",
    (F[0], "--input=1", F[2]): "input 0: expected a tensor 4xf32, got the number 1",
    (F[0], F[1], "--input=4xi32=1"): "input 1: expected a number i32, got 4xi32",
    (F[0], F[1], "--input=1.5"): "input 1: expected a number i32, got the number 1.5",
    (F[0], F[1], "--input=99999999999"): "input 1: 99999999999 does not fit in i32",
    (F[0], F[1], "--input="): "input '': no value given; expected SHAPExTYPE=VALUES or @FILE.npy",
    (F[0], F[1], "--input=(null)"): "input 1: expected a number i32, got no value",
    (F[0], "--input=4xf32=1,2,3", F[2]): "expected 4 elements or one for all, got 3",
    (F[0], "--input=4xq7=1", F[2]): "unknown element type 'q7'",
    (F[0], "--input=4xf32=one", F[2]): "expected a number, got 'one'",
    (*F, "--expected_output=4xf32=x"): "expected output '4xf32=x': expected a number, got 'x'",
    # Files.
    (F[0], "--input=@none.npy", F[2]): "cannot read 'none.npy': no such file or directory",
    (F[0], "--input=@cut.npy", F[2]): "'cut.npy' is not a whole .npy array: ",
    (F[0], "--input=@head.npy", F[2]): "'head.npy' is not a whole .npy array: ",
    (F[0], "--input=@empty.npy", F[2]): "'empty.npy' is not a whole .npy array: ",
    (F[0], "--input=@text.npy", F[2]): "'text.npy' is not a whole .npy array: ",
    (F[0], "--input=@objects.npy", F[2]): "'objects.npy' is not a whole .npy array: ",
    (F[0], "--input=@names.npy", F[2]): "input 0: expected 4xf32, got ",
    (F[0], "--input=@x.npy", "--input=+x.npy"): "'x.npy' is not a whole .npy array: ",
    (F[0], "--input=@p.mlir", F[2]): "expected a .npy file, got 'p.mlir'",
    (F[0], "--input=4xf32=@p.bin", F[2]): "expected 16 bytes in 'p.bin', got 3",
    (F[0], "--input=@.", F[2]): "expected a .npy file, got '.'",
    (F[0], "--input=@dir.npy", F[2]): "cannot read 'dir.npy': is a directory",
    (*F, "--output=@none/y.npy", "--output="): "cannot write 'none/y.npy': no such file or",
    (*F, "--output=y.npy", "--output="): "output 'y.npy': expected @FILE, +FILE, - or nothing",
    (*F, "--output=@", "--output="): "output '@': expected @FILE, +FILE, - or nothing",
    # Functions, calls and flags.
    ("--function=g",): "unknown function 'g'; the module has @f, @add, @bytes",
    (): "expected one public function, got @f, @add, @bytes; name it with --function",
    ("--call=",): "expected one public function, got @f, @add, @bytes",
    ("--call=add", "--input=1", "--call=g"): "unknown function 'g'",
    ("--input=1", "--call=add"): "--input belongs to the --call before it; there is none",
    ("--output=-", "--call=add"): "--output belongs to the --call before it; there is none",
    ("--function=f", "--call=add"): "--function names the only call; with --call each has a name",
    (*F, "--schedule=lifo"): "unknown schedule 'lifo'",
    (
        *F,
        "--memory=none",
    ): "unknown memory 'none'; expected module, coherent, noncoherent, discrete",
    (*F, "--topology=p.mlir"): "error: ",
    (*F, "--expected_rtol=-1"): "argument --expected_rtol: invalid tolerance value: '-1'",
    (*F, "--expected_f32_threshold=nan"): "invalid tolerance value: 'nan'",
    (*F, "--equality_mode=near"): "argument --equality_mode: invalid choice: 'near'",
    (*F, "--output_max_element_count=x"): "invalid count value: 'x'",
    (*F, "--output_max_element_count=-1"): "invalid count value: '-1'",
    (*F, "-p", "zc-to-hal{x=1}"): "unknown option 'x' of 'zc-to-hal' in -p; it takes none",
    (*F, "--colour"): "unrecognized arguments: --colour; zc-run --help tells the flags",
    (*F, "--trace=none/t.json", "--check"): "none/t.json: error: no such file or directory",
    (*F, "--reference"): "--reference computes flow programs; this one is lowered already",
    (*F, "--reference", "--stats"): "--stats shows a run on the machine; drop --reference",
    (*F, "--replay=none.json", "--check"): "--check shows a run on the machine; drop",
    (*F, "--replay=none.json"): "none.json: error: no such file or directory",
}


@pytest.mark.parametrize("flags", BAD, ids=lambda flags: " ".join(flags) or "none")
def test_bad_input_is_one_line_and_exit_code_2(flags: tuple[str, ...], capsys: Capture) -> None:
    whole = Path("x.npy").read_bytes()
    Path("cut.npy").write_bytes(whole[:-1])
    Path("head.npy").write_bytes(whole[:20])
    Path("empty.npy").write_bytes(b"")
    Path("text.npy").write_text("1 2 3 4")
    np.save("objects.npy", np.array([{}, 1, 2, 3], object), allow_pickle=True)
    np.save("names.npy", np.array(["a", "b", "c", "d"]))
    Path("p.bin").write_bytes(b"123")
    Path("dir.npy").mkdir()
    code, out, err = run(capsys, *flags)
    assert code == 2
    assert re.fullmatch(r"(\S+: )?error: [^\n]*\n", err)
    assert BAD[flags] in err
    assert "Traceback" not in err
    assert "internal error" not in err
    if "--check" not in flags:
        assert out == ""


@pytest.mark.parametrize(
    "body",
    ["return %x : tensor<4xf32>", "%0 = arith.addf %x, %x : tensor<4xf32>\nreturn %0 : TYPE"],
)
def test_what_iree_compile_starts_from_is_told_from_what_it_makes(
    body: str, capsys: Capture
) -> None:
    body = body.replace("TYPE", "tensor<4xf32>")
    Path("p.mlir").write_text(f"func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {{\n{body}\n}}")
    code, _, err = run(capsys, "--input=4xf32=1")
    assert code == 2
    assert re.fullmatch(
        r"p\.mlir:\d+:\d+: error: [^\n]*iree-compile --compile-to=flow[^\n]*\n", err
    )


def test_nothing_is_written_for_outputs_that_do_not_do(capsys: Capture) -> None:
    run(capsys, *F, "--output=@y.npy", "--output=y.npy")
    run(capsys, *F, "--output=@y.npy")
    assert not os.path.exists("y.npy")


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _wait_for(terminal: io.StringIO, text: str) -> None:
    end = time.monotonic() + 20
    while text not in terminal.getvalue() and time.monotonic() < end:
        time.sleep(0.005)


def test_long_runs_tell_how_far_they_are_on_a_terminal() -> None:
    terminal, pipe = _Terminal(), io.StringIO()
    system: list[System] = []
    with Progress(terminal, 0.0, 0.001) as progress, Progress(pipe, 0.0, 0.001):
        progress.say("reading")
        _wait_for(terminal, "s: reading")
        program = load("p.mlir")
        program.run_calls([], watch=system.append)
        system[0].statistics["host"].flush_bytes = 64
        progress.follow(system[0])
        _wait_for(terminal, "running: 0 dispatches, 0 copies, 64 bytes flushed or invalidated")
    lines = terminal.getvalue().split("\r\x1b[K")
    assert "0 s: reading" in lines
    assert "0 s: running: 0 dispatches, 0 copies, 64 bytes flushed or invalidated" in lines
    # It leaves no trace, and says nothing where nobody looks.
    assert lines[-1] == ""
    assert pipe.getvalue() == ""


def test_short_runs_are_quiet() -> None:
    terminal = _Terminal()
    with Progress(terminal) as progress:
        progress.say("reading")
    assert terminal.getvalue() == ""
