"""Whatever zc-opt is given, it fails with one line and exit code 2, or does it (K13)."""

import io
import sys
from pathlib import Path

import pytest
from zcir.tools import zc_opt
from zcir.tools.driver import EXIT_CANNOT, EXIT_OK, guarded

RIGHT = "func.func @f(%a: i32) {\n  func.return\n}\n"
INPUTS: dict[str, tuple[bytes, str]] = {
    "binary": (b"\x7fELF\xff\xfe", "in.mlir: error: input is not UTF-8 text: bad byte at 4"),
    "utf-16": (RIGHT.encode("utf-16"), "in.mlir: error: input is not UTF-8 text: bad byte at 0"),
    "zero bytes": (b"\0" * 9, "in.mlir:1:1: error: unexpected character"),
    "cut off": (RIGHT[:20].encode(), "in.mlir:1:"),
    "one long word": (b"x" * 100_000, "in.mlir:1:1: error: unknown op 'xxx"),
    "no dialect": (b"foo.bar\n", "in.mlir:1:1: error: unknown op 'foo.bar' in custom syntax"),
}
FLAGS: dict[str, tuple[str, str]] = {
    "flag": ("--frob", "error: unrecognized arguments: --frob; zc-opt --help tells the flags"),
    "target": ("-t=nope", "error: argument -t/--target: invalid choice"),
    "pass": ("-p=nope", "error: unknown pass 'nope' in -p; zc-opt --help lists the passes"),
    "pass syntax": ("-p=canonicalize{", "error: malformed pass pipeline: "),
    "no such option": (
        "-p=stream-to-hal{x=1}",
        "error: unknown option 'x' of 'stream-to-hal' in -p; it takes none",
    ),
    "option of a pipeline": (
        "-p=zc-pipeline{x=1}",
        "error: unknown option 'x' of 'zc-pipeline' in -p; it takes none",
    ),
    "value of an option": (
        "-p=scf-for-loop-flatten{x=1},test-lower-linalg-to-snitch",
        "error: unknown option 'x' of 'scf-for-loop-flatten' in -p; it takes none",
    ),
    "output in no folder": ("-o=none/out.mlir", "none/out.mlir: error: no such file or directory"),
    "output without a name": ("-o=", "'': error: no such file or directory"),
    "full device": ("-o=/dev/full", "/dev/full: error: no space left on device"),
    "topology": ("--topology=none.mlir", "none.mlir: error: no such file or directory"),
    "folder as topology": ("--topology=.", ".: error: is a directory"),
}
GOOD = {
    "nothing": b"",
    "blank": b"\n \n",
    "a comment without an end of line": b"// only",
    "CRLF": RIGHT.replace("\n", "\r\n").encode(),
    "names beyond ASCII": 'func.func @"é"() {\n  func.return\n}\n'.encode(),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refusal(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """The one line with which zc-opt refuses; it prints nothing else and leaves no file."""
    before = set(Path.cwd().iterdir())
    assert guarded(lambda: zc_opt.run(args)) == EXIT_CANNOT
    out, err = capsys.readouterr()
    assert not out
    (line,) = err.splitlines()
    assert "internal error" not in line
    assert len(line) < 3000
    assert set(Path.cwd().iterdir()) == before
    return line


@pytest.mark.parametrize("name", INPUTS)
def test_bad_input(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content, start = INPUTS[name]
    (folder / "in.mlir").write_bytes(content)
    assert refusal(capsys, "in.mlir", "-o=out.mlir").startswith(start)


@pytest.mark.parametrize("name", FLAGS)
def test_bad_flag(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flag, start = FLAGS[name]
    (folder / "in.mlir").write_text(RIGHT)
    assert refusal(capsys, "in.mlir", flag).startswith(start)


def test_no_file_and_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert refusal(capsys, "none.mlir") == "none.mlir: error: no such file or directory"
    Path("folder.mlir").mkdir()
    assert refusal(capsys, "folder.mlir") == "folder.mlir: error: is a directory"


@pytest.mark.parametrize("name", GOOD)
def test_odd_but_right_input(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD[name])))
    assert guarded(lambda: zc_opt.run(["-"])) == EXIT_OK
    assert capsys.readouterr().out.startswith("builtin.module {")
