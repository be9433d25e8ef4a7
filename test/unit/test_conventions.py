"""Conventions over everything registered: names, files, packages."""

import tomllib
from pathlib import Path

import pytest
from zcir.transforms.pipeline import PIPELINES
from zcir.transforms.registry import PASSES, expand, pass_factories

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", sorted(PASSES))
def test_pass_name_is_that_of_class_file_and_lit_test(name: str) -> None:
    module, _ = PASSES[name].split(":")
    assert pass_factories()[name]().name == name
    assert module == "." + name.replace("-", "_")
    assert (ROOT / "test/lit/transforms" / f"{name.replace('-', '_')}.mlir").exists()


@pytest.mark.parametrize("name", sorted(PASSES))
def test_pass_file_shows_ir_before_and_after(name: str) -> None:
    source = (ROOT / "transforms" / f"{name.replace('-', '_')}.py").read_text()
    assert source.split('"""')[1].startswith(f"{name}: ")


@pytest.mark.parametrize("name", sorted(PIPELINES))
def test_pipelines_expand_to_known_passes(name: str) -> None:
    assert set(expand([name])) <= set(PASSES)


def test_packages_are_those_of_the_tree() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    folders = {
        path.parent.relative_to(ROOT)
        for top in ("dialects", "transforms", "runtime", "tools")
        for path in (ROOT / top).rglob("*.py")
    }
    expected = {"zcir", *("zcir." + ".".join(folder.parts) for folder in folders)}
    assert set(settings["packages"]) == expected
    for package, folder in settings["package-dir"].items():
        wanted = "." if package == "zcir" else package.removeprefix("zcir.").replace(".", "/")
        assert folder == wanted


def test_test_modules_have_names_of_their_own() -> None:
    names = [path.name for path in (ROOT / "test").rglob("*.py")]
    assert sorted(set(names)) == sorted(names)
