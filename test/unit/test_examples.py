"""`make demo` says what it should, and README's commands print what README says."""

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from zcir.dialects.parsing import make_context, parse_text
from zcir.runtime.load import load

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
PROGRAMS = ("chain", "fanout", "inplace")
TOPOLOGIES = ("coherent", "noncoherent", "discrete", "oneway")


class Demo(NamedTuple):
    """One run of the demo."""

    code: int
    output: str
    folder: Path


def _module(path: str) -> ModuleType:
    """A script of the tree, as a module."""
    name = "zcir_" + path.removesuffix(".py").replace("/", "_")
    spec = importlib.util.spec_from_file_location(name, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    folder = tmp_path_factory.mktemp("demo") / "lowered"
    module = _module("examples/demo.py")
    stream = StringIO()
    with redirect_stdout(stream):
        code = module.main(folder)
    return Demo(code, stream.getvalue(), folder)


def test_demo_finds_all_as_it_should_be(demo: Demo) -> None:
    assert demo.code == 0, demo.output
    assert "NOT AS IT SHOULD BE" not in demo.output


def test_demo_shows_each_program_on_each_topology(demo: Demo) -> None:
    rows = re.findall(r"^  (\w+) +(\d+) +(\d+) .* = reference +right$", demo.output, re.M)
    copies = [(topology, int(count)) for topology, count, _ in rows]
    wanted = ((0, 0, 2, 0), (0, 0, 4, 0), (1, 1, 2, 1))
    assert copies == [
        (topology, count) for row in wanted for topology, count in zip(TOPOLOGIES, row, strict=True)
    ]


def test_demo_fits_a_terminal_and_names_no_place_of_this_machine(demo: Demo) -> None:
    assert max(map(len, demo.output.splitlines())) <= 100
    assert str(ROOT) not in demo.output
    assert str(demo.folder) not in demo.output


def test_demo_shows_the_flush_the_report_and_the_wrong_numbers(demo: Demo) -> None:
    tail = demo.output.partition("One flush taken out")[2]
    line = re.search(r"line (\d+):\n +(\S+)", tail)
    assert line is not None
    broken = (demo.folder / "chain_broken.mlir").read_text().splitlines()
    assert broken[int(line[1]) - 1].strip().startswith(f"// taken out: {line[2]}")
    assert re.search(r"error: stale read of\s+bytes \[0,64\)", tail)
    assert re.search(r"for want of a\s+flush\s+by\s+@device_a", tail)
    wrong = re.search(r"wrong +(\S.*)", tail)
    right = re.search(r"right +(\S.*)", tail)
    assert wrong is not None
    assert right is not None
    assert right[1].startswith("2 12 30 56")
    assert wrong[1] != right[1]


def test_demo_notices_what_is_not_as_it_should_be() -> None:
    module = _module("examples/demo.py")
    example = module.Example("chain", "asks for a copy too many", 1, 2)
    with redirect_stdout(StringIO()):
        faults = module.demonstrate(example)
    assert faults == [
        f"chain on {topology}: expected 1 copies, got 0"
        for topology in TOPOLOGIES
        if topology != "discrete"
    ]


class Console(NamedTuple):
    """Commands of a ```console block, each with the output that README gives."""

    start: int
    """Line of README where the block begins, from 0."""
    commands: list[tuple[str, str]]


def _consoles(lines: list[str]) -> Iterator[Console]:
    """The console blocks of README; a command goes on after a `\\` and before a `|`."""
    at = 0
    while at < len(lines):
        if lines[at] != "```console\n":
            at += 1
            continue
        end = lines.index("```\n", at)
        commands: list[tuple[str, str]] = []
        line = at + 1
        while line < end:
            command = [lines[line].removeprefix("$ ")]
            line += 1
            while command[-1].endswith("\\\n") or lines[line].startswith("  | "):
                command.append(lines[line])
                line += 1
            output: list[str] = []
            while line < end and not lines[line].startswith("$ "):
                output.append(lines[line])
                line += 1
            commands.append(("".join(command), "".join(output)))
        yield Console(at, commands)
        at = end


README = ROOT / "README.md"
DOCUMENTS = {
    README: 8,
    ROOT / "docs" / "erased-maintenance.md": 9,
    ROOT / "docs" / "models.md": 2,
}
"""Documents with commands, and how many they have at least."""
UPDATE = "UPDATE_README" in os.environ
"""`UPDATE_README=1 pytest test/unit/test_examples.py` writes what the commands print."""


def _printed(command: str, folder: Path) -> str:
    """What a command of README prints, run in `folder`."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=120,
    )
    return done.stdout.rstrip("\n") + "\n" if done.stdout.strip() else ""


def _clone(folder: Path, demo: Demo) -> Path:
    """A folder as a clone after `make demo`, for commands that write to build/."""
    tools = folder / ".venv" / "bin"
    tools.mkdir(parents=True)
    for tool in TOOLS:
        found = [bin / tool for bin in (ROOT / ".venv" / "bin", BIN) if (bin / tool).exists()]
        if found:
            (tools / tool).symlink_to(found[0])
    # A link to the interpreter would not find the environment that it belongs to.
    interpreter = tools / "python"
    interpreter.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    interpreter.chmod(0o755)
    for tree in ("examples", "test"):
        folder.joinpath(tree).symlink_to(ROOT / tree)
    folder.joinpath("build").mkdir()
    folder.joinpath("build", "demo").symlink_to(demo.folder)
    return folder


TOOLS = ("zc-opt", "zc-run", "zc-check", "iree-compile", "iree-run-module")


def _answered(command: str, output: str, folder: Path) -> str:
    """What the command prints; what README says where it needs tools that are not installed."""
    if "bin/iree-" in command and not (BIN / "iree-compile").exists():
        return output
    return _printed(command, folder)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_readme_gives_what_its_commands_print(document: Path, demo: Demo, tmp_path: Path) -> None:
    folder = _clone(tmp_path, demo)
    lines = document.read_text().splitlines(keepends=True)
    consoles = list(_consoles(lines))
    assert sum(len(console.commands) for console in consoles) >= DOCUMENTS[document]
    printed = [
        [(command, _answered(command, output, folder)) for command, output in console.commands]
        for console in consoles
    ]
    if not UPDATE:
        assert printed == [console.commands for console in consoles]
        return
    for console, answers in reversed(list(zip(consoles, printed, strict=True))):
        end = lines.index("```\n", console.start)
        lines[console.start + 1 : end] = [f"$ {command}{out}" for command, out in answers]
    document.write_text("".join(lines))


def test_readme_shows_python_that_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    tmp_path.joinpath("examples").symlink_to(ROOT / "examples")
    tmp_path.joinpath("build").mkdir()
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(), re.S)
    assert blocks
    for block in blocks:
        exec(block, {})
    assert capsys.readouterr().out == "[2. 2. 2.] 0 ()\n"
    assert tmp_path.joinpath("build", "t.json").exists()


def test_documents_name_files_that_exist() -> None:
    house = "dialects|transforms|runtime|tools|test|bench|docs|examples"
    for document in (README, ROOT / "docs" / "architecture.md"):
        text = document.read_text()
        named = re.findall(rf"`((?:{house})/[\w./-]*)`", text)
        linked = re.findall(r"\]\((?!https:)([^)]+)\)", text)
        assert named or linked
        for path in (*named, *linked):
            assert (ROOT / path).exists(), f"{document.name} names {path}"


X = np.linspace(0.98, 1.02, 16, dtype=np.float32)


@pytest.mark.parametrize(
    ("shape", "size", "inputs", "expected", "copies"),
    [
        # Four squares, each on the other device than the one before.
        ("chain", 8, X, X**16, 0),
        # Seventy on b side by side, each with a slice of one slab.
        ("fan_out", 210, X, X**2 + 70 * X**4, 0),
        # The parts are updates of the caller's value, which is not ours to write.
        ("parts", 10, np.arange(32, dtype=np.float32), np.arange(32.0) ** 2, 1),
        ("loops", 12, X, X**256, 0),
        ("nest", 1, X, X ** (4**4), 0),
    ],
)
def test_the_programs_of_the_benchmark_compute_powers(
    shape: str, size: int, inputs: NDArray[np.float32], expected: NDArray[np.floating], copies: int
) -> None:
    text = getattr(_module("bench/shapes.py"), shape)(size)
    program = load(parse_text(make_context(), text, f"{shape}.mlir"))
    run = program.run(inputs=[inputs], check=True)
    np.testing.assert_allclose(np.asarray(run.results[0]), expected, rtol=1e-3)
    assert run.statistics.total.copy_cmds == copies
    assert run.check is not None
    assert not run.check.reports


@pytest.mark.parametrize(
    ("shape", "size", "given", "expected"),
    [
        ("open_loops", 12, 2, X**256),
        ("open_loops", 12, 0, X),
        ("branches", 10, 1, X**16),
        ("branches", 10, 0, X),
    ],
)
def test_programs_of_the_benchmark_go_where_the_caller_says(
    shape: str, size: int, given: int, expected: NDArray[np.floating]
) -> None:
    text = getattr(_module("bench/shapes.py"), shape)(size)
    run = load(parse_text(make_context(), text, f"{shape}.mlir")).run(inputs=[X, given], check=True)
    np.testing.assert_allclose(np.asarray(run.results[0]), expected, rtol=1e-3)
    assert run.check is not None
    assert not run.check.reports


def test_the_throughput_benchmark_runs_what_it_compares_with() -> None:
    throughput = _module("bench/throughput.py")
    text = throughput.tiny(4)
    program = load(parse_text(make_context(), text, "tiny.mlir"))
    np.testing.assert_array_equal(program.f(np.ones(16, np.float32)), np.full(16, 16.0))
    assert program.statistics.total.dispatches == 4
    x = np.arange(16, dtype=np.float32)
    chain = load(ROOT / "examples" / "chain.flow.mlir")
    np.testing.assert_array_equal(chain.f(x), throughput.chain_of(x))


def test_the_models_of_the_benchmark_copy_only_what_they_own() -> None:
    bench = _module("bench/models.py")
    plan = bench.planned(4096)
    # Both inputs go over together.
    for reuse, copies in ((None, 0), (False, 2)):
        model = bench.load(plan, reuse=reuse)
        assert bench.calls(model, 4096, 4) > 0
        total = model.runtime.statistics.total
        # Two calls come before those that are timed.
        assert total.copy_cmds == 6 * copies
        assert total.recordings - total.copy_cmds <= 1


def test_a_model_runs_bound_copied_and_strict(capsys: pytest.CaptureFixture[str]) -> None:
    assert _module("examples/model_zero_copy.py").main(["--memory=coherent"]) == 0
    out = capsys.readouterr().out
    assert "bound, 100 calls: 0 copies" in out
    assert "strict: aclmdlExecute: input 0 placement host" in out
