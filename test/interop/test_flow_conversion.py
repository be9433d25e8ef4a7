"""Stock `iree-opt` reads what `flow-to-stream` makes of every form in our own tests (issue 4)."""

from pathlib import Path

import pytest
from test_examples_iree import ROOT, _iree, _text, pytestmark
from zcir.dialects.parsing import LocatingParser, make_context
from zcir.runtime.load import run_passes

__all__ = ["pytestmark"]

LIT = ROOT / "test" / "lit" / "transforms"
FORMS = sorted(path.stem for path in LIT.glob("flow_to_stream*.mlir") if "invalid" not in path.stem)


@pytest.mark.parametrize("form", FORMS)
def test_iree_opt_accepts_the_conversion(form: str, tmp_path: Path) -> None:
    converted: list[str] = []
    for chunk in (LIT / f"{form}.mlir").read_text().split("// -----"):
        context = make_context()
        module = LocatingParser(context, chunk, form).parse_module()
        run_passes(context, module, ("flow-to-stream",))
        converted.append(_text(module))
    path = tmp_path / "converted.mlir"
    path.write_text("// -----\n".join(converted))
    _iree("iree-opt", "--split-input-file", path, "-o", tmp_path / "out.mlir")
