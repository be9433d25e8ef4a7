"""The reference of the passes names each pass, and is what the docstrings say now."""

from pathlib import Path

from zcir.tools import pass_docs
from zcir.transforms.registry import PASSES

REFERENCE = Path(__file__).resolve().parents[3] / "docs" / "passes.md"


def test_the_reference_in_the_tree_is_what_make_docs_writes() -> None:
    assert REFERENCE.read_text(encoding="utf-8") == pass_docs.page(), "run make docs"


def test_every_pass_shows_ir_and_says_what_it_does_not_handle() -> None:
    parts = pass_docs.page().split("\n### `")[1:]
    assert sorted(part.partition("`")[0] for part in parts) == sorted(PASSES)
    for part in parts:
        assert "oes not handle" in part, f"{part.partition('`')[0]} states no limits"
        assert "```" in part, f"{part.partition('`')[0]} shows no IR"
